//! Plans for key spaces small enough to be listed: runs of neighbouring keys that match.

use super::walk::Walk;
use super::{PlannedRange, Predicate, ScanPlan, TimeOrder};
use crate::range::next_key;
use crate::{KeyCodec, KeyRange, Row};

/// Returns one range for every run of consecutive keys that at least one matching row has; if any of these keys is also
/// that of another row, the predicate is kept as a filter.
pub(super) fn plan(
    codec: &KeyCodec,
    listed: &[(Vec<u8>, Row)],
    predicate: &Predicate,
    walk: &Walk<'_>,
) -> ScanPlan {
    let design = codec.design();
    let mut ranges: Vec<PlannedRange> = Vec::new();
    let mut run: Option<(&[u8], &[u8])> = None;
    let mut exact = true;
    for same_key in listed.chunk_by(|left, right| left.0 == right.0) {
        let key = same_key[0].0.as_slice();
        let matching = same_key.iter().filter(|(_, row)| predicate.matches(design, row)).count();
        exact &= matching == 0 || matching == same_key.len();
        match (&mut run, matching > 0) {
            (Some((_, last)), true) => *last = key,
            (None, true) => run = Some((key, key)),
            (_, false) => ranges.extend(run.take().map(|run| planned(codec, run))),
        }
    }
    ranges.extend(run.map(|run| planned(codec, run)));
    let filter = (!exact).then(|| predicate.clone());
    ScanPlan { ranges, filter, buckets: walk.buckets.clone(), time_order: TimeOrder::NotAsked }
}

fn planned(codec: &KeyCodec, (first, last): (&[u8], &[u8])) -> PlannedRange {
    let bucket_of = |key| codec.decode(key).ok().and_then(|decoded| decoded.bucket);
    let bucket = bucket_of(first).filter(|bucket| Some(*bucket) == bucket_of(last));
    PlannedRange { range: KeyRange::new(first, Some(next_key(last))), bucket }
}
