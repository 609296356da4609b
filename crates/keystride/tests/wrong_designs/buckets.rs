//! Buckets and what spreads over them.

use crate::told::{BYTES, SPREAD, complaints, placed};

fn spread(bucket: &str, spread: &str) -> Vec<String> {
    complaints(SPREAD, &format!("{{ {bucket}, spread = {{ {spread} }} }}, {{ field = \"v\" }}"), "")
}

#[test]
fn mod_has_no_hash_to_spread_with() {
    let told = spread("bucket = 8, hash = \"mod\", of = [\"seq\"]", "by = [\"v\"], values = { 7 = 2 }");
    assert_eq!(
        told,
        ["key.parts[0].spread: \"spread\" and mod contradict each other: \
          mod takes the number itself, and has no hash of `by` to spread with"]
    );
}

#[test]
fn hot_values_are_those_that_rows_have() {
    let bucket = |of: &str| format!("bucket = 8, of = [\"{of}\"]");
    let told = spread(&bucket("raw"), "by = [\"v\"], values = { \"00ff\" = 2 }");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].ends_with("its values have no text to name them by"), "{told:?}");
    let told = spread(&bucket("left(v,2)"), "by = [\"seq\"], values = { \"123\" = 2 }");
    assert!(told[0].contains("no row has the hot value \"123\""), "{told:?}");
    assert_eq!(spread(&bucket("left(v,2)"), "by = [\"seq\"], values = { \"12\" = 2 }"), [""; 0]);
    let text = "v = { type = \"string\" }\nseq = { type = \"u64\" }";
    let part = "{ bucket = 8, of = [\"lower(v)\"], spread = { by = [\"seq\"], values = { \"ABC\" = 2 } } }, { field = \"v\" }";
    assert!(complaints(text, part, "")[0].contains("it has capital letters"));
}

#[test]
fn mod_takes_no_text_of_a_number() {
    for of in ["left(seq,1)", "right(seq,1)"] {
        let told =
            spread(&format!("bucket = 8, hash = \"mod\", of = [\"{of}\"]"), "by = [\"v\"], values = {}");
        let expected = "key.parts[0].of: mod takes one whole number or time";
        assert!(told.iter().any(|told| told.starts_with(expected)), "{told:?}");
    }
}

#[test]
fn one_hex_digit_spreads_over_divisors_of_sixteen() {
    for k in 1..=16 {
        let bucket = "bucket = 16, hash = \"md5-hex1\", of = [\"v\"]";
        let told = spread(bucket, &format!("by = [\"seq\"], values = {{ 0042 = {k} }}"));
        match 16 % k {
            0 => assert_eq!(told, [""; 0]),
            _ => assert_eq!(
                told,
                [format!(
                    "key.parts[0].spread: {k} buckets for \"0042\": expected 1, 2, 4, 8 or 16: \
                     one hex digit can't fill other numbers evenly"
                )]
            ),
        }
    }
}

#[test]
fn a_java_hash_spreads_by_texts() {
    let bucket = "bucket = 8, hash = \"java-string\", of = [\"v\"]";
    let told = spread(bucket, "by = [\"raw\"], values = { 0042 = 2 }");
    assert_eq!(
        told,
        ["key.parts[0].spread: a Java hash does not suit field \"raw\" of type bytes: it hashes texts"]
    );
    assert_eq!(spread(bucket, "by = [\"seq\"], values = { 0042 = 2 }"), [""; 0]);
}

#[test]
fn what_a_bucket_is_made_of_is_complained_about_once() {
    let told = |of: &str| {
        let parts = format!("{{ bucket = 8, of = [{of}] }}, {{ field = \"v\" }}");
        complaints("v = { type = \"string\" }", &parts, "")
    };
    assert_eq!(
        told("\"left(v)\""),
        ["key.parts[0].of: \"left(v)\": expected a field and a count, as in left(phone,3)"]
    );
    let alone = "key.parts[0].of: \"rest\" stands alone: it is the bytes of all later parts; \
                 write of = [\"rest\"], or name fields";
    assert_eq!(told("\"rest\", \"v\""), [alone]);
    assert_eq!(
        told("\"lower(left(v,2))\""),
        [
            "key.parts[0].of: \"lower(left(v,2))\" has a function in a function, and functions are not nested; \
          name a field of the source"
        ]
    );
    assert_eq!(told("\"rest\""), [""; 0]);
}

#[test]
fn hot_values_that_no_row_has_are_told() {
    let told = |of: &str, value: &str| {
        let fields = "n = { type = \"int\", min = 0, max = 99 }\nid = { type = \"digits\", len = 4 }\n\
                      seq = { type = \"int\" }\nts = { type = \"time\", unit = \"s\", input = \"iso8601\" }";
        let spread = format!("spread = {{ by = [\"seq\"], values = {{ \"{value}\" = 2 }} }}");
        let parts = format!("{{ bucket = 8, of = [\"{of}\"], {spread} }}, {{ field = \"n\" }}");
        complaints(fields, &parts, "")
    };
    let ten = "1586131200";
    for (of, value) in [("n", "7"), ("id", "0042"), ("left(id,2)", "00"), ("seq", "-1"), ("ts", ten)] {
        assert_eq!(told(of, value), [""; 0], "{of}");
    }
    let seven = "key.parts[0].spread: no row has the hot value \"07\": it is written 7; give texts as the field writes them";
    assert_eq!(told("n", "07"), [seven]);
    assert!(told("ts", "2020-04-06T00:00:00Z")[0].contains("it is written 1586131200"));
    for (of, value) in [("n", "100"), ("id", "42"), ("id", "004x"), ("left(id,2)", "0042"), ("seq", "x")] {
        assert_eq!(told(of, value).len(), 1, "{of}: {value}");
    }
}

#[test]
fn a_spread_by_nothing_is_none() {
    let told = spread("bucket = 8, of = [\"v\"]", "by = [], values = { 0042 = 2 }");
    assert_eq!(
        told,
        ["key.parts[0].spread.by: a spread needs something to choose by; name fields: by = [\"seq\"]"]
    );
}

#[test]
fn a_bucket_of_bytes_has_no_more_than_fit_its_number() {
    for hash in ["phoenix", "hbasewd", "opentsdb"] {
        let part = |width: u32| format!("{{ bucket = 8, hash = \"{hash}\", of = [\"w\"], width = {width} }}");
        let told = complaints(BYTES, &part(5), "");
        assert!(told[0].starts_with("key.parts[0].width: 5: expected"), "{told:?}");
    }
}

#[test]
fn the_words_of_a_bucket_are_told_with_what_is_expected() {
    let placed = |words: &str| {
        placed(
            "v = { type = \"digits\", len = 4 }",
            &format!("{{ bucket = 4, of = [\"v\"], {words} }}, {{ field = \"v\" }}"),
            "",
        )
    };
    for (words, told) in [
        (
            "base = \"bytes\"",
            vec!["\"bytes\" | key.parts[0].base: base \"bytes\": expected 10, 16 or \"byte\""],
        ),
        ("base = 8", vec!["8 | key.parts[0].base: base 8: expected 10, 16 or \"byte\""]),
        ("base = true", vec!["true | key.parts[0].base: this base: expected 10, 16 or \"byte\""]),
        ("hash = \"md6\"", vec!["\"md6\" | key.parts[0].hash: unknown hash \"md6\""]),
        (
            "hash = \"phoenix\", base = 10",
            vec![
                "10 | key.parts[0].base: \"base\" and phoenix contradict each other: that system writes its salt in bytes",
            ],
        ),
        (
            "hash = \"random\"",
            vec![
                "[\"v\"] | key.parts[0].of: \"of\" and random contradict each other: such a bucket is not a function of the row",
            ],
        ),
        (
            "spread = {}",
            vec![
                "{} | key.parts[0].spread: \"by\" is missing",
                "{} | key.parts[0].spread: \"values\" is missing",
            ],
        ),
        (
            "spread = { by = 3, values = 4 }",
            vec![
                "3 | key.parts[0].spread.by: expected a list, found a whole number",
                "4 | key.parts[0].spread.values: expected a table, found a whole number",
            ],
        ),
        (
            "spread = { by = [\"v\"], values = { 1234 = 5 } }",
            vec![
                "{ by = [\"v\"], values = { 1234 = 5 } } | key.parts[0].spread: 5 buckets for \"1234\": expected at most all 4",
            ],
        ),
    ] {
        assert_eq!(placed(words), told, "{words}");
    }
    for words in ["base = \"byte\"", "base = 16", "spread = { by = [\"v\"], values = { 1234 = 4 } }"] {
        assert_eq!(placed(words), [""; 0], "{words}");
    }
}

#[test]
fn a_single_count_is_no_range() {
    let told = |parts: &str| complaints(SPREAD, parts, "");
    assert_eq!(
        told("{ bucket = 8, of = [\"v\"], hash = \"md5-hex1\" }, { field = \"v\" }"),
        ["key.parts[0].bucket: 8 buckets: expected 16 for md5-hex1"]
    );
    assert_eq!(
        told("{ bucket = 512, of = [\"v\"], hash = \"phoenix\" }, { field = \"v\" }"),
        ["key.parts[0].bucket: 512 buckets: expected 1 to 256 for phoenix"]
    );
}
