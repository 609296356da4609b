//! Values and keys that are too long.

use super::number;
use crate::judge::{design, fact, findings, fires, mends, silent};

#[test]
fn declared_values_must_fit() {
    let finding = fires(&number("type = \"int\", min = 0, max = 99999", ", pad = 4", ""), "ENC08");
    assert_eq!(finding.message, "10000, a value of id, does not fit pad = 4: it takes 0 to 9999");
    assert_eq!(finding.severity.name(), "error");
    mends(&number("type = \"int\", min = 0, max = 99999", ", pad = 4", ""), "ENC08");
    silent(&number("type = \"int\", min = 0, max = 9999", ", pad = 4", ""), "ENC08");
    assert_eq!(fires(&number("type = \"int\", min = 0", ", pad = 4", ""), "ENC08").severity.name(), "info");
    mends(&number("type = \"int\", min = 0, max = 5000000000", ", as = \"be\", width = 4", ""), "ENC08");
    silent(&number("type = \"time\", unit = \"s\"", ", desc = 9999999999", ""), "ENC08");
}

#[test]
fn long_keys_are_told_by_their_declared_lengths() {
    let text = |len: &str| {
        design(&format!("name = {{ type = \"string\"{len} }}"), "{ field = \"name\", escape = true }", "")
    };
    assert_eq!(fact(&fires(&text(", max_len = 60"), "ENC13"), "bytes"), 122);
    silent(&text(", max_len = 40"), "ENC13");
    silent(&text(""), "ENC13");
    let digits = |len: usize| {
        design(
            &format!("a = {{ type = \"digits\", len = {len} }}\nb = {{ type = \"digits\", len = {len} }}"),
            "{ field = \"a\" }, { field = \"b\" }",
            "",
        )
    };
    assert_eq!(fires(&digits(20_000), "ENC13").severity.name(), "error");
    assert_eq!(fires(&digits(10_000), "ENC13").severity.name(), "warning");
}

#[test]
fn escaped_texts_without_zeros_are_no_longer() {
    let parts = "{ field = \"e\", escape = true }, { field = \"id\" }";
    let of = |words: &str| {
        design(
            &format!(
                "e = {{ type = \"string\", max_len = 49{words} }}\nid = {{ type = \"digits\", len = 8 }}"
            ),
            parts,
            "",
        )
    };
    silent(&of(", alphabet = \"0-9\""), "ENC13");
    fires(&of(""), "ENC13");
}

#[test]
fn keys_of_ordered_bytes_are_as_long_as_they_are_written() {
    let toml = |field: &str, digits: usize| {
        let fields = format!("s = {{ {field} }}\nu = {{ type = \"digits\", len = {digits} }}");
        design(&fields, "{ field = \"s\", as = \"ordered-bytes\" }, { field = \"u\" }", "")
    };
    let text = "type = \"string\", max_len = 99";
    assert_eq!(fact(&fires(&toml(text, 1), "ENC13"), "bytes"), 102);
    silent(&toml("type = \"string\", max_len = 97", 1), "ENC13");
    silent(&toml("type = \"int\"", 86), "ENC13");
}

#[test]
fn a_value_that_does_not_fit_is_the_nearest_one_that_is_declared() {
    let four = ", as = \"be\", width = 4";
    let full = "n.width: remove";
    let (widen, declare) =
        ("widen the step while the table is empty", "declare the true `min` and `max`, or widen the step");
    for (field, steps, value, severity, remedy) in [
        ("\"int\"", four, "2147483648", "info", declare),
        ("\"int\", min = -3000000000", four, "-2147483649", "error", full),
        ("\"int\", max = 3000000000", four, "2147483648", "error", full),
        ("\"int\", min = -3000000000, max = 3000000000", four, "2147483648", "error", full),
        ("\"int\", min = -3000000000, max = 5", four, "-2147483649", "error", full),
        ("\"time\", unit = \"ms\"", four, "1000000000000", "error", full),
        ("\"int\", min = -5, max = 3", ", pad = 1", "-1", "error", widen),
        ("\"int\", min = 0, max = 10", ", pad = 1", "10", "error", "n.pad = 2"),
        ("\"int\", max = 10", ", pad = 1", "10", "error", widen),
        ("\"time\", unit = \"s\", min = 0, max = 99", ", pad = 1", "10", "error", widen),
        ("\"time\", unit = \"s\"", ", pad = 1", "1000000000", "error", widen),
        ("\"u32\"", ", pad = 1", "10", "info", declare),
        ("\"int\", min = 0, max = 200", ", desc = 100", "101", "error", widen),
        ("\"u64\"", ", desc = \"long-max\"", "9223372036854775808", "info", declare),
    ] {
        let toml = design(&format!("n = {{ type = {field} }}"), &format!("{{ field = \"n\"{steps} }}"), "");
        let finding = fires(&toml, "ENC08");
        let patch = finding.fix.as_ref().map(|fix| fix.edits[0].to_string().replace("key.parts[0]", "n"));
        let told = (fact(&finding, "value").as_str().unwrap_or_default(), finding.severity.name());
        assert_eq!(told, (value, severity), "{field}");
        let limit = match steps {
            ", pad = 1" => "it takes 0 to 9",
            ", as = \"be\", width = 4" if field.contains("int") => "it takes -2147483648 to 2147483647",
            _ => "it takes ",
        };
        assert!(finding.message.contains(limit), "{}", finding.message);
        assert_eq!(patch.or(finding.help).as_deref(), Some(remedy), "{field}");
    }
    for field in [
        "\"int\", min = 0, max = 3000000000",
        "\"int\", min = -2147483648, max = 2147483647",
        "\"time\", unit = \"s\"",
        "\"i32\"",
    ] {
        silent(
            &design(&format!("n = {{ type = {field} }}"), &format!("{{ field = \"n\"{four} }}"), ""),
            "ENC08",
        );
    }
}

#[test]
fn lengths_of_keys_are_weighed_at_their_limits() {
    let bytes = |field: &str, part: &str, len: usize| {
        let toml = design(
            &format!("v = {{ {field} }}\nd = {{ type = \"digits\", len = {len} }}"),
            &format!("{{ field = \"d\" }}, {{ field = \"v\"{part} }}"),
            "",
        );
        let all = findings(&toml);
        all.into_iter().find(|finding| finding.id.name() == "ENC13").map(|finding| {
            let is_of_bigtable = |note: &String| note.starts_with("Bigtable");
            (finding.message, finding.severity.name(), finding.notes.iter().any(is_of_bigtable))
        })
    };
    let long = |len: usize| format!("a key can be {len} bytes long, and is stored with every cell");
    let ten = "type = \"string\", max_len = 10";
    assert_eq!(bytes(ten, "", 90), None);
    assert_eq!(bytes(ten, "", 91), Some((long(101), "warning", false)));
    assert_eq!(bytes(ten, "", 4_086), Some((long(4_096), "warning", false)));
    assert_eq!(bytes(ten, "", 4_087), Some((long(4_097), "warning", true)));
    assert_eq!(bytes(ten, "", 32_757), Some((long(32_767), "warning", true)));
    let rejected =
        |len: usize| format!("a key can be {len} bytes long, and HBase takes 32767: such rows are rejected");
    assert_eq!(bytes(ten, "", 32_758), Some((rejected(32_768), "warning", true)));
    let open = "type = \"string\"";
    assert_eq!(bytes(open, "", 100), None);
    assert_eq!(bytes(open, "", 101), Some((long(101), "warning", false)));
    assert_eq!(bytes(open, ", escape = true", 98), None);
    assert_eq!(bytes(open, ", escape = true", 99), Some((long(101), "warning", false)));
    assert_eq!(bytes("type = \"i64\", max = 1000", "", 80), None);
    assert_eq!(bytes("type = \"i64\", max = 1000", "", 81), Some((long(101), "warning", false)));
    assert_eq!(bytes("type = \"int\", min = -5, max = 1000", "", 97), Some((long(101), "warning", false)));
    for (range, most) in
        [("", 11), (", min = 0, max = 9", 2), (", max = 9", 11), (", min = 1001, max = 1002", 3)]
    {
        let int = format!("type = \"int\"{range}");
        assert_eq!(bytes(&int, ", as = \"ordered-bytes\"", 100 - most), None, "{range}");
        let told = bytes(&int, ", as = \"ordered-bytes\"", 101 - most);
        assert_eq!(told, Some((long(101), "warning", false)), "{range}");
    }
    let blob = "type = \"bytes\", len = 10";
    for (steps, most) in
        [("", 10), (", as = \"ordered-bytes\"", 11), (", as = \"ordered-bytes\", desc = \"invert\"", 12)]
    {
        assert_eq!(bytes(blob, steps, 100 - most), None, "{steps}");
        assert_eq!(bytes(blob, steps, 101 - most), Some((long(101), "warning", false)), "{steps}");
    }
    let two = design("v = { type = \"digits\", len = 16384 }", "{ field = \"v\" }, { field = \"v\" }", "");
    assert_eq!(fires(&two, "ENC13").message, "every key is at least 32768 bytes long, and HBase takes 32767");
}
