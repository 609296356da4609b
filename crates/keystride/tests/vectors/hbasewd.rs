use keystride::hash::{BucketCount, BucketHash, BucketRule, hbasewd, java};
use keystride::plan::PlanOrder;
use keystride::{KeyRange, Planner, Predicate, Row, Value as RowValue};
use serde_json::{Value, json};

use crate::fields::text;
use crate::recipe::Recipe;
use crate::tally::{Outcome, check_file, hex, hex_list, same, to_hex};

#[test]
fn prefixes_are_those_of_hbasewd() {
    check_file("hbasewd.json", |vector| match vector["case"].as_str().expect("case") {
        "hash" => prefixes(vector),
        "make" => make(vector),
        "round-robin" => round_robin(vector),
        "intervals" => intervals(vector),
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

/// What a plan reads of keys from `start` to `stop`: HBaseWD's intervals, and the keys of hash −2³¹ where they lie outside
/// the buckets, which HBaseWD misses.
fn intervals(vector: &Value) -> Outcome {
    let (start, stop) = (text(vector, "start"), text(vector, "stop"));
    if stop.is_empty() {
        return Outcome::NotApplicable("without a stop, release 0.1.0 reads on into the next bucket");
    }
    let count = count(&vector["n"]);
    let parts =
        format!("{{ bucket = {}, hash = \"hbasewd\", of = [\"rest\"] }}, {{ field = \"v\" }}", vector["n"]);
    let recipe = Recipe::new("v = { type = \"bytes\", input = \"hex\" }", &parts);
    let question = format!("v >= '{start}' and v < '{stop}'");
    let predicate = Predicate::parse(&question, recipe.codec().design()).expect("a predicate");
    let plan = Planner::new(recipe.codec()).plan(Some(&predicate), PlanOrder::Any).expect("a plan");
    let outside = hbasewd::prefix_byte(java::abs_mod(i32::MIN, count));
    let is_outside =
        |range: &KeyRange| u32::from(outside) >= count.get() && range.start().first() == Some(&outside);
    let ranges = plan.ranges.iter().map(|planned| &planned.range).filter(|range| !is_outside(range));
    let ours: Vec<[String; 2]> = ranges.map(ends).collect();
    let theirs: Vec<[String; 2]> = serde_json::from_value(vector["intervals"].clone()).expect("intervals");
    // A plan has no range that holds no key.
    let holds_keys = |[start, stop]: &[String; 2]| stop.is_empty() || start < stop;
    same(&ours, &theirs.into_iter().filter(holds_keys).collect())
}

fn ends(range: &KeyRange) -> [String; 2] {
    [to_hex(range.start()), range.stop().map(to_hex).unwrap_or_default()]
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
