//! The hash −2³¹ has no absolute value, and `HBaseWD` 0.1.0 writes a prefix that is no bucket: keystride writes it too,
//! reads it back, says what it is, and misses no such row.

use keystride::plan::PlanOrder;
use keystride::{Design, KeyCodec, KeyLanguage, Planner, Predicate, Row, Value};

/// A key whose 31-hash is −2³¹.
const OUTSIDE: [u8; 6] = [0x96, 0x00, 0xf6, 0x00, 0x13, 0xfe];

fn codec(count: u32) -> KeyCodec {
    let text = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n\
         [fields]\nw = {{ type = \"i32\" }}\nv = {{ type = \"bytes\" }}\n\
         [key]\nparts = [ {{ bucket = {count}, hash = \"hbasewd\", of = [\"v\"] }}, \
         {{ field = \"w\", as = \"be\" }}, {{ field = \"v\" }} ]\n"
    );
    KeyCodec::new(Design::from_toml(&text).expect("a design"))
}

fn row() -> Row {
    let mut row = Row::new(2);
    row.set(0, Value::Int(1));
    row.set(1, Value::Bytes(&OUTSIDE));
    row
}

fn key_of(codec: &KeyCodec) -> Vec<u8> {
    let mut key = Vec::new();
    codec.encoder().encode(&row(), &mut key).expect("a key");
    key
}

#[test]
fn the_prefix_is_that_of_release_0_1_0() {
    for (count, prefix) in [(2, 0x00), (3, 0xfe), (10, 0xf8), (100, 0xd0), (255, 0x80), (256, 0x00)] {
        assert_eq!(key_of(&codec(count)), [&[prefix, 0, 0, 0, 1][..], &OUTSIDE].concat(), "{count} buckets");
    }
}

#[test]
fn such_a_key_reads_back_and_says_what_it_is() {
    let codec = codec(3);
    let key = key_of(&codec);
    let decoded = codec.decode(&key).unwrap();
    assert_eq!((decoded.row, decoded.bucket), (row(), Some(0xfe)));
    let note = codec.describe(&key).unwrap().swap_remove(0).note;
    assert_eq!(note, "hbasewd of v, outside the buckets as the hash is -2147483648 (SLT01)");
}

#[test]
fn no_other_row_has_that_prefix() {
    let codec = codec(3);
    let other = [0xfe, 0, 0, 0, 1, b'a'];
    let refused = codec.decode(&other).unwrap_err();
    assert_eq!(refused.to_string(), "at byte 0, bucket: a row with these values belongs to bucket 2");
    let beyond = [0xfd, 0, 0, 0, 1, b'a'];
    let refused = codec.decode(&beyond).unwrap_err();
    assert_eq!(refused.to_string(), "at byte 0, bucket: \"\\xFD\" is not a bucket below 3");
}

#[test]
fn a_plan_over_all_buckets_finds_the_row_outside_them() {
    for count in [3, 255, 256] {
        let codec = codec(count);
        let key = key_of(&codec);
        for question in ["w = 1", "v = '9600f60013fe'"] {
            let predicate = Predicate::parse(question, codec.design()).unwrap();
            let plan = Planner::new(&codec).plan(Some(&predicate), PlanOrder::Any).unwrap();
            let finds = plan.ranges.iter().filter(|planned| planned.range.contains(&key)).count();
            assert_eq!(finds, 1, "{question} in {count} buckets");
        }
        assert!(KeyLanguage::new(&codec).meets(&key[..1], None), "{count} buckets");
    }
}
