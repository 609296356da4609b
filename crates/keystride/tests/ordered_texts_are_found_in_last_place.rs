//! A text in `ordered-bytes` ends with its own mark in last place too, and a plan must count it in.

use keystride::plan::PlanOrder;
use keystride::range::next_key;
use keystride::{Design, KeyCodec, KeyLanguage, Planner, Predicate, Row, Value};

fn codec() -> KeyCodec {
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n\
                [fields]\nv = { type = \"string\", max_len = 3 }\n\
                [key]\nparts = [ { field = \"v\", as = \"ordered-bytes\" } ]\n";
    KeyCodec::new(Design::from_toml(text).expect("a design"))
}

fn key_of(codec: &KeyCodec, text: &str) -> Vec<u8> {
    let mut row = Row::new(1);
    row.set(0, Value::Text(text));
    let mut key = Vec::new();
    codec.encoder().encode(&row, &mut key).expect("a key");
    key
}

#[test]
fn a_range_holds_the_keys_of_its_ends() {
    let codec = codec();
    for (question, found) in [("v <= 'b'", true), ("v > 'b'", false), ("v between 'a' and 'b'", true)] {
        let predicate = Predicate::parse(question, codec.design()).expect("a predicate");
        let plan = Planner::new(&codec).plan(Some(&predicate), PlanOrder::Any).expect("a plan");
        let holds = plan.ranges.iter().any(|planned| planned.range.contains(&key_of(&codec, "b")));
        assert_eq!(holds, found, "{question}");
    }
}

#[test]
fn the_longest_text_is_a_key_of_the_language() {
    let codec = codec();
    let key = key_of(&codec, "zzz");
    assert!(KeyLanguage::new(&codec).meets(&key, Some(&next_key(&key))));
}
