//! Numbers that no field holds are compared with like any other: they match what they are above or below.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use keystride::design::{FieldKind, TimeText};
use keystride::plan::{PlanOrder, Planner, Predicate};
use keystride::{Design, KeyCodec, Row, Value};

const DESIGN: &str = r#"
format = 1
[table]
name = "t"
families = ["f"]
[fields]
KIND
hour = { from = "floor(v,1h)" }
[key]
parts = [ { bucket = 4, hash = "HASH", of = ["OF"] }, PART ]
"#;

const KINDS: [(&str, &str); 6] = [
    ("v = { type = \"int\" }", "v"),
    ("v = { type = \"u64\" }", "v"),
    ("v = { type = \"i32\" }", "v"),
    ("v = { type = \"time\", unit = \"ns\" }", "hour"),
    ("v = { type = \"time\", unit = \"s\", zone = \"America/New_York\" }", "hour"),
    ("v = { type = \"time\", format = \"yyyyMMdd\", zone = \"UTC\" }", "hour"),
];

const PARTS: [&str; 5] = [
    "{ field = \"v\" }",
    "{ field = \"v\", desc = \"long-max\", as = \"be\" }",
    "{ field = \"v\", as = \"be\", desc = \"invert\" }",
    "{ field = \"v\", floor = \"1d\", as = \"be\" }",
    "{ field = \"v\", floor = \"1mo\", as = \"be\", width = 4 }",
];

const DAY_MS: i128 = 86_400_000;

/// The ends of the types that numbers pass through, and their neighbours.
fn numbers() -> Vec<i128> {
    let ends = [i128::MIN, i128::MAX, i64::MIN.into(), i64::MAX.into(), u64::MAX.into(), 0, i32::MAX.into()];
    let neighbours = |end: i128| [end.checked_sub(1), Some(end), end.checked_add(1)];
    let scaled = [1_000, 1_000_000, 1_000_000_000].map(|unit| i128::from(i64::MAX) / unit);
    ends.into_iter().chain(scaled).flat_map(neighbours).flatten().collect()
}

fn codecs() -> Vec<(KeyCodec, bool)> {
    let mut codecs = Vec::new();
    for (kind, of) in KINDS {
        for part in PARTS {
            for hash in ["xxh3", "mod"] {
                let is_time = of == "hour";
                let of = if hash == "mod" { "v" } else { of };
                let text = DESIGN.replace("KIND", kind).replace("PART", part);
                let text = text.replace("HASH", hash).replace("OF", of);
                let text = if is_time { text } else { text.replace("hour = { from = \"floor(v,1h)\" }", "") };
                // Not every part suits every field.
                codecs.extend(Design::from_toml(&text).map(|design| (KeyCodec::new(design), is_time)));
            }
        }
    }
    codecs
}

#[test]
fn plans_take_numbers_of_any_size() {
    let codecs = codecs();
    assert!(codecs.len() > 30, "{} designs", codecs.len());
    for (codec, is_time) in codecs {
        let planner = Planner::new(&codec);
        let rows = rows(&codec);
        assert!(!rows.is_empty());
        let operands: &[&str] = if is_time { &["v", "floor(v,1d)", "hour"] } else { &["v"] };
        for operand in operands {
            for number in numbers() {
                for op in ["=", "!=", "<", "<=", ">", ">="] {
                    finds_what_matches(&planner, &rows, &format!("{operand} {op} {number}"));
                }
                let (next, last) = (number.saturating_add(1), number.saturating_sub(1));
                finds_what_matches(&planner, &rows, &format!("{operand} > {number} and {operand} < {next}"));
                finds_what_matches(&planner, &rows, &format!("not {operand} in ({number}, {last})"));
            }
        }
    }
}

/// Rows of those numbers that the design has values and keys for.
fn rows(codec: &KeyCodec) -> Vec<(Vec<u8>, Row)> {
    let mut encoder = codec.encoder();
    let mut rows = Vec::new();
    let kind = &codec.design().fields()[0].kind;
    let (min, max) = kind.number_range().unwrap();
    let is_of_days = matches!(kind, FieldKind::Time(time) if matches!(time.text, TimeText::Pattern(_)));
    let is_value =
        |number: &i128| (min..=max).contains(number) && (!is_of_days || number.rem_euclid(DAY_MS) == 0);
    for number in numbers().into_iter().filter(is_value) {
        let (mut row, mut key) = (Row::new(codec.design().fields().len()), Vec::new());
        row.set(0, Value::Int(number));
        if encoder.encode(&row, &mut key).is_ok() {
            rows.push((key, row));
        }
    }
    rows
}

fn finds_what_matches(planner: &Planner, rows: &[(Vec<u8>, Row)], text: &str) {
    let design = planner.codec().design();
    let predicate = Predicate::parse(text, design).unwrap_or_else(|error| panic!("{text}: {error}"));
    for order in [PlanOrder::Any, PlanOrder::Newest] {
        // A design without a time has no order by time.
        let Ok(plan) = planner.plan(Some(&predicate), order) else { continue };
        for (key, row) in rows {
            let is_read = plan.ranges.iter().any(|planned| planned.range.contains(key));
            let is_found = is_read && plan.filter.as_ref().is_none_or(|filter| filter.matches(design, row));
            assert_eq!(is_found, predicate.matches(design, row), "{text}: {row:?}\n{}", design.to_toml(None));
        }
    }
}

#[test]
fn a_number_beyond_all_others_is_above_them() {
    let design = Design::from_toml(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = { type = \"u64\" }\n\
         [key]\nparts = [{ field = \"v\" }]",
    );
    let design = design.unwrap();
    let mut row = Row::new(1);
    row.set(0, Value::Int(u64::MAX.into()));
    for (text, expected) in [
        ("v < 18446744073709551616", true),
        ("v < 18446744073709551615", false),
        ("v != 99999999999999999999999999999999999999", true),
        ("v > 99999999999999999999999999999999999999", false),
        ("v >= -99999999999999999999999999999999999999", true),
    ] {
        assert_eq!(Predicate::parse(text, &design).unwrap().matches(&design, &row), expected, "{text}");
    }
}
