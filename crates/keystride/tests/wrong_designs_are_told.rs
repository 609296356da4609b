//! What a design file can't say, and the sentence it gets for it.

use keystride::Design;

/// Complaints about a design of these fields, parts and further tables, each with what would do.
fn complaints(fields: &str, parts: &str, tables: &str) -> Vec<String> {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [ {parts} ]\n{tables}"
    );
    let Err(error) = Design::from_toml(&toml) else { return Vec::new() };
    let shown = error.complaints.iter().map(|complaint| match complaint.problem.help() {
        Some(help) => format!("{complaint}; {help}"),
        None => complaint.to_string(),
    });
    shown.collect()
}

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

const BYTES: &str = "v = { type = \"bytes\" }\nw = { type = \"i32\" }";

#[test]
fn blob_copy_stands_last_unless_it_descends() {
    let blob = "{ field = \"v\", as = \"ordered-bytes\" }";
    let refused = "key.parts[0]: blob-copy ends with the key: ascending, it has no end mark; \
                   put it last, or say desc = \"invert\"";
    for after in ["{ field = \"w\", as = \"be\" }", "{ text = \"_\" }"] {
        assert_eq!(complaints(BYTES, &format!("{blob}, {after}"), ""), [refused]);
    }
    let good = [
        format!("{{ field = \"w\", as = \"be\" }}, {blob}"),
        format!("{}, {{ field = \"w\" }}", blob.replace(" }", ", desc = \"invert\" }")),
        format!("{}, {{ field = \"w\" }}", blob.replace(" }", ", hash = { name = \"md5\", bytes = 4 } }")),
        blob.replace("\"v\"", "\"s\"") + ", { field = \"w\" }",
    ];
    for parts in good {
        let fields = format!("{BYTES}\ns = {{ type = \"string\" }}");
        assert_eq!(complaints(&fields, &parts, ""), [""; 0], "{parts}");
    }
}

/// Parts that could not be read were left out, and the numbers of those after them were too small.
#[test]
fn a_part_is_told_by_its_own_number_after_one_that_cant_be_read() {
    let blob = "{ field = \"v\", as = \"ordered-bytes\" }";
    let told = complaints(BYTES, &format!("{{ field = \"u\" }}, {blob}, {{ text = \"_\" }}"), "");
    assert_eq!(
        told,
        [
            "key.parts[0].field: unknown field \"u\"; known: v, w",
            "key.parts[1]: blob-copy ends with the key: ascending, it has no end mark; \
             put it last, or say desc = \"invert\"",
        ]
    );
}

/// It may be the terminator, or the rest that a bucket is computed from.
#[test]
fn no_end_is_missed_where_the_next_part_cant_be_read() {
    let unread = "double quotes hold printable ASCII only";
    for part in ["{ field = \"s\", desc = \"invert\" }", "{ bucket = 4, of = [\"rest\"] }"] {
        let told = complaints("s = { type = \"string\" }", &format!("{part}, {{ text = \"\\x00\" }}"), "");
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("key.parts[1].text: ") && told[0].contains(unread), "{told:?}");
    }
    let told = complaints(BYTES, "{ field = \"v\", as = \"phoenix\" }, { field = \"u\" }", "");
    assert!(
        told.len() == 2 && told[0].contains("VARBINARY ends with the key"),
        "whatever comes next: {told:?}"
    );
}

#[test]
fn varbinary_stands_last_unless_it_is_escaped() {
    let bare = "{ field = \"v\", as = \"phoenix\" }";
    let refused = "key.parts[0]: VARBINARY ends with the key: it has no end mark; \
                   put it last, or say escape = true, which is Phoenix's VARBINARY_ENCODED";
    assert_eq!(complaints(BYTES, &format!("{bare}, {{ text = '\\x00' }}"), ""), [refused]);
    assert_eq!(complaints(BYTES, bare, ""), [""; 0]);
    let escaped = "{ field = \"v\", as = \"phoenix\", escape = true }, { field = \"w\" }";
    assert_eq!(complaints(BYTES, escaped, ""), [""; 0]);
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

const SPREAD: &str =
    "v = { type = \"digits\", len = 4 }\nseq = { type = \"u64\" }\nraw = { type = \"bytes\" }";

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
fn text_that_hbase_would_mangle_is_refused_wherever_bytes_are_read() {
    let field = "v = { type = \"string\" }";
    let beyond = "'年' at character 0 is not ASCII, and HBase keeps only its low 8 bits: \
                  write its bytes as \\xE5\\xB9\\xB4";
    let lower =
        "HBase reads \\x0a at character 1 as the text x0a: hex digits must be upper case; write \\x0A";
    let no_digits = "HBase reads \\xgo at character 0 as the text xgo: hex digits must be upper case; \
                     write \\x5C for a backslash";
    for (text, said) in [("年", beyond), ("a\\x0a", lower), ("\\xgo", no_digits)] {
        let part = format!("{{ field = \"v\" }}, {{ text = '{text}' }}");
        assert_eq!(complaints(field, &part, ""), [format!("key.parts[1].text: {said}")]);
        let splits = [
            ("points", format!("by = \"list\"\npoints = ['{text}']")),
            ("suffix", format!("by = \"partition-keys\"\nregions = 3\nsuffix = '{text}'")),
            ("end", format!("by = \"range\"\nregions = 3\nstart = 'A'\nend = '{text}'")),
            ("last", format!("by = \"UniformSplit\"\nregions = 3\nlast = '{text}'")),
        ];
        for (word, split) in splits {
            let told = complaints(field, "{ field = \"v\" }", &format!("[split]\n{split}\n"));
            assert_eq!(told, [format!("split.{word}: {said}")]);
        }
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

#[test]
fn a_design_may_ask_for_as_many_regions_as_a_rule_makes() {
    let told = |regions: usize| {
        let split = format!("[split]\nby = \"HexStringSplit\"\nregions = {regions}\n");
        complaints(SPREAD, "{ field = \"v\" }", &split)
    };
    let most = keystride::split::MAX_REGIONS;
    assert_eq!(told(most), [""; 0]);
    let refused = format!("split.regions: {}: expected a whole number from 1 to {most}", most + 1);
    assert_eq!(told(most + 1), [refused]);
}

#[test]
fn steps_that_no_value_goes_through_are_refused() {
    let told = |kind: &str, steps: &str| {
        complaints(&format!("v = {{ {kind} }}"), &format!("{{ field = \"v\", {steps} }}"), "")
    };
    let refused = |word: &str, range: &str| {
        format!(
            "key.parts[0].{word}: no value of field \"v\", {range}, can be written so; \
             choose a bound, a width or an encoding that its values fit"
        )
    };
    assert_eq!(
        told("type = \"i32\"", "desc = 9999999999999, as = \"be\""),
        [refused("desc", "-2147483648 to 2147483647")]
    );
    assert_eq!(told("type = \"int\", min = 1000, max = 2000", "pad = 3"), [refused("pad", "1000 to 2000")]);
    assert_eq!(
        told("type = \"int\", min = 5000000000, max = 6000000000", "as = \"be\", width = 4"),
        [refused("as", "5000000000 to 6000000000")]
    );
    for good in ["desc = 9999999999", "desc = 2147483647, as = \"be\"", "desc = \"long-max\", as = \"be\""] {
        assert_eq!(told("type = \"i32\"", good), [""; 0], "{good}");
    }
}

#[test]
fn a_time_beyond_its_bound_may_be_cut_down_to_it() {
    let field = "v = { type = \"time\", unit = \"s\", min = 1000000001, max = 1000000100 }";
    let part = "{ field = \"v\", floor = \"1h\", desc = 1000000000 }";
    assert_eq!(complaints(field, part, ""), [""; 0]);
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
fn what_a_family_of_hbase_can_t_hold_is_told() {
    for (words, told) in [
        ("ttl = \"50000d\"", "4320000000 seconds: expected at most 2147483647 seconds"),
        ("ttl = \"4000000000s\"", "4000000000 seconds: expected at most 2147483647 seconds"),
        ("block_size = \"8GiB\"", "8589934592 bytes: expected at most 2147483647 bytes"),
    ] {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies.f = {{ {words} }}\n[fields]\n{BYTES}\n[key]\nparts = [ {{ field = \"w\", as = \"be\" }} ]\n"
        );
        let error = Design::from_toml(&toml).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
