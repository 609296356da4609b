use keystride::hash::{BucketCount, BucketHash, hbasewd, java};
use keystride::plan::PlanOrder;
use keystride::{KeyRange, Planner, Predicate};
use serde_json::{Value, json};

use crate::fields::{NO_COUNT, bucket_count, count_of, is_refused, refused_by_us, text};
use crate::recipe::Recipe;
use crate::tally::{Outcome, check_file, hex, hex_list, same, to_hex};

#[test]
fn prefixes_are_those_of_hbasewd() {
    check_file("hbasewd.json", |vector| match text(vector, "case") {
        "hash" => prefixes(vector),
        "make" => make(vector),
        "round-robin" => round_robin(vector),
        "intervals" => intervals(vector),
        "all" => all(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn prefixes(vector: &Value) -> Outcome {
    let key = hex(vector, "key");
    let counts = vector["n"].as_array().expect("a list of counts");
    let counts: Option<Vec<BucketCount>> = counts.iter().map(|n| count_of(BucketHash::HbaseWd, n)).collect();
    let Some(counts) = counts else { return same(&is_refused(vector), &true) };
    let prefixes = hex_list(vector, "prefixes");
    let prefix = |count: &BucketCount| vec![hbasewd::prefix_byte(hbasewd::bucket(&key, *count))];
    let ours = (json!(java::bytes_hash_code(&key)), counts.iter().map(prefix).collect());
    let hashed = same(&ours, &(vector["hash"].clone(), prefixes.clone()));
    counts.iter().zip(prefixes).fold(hashed, |so_far, (count, prefix)| {
        so_far.and(|| distributed(*count, text(vector, "key"), &[prefix, key.clone()].concat()))
    })
}

/// The key that a design makes of an original key, both ways; one outside the buckets is read back as well.
fn distributed(count: BucketCount, original: &str, theirs: &[u8]) -> Outcome {
    recipe(count, "hbasewd").both_ways(0, &[original], theirs)
}

/// Original keys with a bucket of this hash in front.
fn recipe(count: BucketCount, hash: &str) -> Recipe {
    let bucket = format!("bucket = {}, hash = \"{hash}\", base = \"byte\"", count.get());
    let of = if hash == "hbasewd" { ", of = [\"rest\"]" } else { "" };
    Recipe::new(
        "v = { type = \"bytes\", input = \"hex\" }",
        &format!("{{ {bucket}{of} }}, {{ field = \"v\" }}"),
    )
}

/// What a plan reads of keys from `start` to `stop` are HBaseWD's intervals.
fn intervals(vector: &Value) -> Outcome {
    let Some(count) = count_of(BucketHash::HbaseWd, &vector["n"]) else {
        return same(&is_refused(vector), &true);
    };
    let (start, stop) = (text(vector, "start"), text(vector, "stop"));
    if stop.is_empty() {
        return Outcome::NotApplicable("without a stop, release 0.1.0 reads on into the next bucket");
    }
    let theirs: Vec<[String; 2]> = serde_json::from_value(vector["intervals"].clone()).expect("intervals");
    // A plan has no range that holds no key.
    let holds_keys = |[start, stop]: &[String; 2]| start < stop;
    let ours = planned(count, &format!("v >= '{start}' and v < '{stop}'"));
    same(&ours, &theirs.into_iter().filter(holds_keys).collect())
}

/// The ranges of a plan, but for those of hash −2³¹ where they lie outside the buckets: HBaseWD misses them.
fn planned(count: BucketCount, question: &str) -> Vec<[String; 2]> {
    let recipe = recipe(count, "hbasewd");
    let predicate = Predicate::parse(question, recipe.codec().design()).expect("a predicate");
    let plan = Planner::new(recipe.codec()).plan(Some(&predicate), PlanOrder::Any).expect("a plan");
    let outside = hbasewd::prefix_byte(java::abs_mod(i32::MIN, count));
    let is_outside =
        |range: &KeyRange| u32::from(outside) >= count.get() && range.start().first() == Some(&outside);
    let ranges = plan.ranges.iter().map(|planned| &planned.range).filter(|range| !is_outside(range));
    ranges.map(ends).collect()
}

fn ends(range: &KeyRange) -> [String; 2] {
    [to_hex(range.start()), range.stop().map(to_hex).unwrap_or_default()]
}

fn make(vector: &Value) -> Outcome {
    let taken = count_of(BucketHash::HbaseWd, &vector["n"]).map(BucketCount::get);
    let theirs = vector["params"].as_str().map(|params| params.parse().expect("a count"));
    same(&taken, &theirs)
}

/// The first keys of a fresh writer: rows counted from 0.
fn round_robin(vector: &Value) -> Outcome {
    match bucket_count(&vector["n"]) {
        Some(count) if count.get() < 128 => {
            let keys = hex_list(vector, "keys");
            in_turn(count, &to_hex(&keys[0][1..]), &keys)
        }
        None => refused_by_us(vector, NO_COUNT),
        Some(_) => {
            Outcome::NotApplicable("OneBytePrefix counts in a signed byte: it has at most 127 buckets")
        }
    }
}

/// Where a key's bucket is not known, it is looked for in all of them.
fn all(vector: &Value) -> Outcome {
    let Some(count) = count_of(BucketHash::HbaseWd, &vector["n"]) else {
        return same(&is_refused(vector), &true);
    };
    let (original, theirs) = (text(vector, "key"), hex_list(vector, "keys"));
    let recipe = recipe(count, "round-robin");
    let predicate = Predicate::parse(&format!("v = '{original}'"), recipe.codec().design());
    let predicate = predicate.expect("a predicate");
    let plan = Planner::new(recipe.codec()).plan(Some(&predicate), PlanOrder::Any).expect("a plan");
    let sought: Vec<&[u8]> = plan.ranges.iter().map(|planned| planned.range.start()).collect();
    same(&sought, &theirs.iter().map(Vec::as_slice).collect()).and(|| in_turn(count, original, &theirs))
}

/// The keys of an original key in one bucket after the other, both ways.
fn in_turn(count: BucketCount, original: &str, theirs: &[Vec<u8>]) -> Outcome {
    let recipe = recipe(count, "round-robin");
    (0..)
        .zip(theirs)
        .fold(Outcome::Passed, |so_far, (row, key)| so_far.and(|| recipe.both_ways(row, &[original], key)))
}
