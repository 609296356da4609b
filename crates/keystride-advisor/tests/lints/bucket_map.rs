//! What the lints say of buckets and regions, against keys that are all listed.

use std::collections::BTreeSet;

use keystride::{Design, KeyCodec, Row, SplitPoints, Value};
use keystride_advisor::lint::{Finding, Subject, lint};
use proptest::prelude::*;
use serde_json::json;

use crate::designs::small_design;

/// A design of two short fields behind a bucket and a separator, and points made of buckets' numbers.
fn case() -> impl Strategy<Value = (String, BTreeSet<String>)> {
    let separator = prop::sample::select(vec!["_", "|", "!", "~"]);
    let suffix = prop::sample::select(vec!["", "|", "_", ":"]);
    let hash = prop::sample::select(vec!["xxh3", "java-string", "mod"]);
    (2..=13u32, 1..=2usize, separator, suffix, hash).prop_flat_map(|(count, width, separator, suffix, hash)| {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nn = {{ type = \"int\", min = 0, max = 99 }}\n\
             [key]\nparts = [ {{ bucket = {count}, hash = \"{hash}\", of = [\"n\"], width = {width} }}, \
             {{ text = \"{separator}\" }}, {{ field = \"n\", pad = 2 }} ]\n"
        );
        let point = (0..count + 2, 1..=2usize).prop_map(move |(bucket, width)| format!("{bucket:0width$}{suffix}"));
        (Just(toml), prop::collection::btree_set(point, 1..=12))
    })
}

fn judge(codec: &KeyCodec, points: &SplitPoints) -> Vec<Finding> {
    lint(&Subject::new(codec).with_table_points(points))
}

/// The buckets that each region holds, by encoding every row.
fn holders(codec: &KeyCodec, points: &SplitPoints) -> Vec<BTreeSet<u32>> {
    let mut holders = vec![BTreeSet::new(); points.region_count()];
    let mut encoder = codec.encoder();
    let mut row = Row::new(1);
    for number in 0..100 {
        row.set(0, Value::Int(number));
        let mut key = Vec::new();
        if encoder.encode(&row, &mut key).is_ok() {
            let bucket = codec.decode(&key).unwrap().bucket.unwrap();
            holders[points.region_of(&key)].insert(bucket);
        }
    }
    holders
}

fn fact(finding: &Finding, name: &str) -> serde_json::Value {
    finding.evidence[name].clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn doubled_regions_are_those_that_hold_too_many_buckets((toml, cuts) in case()) {
        let codec = KeyCodec::new(Design::from_toml(&toml).unwrap());
        let points = SplitPoints::new(&cuts).unwrap();
        let findings = judge(&codec, &points);
        let holders = holders(&codec, &points);
        let buckets: BTreeSet<u32> = holders.iter().flatten().copied().collect();
        let even = buckets.len().div_ceil(holders.len());
        let full: Vec<usize> = (0..holders.len()).filter(|&region| holders[region].len() > even).collect();
        let doubled = findings.iter().find(|finding| finding.id.name() == "SPL01");
        let shifted = findings.iter().any(|finding| finding.id.name() == "SPL03");
        prop_assert_eq!(doubled.is_some(), !full.is_empty() && !shifted, "{:?} {:?}\n{}", cuts, holders, toml);
        if let Some(finding) = doubled {
            prop_assert_eq!(fact(finding, "full"), json!(full));
            prop_assert_eq!(fact(finding, "region"), json!(full[0]));
            prop_assert_eq!(fact(finding, "held"), json!(holders[full[0]]));
            let empty: Vec<usize> = (0..holders.len()).filter(|&region| holders[region].is_empty()).collect();
            prop_assert_eq!(fact(finding, "empty"), json!(empty));
        }
    }

    /// Whatever a lint says of a region without keys, no row of the design is in it.
    #[test]
    fn regions_that_lints_call_empty_hold_no_key(
        design in small_design(),
        cuts in prop::collection::btree_set(prop::collection::vec(prop::sample::select(vec![0, 1, 0x21, 0x30, 0x31, 0x39, 0x61, 0x7f, 0xff]), 1..4), 1..6),
    ) {
        let codec = design.codec();
        let points = SplitPoints::new(&cuts).unwrap();
        let findings = judge(&codec, &points);
        let keys = design.all_keys();
        for finding in findings.iter().filter(|finding| finding.id.name().starts_with("SPL")) {
            for region in finding.evidence.get("empty").and_then(|list| list.as_array()).into_iter().flatten() {
                let region = usize::try_from(region.as_u64().unwrap()).unwrap();
                let holds = keys.iter().any(|key| points.region_of(key) == region);
                prop_assert!(!holds, "{} of region {region}\n{}", finding.id, design.toml);
            }
        }
        prop_assert_eq!(findings, judge(&codec, &points));
    }
}
