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

/// Complaints about a design, each after the text of the file that it is about.
fn placed(fields: &str, parts: &str, tables: &str) -> Vec<String> {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [ {parts} ]\n{tables}"
    );
    let Err(error) = Design::from_toml(&toml) else { return Vec::new() };
    let shown = error.complaints.iter().map(|complaint| {
        let place = complaint.span.clone().map_or("nowhere", |span| &toml[span]);
        format!("{place} | {complaint}")
    });
    shown.collect()
}

#[test]
fn every_step_is_told_that_does_not_suit_its_field() {
    let fields = "n = { type = \"u64\", min = 9223372036854775808 }\nm = { type = \"u64\", min = 9223372036854775807 }\n\
                  v = { type = \"digits\", len = 4 }\ns = { type = \"string\" }\nb = { type = \"bytes\" }\n\
                  x = { type = \"f64\" }\nu = { type = \"uuid\" }\ng = { type = \"bool\" }\ni = { type = \"int\" }\n\
                  t = { type = \"time\", format = \"yyyy\" }";
    let no_number = "a binary number does not suit field";
    let drop = "it takes numbers and times; drop \"as\"";
    for (part, told) in [
        ("\"b\", as = \"text\"", "\"text\" | key.parts[0].as: as = \"text\" does not suit field \"b\" of type bytes: it has no text of its own in a key".to_owned()),
        ("\"x\", as = \"text\"", "\"text\" | key.parts[0].as: as = \"text\" does not suit field \"x\" of type f64: it has no text of its own in a key".to_owned()),
        ("\"x\"", "\"x\" | key.parts[0].field: a part without \"as\" does not suit field \"x\" of type f64: it has no default bytes: say as = \"ordered\", \"be\", \"phoenix\" or \"ordered-bytes\"".to_owned()),
        ("\"u\", as = \"be\"", format!("\"be\" | key.parts[0].as: {no_number} \"u\" of type uuid: {drop}")),
        ("\"g\", as = \"ordered\"", format!("\"ordered\" | key.parts[0].as: {no_number} \"g\" of type bool: {drop}")),
        ("\"v\", as = \"be\"", format!("\"be\" | key.parts[0].as: {no_number} \"v\" of type digits: {drop}")),
        ("\"b\", as = \"ordered\"", format!("\"ordered\" | key.parts[0].as: {no_number} \"b\" of type bytes: {drop}")),
        ("\"u\", as = \"phoenix\"", "\"phoenix\" | key.parts[0].as: as = \"phoenix\" does not suit field \"u\" of type uuid: Phoenix has no such type".to_owned()),
        ("\"g\", as = \"ordered-bytes\"", "\"ordered-bytes\" | key.parts[0].as: as = \"ordered-bytes\" does not suit field \"g\" of type bool: OrderedBytes has no such type".to_owned()),
        ("\"n\", as = \"ordered-bytes\"", "\"ordered-bytes\" | key.parts[0].as: as = \"ordered-bytes\" does not suit field \"n\" of type u64: OrderedBytes has no such type".to_owned()),
        ("\"n\", desc = \"long-max\"", "\"long-max\" | key.parts[0].desc: desc = \"long-max\" does not suit field \"n\" of type u64: its smallest value is beyond 2^63 - 1".to_owned()),
        ("\"s\", desc = 5", "5 | key.parts[0].desc: a number taken from a bound does not suit field \"s\" of type string: it is taken from a number; for other values say desc = \"invert\"".to_owned()),
        ("\"i\", width = 4", "4 | key.parts[0].width: \"width\" and the encoding contradict each other: it narrows as = \"be\" and as = \"ordered\" alone".to_owned()),
        ("\"g\", as = \"be\", width = 4", "4 | key.parts[0].width: width does not suit field \"g\" of type bool: it narrows whole numbers and times".to_owned()),
        ("\"i\", as = \"be\", width = 5", "5 | key.parts[0].width: 5: expected 4 or 8 bytes".to_owned()),
        ("\"i\", as = \"be\", width = 4, desc = \"long-max\"", "4 | key.parts[0].width: \"width\" and desc = \"long-max\" contradict each other: 2^63 - 1 - t has 8 bytes".to_owned()),
        ("\"i\", as = \"be\", pad = 4", "4 | key.parts[0].pad: \"pad\" and a binary encoding contradict each other: a binary number has its width already".to_owned()),
        ("\"s\", pad = 3", "3 | key.parts[0].pad: pad does not suit field \"s\" of type string: it puts zeros in front of numbers in text; digits have their width already".to_owned()),
        ("\"t\", pad = 4", "4 | key.parts[0].pad: pad does not suit field \"t\" of type time: a formatted time is no number; give it desc, or widen its format".to_owned()),
        ("\"i\", desc = 100, pad = 2", "2 | key.parts[0].pad: 2: expected at least the 3 digits of the bound".to_owned()),
        ("\"i\", pad = 3, escape = true", "true | key.parts[0].escape: \"escape\" and a fixed width contradict each other: a value of fixed width needs no end mark".to_owned()),
        ("\"s\", as = \"ordered-bytes\", escape = true", "true | key.parts[0].escape: \"escape\" and as = \"ordered-bytes\" contradict each other: that encoding ends itself".to_owned()),
        ("\"s\", as = \"ordered-bytes\", reverse = true", "true | key.parts[0].reverse: \"reverse\" and as = \"ordered-bytes\" contradict each other: the encoding's header must stand first".to_owned()),
        ("\"s\", floor = \"1d\"", "\"1d\" | key.parts[0].floor: floor does not suit field \"s\" of type string: it cuts a time".to_owned()),
    ] {
        assert_eq!(placed(fields, &format!("{{ field = {part} }}"), ""), [told]);
    }
    for part in [
        "\"m\", desc = \"long-max\"",
        "\"g\", as = \"be\"",
        "\"g\", as = \"phoenix\"",
        "\"i\", as = \"be\", width = 8, desc = \"long-max\"",
        "\"i\", as = \"be\", width = 4, desc = 2000000000",
        "\"i\", desc = 100, pad = 3",
        "\"t\", desc = 9999999999, pad = 12",
        "\"x\", as = \"ordered-bytes\"",
        "\"u\", as = \"text\"",
    ] {
        assert_eq!(placed(fields, &format!("{{ field = {part} }}"), ""), [""; 0], "{part}");
    }
}

#[test]
fn a_digest_is_taken_in_as_many_bytes_or_digits_as_it_has() {
    let fields = "v = { type = \"digits\", len = 4 }";
    let example = "write for example: hash = { name = \"murmur3\", bytes = 4 }";
    for (hash, told) in [
        ("name = \"md5\"", format!("key.parts[0].hash: \"bytes\" is missing; {example}")),
        ("bytes = 2", format!("key.parts[0].hash: \"name\" is missing; {example}")),
        ("name = \"md5\", bytes = 17", "key.parts[0].hash.bytes: 17: expected a whole number from 1 to 16".to_owned()),
        ("name = \"md5\", hex = 33", "key.parts[0].hash.hex: 33: expected a whole number from 1 to 32".to_owned()),
        ("name = \"md5\", hex = true", "key.parts[0].hash.hex: expected a whole number, found true or false".to_owned()),
        ("name = \"md5\", bytes = 1, hex = 2", "key.parts[0].hash.hex: \"bytes\" and \"hex\" contradict each other: a digest is taken in bytes or in hex digits".to_owned()),
        ("name = \"md6\", hex = 3", "key.parts[0].hash.name: unknown digest \"md6\"; did you mean \"md5\"?".to_owned()),
    ] {
        let part = format!("{{ field = \"v\", hash = {{ {hash} }} }}");
        assert_eq!(complaints(fields, &part, ""), [told]);
    }
    for hash in ["name = \"md5\", bytes = 16", "name = \"md5\", hex = 32", "name = \"crc32\", hex = 8"] {
        assert_eq!(complaints(fields, &format!("{{ field = \"v\", hash = {{ {hash} }} }}"), ""), [""; 0]);
    }
}

#[test]
fn names_and_numbers_of_fields_have_limits() {
    let well_formed = "expected lower-case letters, digits and _, beginning with a letter";
    for (field, told) in [
        ("Vx = { type = \"i32\" }", format!("Vx | fields.Vx: field name \"Vx\": {well_formed}")),
        ("_v = { type = \"i32\" }", format!("_v | fields._v: field name \"_v\": {well_formed}")),
        ("2v = { type = \"i32\" }", format!("2v | fields.2v: field name \"2v\": {well_formed}")),
        ("v-2 = { type = \"i32\" }", format!("v-2 | fields.v-2: field name \"v-2\": {well_formed}")),
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
fn rates_and_shares_have_limits() {
    let v = "v = { type = \"digits\", len = 4 }";
    let placed = |tables: &str| placed(v, "{ field = \"v\" }", tables);
    for (table, word, told) in [
        ("cluster", "servers = 0", "0 | cluster.servers: 0: expected a whole number from 1 to 100000"),
        (
            "cluster",
            "servers = 1\nputs_per_s = 0.5",
            "0.5 | cluster.puts_per_s: 0.5: expected a number of at least 1",
        ),
        ("workload", "rows_per_s = nan", "nan | workload.rows_per_s: NaN: expected a number of at least 0"),
        ("workload", "rows_per_s = inf", "inf | workload.rows_per_s: inf: expected a number of at least 0"),
        ("workload", "rows_per_s = \"1\"", "\"1\" | workload.rows_per_s: expected a number, found a text"),
        ("workload", "deletes = 1.5", "1.5 | workload.deletes: 1.5: expected a share from 0 to 1"),
        (
            "workload",
            "peak = { for = \"1m\" }",
            "{ for = \"1m\" } | workload.peak: \"rows_per_s\" is missing",
        ),
        (
            "workload",
            "row_bytes = 0",
            "0 | workload.row_bytes: 0: expected a whole number from 1 to 9223372036854775807",
        ),
        ("access.a", "rate = -1", "-1 | access.a.rate: -1: expected a number of at least 0"),
        ("access.a", "recent = 2", "2 | access.a.recent: 2: expected a share from 0 to 1"),
        (
            "access.a",
            "limit = 0",
            "0 | access.a.limit: 0: expected a whole number from 1 to 9223372036854775807",
        ),
        (
            "access.a",
            "range = \"v\"\nprefix = \"v\"",
            "\"v\" | access.a.prefix: \"range\" and \"prefix\" contradict each other: one field of a query is ranged",
        ),
    ] {
        assert_eq!(placed(&format!("[{table}]\n{word}")), [told]);
    }
    let least = "[cluster]\nservers = 1\nputs_per_s = 1\n[workload]\nrows_per_s = 0\ndeletes = 1\n\
                 peak = { rows_per_s = 0 }\nrow_bytes = \"2KiB\"\n[access.a]\nrate = 0\nrecent = 1\nlimit = 1";
    assert_eq!(placed(least), [""; 0]);
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
fn names_of_tables_and_families_are_those_that_hbase_takes() {
    let told = |name: &str, families: &str, key: &str| {
        let toml = format!(
            "format = 1\n[table]\nname = \"{name}\"\nfamilies = {families}\n[fields]\n\
             v = {{ type = \"digits\", len = 4 }}\n[key]\n{key}"
        );
        match Design::from_toml(&toml) {
            Ok(_) => Vec::new(),
            Err(error) => error.complaints.iter().map(ToString::to_string).collect(),
        }
    };
    let (family, part) = ("[\"f\"]", "parts = [ { field = \"v\" } ]");
    let (namespace, qualifier) = ("a namespace of letters, digits and _", "letters, digits, _, - and .");
    let first = "a name that does not begin with - or .";
    let zookeeper = "a name other than zookeeper, which HBase keeps for itself";
    for (name, expected) in [
        ("a:b:c", qualifier),
        (":t", namespace),
        ("n-s:t", namespace),
        ("n.s:t", namespace),
        ("t:", qualifier),
        ("a b", qualifier),
        (".a", first),
        ("ns:-a", first),
        ("zookeeper", zookeeper),
        ("ns:zookeeper", zookeeper),
    ] {
        assert_eq!(
            told(name, family, part),
            [format!("table.name: table name \"{name}\": expected {expected}")]
        );
    }
    for name in ["ns:t", "n_s:a-b.c_d", "zookeepers", "é_1"] {
        assert_eq!(told(name, family, part), [""; 0], "{name}");
    }
    let long = "a".repeat(128);
    for name in ["", ".a", "a:b", "a/b", "a\\\\b", "a\\u0007", "recovered.edits", long.as_str()] {
        let shown = name.replace("\\u0007", "\u{7}").replace("\\\\", "\\");
        assert_eq!(
            told("t", &format!("[\"{name}\"]"), part),
            [format!(
                "table.families: family \"{shown}\": expected 1 to 127 printable bytes without :, / and \\, \
                 not beginning with a dot, other than recovered.edits"
            )]
        );
    }
    assert_eq!(told("t", &format!("[\"{}\", \"a.b\", \"é\"]", &long[1..]), part), [""; 0]);
    assert_eq!(told("t", "[\"a\", \"b\", \"a\"]", part), ["table.families: family \"a\" is declared twice"]);
    assert_eq!(told("t", "[]", part), ["table.families: a table has at least one family"]);
    assert_eq!(told("t", family, ""), ["key: \"parts\" is missing"]);
    assert_eq!(told("t", family, "parts = []"), ["key.parts: a key has at least one part"]);
    assert_eq!(told("t", family, "parts = 3"), ["key.parts: expected a list, found a whole number"]);
}

#[test]
fn hbase_is_told_what_is_not_its_default() {
    use keystride::design::Family;
    let toml = "format = 1\n[table]\nname = \"t\"\non_same_key = \"replace\"\n[table.families]\nplain = {}\n\
                all = { versions = 3, ttl = \"10d\", compression = \"zstd\", bloom = \"rowcol\", encoding = \"fast-diff\", \
                block_size = \"32KiB\", in_memory = true }\n[fields]\nv = { type = \"digits\", len = 4 }\n[key]\n\
                parts = [ { field = \"v\" } ]";
    let design = Design::from_toml(toml).unwrap();
    let attributes: Vec<_> = design.table.families.iter().map(Family::hbase_attributes).collect();
    let all = [
        ("VERSIONS", "3"),
        ("TTL", "864000"),
        ("COMPRESSION", "ZSTD"),
        ("BLOOMFILTER", "ROWCOL"),
        ("DATA_BLOCK_ENCODING", "FAST_DIFF"),
        ("BLOCKSIZE", "32768"),
        ("IN_MEMORY", "true"),
    ];
    assert_eq!(attributes, [Vec::new(), all.map(|(word, value)| (word, value.to_owned())).to_vec()]);
    assert_eq!(design.table.on_same_key.map(keystride::design::OnSameKey::word), Some("replace"));
}

#[test]
fn bytes_that_hbase_would_mangle_are_told_with_what_to_write() {
    let told = |text: &str| {
        complaints("v = { type = \"i32\" }", &format!("{{ text = '{text}' }}, {{ field = \"v\" }}"), "")
    };
    for (text, help) in [
        (r"\xff", r"; write \xFF"),
        (r"\x0a", r"; write \x0A"),
        (r"\x0g", r"; write \x5C for a backslash"),
        (r"\xg0", r"; write \x5C for a backslash"),
    ] {
        let told = told(text);
        assert!(told.len() == 1 && told[0].ends_with(help), "{text}: {told:?}");
    }
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

#[test]
fn nothing_lasts_for_no_time_and_no_cut_is_empty() {
    let part = "{ field = \"w\" }";
    let told = complaints("w = { type = \"i32\" }", part, "[workload]\nretention = \"0s\"\n");
    assert!(told.len() == 1 && told[0].starts_with("workload.retention: \"0s\": expected "), "{told:?}");
    for (count, is_good) in [("0", false), ("1", true), ("32767", true), ("32768", false)] {
        let fields = format!(
            "w = {{ type = \"i32\" }}\ns = {{ type = \"string\" }}\nd = {{ from = \"left(s,{count})\" }}"
        );
        let told = complaints(&fields, part, "");
        assert_eq!(told.is_empty(), is_good, "{told:?}");
        assert!(told.iter().all(|told| told.contains("a count from 1 to 32767")), "{told:?}");
    }
}
