use keystride::hash::{BucketCount, opentsdb};
use serde_json::Value;

use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn salts_are_those_of_opentsdb() {
    check_file("opentsdb.json", |vector| match vector["case"].as_str().expect("case") {
        "salt" => same(&salted(vector), &hex(vector, "salted")),
        "bytes" => {
            let bucket = u16::try_from(number(vector, "bucket")).expect("a bucket");
            same(&opentsdb::salt_bytes(bucket, width(vector)), &hex(vector, "salt"))
        }
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn salted(vector: &Value) -> Vec<u8> {
    let (metric, time, tags) = (hex(vector, "metric"), hex(vector, "time"), hex(vector, "tags"));
    let count = u32::try_from(number(vector, "buckets")).expect("a count");
    let series = [&metric[..], &tags].concat();
    let bucket = opentsdb::bucket(&series, BucketCount::new(count).expect("a count"));
    let salt = opentsdb::salt_bytes(bucket.bucket().expect("always a bucket"), width(vector));
    [salt, metric, time, tags].concat()
}

fn width(vector: &Value) -> u8 {
    u8::try_from(number(vector, "width")).expect("a width")
}

fn number(vector: &Value, field: &str) -> u64 {
    vector[field].as_u64().unwrap_or_else(|| panic!("{field} of {vector}"))
}
