//! What passed through the regions of a table, by bucket and by server.

use std::collections::BTreeMap;

use keystride::KeyRange;
use keystride::design::{BucketPart, TimeStyle};
use keystride::escape::to_shown;
use keystride::language::KeyLanguage;
use keystride_heat::Distribution;
use keystride_store::{CountsDocument, Region, RegionCounts};
use keystride_table::Table;
use keystride_table::explain::BoundsDocument;
use serde::Serialize;

/// The counts of a region for programs, with its bounds described part by part.
#[derive(Debug, Clone, Serialize)]
pub struct RegionStatsDocument {
    region: usize,
    #[serde(flatten)]
    bounds: BoundsDocument,
    #[serde(flatten)]
    counts: CountsDocument,
}

/// The counts of the regions of a bucket or of a server, for programs, as far as they are known.
#[derive(Debug, Clone, Serialize)]
pub struct GroupDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    #[serde(flatten)]
    counts: CountsDocument,
}

/// Describes each region.
pub fn by_region(table: &Table, regions: &[Region], style: &TimeStyle) -> Vec<RegionStatsDocument> {
    let document = |(index, region): (usize, &Region)| RegionStatsDocument {
        region: index,
        bounds: BoundsDocument::new(table.codec(), &region.range, style),
        counts: region.known_counts().into(),
    };
    regions.iter().enumerate().map(document).collect()
}

/// Sums up the regions that begin with the same bucket, which is shown as text.
pub fn by_bucket(table: &Table, regions: &[Region]) -> Vec<GroupDocument> {
    let buckets = Buckets::of(table);
    let sums = sums(regions, |region| buckets.of_region(region)).into_iter();
    sums.map(|(name, counts)| GroupDocument { bucket: Some(name), server: None, counts }).collect()
}

/// Sums up the regions of each server.
pub fn by_server(regions: &[Region]) -> Vec<GroupDocument> {
    let sums = sums(regions, |region| region.server.clone()).into_iter();
    sums.map(|(name, counts)| GroupDocument { bucket: None, server: Some(name), counts }).collect()
}

/// Returns how the rows written are spread over the regions whose counts are known; `None` if there are no rows.
pub fn rows_written(regions: &[Region]) -> Option<Distribution> {
    let known = regions.iter().filter_map(Region::known_counts);
    Distribution::of(&known.map(|counts| counts.rows_written).collect::<Vec<_>>())
}

/// Returns the names of groups, and the sums of their regions.
fn sums(regions: &[Region], group: impl Fn(&Region) -> Option<String>) -> Vec<(String, CountsDocument)> {
    let mut sums: BTreeMap<Option<String>, Option<RegionCounts>> = BTreeMap::new();
    for region in regions {
        let sum = sums.entry(group(region)).or_default();
        let Some(counts) = region.known_counts() else { continue };
        let sum = sum.get_or_insert_default();
        sum.rows_written += counts.rows_written;
        sum.cells_written += counts.cells_written;
        sum.bytes_written += counts.bytes_written;
        sum.rows_read += counts.rows_read;
    }
    let named = |group: Option<String>| group.unwrap_or_else(|| "(none)".to_owned());
    sums.into_iter().map(|(group, counts)| (named(group), counts.as_ref().into())).collect()
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
    fn of_region(&self, region: &Region) -> Option<String> {
        let region = &region.range;
        let is_before =
            |(_, range): &(String, KeyRange)| range.stop().is_some_and(|stop| stop <= region.start());
        let later = &self.ranges[self.ranges.partition_point(is_before)..];
        let mut parts = later.iter().map_while(|(bucket, range)| Some((bucket, range.intersect(region)?)));
        let has_keys = |part: &KeyRange| self.language.meets(part.start(), part.stop());
        let with_keys = parts.clone().find(|(_, part)| has_keys(part));
        with_keys.or_else(|| parts.next()).map(|(bucket, _)| bucket.clone())
    }
}
