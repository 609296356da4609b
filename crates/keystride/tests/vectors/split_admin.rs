use keystride::split::{LastRow, bytes_split, range};
use keystride::{SplitError, SplitPoints};
use serde_json::Value;

use crate::tally::{Outcome, check_file, hex, hex_list, same};

#[test]
fn tables_are_split_as_admin_splits_them() {
    check_file("split-admin.json", |vector| match vector["case"].as_str().expect("case") {
        "create" => create(vector),
        "verify" => verify(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn create(vector: &Value) -> Outcome {
    let (start, end) = (hex(vector, "start"), hex(vector, "end"));
    // A negative number of regions can't be said.
    let regions = vector["regions"].as_u64().and_then(|regions| usize::try_from(regions).ok());
    let ours = regions.map(|regions| range(&start, &end, regions));
    match (ours, regions) {
        (Some(Err(SplitError::EmptyEnd)), Some(regions)) if !end.is_empty() => {
            empty_start(&end, regions, vector)
        }
        (ours, _) => same(&keys(ours.and_then(Result::ok)), &list(vector, "keys")),
    }
}

/// HBase computes keys from an empty start, then refuses them: the empty one is no split key. Where the ends are so near
/// that both are made longer, the start becomes zero bytes, which it takes.
fn empty_start(end: &[u8], regions: usize, vector: &Value) -> Outcome {
    let raw = match regions {
        3 => Some(vec![Vec::new(), end.to_vec()]),
        _ => bytes_split(b"", end, LastRow::Exclusive, regions - 3).ok(),
    };
    let is_taken = raw.as_ref().is_some_and(|raw| SplitPoints::from_unsorted(raw).is_ok());
    match same(&raw, &list(vector, "keys")) {
        Outcome::Passed if is_taken => {
            Outcome::NotApplicable("an empty start of a range is refused, also where HBase makes it longer")
        }
        outcome => outcome,
    }
}

fn verify(vector: &Value) -> Outcome {
    let ours = SplitPoints::from_unsorted(hex_list(vector, "keys"));
    same(&keys(ours.ok()), &list(vector, "sorted"))
}

fn keys(points: Option<SplitPoints>) -> Option<Vec<Vec<u8>>> {
    points.map(|points| points.keys().iter().map(|key| key.as_bytes().to_vec()).collect())
}

fn list(vector: &Value, field: &str) -> Option<Vec<Vec<u8>>> {
    vector[field].is_array().then(|| hex_list(vector, field))
}
