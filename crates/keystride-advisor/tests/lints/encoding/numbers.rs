//! Numbers whose bytes are not in their order, or are longer than they need to be.

use keystride_advisor::lint::Finding;

use super::{RANGED, number};
use crate::judge::{design, fact, fires, mends, silent};
use crate::worked::seed_004a;

#[test]
fn unpadded_numbers_are_errors_where_they_are_ranged() {
    let int = "type = \"int\", min = 0, max = 2000";
    assert_eq!(fires(&number(int, "", ""), "ENC01").severity.name(), "warning");
    let finding = fires(&number(int, "", RANGED), "ENC01");
    assert_eq!(finding.severity.name(), "error");
    assert_eq!(finding.message, "id is text without leading zeros: 10 sorts before 2");
    silent(&number("type = \"int\", min = 1000, max = 2000", "", RANGED), "ENC01");
    silent(&number("type = \"int\", min = 0, max = 9", "", RANGED), "ENC01");
    assert!(mends(&number(int, "", RANGED), "ENC01").contains("pad = 4"));
    assert!(mends(&number("type = \"i64\"", "", RANGED), "ENC01").contains("as = \"ordered\""));
}

#[test]
fn the_last_part_may_be_unpadded_unless_it_is_ranged() {
    let toml = design("id = { type = \"u32\" }", "{ field = \"id\" }", "");
    silent(&toml, "ENC01");
    fires(&(toml + RANGED), "ENC01");
}

#[test]
fn negative_numbers_in_two_s_complement_are_told() {
    let signed = number("type = \"i32\", min = -5", ", as = \"be\"", RANGED);
    let finding = fires(&signed, "ENC05");
    assert_eq!((finding.severity.name(), fact(&finding, "least")), ("error", &"-5".into()));
    mends(&signed, "ENC05");
    silent(&number("type = \"i32\", min = 0", ", as = \"be\"", RANGED), "ENC05");
    silent(&number("type = \"u32\"", ", as = \"be\"", RANGED), "ENC05");
    let time = number("type = \"time\", unit = \"ms\"", ", as = \"be\"", RANGED);
    assert_eq!(fires(&time, "ENC05").severity.name(), "info");
    silent(&number("type = \"time\", unit = \"ms\"", ", as = \"be\", desc = \"long-max\"", ""), "ENC05");
    let float = number("type = \"f64\"", ", as = \"be\"", RANGED);
    let finding = fires(&float, "ENC05");
    assert_eq!(
        (finding.severity.name(), fact(&finding, "least"), &finding.help),
        ("error", &"-1".into(), &None)
    );
    assert!(mends(&float, "ENC05").contains("as = \"ordered\""));
    assert_eq!(fires(&number("type = \"f64\"", ", as = \"be\"", ""), "ENC05").severity.name(), "warning");
}

#[test]
fn long_max_text_wastes_what_never_changes() {
    let finding = fires(&seed_004a(""), "ENC06");
    assert_eq!((fact(&finding, "head"), fact(&finding, "bytes")), (&"92233".into(), &5.into()));
    assert!(mends(&seed_004a(""), "ENC06").contains("desc = 9999999999999"));
    let old = number("type = \"time\", unit = \"ms\", min = -1000, max = 1000", ", desc = \"long-max\"", "");
    assert_eq!(fires(&old, "ENC06").severity.name(), "warning");
}

#[test]
fn a_reversed_number_needs_a_width() {
    let finding = fires(&seed_004a(""), "ENC12");
    let long = |finding: &Finding| fact(finding, "long").as_array().cloned().unwrap();
    assert_eq!(
        (finding.severity.name(), long(&finding)),
        ("warning", vec!["11".into(), "21".into(), "31".into()])
    );
    let letters = "name = { type = \"string\", max_len = 8, alphabet = \"A-F\" }";
    let finding = fires(&design(letters, "{ field = \"name\", reverse = true }", ""), "ENC12");
    assert_eq!(
        (fact(&finding, "short"), long(&finding)),
        (&"A".into(), vec!["AA".into(), "BA".into(), "CA".into()])
    );
    assert!(mends(&seed_004a(""), "ENC12").contains("pad = 10"));
    silent(&number("type = \"int\", min = 0", ", reverse = true", ""), "ENC12");
    let ints = |range: &str| {
        design(&format!("n = {{ type = \"int\"{range} }}"), "{ field = \"n\", reverse = true }", "")
    };
    let finding = fires(&ints(", min = 0, max = 10"), "ENC12");
    assert_eq!((fact(&finding, "short"), long(&finding)), (&"0".into(), vec!["10".into()]));
    let finding = fires(&ints(", min = -5, max = 5"), "ENC12");
    assert_eq!((fact(&finding, "short"), long(&finding)), (&"1".into(), vec!["-1".into()]));
    silent(&ints(", min = 7, max = 12"), "ENC12");
}

#[test]
fn numbers_are_padded_unless_they_are_negative_or_long() {
    let patch = |range: &str| {
        let finding = fires(&number(&format!("type = \"int\"{range}"), "", ""), "ENC01");
        finding.fix.expect("a patch").edits[0].to_string()
    };
    for (range, expected) in [
        (", min = 0, max = 9999999999", "key.parts[0].pad = 10"),
        (", min = 0, max = 10000000000", "key.parts[0].as = \"ordered\""),
        (", min = -5, max = 5000", "key.parts[0].as = \"ordered\""),
        (", min = 0", "key.parts[0].as = \"ordered\""),
    ] {
        assert_eq!(patch(range), expected, "{range}");
    }
}

#[test]
fn numbers_below_zero_that_are_reversed_have_no_simple_end() {
    let fields = "n = { type = \"int\", min = -5, max = 100 }\ni = { type = \"int\", min = -5, max = 9 }\n\
                  d = { type = \"digits\", len = 4 }";
    let toml = |n: &str, i: &str| {
        design(fields, &format!("{{ field = \"n\"{n} }}, {{ field = \"i\"{i} }}, {{ field = \"d\" }}"), "")
    };
    let reverse = ", reverse = true";
    let patch = |toml: &str, id: &str| fires(toml, id).fix.map(|fix| fix.edits[0].to_string());
    let ordered = Some("key.parts[0].as = \"ordered\"".to_owned());
    assert_eq!(patch(&toml("", ""), "ENC02"), ordered);
    assert_eq!(patch(&toml("", reverse), "ENC02"), ordered);
    assert_eq!(patch(&toml("", reverse), "ENC12"), None);
    assert_eq!(patch(&toml(reverse, ""), "ENC02"), None);
    assert_eq!(patch(&toml(reverse, ""), "ENC12"), None);
}

#[test]
fn numbers_that_may_be_negative_are_told_by_minus_one_unless_a_least_is_declared() {
    for (least, shown) in [("", "-1"), (", min = -7", "-7")] {
        for (invert, told) in [
            ("", "n is big-endian without its sign turned: {} sorts after every positive number"),
            (
                ", desc = \"invert\"",
                "n is inverted big-endian without its sign turned: {} sorts before every positive number",
            ),
        ] {
            let toml = design(
                &format!("n = {{ type = \"i32\"{least} }}"),
                &format!("{{ field = \"n\", as = \"be\"{invert} }}"),
                "",
            );
            assert_eq!(fires(&toml, "ENC05").message, told.replace("{}", shown));
        }
    }
}

#[test]
fn one_row_by_all_of_its_key_needs_no_ends() {
    let toml = |by: &str| {
        design(
            "n = { type = \"string\", max_len = 5 }\nu = { type = \"digits\", len = 4 }",
            "{ field = \"n\" }, { field = \"u\" }",
            &format!("[access.b]\nby = [{by}]"),
        )
    };
    silent(&toml("\"n\", \"u\""), "RD05");
    fires(&toml("\"n\""), "RD05");
    let bucket = |of: &str| toml("\"n\", \"u\"").replace("{ field = \"u\" }", &format!("{{ {of} }}"));
    silent(&bucket("bucket = 16, of = [\"u\"]"), "RD05");
    fires(&bucket("bucket = 16, hash = \"random\""), "RD05");
}

#[test]
fn inverted_values_are_judged_in_the_order_they_have() {
    let toml = |fields: &str, parts: &str, range: &str| {
        let fields = format!("{fields}\nu = {{ type = \"digits\", len = 4 }}");
        design(&fields, &format!("{parts}, {{ field = \"u\" }}"), &format!("[access.a]\nrange = \"{range}\""))
    };
    let text = "s = { type = \"string\", max_len = 5, alphabet = \"a-z\" }";
    let separated = |mark: &str| {
        toml(text, &format!("{{ field = \"s\", desc = \"invert\" }}, {{ text = \"{mark}\" }}"), "s")
    };
    let finding = fires(&separated("~"), "ENC03");
    assert_eq!((fact(&finding, "first"), fact(&finding, "second")), (&"a~".into(), &"aa~".into()));
    silent(&separated("!"), "ENC03");
    mends(&separated("~"), "ENC03");
    let signed = toml(
        "n = { type = \"i64\", min = -5, max = 100 }",
        "{ field = \"n\", as = \"be\", desc = \"invert\" }",
        "n",
    );
    assert!(fires(&signed, "ENC05").message.contains("-5 sorts before every positive number"));
    let numbers = "n = { type = \"int\", min = 0, max = 1000 }";
    let unpadded = toml(numbers, "{ field = \"n\", desc = \"invert\" }, { text = \"!\" }", "n");
    assert!(fires(&unpadded, "ENC01").message.contains("10 sorts after 2"));
    let negative =
        toml("n = { type = \"int\", min = -19, max = -3 }", "{ field = \"n\" }, { text = \"!\" }", "n");
    assert!(fires(&negative, "ENC01").message.contains("-18 sorts before -19"));
}
