use keystride::split::{LastRow, bytes_split};
use serde_json::Value;

use crate::tally::{Outcome, check_file, hex, hex_list, same};

#[test]
fn interpolation_is_that_of_bytes_split() {
    check_file("split-bytes.json", check);
}

fn check(vector: &Value) -> Outcome {
    let last = if vector["inclusive"] == true { LastRow::Inclusive } else { LastRow::Exclusive };
    // A negative number of points can't be said.
    let inner = vector["num"].as_u64().and_then(|inner| usize::try_from(inner).ok());
    let ours = inner.map(|inner| bytes_split(&hex(vector, "a"), &hex(vector, "b"), last, inner));
    let theirs = vector["keys"].is_array().then(|| hex_list(vector, "keys"));
    same(&ours.and_then(Result::ok), &theirs)
}
