//! Fields and what they are derived from.

use crate::told::{complaints, placed};

#[test]
fn a_function_of_a_derived_field_is_told_as_such_wherever_that_stands() {
    let part = "{ field = \"v\" }";
    let text = "v = { type = \"string\", max_len = 9 }";
    for fields in [
        format!("{text}\na = {{ from = \"lower(v)\" }}\nb = {{ from = \"lower(a)\" }}"),
        format!("b = {{ from = \"lower(a)\" }}\na = {{ from = \"lower(v)\" }}\n{text}"),
    ] {
        let told = "fields.b.from: \"a\" is derived already, and functions are not nested; name a field of the source";
        assert_eq!(complaints(&fields, part, ""), [told]);
    }
    let itself = format!("{text}\na = {{ from = \"lower(a)\" }}");
    assert_eq!(complaints(&itself, part, "").len(), 1);
}

#[test]
fn names_and_numbers_of_fields_have_limits() {
    let well_formed = "expected letters, digits and _, not beginning with a digit";
    for (field, told) in [
        ("2v = { type = \"i32\" }", format!("2v | fields.2v: field name \"2v\": {well_formed}")),
        ("v-2 = { type = \"i32\" }", format!("v-2 | fields.v-2: field name \"v-2\": {well_formed}")),
        (
            "w = { type = \"i32\", column = \"a\" }",
            "{ type = \"i32\", column = \"a\" } | fields.w: fields \"a\" and \"w\" have one column, \"a\""
                .to_owned(),
        ),
        (
            "w = { type = \"i32\", column = \"\" }",
            "\"\" | fields.w.column: \"\": expected the name of a column".to_owned(),
        ),
        (
            "rest = { type = \"i32\" }",
            "rest | fields.rest: \"rest\" is a word of the design file and can't name a field".to_owned(),
        ),
        (
            "w = { type = \"i32\", max_share = 1.5 }",
            "1.5 | fields.w.max_share: 1.5: expected a share from 0 to 1".to_owned(),
        ),
        (
            "w = { type = \"i32\", distinct = 0 }",
            "0 | fields.w.distinct: 0: expected a whole number from 1 to 18446744073709551615".to_owned(),
        ),
        (
            "w = { type = \"i32\", min = 5, max = 4 }",
            "4 | fields.w.max: 4: expected at least min, which is 5".to_owned(),
        ),
        (
            "w = { type = \"i32\", min = -2147483649 }",
            "-2147483649 | fields.w.min: -2147483649: expected a whole number from -2147483648 to 2147483647"
                .to_owned(),
        ),
        (
            "w = { type = \"uuid\", version = 9 }",
            "9 | fields.w.version: 9: expected a whole number from 1 to 8".to_owned(),
        ),
    ] {
        assert_eq!(placed(&format!("a = {{ type = \"i32\" }}\n{field}"), "{ field = \"a\" }", ""), [told]);
    }
    for field in [
        "v_2 = { type = \"i32\", max_share = 1.0 }",
        "w = { type = \"i32\", min = 5, max = 5, distinct = 1 }",
        "w = { type = \"i32\", min = -2147483648, max_share = 0 }",
    ] {
        assert_eq!(placed(&format!("a = {{ type = \"i32\" }}\n{field}"), "{ field = \"a\" }", ""), [""; 0]);
    }
}

#[test]
fn a_prefix_is_of_a_text() {
    let of = |kind: &str| {
        let fields = format!("v = {{ type = \"{kind}\" }}\nw = {{ type = \"i32\" }}");
        complaints(&fields, "{ field = \"w\" }", "[access.q]\nby = [\"w\"]\nprefix = \"v\"\n")
    };
    assert_eq!(of("string"), [""; 0]);
    assert_eq!(of("i32"), [""; 0]);
    for kind in ["f64", "bytes"] {
        assert_eq!(of(kind).len(), 1, "{kind}");
        assert!(of(kind)[0].contains("it takes a field with a text"), "{:?}", of(kind));
    }
}
