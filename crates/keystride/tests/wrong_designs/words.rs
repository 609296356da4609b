//! Words that are misspelt or stand in a wrong place.

use keystride::Design;

use crate::told::complaints;

#[test]
fn what_stands_in_place_of_a_table_gets_an_example() {
    let told = complaints("v = \"string\"", "\"v\"", "[columns]\nv = \"f:v\"");
    let expected = [
        "fields.v: expected a table, found a text; write for example: { type = \"string\" }",
        "key.parts[0]: expected a table, found a text; write for example: { field = \"phone\" }",
    ];
    assert!(expected.iter().all(|expected| told.iter().any(|told| told == expected)), "{told:?}");
    let told = complaints(
        "v = { type = \"i32\" }\nw = { type = \"i32\" }",
        "{ field = \"v\" }",
        "[columns]\nw = \"f:w\"",
    );
    assert_eq!(told, ["columns.w: expected a table, found a text; write for example: { family = \"f\" }"]);
}

#[test]
fn misspelt_words_are_told_beside_what_they_leave_out() {
    let told = |declaration: &str| complaints(declaration, "{ text = \"_\" }", "");
    assert_eq!(
        told("v = { type = \"digits\", lenght = 3 }"),
        [
            "fields.v: \"len\" is missing; write for example: len = 11",
            "fields.v: unknown word \"lenght\"; did you mean \"len\"?",
        ]
    );
    assert_eq!(
        told("v = { type = \"time\", unt = \"ms\", min = 0 }"),
        [
            "fields.v: \"unit\" is missing; write for example: unit = \"ms\" or format = \"yyyyMMddHHmmss\"",
            "fields.v: unknown word \"unt\"; did you mean \"unit\"?",
        ]
    );
    assert_eq!(
        told("v = { from = \"\", defalt = \"-\" }")[1],
        "fields.v: unknown word \"defalt\"; did you mean \"default\"?"
    );
}

#[test]
fn the_words_of_an_unknown_type_are_not_judged() {
    let told = complaints("v = { type = \"digit\", len = 3, of = 1 }", "{ text = \"_\" }", "");
    assert_eq!(told, ["fields.v.type: unknown type \"digit\"; did you mean \"digits\"?"]);
}

#[test]
fn misspelt_words_of_columns_and_parts_are_told_their_likes() {
    let told = |columns: &str| complaints("a = { type = \"digits\", len = 3 }", "{ field = \"a\" }", columns);
    assert!(told("[columns]\ncell_tim = \"a\"")[0].ends_with("did you mean \"cell_time\"?"));
    assert!(told("[columns]\nothr = \"drop\"")[0].ends_with("did you mean \"other\"?"));
    assert!(told("[columns]\nother = \"eror\"")[0].ends_with("did you mean \"error\"?"));
    let part = complaints("a = { type = \"digits\", len = 3 }", "{ txt = \"_\" }, { field = \"a\" }", "");
    assert_eq!(part, ["key.parts[0]: unknown word \"txt\"; did you mean \"text\"?"]);
    let told = complaints("a = \"int\"", "{ field = \"a\" }", "");
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn complaints_stand_on_lines_of_their_own() {
    let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = { type = \"i32\" }\n\
                [key]\nparts = [{ field = \"u\" }, { field = \"w\" }]\n";
    assert_eq!(
        Design::from_toml(toml).unwrap_err().to_string(),
        "key.parts[0].field: unknown field \"u\"\nkey.parts[1].field: unknown field \"w\""
    );
}

#[test]
fn a_word_is_meant_that_differs_by_a_few_of_many_letters() {
    let nearest = |found: &str| keystride::design::nearest(found, ["retention", "rows_per_s"]);
    assert_eq!(nearest("retentoinn").as_deref(), Some("retention"));
    assert_eq!(nearest("rentetoinxx"), None);
}
