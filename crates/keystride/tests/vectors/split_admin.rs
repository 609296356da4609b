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

/// HBase computes keys from an empty start, then refuses them: the empty one is no split key.
fn empty_start(end: &[u8], regions: usize, vector: &Value) -> Outcome {
    let raw = match regions {
        3 => vec![Vec::new(), end.to_vec()],
        _ => bytes_split(b"", end, LastRow::Exclusive, regions - 3)
            .expect("it was refused for the start alone"),
    };
    assert!(SplitPoints::from_unsorted(&raw).is_err(), "an empty key is a split point: {vector}");
    same(&Some(raw), &list(vector, "keys"))
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
