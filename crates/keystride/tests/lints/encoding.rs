//! Encoding and order.

use keystride::lint::Finding;

use crate::judge::{design, fact, findings, fires, mends, silent};
use crate::worked::{seed_002, seed_004a, seed_004b};

const RANGED: &str = "[access.range]\nrange = \"id\"";

fn number(declared: &str, steps: &str, rest: &str) -> String {
    design(
        &format!("id = {{ {declared} }}\nother_id = {{ type = \"digits\", len = 3 }}"),
        &format!("{{ field = \"id\"{steps} }}, {{ text = \"!\" }}, {{ field = \"other_id\" }}"),
        rest,
    )
}

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
fn a_value_without_an_end_is_shown_to_collide() {
    let finding = fires(&seed_004b(""), "ENC02");
    assert_eq!(finding.component, "key.parts[1]");
    assert!(finding.message.contains("(event_id 1, day 11111111, offset 11)"), "{}", finding.message);
    mends(&seed_004b(""), "ENC02");
    let names = design(
        "a = { type = \"string\", max_len = 9, alphabet = \"a-z\" }\nb = { type = \"string\", max_len = 9, alphabet = \"a-z\" }",
        "{ field = \"a\" }, { field = \"b\" }",
        "",
    );
    assert_eq!(fact(&fires(&names, "ENC02"), "key"), "aaa");
    mends(&names, "ENC02");
}

#[test]
fn values_that_share_no_character_are_not_said_to_collide() {
    let toml = design(
        "a = { type = \"string\", max_len = 9, alphabet = \"a-z\" }\nb = { type = \"int\" }",
        "{ field = \"a\" }, { field = \"b\" }",
        "",
    );
    assert!(fires(&toml, "ENC02").message.contains("no two of"), "{}", fires(&toml, "ENC02").message);
}

#[test]
fn separators_are_judged_by_the_alphabet_before_them() {
    let text = |alphabet: &str, separator: &str| {
        design(
            &format!(
                "name = {{ type = \"string\", max_len = 9{alphabet} }}\nid = {{ type = \"digits\", len = 3 }}"
            ),
            &format!("{{ field = \"name\" }}, {{ text = {separator} }}, {{ field = \"id\" }}"),
            "",
        )
    };
    let digits = ", alphabet = \"0-9\"";
    for (separator, high) in
        [("\"_\"", true), ("\":\"", true), ("\"#\"", false), ("\"-\"", false), ("'\\x00'", false)]
    {
        let toml = text(digits, separator);
        if high { drop(fires(&toml, "ENC03")) } else { silent(&toml, "ENC03") }
    }
    assert_eq!(
        fires(&text(digits, "\"_\""), "ENC03").message,
        "the separator \"_\" after name sorts after \"0\": \"00_\" comes before \"0_\""
    );
    assert!(mends(&text(digits, "\"_\""), "ENC03").contains("text = \"!\""));
    assert!(mends(&text("", "\"!\""), "ENC03").contains("escape = true"));
    mends(&seed_002(""), "ENC03");
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
fn upper_case_keys_get_upper_case_points() {
    let toml = design(
        "md5 = { type = \"string\", max_len = 32, alphabet = \"0-9A-F\" }",
        "{ field = \"md5\" }",
        "[split]\nby = \"HexStringSplit\"\nregions = 16",
    );
    let patched = mends(&toml, "ENC10");
    assert!(patched.contains("\"F0000000\"") && patched.contains("by = \"list\""), "{patched}");
    silent(&patched, "SPL04");
    for id in ["SPL04", "SPL07"] {
        silent(&toml, id);
    }
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
fn local_text_of_a_zone_with_summer_time_repeats_an_hour() {
    let local = |zone: &str, steps: &str| {
        design(
            &format!(
                "t = {{ type = \"time\", format = \"yyyyMMddHHmmss\"{zone} }}\nid = {{ type = \"digits\", len = 3 }}"
            ),
            &format!("{{ field = \"id\" }}, {{ field = \"t\"{steps} }}"),
            "",
        )
    };
    let new_york = ", zone = \"America/New_York\"";
    assert_eq!(fact(&fires(&local(new_york, ""), "ENC14"), "zone"), "America/New_York");
    // The source's local times would be read as other instants.
    assert!(fires(&local(new_york, ""), "ENC14").fix.is_none());
    mends(&local(", zone = \"America/New_York\", input = \"epoch-s\"", ""), "ENC14");
    silent(&local("", ""), "ENC14");
    silent(&local(", zone = \"+08:00\"", ""), "ENC14");
    silent(&local(new_york, ", desc = \"long-max\""), "ENC14");
}

#[test]
fn hours_that_a_text_does_not_tell_do_not_repeat() {
    let of = |format: &str, zone: &str, parts: &str| {
        let fields = format!(
            "ts = {{ type = \"time\", format = \"{format}\", zone = \"{zone}\" }}\nday = {{ from = \"left(ts,8)\" }}"
        );
        design(&fields, parts, "")
    };
    fires(&of("yyyyMMddHH", "Europe/Berlin", "{ field = \"ts\" }"), "ENC14");
    silent(&of("yyyyMMdd", "Europe/Berlin", "{ field = \"ts\" }"), "ENC14");
    silent(&of("yyyyMMddHH", "Europe/Berlin", "{ field = \"day\" }"), "ENC14");
    let shanghai = of("yyyyMMddHHmmss", "Asia/Shanghai", "{ field = \"ts\" }");
    fires(&shanghai, "ENC14");
    silent(&shanghai.replace("Shanghai\"", "Shanghai\", min = \"20000101000000\""), "ENC14");
}

#[test]
fn a_step_that_no_time_of_today_fits_is_told() {
    for steps in ["desc = 9999999999", "pad = 5", "as = \"be\", width = 4"] {
        let toml =
            design("ts = { type = \"time\", unit = \"ms\" }", &format!("{{ field = \"ts\", {steps} }}"), "");
        assert_eq!(fires(&toml, "ENC08").severity.name(), "error", "{steps}");
    }
}

#[test]
fn days_written_as_midnights_do_not_repeat() {
    let of = |steps: &str| {
        let fields = "ts = { type = \"time\", format = \"yyyyMMddHHmmss\", zone = \"Europe/Berlin\" }";
        design(fields, &format!("{{ field = \"ts\"{steps} }}"), "")
    };
    silent(&of(", floor = \"1d\""), "ENC14");
    fires(&of(", floor = \"1h\""), "ENC14");
}

#[test]
fn a_time_that_ends_before_today_is_judged_by_its_own_range() {
    let toml = design(
        "ts = { type = \"time\", unit = \"s\", min = -100, max = 900000000 }",
        "{ field = \"ts\", desc = 999999999 }",
        "",
    );
    assert!(fires(&toml, "ENC08").message.starts_with("-1, "));
}

#[test]
fn a_separator_does_not_meet_the_default_or_values_that_begin_no_other() {
    let of = |field: &str| {
        design(
            &format!("e = {{ {field} }}\nid = {{ type = \"digits\", len = 8 }}"),
            "{ field = \"e\" }, { text = \"_\" }, { field = \"id\" }",
            "",
        )
    };
    let with_default = of("type = \"string\", alphabet = \"0-9\", max_len = 3, default = \"!\"");
    assert!(mends(&with_default, "ENC03").contains("\\x00"));
    silent(&of("type = \"int\", min = 95, max = 105"), "ENC03");
    silent(&of("type = \"int\", min = 2, max = 12"), "ENC03");
    fires(&of("type = \"int\", min = 2, max = 20"), "ENC03");
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
fn two_rows_of_one_key_are_shown_beside_fields_of_any_type() {
    for kind in ["uuid", "bool", "f64"] {
        let toml = design(
            &format!(
                "n = {{ type = \"int\", min = 0 }}\nm = {{ type = \"int\", min = 0 }}\nx = {{ type = \"{kind}\" }}"
            ),
            "{ field = \"x\", as = \"be\" }, { field = \"n\" }, { field = \"m\" }",
            "",
        );
        let toml = if kind == "uuid" { toml.replace(", as = \"be\"", "") } else { toml };
        let message = fires(&toml, "ENC02").message;
        assert!(message.contains("n 1, m 11") || message.contains("n 11, m 1"), "{kind}: {message}");
    }
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
fn points_of_numbers_with_the_sign_turned_are_written_so() {
    let toml = design(
        "n = { type = \"i32\", min = 0, max = 100 }",
        "{ field = \"n\", as = \"ordered\" }",
        "[split]\nby = \"list\"\npoints = [\"0000000a\", \"0000000f\"]",
    );
    let mended = mends(&toml, "SPL16");
    assert!(mended.contains(r"['\x80\x00\x00\x0A', '\x80\x00\x00\x0F']"), "{mended}");
    silent(&mended, "SPL04");
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
fn rows_by_time_want_a_times_bytes_in_order() {
    let of = |rest: &str| number("type = \"time\", unit = \"ms\", min = -1000", ", as = \"be\"", rest);
    for (rest, severity) in [
        ("", "warning"),
        ("[access.one]\nby = [\"other_id\"]", "warning"),
        ("[access.span]\nrange = \"other_id\"", "warning"),
        ("[access.last]\nby = [\"other_id\"]\norder = \"newest\"", "error"),
        ("[access.first]\norder = \"oldest\"\nlimit = 1", "error"),
        ("[access.span]\nrange = \"id\"", "error"),
    ] {
        assert_eq!(fires(&of(rest), "ENC05").severity.name(), severity, "{rest}");
    }
}

#[test]
fn a_patch_of_keys_is_advice_where_the_algorithm_suits_what_it_changes() {
    let of = |fields: &str, parts: &str| {
        design(fields, parts, "[split]\nby = \"DecimalStringSplit\"\nregions = 10")
    };
    let fields = "n = { type = \"int\", min = 0, max = 2000 }\nid = { type = \"digits\", len = 8 }";
    let (number, id, mark) = ("{ field = \"n\" }", "{ field = \"id\" }", "{ text = \"!\" }");
    let first = fires(&of(fields, &format!("{number}, {mark}, {id}")), "ENC01");
    assert_eq!(first.fix, None);
    assert_eq!(first.help.as_deref(), Some("pad n to 4 digits, and make the table's split points anew"));
    let last = of(fields, &format!("{id}, {number}, {mark}, {id}"));
    assert!(mends(&last, "ENC01").contains("pad = 4"));
    let local =
        "t = { type = \"time\", format = \"yyyyMMddHH\", zone = \"Europe/Berlin\", input = \"epoch-s\" }";
    let declared = fires(&of(local, "{ field = \"t\" }"), "ENC14");
    assert_eq!(declared.fix, None);
    assert_eq!(declared.help.as_deref(), Some("keep UTC in t, and make the table's split points anew"));
}

#[test]
fn times_between_numbers_are_those_whose_texts_collide() {
    let fields = "n = { type = \"int\", min = 0, max = 2000 }\nm = { type = \"int\", min = 0, max = 2000 }\n\
                  t = { type = \"time\", unit = \"s\" }\nu = { type = \"time\", unit = \"s\" }";
    let (down, up) = ("{ field = \"t\", desc = 9999999999 }", "{ field = \"u\" }");
    for between in [format!("{down}, {up}"), format!("{up}, {down}")] {
        let toml = design(fields, &format!("{{ field = \"n\" }}, {between}, {{ field = \"m\" }}"), "");
        assert_eq!(
            fires(&toml, "ENC02").message,
            "nothing tells where n ends: (n 1, m 11, t 8888888888, u 1111111111) and \
             (n 11, m 1, t 8888888888, u 1111111111) are both 11111111111111111111111"
        );
    }
}

#[test]
fn what_ends_values_sorts_below_the_lowest_of_them() {
    let toml = design(
        "s = { type = \"string\", max_len = 5, alphabet = \"!a-c\" }\nn = { type = \"int\", min = 2, max = 20 }\n\
         i = { type = \"digits\", len = 4 }",
        "{ field = \"s\" }, { text = \"_\" }, { field = \"n\" }, { text = \"_\" }, { field = \"i\" }",
        "",
    );
    let told: Vec<_> = findings(&toml).into_iter().filter(|finding| finding.id.name() == "ENC03").collect();
    let shown: Vec<_> = told
        .iter()
        .map(|finding| {
            let edits = &finding.fix.as_ref().expect("a patch").edits;
            (finding.component.as_str(), finding.message.as_str(), edits[0].to_string())
        })
        .collect();
    let expected = [
        (
            "key.parts[1]",
            "the separator \"_\" after s sorts after \"!\": \"!!_\" comes before \"!_\"",
            "key.parts[1].text = '\\x00'".to_owned(),
        ),
        (
            "key.parts[3]",
            "the separator \"_\" after n sorts after \"0\": \"20_\" comes before \"2_\"",
            "key.parts[3].text = \"!\"".to_owned(),
        ),
    ];
    assert_eq!(shown, expected);
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
fn keys_and_points_of_two_letter_cases_are_told_whatever_writes_the_digits() {
    let toml = |part: &str, points: &str| {
        design(
            "d = { type = \"digits\", len = 4 }\nu = { type = \"uuid\" }\n\
             low = { type = \"string\", max_len = 4, alphabet = \"0-9a-f\" }\n\
             digits = { type = \"string\", max_len = 4, alphabet = \"0-9\" }\n\
             letters = { type = \"string\", max_len = 4, alphabet = \"0-9a-z\" }\n\
             both = { type = \"string\", max_len = 4, alphabet = \"0-9a-fA-F\" }",
            part,
            &format!("[split]\nby = \"list\"\npoints = [{points}]"),
        )
    };
    let (upper, lower) = ("\"4\", \"8\", \"C\"", "\"4\", \"8\", \"c\"");
    let clash = [
        "{ bucket = 16, of = [\"d\"], base = 16 }, { field = \"d\" }",
        "{ field = \"d\", hash = { name = \"md5\", hex = 4 } }",
        "{ field = \"u\", as = \"text\" }",
        "{ field = \"low\" }",
    ];
    for part in clash {
        assert_eq!(
            fires(&toml(part, upper), "ENC10").message,
            "keys begin with lower-case hex digits and split points with upper-case ones: \
             4 of 4 regions are used, one takes 1.5 times its share",
            "{part}"
        );
        silent(&toml(part, lower), "ENC10");
    }
    for part in [
        "{ bucket = 16, of = [\"d\"], base = \"byte\" }, { field = \"d\" }",
        "{ bucket = 10, of = [\"d\"] }, { field = \"d\" }",
        "{ field = \"d\", hash = { name = \"md5\", bytes = 4 } }",
        "{ field = \"u\" }",
        "{ field = \"d\" }",
        "{ field = \"digits\" }",
        "{ field = \"letters\" }",
        "{ field = \"both\" }",
        "{ text = \"a\" }, { field = \"low\" }",
    ] {
        silent(&toml(part, upper), "ENC10");
        silent(&toml(part, lower), "ENC10");
    }
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
