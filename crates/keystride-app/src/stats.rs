//! What passed through the regions of a table, by bucket and by server.

use std::collections::BTreeMap;

use keystride::KeyRange;
use keystride::design::BucketPart;
use keystride::escape::to_shown;
use keystride::language::KeyLanguage;
use keystride_heat::Distribution;
use keystride_store::{CountsDocument, RegionCounts};
use keystride_table::{RegionStats, Table};
use serde::Serialize;

/// The counts of several regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupCounts {
    /// What the regions have in common; `None` if they have no bucket, or no server.
    pub group: Option<String>,
    /// Their sums, as far as they are known; `None` if no region's counts are.
    pub counts: Option<RegionCounts>,
}

/// The counts of the regions of a bucket or of a server, for programs.
#[derive(Debug, Clone, Serialize)]
pub struct GroupDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    #[serde(flatten)]
    counts: CountsDocument,
}

impl GroupDocument {
    /// Describes the regions of a bucket.
    pub fn of_bucket(counts: &GroupCounts) -> Self {
        Self { bucket: Some(counts.name()), server: None, counts: counts.counts.as_ref().into() }
    }

    /// Describes the regions of a server.
    pub fn of_server(counts: &GroupCounts) -> Self {
        Self { bucket: None, server: Some(counts.name()), counts: counts.counts.as_ref().into() }
    }
}

impl GroupCounts {
    fn name(&self) -> String {
        self.group.clone().unwrap_or_else(|| "(none)".to_owned())
    }
}

/// Sums up the regions that begin with the same bucket, which is shown as text.
pub fn by_bucket(table: &Table, regions: &[RegionStats]) -> Vec<GroupCounts> {
    let buckets = Buckets::of(table);
    sums(regions, |stats| buckets.of_region(stats))
}

/// Sums up the regions of each server.
pub fn by_server(regions: &[RegionStats]) -> Vec<GroupCounts> {
    sums(regions, |stats| stats.region.server.clone())
}

/// Returns how the rows written are spread over the regions whose counts are known; `None` if there are no rows.
pub fn rows_written(regions: &[RegionStats]) -> Option<Distribution> {
    let known = regions.iter().filter_map(|stats| stats.region.known_counts());
    Distribution::of(&known.map(|counts| counts.rows_written).collect::<Vec<_>>())
}

fn sums(regions: &[RegionStats], group: impl Fn(&RegionStats) -> Option<String>) -> Vec<GroupCounts> {
    let mut sums: BTreeMap<Option<String>, Option<RegionCounts>> = BTreeMap::new();
    for stats in regions {
        let sum = sums.entry(group(stats)).or_default();
        let Some(counts) = stats.region.known_counts() else { continue };
        let sum = sum.get_or_insert_default();
        sum.rows_written += counts.rows_written;
        sum.cells_written += counts.cells_written;
        sum.bytes_written += counts.bytes_written;
        sum.rows_read += counts.rows_read;
    }
    sums.into_iter().map(|(group, counts)| GroupCounts { group, counts }).collect()
}

/// The keys of a table's buckets.
struct Buckets {
    /// The ranges of all buckets, each with the bucket's text, ascending.
    ranges: Vec<(String, KeyRange)>,
    language: KeyLanguage,
}

impl Buckets {
    fn of(table: &Table) -> Self {
        let of_bucket = |bucket: &BucketPart| {
            let ranges = bucket.cut(&KeyRange::all()).into_iter();
            ranges.map(|(number, range)| (to_shown(&bucket.prefix(number)), range)).collect()
        };
        let ranges = table.design().leading_bucket().map(of_bucket).unwrap_or_default();
        Self { ranges, language: KeyLanguage::new(table.codec()) }
    }

    /// Returns the first bucket that has keys in a region. Its bounds alone don't tell: a region from `0|` begins with
    /// bucket 1 if `0|` is above all keys of bucket 0.
    fn of_region(&self, stats: &RegionStats) -> Option<String> {
        let region = &stats.region.range;
        let is_before =
            |(_, range): &(String, KeyRange)| range.stop().is_some_and(|stop| stop <= region.start());
        let later = &self.ranges[self.ranges.partition_point(is_before)..];
        let mut parts = later.iter().map_while(|(bucket, range)| Some((bucket, range.intersect(region)?)));
        let has_keys = |part: &KeyRange| self.language.meets(part.start(), part.stop());
        let with_keys = parts.clone().find(|(_, part)| has_keys(part));
        with_keys.or_else(|| parts.next()).map(|(bucket, _)| bucket.clone())
    }
}
