use keystride::hash::{BucketCount, opentsdb};
use serde_json::Value;

use crate::fields::{NO_COUNT, bucket_count, refused_by_us, text};
use crate::recipe::Recipe;
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn salts_are_those_of_opentsdb() {
    check_file("opentsdb.json", |vector| match text(vector, "case") {
        "salt" => salt(vector),
        "bytes" => bytes(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn bytes(vector: &Value) -> Outcome {
    match vector["bucket"].as_i64().map(u16::try_from).expect("a bucket") {
        Ok(bucket) => same(&opentsdb::salt_bytes(bucket, width(vector)), &hex(vector, "salt")),
        Err(_) => Outcome::NotApplicable("buckets are numbered from 0 to 65,535"),
    }
}

fn salt(vector: &Value) -> Outcome {
    match (bucket_count(&vector["buckets"]), width(vector)) {
        (_, 0) => keyed(vector, "", &hex(vector, "salted")),
        (None, _) => refused_by_us(vector, NO_COUNT),
        (Some(count), width) => salted(vector, count, width),
    }
}

/// A design has salts of at most 4 bytes, and writes buckets that a salt is too narrow for in full, where `OpenTSDB` cuts
/// them.
fn salted(vector: &Value, count: BucketCount, width: u8) -> Outcome {
    let (metric, time, tags) = (hex(vector, "metric"), hex(vector, "time"), hex(vector, "tags"));
    let theirs = hex(vector, "salted");
    let bucket = opentsdb::bucket(&[&metric[..], &tags].concat(), count);
    let salt = opentsdb::salt_bytes(bucket.bucket().expect("always a bucket"), width);
    let ours = [salt, metric, time, tags].concat();
    let is_of_a_design = matches!((width, count.get()), (1, ..=256) | (2..=4, _));
    let part = format!(
        "{{ bucket = {}, hash = \"opentsdb\", of = [\"metric\", \"tags\"], width = {width} }}, ",
        count.get()
    );
    let salted = same(&ours, &theirs);
    if is_of_a_design { salted.and(|| keyed(vector, &part, &theirs)) } else { salted }
}

/// The key of a design with this bucket in front, both ways.
fn keyed(vector: &Value, bucket: &str, theirs: &[u8]) -> Outcome {
    let fields = "metric = { type = \"bytes\", input = \"hex\", len = 3 }\n\
                  time = { type = \"bytes\", input = \"hex\", len = 4 }\n\
                  tags = { type = \"bytes\", input = \"hex\" }";
    let parts = format!("{bucket}{{ field = \"metric\" }}, {{ field = \"time\" }}, {{ field = \"tags\" }}");
    let recipe = Recipe::new(fields, &parts);
    let row = ["metric", "time", "tags"].map(|field| text(vector, field));
    recipe.both_ways(0, &row, theirs)
}

fn width(vector: &Value) -> u8 {
    vector["width"].as_u64().and_then(|width| u8::try_from(width).ok()).expect("a width")
}
