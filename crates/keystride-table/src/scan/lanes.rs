//! Lanes: parts of a plan that are each read in order by one scan, so that merging them puts all rows in order.

use std::collections::BTreeMap;

use keystride::key::common_len;
use keystride::plan::PlannedRange;
use keystride::range::after_prefix;
use keystride::{Design, KeyRange};

/// Ranges that are read one after another; ascending and disjoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lane {
    pub(crate) ranges: Vec<KeyRange>,
    pub(crate) skip: Skip,
}

/// The prefix of a lane's keys that is ignored when comparing them; equally long in all its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    /// A number of bytes.
    Bytes(usize),
    /// The bytes before this key part.
    BeforePart(usize),
}

/// Returns one lane per leading bucket.
pub(crate) fn bucket_lanes(design: &Design, planned: &[PlannedRange]) -> Vec<Lane> {
    let Some(part) = design.leading_bucket() else {
        let ranges = planned.iter().map(|planned| planned.range.clone()).collect();
        return vec![Lane { ranges, skip: Skip::Bytes(0) }];
    };
    let mut buckets: BTreeMap<u32, Vec<KeyRange>> = BTreeMap::new();
    for planned in planned {
        match planned.bucket {
            Some(bucket) => buckets.entry(bucket).or_default().push(planned.range.clone()),
            None => {
                for (bucket, range) in part.cut(&planned.range) {
                    buckets.entry(bucket).or_default().push(range);
                }
            }
        }
    }
    let lane = |(bucket, ranges)| Lane { ranges, skip: Skip::Bytes(part.prefix(bucket).len()) };
    buckets.into_iter().map(lane).collect()
}

/// Returns one lane per range; rows are compared from key part `part` on.
pub(crate) fn time_lanes(planned: &[PlannedRange], part: usize) -> Vec<Lane> {
    let lane =
        |planned: &PlannedRange| Lane { ranges: vec![planned.range.clone()], skip: Skip::BeforePart(part) };
    planned.iter().map(lane).collect()
}

/// Returns a common prefix of all keys of a lane.
pub(crate) fn fixed_prefix(lane: &Lane) -> &[u8] {
    let (Some(first), Some(last)) = (lane.ranges.first(), lane.ranges.last()) else { return &[] };
    let (first, last) = (fixed_prefix_of(first), fixed_prefix_of(last));
    &first[..common_len(first, last)]
}

/// Returns the longest prefix of the range's start that all its keys share.
fn fixed_prefix_of(range: &KeyRange) -> &[u8] {
    let start = range.start();
    let has_all = |len: &usize| match (range.stop(), after_prefix(&start[..*len])) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(stop), Some(after)) => stop <= after.as_slice(),
    };
    let len = (0..=start.len()).rev().find(has_all).unwrap_or_default();
    &start[..len]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(bucket: &str) -> Design {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"digits\", len = 2 }}\n\
             [key]\nparts = [{{ {bucket}, of = [\"id\"] }}, {{ field = \"id\" }}]"
        );
        Design::from_toml(&toml).unwrap()
    }

    fn all() -> PlannedRange {
        PlannedRange { range: KeyRange::all(), bucket: None }
    }

    #[test]
    fn a_range_over_all_keys_has_a_lane_a_bucket() {
        let lanes = bucket_lanes(&design("bucket = 3"), &[all()]);
        let prefixes: Vec<&[u8]> = lanes.iter().map(fixed_prefix).collect();
        assert_eq!(prefixes, [b"0", b"1", b"2"]);
        assert!(lanes.iter().all(|lane| lane.skip == Skip::Bytes(1)));
    }

    #[test]
    fn buckets_that_outgrow_their_width_do_not_overlap() {
        let lanes = bucket_lanes(&design("bucket = 11, width = 1"), &[all()]);
        assert_eq!(lanes.len(), 11);
        assert_eq!(
            lanes[1].ranges,
            [KeyRange::new("1", Some("10".into())), KeyRange::new("11", Some("2".into()))]
        );
        assert_eq!(
            (lanes[10].ranges.as_slice(), lanes[10].skip),
            (&[KeyRange::prefix(b"10")][..], Skip::Bytes(2))
        );
    }

    #[test]
    fn what_all_keys_of_a_range_begin_with_is_known() {
        let fixed = |start: &str, stop: Option<&str>| {
            let range = KeyRange::new(start, stop.map(Into::into));
            String::from_utf8(fixed_prefix_of(&range).to_vec()).unwrap()
        };
        assert_eq!(fixed("00020200406", Some("00020200407")), "00020200406");
        assert_eq!(fixed("0002020", Some("0002022")), "000202");
        assert_eq!(fixed("abc", Some("abd0")), "ab");
        assert_eq!(fixed("abc", None), "");
        assert_eq!(fixed("", None), "");
    }
}
