use keystride::hash::{BucketCount, BucketHash, BucketRule, hbasewd, java};
use keystride::{Row, Value as RowValue};
use serde_json::{Value, json};

use crate::recipe::Recipe;
use crate::tally::{Outcome, check_file, hex, hex_list, same};

#[test]
fn prefixes_are_those_of_hbasewd() {
    check_file("hbasewd.json", |vector| match vector["case"].as_str().expect("case") {
        "hash" => prefixes(vector),
        "make" => make(vector),
        "round-robin" => round_robin(vector),
        "intervals" => Outcome::NotApplicable("ranges of buckets are the planner's"),
        "all" => Outcome::NotApplicable("keys of all buckets are the planner's"),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn prefixes(vector: &Value) -> Outcome {
    let key = hex(vector, "key");
    let counts = vector["n"].as_array().expect("a list of counts");
    let ours = counts.iter().map(|n| vec![hbasewd::prefix_byte(hbasewd::bucket(&key, count(n)))]).collect();
    let ours: (Value, Vec<Vec<u8>>) = (json!(java::bytes_hash_code(&key)), ours);
    match same(&ours, &(vector["hash"].clone(), hex_list(vector, "prefixes"))) {
        Outcome::Passed => same(&counts.iter().map(|n| distributed(&key, n)).collect(), &ours.1),
        failed => failed,
    }
}

/// The first byte of the key that a design makes of an original key.
fn distributed(key: &[u8], count: &Value) -> Vec<u8> {
    let parts = format!("{{ bucket = {count}, hash = \"hbasewd\", of = [\"rest\"] }}, {{ field = \"v\" }}");
    let recipe = Recipe::new("v = { type = \"bytes\" }", &parts);
    let mut row = Row::new(1);
    row.set(0, RowValue::Bytes(key));
    let mut distributed = Vec::new();
    recipe.codec().encoder().encode(&row, &mut distributed).expect("a key");
    assert_eq!(distributed[1..], *key);
    distributed.truncate(1);
    distributed
}

fn make(vector: &Value) -> Outcome {
    let taken = vector["n"].as_u64().and_then(|n| u32::try_from(n).ok());
    let taken = taken.filter(|n| BucketHash::HbaseWd.counts().contains(n));
    let theirs = vector["params"].as_str().map(|params| params.parse().expect("a count"));
    same(&taken, &theirs)
}

/// The first keys of a fresh writer: rows counted from 0.
fn round_robin(vector: &Value) -> Outcome {
    let BucketRule::Supplied(bucket) = BucketHash::RoundRobin.rule() else {
        return Outcome::Failed("round-robin takes a supplied number".to_owned());
    };
    let theirs: Vec<u8> = hex_list(vector, "keys").iter().map(|key| key[0]).collect();
    let rows = 0..theirs.len() as u64;
    let ours: Vec<u8> = rows.map(|row| hbasewd::prefix_byte(bucket(row, count(&vector["n"])))).collect();
    same(&ours, &theirs)
}

fn count(n: &Value) -> BucketCount {
    let n = u32::try_from(n.as_u64().expect("a count")).expect("a small count");
    BucketCount::new(n).expect("a count")
}
