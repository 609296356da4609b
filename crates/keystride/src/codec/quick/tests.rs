//! Quick forms write what the general path writes, and reject what it rejects.

use std::sync::Arc;

use proptest::prelude::*;

use crate::codec::defaulted_design::DefaultedDesign;
use crate::codec::ops::{self, Run};
use crate::codec::plan::CodecPlan;
use crate::codec::quick::QuickRun;
use crate::{Design, KeyCodec, KeyEncoder, Row, Value};

const FIELDS: &str = "s = { type = \"string\", default = \"~\" }\nd = { type = \"digits\", len = 11 }\n\
                      n = { type = \"int\" }\nu = { type = \"u64\" }\nt = { type = \"time\", unit = \"ms\" }\n\
                      c = { type = \"string\", max_len = 16 }\n";

const PARTS: [&str; 25] = [
    "{ field = \"s\" }, { text = \"_\" }",
    "{ field = \"s\" }, { text = \"||\" }",
    "{ field = \"s\", desc = \"invert\" }, { text = \"_\" }",
    "{ field = \"d\" }",
    "{ field = \"d\" }, { text = \"|seven.|\" }",
    "{ field = \"d\", reverse = true }",
    "{ field = \"n\" }, { text = \"_\" }",
    "{ field = \"n\" }, { text = \"1\" }",
    "{ field = \"n\", reverse = true }, { text = \"-\" }",
    "{ field = \"n\", pad = 3 }",
    "{ field = \"n\", as = \"be\" }",
    "{ field = \"n\", desc = \"long-max\" }",
    "{ field = \"u\", pad = 20, reverse = true }",
    "{ field = \"u\", desc = 99999, pad = 12 }",
    "{ field = \"t\" }",
    "{ field = \"t\", desc = 9999999999999 }",
    "{ text = \"a literal of some length\" }",
    "{ bucket = 7, hash = \"java-xor\", of = [\"left(s,3)\", \"right(d,4)\"] }",
    "{ bucket = 300, hash = \"java-string\", of = [\"s\", \"right(s,1)\"] }",
    "{ bucket = 16, hash = \"md5-hex1\", of = [\"left(s,2)\"], width = 3 }",
    "{ bucket = 256, hash = \"hbasewd\", of = [\"s\"] }",
    "{ bucket = 100, hash = \"random\" }",
    "{ bucket = 16, of = [\"rest\"] }, { field = \"d\" }",
    "{ bucket = 7, hash = \"java-xor\", of = [\"left(d,9)\", \"s\"] }, { text = \"_\" }",
    "{ bucket = 6, hash = \"java-xor\", of = [\"left(d,8)\", \"right(s,1)\"], width = 1 }, { text = \"|seven.|\" }",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn quick_keys_are_those_of_the_general_way(
        parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 1..6),
        rows in prop::collection::vec(row(), 20),
        supplied in prop_oneof![0..1000u64, any::<u64>()],
    ) {
        let design = design(&parts);
        let (mut quick, mut general) = (KeyCodec::new(design.clone()).encoder(), without_quick_forms(design));
        quick.supply(supplied);
        general.supply(supplied);
        for row in rows {
            let (mut key, mut expected) = (b"before".to_vec(), b"before".to_vec());
            prop_assert_eq!(quick.encode(&row, &mut key), general.encode(&row, &mut expected), "{:?}", row);
            prop_assert_eq!(key, expected, "{:?}", row);
        }
    }
}

#[test]
fn usual_parts_are_one_run() {
    let parts = [PARTS[21], PARTS[6], PARTS[11], PARTS[3]];
    let design = design(&parts);
    let runs = ops::runs(&design, &ops::compile(&design));
    assert_eq!((runs.len(), &runs[0].parts), (1, &(0..5)));
    assert_eq!(runs[0].quick.len(), 4, "a literal goes with the part before it");
}

#[test]
fn literals_go_with_the_bucket_before_them_where_there_is_room() {
    for (literal, parts) in [("_", 1), ("|seven.", 1), ("|seven.|", 2)] {
        let bucket = "{ bucket = 6, hash = \"java-xor\", of = [\"left(s,2)\"], width = 1 }";
        let design = design(&[bucket, &format!("{{ text = \"{literal}\" }}")]);
        let runs = ops::runs(&design, &ops::compile(&design));
        assert_eq!(runs[0].quick.len(), parts, "{literal}");
    }
}

fn design(parts: &[&str]) -> Design {
    let parts = parts.join(", ");
    let text = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{FIELDS}[key]\nparts = [ {parts} ]\n"
    );
    Design::from_toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn without_quick_forms(design: Design) -> KeyEncoder {
    let ops = ops::compile(&design);
    let runs = (0..ops.len()).map(|part| Run { parts: part..part + 1, quick: QuickRun::default() }).collect();
    KeyEncoder::new(Arc::new(CodecPlan {
        base: DefaultedDesign::new(design),
        ops,
        runs,
        unmarked: None,
        absences: Vec::new(),
    }))
}

/// Rows of all kinds: common ones, and rows with values that are absent, rejected, or of another type than the field's.
fn row() -> impl Strategy<Value = Row> {
    let text = prop_oneof!["[a-z0-9]{0,12}", "[a-z_|é😀]{0,6}", "[ab]{100,140}"];
    let digits = prop_oneof![4 => "[0-9]{11}", 1 => "[0-9]{0,20}", 1 => "[0-9]{70,90}"];
    let time =
        prop_oneof![4 => 1_000_000_000_000..10_000_000_000_000i128, 1 => any::<i64>().prop_map(i128::from)];
    let short = "[a-z_é]{0,14}";
    (text, digits, number(), number(), time, short, 0..64u32).prop_map(
        |(text, digits, n, u, time, c, holes)| {
            let (text, digits, c) = (Value::Text(&text), Value::Text(&digits), Value::Text(&c));
            let values = [text, digits, Value::Int(n), Value::Int(u), Value::Int(time), c];
            let mut row = Row::new(values.len());
            for (field, value) in values.into_iter().enumerate() {
                match holes.checked_sub(52) {
                    Some(hole) if hole as usize == field => {}
                    Some(hole) if hole as usize == field + 6 => row.set(field, Value::Bool(true)),
                    _ => row.set(field, value),
                }
            }
            row
        },
    )
}

fn number() -> impl Strategy<Value = i128> {
    let power = (0..20u32, -1..=1i128).prop_map(|(power, more)| 10i128.pow(power) + more);
    prop_oneof![0..200i128, power, any::<u64>().prop_map(i128::from), any::<i64>().prop_map(i128::from)]
}
