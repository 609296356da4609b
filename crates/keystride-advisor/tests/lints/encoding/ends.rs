//! Values without an end that can be told.

use crate::judge::{design, fact, findings, fires, mends, silent};
use crate::worked::{seed_002, seed_004b};

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
