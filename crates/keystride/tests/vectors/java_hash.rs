//! The columns that keystride has: `hash`, `bytes_hash`, `abs`, `abs_mod`, `abs_rem`, `floor_mod`. No design can name
//! `HashMap`'s spread, the signed, the unsigned or the masked remainder.

use keystride::hash::java;
use serde_json::{Value, json};

use crate::fields::{NO_COUNT, bucket_count, refused_by_us};
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn hashes_and_remainders_are_those_of_java() {
    check_file("java-hash.json", |vector| match vector["case"].as_str().expect("case") {
        "text" => text(vector),
        "bytes" => same(&json!(java::bytes_hash_code(&hex(vector, "bytes"))), &vector["bytes_hash"]),
        "mod" => remainders(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn text(vector: &Value) -> Outcome {
    let units: Vec<u16> = match vector["text"].as_str() {
        Some(text) => text.encode_utf16().collect(),
        None => hex(vector, "utf16").chunks(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]])).collect(),
    };
    let ours = json!([java::string_hash_code(units), java::bytes_hash_code(&hex(vector, "utf8"))]);
    same(&ours, &json!([vector["hash"], vector["bytes_hash"]]))
}

fn remainders(vector: &Value) -> Outcome {
    let hash = i32::try_from(vector["h"].as_i64().expect("h")).expect("an int");
    let Some(count) = bucket_count(&vector["n"]) else {
        return refused_by_us(vector, NO_COUNT);
    };
    let ours = json!([
        java::abs(hash),
        java::abs_mod(hash, count).value(),
        java::abs_rem(hash, count).value(),
        java::floor_mod(hash.into(), count).value(),
    ]);
    same(&ours, &json!([vector["abs"], vector["abs_mod"], vector["abs_rem"], vector["floor_mod"]]))
}
