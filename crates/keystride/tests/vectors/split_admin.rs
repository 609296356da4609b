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
    match ours {
        Some(Err(SplitError::EmptyEnd)) => empty_end(&start, &end, regions.unwrap_or_default(), vector),
        ours => same(&keys(ours.and_then(Result::ok)), &list(vector, "keys")),
    }
}

/// HBase computes keys from an empty end too, then refuses them: the empty one is no split key.
fn empty_end(start: &[u8], end: &[u8], regions: usize, vector: &Value) -> Outcome {
    let raw = match regions {
        3 => Some(vec![start.to_vec(), end.to_vec()]),
        _ => bytes_split(start, end, LastRow::Exclusive, regions - 3).ok(),
    };
    let refused = raw.as_ref().is_none_or(|raw| SplitPoints::from_unsorted(raw).is_err());
    same(&(raw, refused), &(list(vector, "keys"), true))
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
