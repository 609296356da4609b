//! Plans over texts, bytes and times with bounds that are no values, and over parts that are computed from a field.

use keystride::{Design, KeyCodec, Row};

use crate::composed::read_row;
use crate::plans::finds_every_match;

/// A design of these fields and parts, rows of its fields' texts, and predicates.
fn finds_all(fields: &str, parts: &str, rows: &[&[Option<&str>]], predicates: &[&str]) {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [{parts}]\n"
    );
    let codec = KeyCodec::new(Design::from_toml(&toml).unwrap());
    for predicate in predicates {
        let rows = rows.iter().map(|texts| read_row(codec.design(), texts)).collect();
        finds_every_match(&codec, rows, predicate).unwrap();
    }
}

#[test]
fn a_bound_shorter_than_digits_is_no_prefix_of_them() {
    let rows: &[&[Option<&str>]] = &[
        &[Some("1379"), Some("1")],
        &[Some("1380"), Some("1")],
        &[Some("1389"), Some("2")],
        &[Some("1390"), Some("3")],
    ];
    let predicates = [
        "phone > '138'",
        "phone != '1380'",
        "phone <= '138'",
        "phone between '137' and '138'",
        "phone > '13800'",
        "phone < '13800'",
        "area > '13'",
        "area <= '13'",
    ];
    let fields =
        "phone = { type = \"digits\", len = 4 }\nn = { type = \"u32\" }\narea = { from = \"left(phone,3)\" }";
    finds_all(fields, "{ field = \"phone\" }, { field = \"n\", as = \"be\" }", rows, &predicates);
    finds_all(
        fields,
        "{ field = \"phone\", desc = \"invert\" }, { field = \"n\", as = \"be\" }",
        rows,
        &predicates,
    );
    finds_all(fields, "{ field = \"area\" }, { field = \"phone\" }", rows, &predicates);
}

#[test]
fn ordered_bytes_of_bytes_have_a_header_of_their_own() {
    let rows: &[&[Option<&str>]] = &[&[Some("60")], &[Some("61")], &[Some("62")], &[Some("6162")]];
    let predicates = ["b < '61'", "b <= '61'", "b > '61'", "b != '61'", "b between '60' and '61'"];
    let field = "b = { type = \"bytes\" }";
    finds_all(field, "{ field = \"b\", as = \"ordered-bytes\" }", rows, &predicates);
    finds_all(field, "{ field = \"b\", as = \"ordered-bytes\", desc = \"invert\" }", rows, &predicates);
}

#[test]
fn nothing_is_above_a_value_of_ff_bytes() {
    let rows: &[&[Option<&str>]] =
        &[&[Some("00"), Some("1")], &[Some("ff"), Some("2")], &[Some("61"), Some("3")]];
    let fields = "u = { type = \"bytes\", len = 1 }\nn = { type = \"u32\" }";
    let predicates = ["u > 'ff'", "u != 'ff'", "u not between '00' and 'ff'"];
    finds_all(fields, "{ field = \"u\" }, { field = \"n\", as = \"be\" }", rows, &predicates);
    finds_all(
        fields,
        "{ field = \"u\", desc = \"invert\" }, { field = \"n\", as = \"be\" }",
        rows,
        &["u < '00'", "u != '00'"],
    );
}

#[test]
fn nothing_is_certain_behind_a_number_whose_end_nothing_shows() {
    let rows: &[&[Option<&str>]] = &[
        &[Some("1"), Some("20200102"), Some("5")],
        &[Some("1"), Some("20200802"), Some("5")],
        &[Some("18"), Some("20200102"), Some("50")],
        &[Some("18"), Some("20200404"), Some("5")],
        &[Some("18"), Some("20200701"), Some("5")],
    ];
    let fields = "a = { type = \"u32\", max = 50 }\nb = { type = \"time\", format = \"yyyyMMdd\" }\n\
                  c = { type = \"u32\", max = 50 }";
    let predicates = ["b > '20200404'", "a in (1, 18) and b > '20200404'", "b = '20200102' and c > 5"];
    for parts in [
        "{ field = \"a\" }, { field = \"b\" }, { field = \"c\", as = \"be\" }",
        "{ field = \"a\", reverse = true }, { field = \"b\" }, { field = \"c\", as = \"be\" }",
        "{ field = \"b\" }, { field = \"a\" }, { field = \"c\", as = \"be\" }",
    ] {
        finds_all(fields, parts, rows, &predicates);
    }
}

#[test]
fn nothing_is_certain_behind_a_bucket_whose_end_nothing_shows() {
    let rows: Vec<[Option<String>; 2]> =
        (0..160).map(|n| [Some(n.to_string()), Some(format!("{:03}", n * 7 % 160))]).collect();
    let rows: Vec<[Option<&str>; 2]> =
        rows.iter().map(|row| [0, 1].map(|field| row[field].as_deref())).collect();
    let rows: Vec<&[Option<&str>]> = rows.iter().map(<[_; 2]>::as_slice).collect();
    let predicates = ["k > '5'", "k > '104'", "k like '1%'", "k < '03'", "n = 17 and k > '05'", "k = '119'"];
    let fields = "n = { type = \"u32\" }\nk = { type = \"digits\", len = 3 }";
    finds_all(
        fields,
        "{ bucket = 16, hash = \"mod\", of = [\"n\"], width = 1 }, { field = \"k\" }",
        &rows,
        &predicates,
    );
}

#[test]
fn what_is_left_of_a_text_has_as_many_characters() {
    let rows: &[&[Option<&str>]] = &[&[Some("a")], &[Some("ab")], &[Some("abb")], &[Some("b")], &[Some("")]];
    let predicates =
        ["left(k,2) = 'a'", "left(k,1) = 'ab'", "left(k,2) = ''", "left(k,2) is null", "left(k,2) = 'ab'"];
    finds_all("k = { type = \"string\" }", "{ field = \"k\", escape = true }", rows, &predicates);
}

#[test]
fn what_is_computed_from_a_missing_value_is_missing_too() {
    let rows: &[&[Option<&str>]] = &[&[Some("ab"), Some("1")], &[None, Some("2")]];
    finds_all(
        "a = { type = \"string\", alphabet = \"a-c\", max_len = 3, default = \"-\" }\nid = { type = \"u32\" }\n\
         d = { from = \"right(a,1)\" }",
        "{ field = \"d\" }, { text = \"!\" }, { field = \"id\", as = \"be\" }",
        rows,
        &["id = 2", "d is null", "d = 'b'", "d < 'b'", "d > '!'", "a is null", "a = 'ab'"],
    );
}

#[test]
fn a_function_of_a_default_that_is_a_value_is_read_from_the_key() {
    let rows: &[&[Option<&str>]] = &[&[Some("7"), Some("1")], &[None, Some("2")], &[Some("12"), Some("3")]];
    finds_all(
        "a = { type = \"int\", min = 0, max = 12, default = \"7\" }\nid = { type = \"u32\" }\n\
         d = { from = \"left(a,1)\" }",
        "{ field = \"d\" }, { text = \"!\" }, { field = \"id\", as = \"be\" }",
        rows,
        &["d is null", "a is null and d is not null", "a is null and left(a,1) is not null", "d != '1'"],
    );
    let rows: &[&[Option<&str>]] = &[&[Some("1586131200")], &[None]];
    finds_all(
        "t = { type = \"time\", unit = \"s\", default = \"1586134800\" }\nh = { from = \"floor(t,1h)\" }",
        "{ field = \"h\" }, { text = \"!\" }",
        rows,
        &["floor(t,1h) is null and h != 1586134801", "t is null and h = 1586134800", "h is not null"],
    );
}

#[test]
fn a_derived_field_without_its_source_has_its_own_default() {
    let rows: &[&[Option<&str>]] = &[&[Some("ab"), Some("1")], &[None, Some("2")], &[Some("bc"), Some("3")]];
    finds_all(
        "a = { type = \"string\" }\nid = { type = \"u32\" }\nd = { from = \"left(a,1)\", default = \"a\" }",
        "{ field = \"d\" }, { text = \"!\" }, { field = \"id\", as = \"be\" }",
        rows,
        &[
            "a is null and d = 'a'",
            "a is null and d != 'b'",
            "left(a,1) is null and d like 'a%'",
            "d = 'a'",
            "d < 'b'",
        ],
    );
}

#[test]
fn a_derived_field_s_own_default_is_not_written_where_its_source_has_one() {
    let rows: &[&[Option<&str>]] = &[&[Some("ba"), Some("1")], &[None, Some("2")], &[Some("c"), Some("3")]];
    finds_all(
        "a = { type = \"string\", alphabet = \"a-c\", max_len = 3, default = \"-a\" }\nid = { type = \"u32\" }\n\
         d = { from = \"right(a,1)\", default = \"-\" }",
        "{ field = \"d\" }, { text = \"!\" }, { field = \"id\", as = \"be\" }",
        rows,
        &["d = '' or d > ''", "d = 'a'", "d is null", "a is null", "d != 'c'"],
    );
}

#[test]
fn what_only_the_filter_sees_to_is_not_certain_later() {
    let rows: &[&[Option<&str>]] = &[
        &[Some("A"), Some("1650686073"), Some("q")],
        &[Some("abc"), Some("2021212449"), Some("q")],
        &[Some("a"), Some("1650686073"), Some("q")],
    ];
    finds_all(
        "a = { type = \"string\" }\nn = { type = \"u32\" }\nm = { type = \"string\" }\nlow = { from = \"lower(a)\" }",
        "{ field = \"low\" }, { field = \"n\", as = \"be\", width = 4 }, { field = \"a\" }, { text = \"!\" }, { field = \"m\" }",
        rows,
        &["a = 'A' and n = 1650686073", "a = 'abc' and n = 2021212449", "low = 'a'"],
    );
}

#[test]
fn of_alternatives_none_says_what_the_whole_range_has() {
    let rows: &[&[Option<&str>]] = &[
        &[Some("x"), Some("1586131199999")],
        &[Some("x1"), Some("1600000000000")],
        &[Some("x"), Some("1600000000001")],
    ];
    finds_all(
        "a = { type = \"string\" }\nt = { type = \"time\", unit = \"ms\" }",
        "{ field = \"a\" }, { field = \"t\" }",
        rows,
        &[
            "(a = 'x' and t >= 1000000000000) or (a = 'x1' and t >= 1000000000000)",
            "a in ('x', 'x1')",
            "a = 'x'",
        ],
    );
}

#[test]
fn small_key_spaces_are_read_as_far_as_ends_are_known() {
    let rows: &[&[Option<&str>]] = &[
        &[None, Some("a"), Some("1")],
        &[Some("b"), Some("a"), Some("1")],
        &[Some("a"), Some("bb"), Some("12")],
    ];
    finds_all(
        "a = { type = \"string\", alphabet = \"a-c\", max_len = 2, default = \"ba\" }\n\
         b = { type = \"string\", alphabet = \"ab\", max_len = 2 }\nc = { type = \"int\", min = 0, max = 12 }\n\
         d = { from = \"left(a,1)\" }",
        "{ field = \"d\" }, { field = \"b\" }, { field = \"c\" }",
        rows,
        &["d = 'b' and a is null", "d = 'b'", "a is null", "b = 'a' and c = 1"],
    );
}

#[test]
fn cuts_of_numbers_and_truths_are_texts() {
    let rows: &[&[Option<&str>]] =
        &[&[Some("1"), Some("true")], &[Some("12"), Some("false")], &[Some("2"), Some("true")]];
    finds_all(
        "n = { type = \"int\", min = 0, max = 120 }\nb = { type = \"bool\" }\nfirst = { from = \"left(n,1)\" }",
        "{ field = \"first\" }, { field = \"n\", pad = 3 }, { field = \"b\" }",
        rows,
        &[
            "left(n,1) like '1%'",
            "first like '1%'",
            "left(b,1) <= '0'",
            "left(b,1) like '1%' and left(n,1) < '2'",
        ],
    );
}

#[test]
fn values_that_a_bucket_is_tried_with_are_not_asked_for() {
    let rows: &[&[Option<&str>]] = &[
        &[Some("A"), Some("b"), Some("60")],
        &[Some("AB"), None, Some("60")],
        &[Some("AB"), Some("c"), Some("61")],
    ];
    finds_all(
        "a = { type = \"string\", max_len = 3, alphabet = \"A-C\" }\n\
         b = { type = \"string\", max_len = 3, alphabet = \"a-c\", default = \"-\" }\nid = { type = \"bytes\" }\n\
         low = { from = \"lower(a)\" }\nfirst = { from = \"left(b,1)\" }",
        "{ bucket = 1, of = [\"a\"] }, { field = \"low\" }, { field = \"first\" }, { text = \"!\" }, \
         { field = \"id\", as = \"ordered-bytes\" }",
        rows,
        &["first not between '' and '-'", "first > '-'", "b is null", "a in ('A', 'AB') and first > '-'"],
    );
}

#[test]
fn an_empty_default_is_found_as_the_empty_text() {
    let rows: &[&[Option<&str>]] = &[&[Some("1"), Some("b")], &[Some("12"), None], &[Some("3"), Some("c")]];
    let predicates = ["a is null", "a = ''", "id = 12", "a = '' and id = 12", "a < 'c'"];
    let fields = "id = { type = \"i64\" }\na = { type = \"string\", default = \"\" }";
    let phoenix =
        "{ field = \"a\", as = \"phoenix\" }, { text = '\\x00' }, { field = \"id\", as = \"phoenix\" }";
    finds_all(fields, phoenix, rows, &predicates);
    finds_all(fields, "{ field = \"a\" }, { text = '\\x00' }, { field = \"id\" }", rows, &predicates);
}

#[test]
fn the_start_of_a_period_need_not_be_a_value_of_the_pattern() {
    let rows: &[&[Option<&str>]] =
        &[&[Some("202004"), Some("1")], &[Some("202010"), Some("2")], &[Some("202101"), Some("3")]];
    let predicates = [
        "m = '202004'",
        "m in ('202004', '202010')",
        "m >= '202004'",
        "m between '202004' and '202010'",
        "w >= '202004'",
        "w = '202004'",
    ];
    let fields = "m = { type = \"time\", format = \"yyyyMM\" }\nid = { type = \"u32\" }\nw = { from = \"floor(m,7d)\" }";
    finds_all(
        fields,
        "{ field = \"m\", floor = \"7d\" }, { field = \"id\", as = \"be\" }",
        rows,
        &predicates,
    );
    finds_all(fields, "{ field = \"w\" }, { field = \"id\", as = \"be\" }", rows, &predicates);
}

#[test]
fn a_computed_part_that_says_less_than_its_field_is_computed_again() {
    let design = Design::from_toml(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
         m = { type = \"time\", format = \"yyyy/MM\", zone = \"Asia/Shanghai\" }\nw = { from = \"floor(m,7d)\" }\n\
         [key]\nparts = [{ field = \"w\" }, { field = \"m\", as = \"ordered\" }]",
    );
    let codec = KeyCodec::new(design.unwrap());
    let mut row = Row::new(2);
    codec.design().read_value(&mut row, 0, "2020/11").unwrap();
    let mut key = Vec::new();
    codec.encoder().encode(&row, &mut key).unwrap();
    // The week of the first of November begins on the 29th of October, of which the key has the month.
    let decoded = codec.decode(&key).unwrap().row;
    for (text, expected) in
        [("w >= 1603900800000", true), ("w = 1603900800000", true), ("w < 1603900800000", false)]
    {
        let predicate = keystride::Predicate::parse(text, codec.design()).unwrap();
        assert_eq!(predicate.matches(codec.design(), &decoded), expected, "{text}");
    }
}
