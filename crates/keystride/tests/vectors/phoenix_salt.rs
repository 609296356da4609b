use keystride::hash::{BucketCount, java, phoenix};
use serde_json::{Value, json};

use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn salts_are_those_of_phoenix() {
    check_file("phoenix-salt.json", |vector| match vector["case"].as_str().expect("case") {
        "salt" => salts(vector),
        "slice" => slice(vector),
        "key" => same(&salted(vector), &hex(vector, "salted")),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn salts(vector: &Value) -> Outcome {
    let key = hex(vector, "key");
    let counts = vector["n"].as_array().expect("a list of counts");
    let ours: Vec<i32> = counts.iter().map(|n| salt(&key, n)).collect();
    same(&json!([java::bytes_hash_code(&key), ours]), &json!([vector["hash"], vector["salts"]]))
}

fn slice(vector: &Value) -> Outcome {
    let place = |field: &str| usize::try_from(vector[field].as_u64().expect("a place")).expect("a place");
    let key = &hex(vector, "key")[place("offset")..][..place("length")];
    same(&json!(salt(key, &vector["n"])), &vector["salt"])
}

fn salted(vector: &Value) -> Vec<u8> {
    let key = hex(vector, "key");
    let byte = u8::try_from(salt(&key, &vector["n"])).expect("a salt is one byte");
    [&[byte], &key[..]].concat()
}

fn salt(key: &[u8], n: &Value) -> i32 {
    let n = u32::try_from(n.as_u64().expect("a count")).expect("a small count");
    phoenix::bucket(key, BucketCount::new(n).expect("a count")).value()
}
