//! Plans over texts, bytes and UUIDs, with bounds that need not be values, defaults of every sort, and parts that are
//! computed from a field.

use keystride::{Design, KeyCodec, Row};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::plans::finds_every_match;

/// A field, its values as an input has them, and parts that it can make.
struct TextField {
    declaration: &'static str,
    /// `None` where the row has no value.
    values: &'static [Option<&'static str>],
    /// Texts to compare with: values, some of their beginnings, and what lies beyond them.
    literals: &'static [&'static str],
    parts: &'static [&'static str],
    /// Functions of it that a part can be computed by.
    functions: &'static [&'static str],
}

const HEX: &[&str] = &["", "00", "60", "61", "6162", "62", "fe", "ff", "ff00", "ffff"];
const UUIDS: [&str; 4] = [
    "00000000-0000-0000-0000-000000000000",
    "00000000-0000-0000-0000-000000000001",
    "61626364-6162-6162-6162-616263646566",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
];

const FIELDS: &[TextField] = &[
    TextField {
        declaration: "{ type = \"digits\", len = 3 }",
        values: &[Some("000"), Some("137"), Some("138"), Some("139"), Some("130"), Some("200"), Some("999")],
        literals: &["", "0", "1", "13", "138", "1380", "13899", "2", "9", "99", "999", "9999", "a"],
        parts: &[
            "{ field = \"NAME\" }",
            "{ field = \"NAME\", desc = \"invert\" }",
            "{ field = \"NAME\", reverse = true }",
        ],
        functions: &["left(NAME,1)", "left(NAME,2)", "right(NAME,2)"],
    },
    TextField {
        declaration: "{ type = \"string\", alphabet = \"a-c\", max_len = 3, default = \"-\" }",
        values: &[None, Some("a"), Some("ab"), Some("abc"), Some("b"), Some("c")],
        literals: &["", "-", "a", "aa", "ab", "abb", "abc", "abcd", "b", "c", "cc", "d"],
        parts: &[
            "{ field = \"NAME\" }, { text = \"!\" }",
            "{ field = \"NAME\", desc = \"invert\" }, { text = \"~\" }",
        ],
        functions: &["left(NAME,1)", "right(NAME,1)", "lower(NAME)"],
    },
    TextField {
        declaration: "{ type = \"string\", default = \"\" }",
        values: &[None, Some("a"), Some("ab"), Some("b~"), Some("é"), Some("~")],
        literals: &["", "a", "aa", "ab", "b", "b~~", "é", "~", "~~"],
        parts: &[
            "{ field = \"NAME\" }, { text = '\\x00' }",
            "{ field = \"NAME\" }, { text = '\\x00a' }",
            "{ field = \"NAME\" }, { text = \"b|\" }",
            "{ field = \"NAME\", escape = true }",
            "{ field = \"NAME\", escape = true, desc = \"invert\" }",
            "{ field = \"NAME\", as = \"phoenix\" }, { text = '\\x00' }",
            "{ field = \"NAME\", as = \"ordered-bytes\" }",
            "{ field = \"NAME\", as = \"ordered-bytes\", desc = \"invert\" }",
        ],
        functions: &["lower(NAME)", "left(NAME,1)", "left(NAME,2)"],
    },
    TextField {
        declaration: "{ type = \"bytes\", input = \"hex\" }",
        values: &[Some("60"), Some("61"), Some("6162"), Some("62"), Some("fe"), Some("ff"), Some("ff01")],
        literals: HEX,
        parts: &[
            "{ field = \"NAME\", as = \"ordered-bytes\" }",
            "{ field = \"NAME\", as = \"ordered-bytes\", desc = \"invert\" }",
            "{ field = \"NAME\", escape = true }",
            "{ field = \"NAME\" }",
        ],
        functions: &[],
    },
    TextField {
        declaration: "{ type = \"bytes\", input = \"hex\", len = 1 }",
        values: &[Some("00"), Some("61"), Some("fe"), Some("ff")],
        literals: &["00", "01", "61", "fe", "ff"],
        parts: &["{ field = \"NAME\" }", "{ field = \"NAME\", desc = \"invert\" }"],
        functions: &[],
    },
    TextField {
        declaration: "{ type = \"uuid\" }",
        values: &[Some(UUIDS[0]), Some(UUIDS[1]), Some(UUIDS[2]), Some(UUIDS[3])],
        literals: &UUIDS,
        parts: &[
            "{ field = \"NAME\" }",
            "{ field = \"NAME\", as = \"text\" }",
            "{ field = \"NAME\", desc = \"invert\" }",
        ],
        functions: &[],
    },
    TextField {
        declaration: "{ type = \"time\", format = \"yyyyMM\", zone = \"UTC\" }",
        values: &[Some("202001"), Some("202004"), Some("202010"), Some("202012"), Some("202101")],
        literals: &["202001", "202003", "202004", "202010", "202012", "202102"],
        parts: &[
            "{ field = \"NAME\" }",
            "{ field = \"NAME\", floor = \"7d\" }",
            "{ field = \"NAME\", floor = \"7d\", as = \"be\" }",
            "{ field = \"NAME\", floor = \"1y\", as = \"be\", desc = \"invert\" }",
        ],
        functions: &["floor(NAME,7d)", "floor(NAME,1y)"],
    },
    TextField {
        declaration: "{ type = \"string\", alphabet = \"A-C\", max_len = 3 }",
        values: &[Some("A"), Some("AB"), Some("ABC"), Some("B"), Some("C")],
        literals: &["", "A", "AA", "AB", "ABC", "B", "C", "CC", "D", "a"],
        parts: &["{ field = \"NAME\" }, { text = \"!\" }", "{ field = \"NAME\" }, { text = \"!!\" }"],
        functions: &["lower(NAME)", "left(NAME,1)", "right(NAME,1)"],
    },
    TextField {
        declaration: "{ type = \"time\", format = \"MM月yyyy年\", zone = \"UTC\" }",
        values: &[Some("01月2020年"), Some("10月2020年"), Some("12月2020年"), Some("01月2021年")],
        literals: &["01月2020年", "03月2020年", "12月2020年", "01月2021年", "02月2021年"],
        parts: &["{ field = \"NAME\" }"],
        functions: &["floor(NAME,1y)"],
    },
];

/// A number: whether it is the last part, its declaration, its values and its part. That of few values in as many digits
/// as they have ends where nothing shows.
type Number = (bool, &'static str, &'static [Option<&'static str>], &'static str);

const NUMBERS: &[Number] = &[
    (true, "{ type = \"u32\" }", WIDE, "{ field = \"n\", as = \"be\", width = 4 }"),
    (false, "{ type = \"u32\" }", WIDE, "{ field = \"n\", as = \"be\", width = 4 }"),
    (false, "{ type = \"u32\", max = 50 }", &[Some("1"), Some("13"), Some("2")], "{ field = \"n\" }"),
];

const WIDE: &[Option<&str>] = &[Some("1"), Some("255"), Some("65535")];

/// A codec of two of the fields and a number, all its rows, and a predicate.
#[derive(Debug, Clone)]
struct Case {
    toml: String,
    values: Vec<Vec<Option<&'static str>>>,
    predicate: String,
}

impl Case {
    /// `None` where the design is refused.
    fn codec(&self) -> Option<KeyCodec> {
        Design::from_toml(&self.toml).ok().map(KeyCodec::new)
    }

    fn rows(&self, design: &Design) -> Vec<Row> {
        let total: usize = self.values.iter().map(Vec::len).product();
        let row = |mut number: usize| {
            let mut row = Row::new(design.fields.len());
            for (field, values) in self.values.iter().enumerate() {
                if let Some(text) = values[number % values.len()] {
                    design.read_value(&mut row, field, text).unwrap();
                }
                number /= values.len();
            }
            row
        };
        (0..total).map(row).collect()
    }
}

type Choice = (Index, Index, Index, u8);

/// A field with the parts it makes: its own, one that is computed from it, or both.
fn field() -> impl Strategy<Value = Choice> {
    (any::<Index>(), any::<Index>(), any::<Index>(), 0..3u8)
}

type Atom = (Index, Index, Index, Index, u8);

fn case() -> impl Strategy<Value = Case> {
    let atoms =
        prop::collection::vec((any::<Index>(), any::<Index>(), any::<Index>(), any::<Index>(), 0..9u8), 1..4);
    let joins = (select(vec![" and ", " or "]), any::<bool>(), select(NUMBERS));
    (field(), field(), any::<bool>(), atoms, joins).prop_map(|(first, second, has_bucket, atoms, joins)| {
        let (mut declarations, mut parts, mut operands) = (String::new(), String::new(), Vec::new());
        let mut computed = String::new();
        let mut values = Vec::new();
        let (is_last, number, number_values, number_part) = joins.2;
        if has_bucket {
            parts.push_str("{ bucket = 3, hash = \"crc32\", of = [\"aa\"] }, ");
        }
        for ((kind, part, function, shape), name) in [first, second].into_iter().zip(["aa", "bb"]) {
            let field = kind.get(FIELDS);
            declarations.push_str(&format!("{name} = {}\n", field.declaration));
            values.push(field.values.to_vec());
            operands.push((name.to_owned(), field.literals));
            if shape > 0 && !field.functions.is_empty() {
                let from = function.get(field.functions).replace("NAME", name);
                let default = ["", ", default = \"-\""][part.index(2)];
                computed.push_str(&format!("{name}_of = {{ from = \"{from}\"{default} }}\n"));
                parts.push_str(&format!("{{ field = \"{name}_of\" }}, {{ text = \"!\" }}, "));
                operands.push((format!("{name}_of"), field.literals));
            }
            if !field.functions.is_empty() {
                operands.push((function.get(field.functions).replace("NAME", name), field.literals));
            }
            if shape < 2 || field.functions.is_empty() {
                parts.push_str(&part.get(field.parts).replace("NAME", name));
                parts.push_str(", ");
            }
        }
        values.push(number_values.to_vec());
        operands.push(("n".to_owned(), &["1", "2", "18", "255"]));
        let parts = if is_last { format!("{parts}{number_part}") } else { format!("{number_part}, {parts}") };
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{declarations}n = {number}\n\
             {computed}[key]\nparts = [ {parts} ]\n"
        );
        let (join, is_not, _) = joins;
        let atoms: Vec<String> = atoms.into_iter().map(|atom| predicate(&operands, atom)).collect();
        let all = atoms.join(join);
        let predicate = if is_not { format!("not ({all})") } else { all };
        Case { toml, values, predicate }
    })
}

fn predicate(operands: &[(String, &[&str])], (operand, low, high, other, shape): Atom) -> String {
    let (name, literals) = operand.get(operands);
    let is_number = name == "n";
    let quoted = |literal: Index| match literal.get(literals) {
        number if is_number => (*number).to_owned(),
        text => format!("'{text}'"),
    };
    let [low, high, other] = [low, high, other].map(quoted);
    match shape {
        0 => format!("{name} = {low}"),
        1 => format!("{name} != {low}"),
        2 => format!("{name} < {low}"),
        3 => format!("{name} <= {low}"),
        4 => format!("{name} > {low}"),
        5 => format!("{name} >= {low}"),
        6 => format!("{name} between {low} and {high}"),
        7 => format!("{name} in ({low}, {high}, {other})"),
        _ => format!("{name} is null"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_over_texts_finds_every_matching_row_once(case in case()) {
        let Some(codec) = case.codec() else { return Err(TestCaseError::reject("no design")) };
        // Not every text is a literal of every field.
        prop_assume!(keystride::Predicate::parse(&case.predicate, codec.design()).is_ok());
        let rows = case.rows(codec.design());
        finds_every_match(&codec, rows, &case.predicate)?;
    }
}

/// A design of these fields and parts, rows of its fields' texts, and predicates.
fn finds_all(fields: &str, parts: &str, rows: &[&[Option<&str>]], predicates: &[&str]) {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [{parts}]\n"
    );
    let codec = KeyCodec::new(Design::from_toml(&toml).unwrap());
    let read = |texts: &&[Option<&str>]| {
        let mut row = Row::new(codec.design().fields.len());
        for (field, text) in texts.iter().enumerate() {
            if let Some(text) = text {
                codec.design().read_value(&mut row, field, text).unwrap();
            }
        }
        row
    };
    for predicate in predicates {
        finds_every_match(&codec, rows.iter().map(read).collect(), predicate).unwrap();
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
        "phone != '138'",
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
