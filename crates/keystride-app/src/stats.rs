//! What passed through the regions of a table, by bucket and by server, and how even it is.

use std::collections::BTreeMap;

use keystride::design::TimeStyle;
use keystride::{KeyCodec, KeyRange};
use keystride_heat::{Chance, Distribution};
use keystride_store::{CountsDocument, Region, RegionCounts};
use keystride_table::Table;
use keystride_table::explain::BoundsDocument;
use serde::Serialize;

use crate::buckets::Buckets;

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

/// How even the rows of regions are, for programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpreadMeasure {
    /// The number of rows.
    pub row_count: u64,
    /// The rows of the hottest region ÷ the mean.
    pub imbalance: f64,
    /// What chance alone gives as many rows.
    pub chance: Option<f64>,
    /// What chance alone exceeds only in one of a hundred cases.
    pub chance_at_most: Option<f64>,
    /// The hottest region.
    pub hottest: usize,
    /// How many regions have no rows.
    pub empty_count: usize,
}

impl SpreadMeasure {
    /// Measures how rows are spread.
    pub fn of(rows: &Distribution) -> Self {
        let chance = Chance::of(rows.region_count(), rows.row_count());
        Self {
            row_count: rows.row_count(),
            imbalance: rows.imbalance(),
            chance: chance.map(|chance| chance.median),
            chance_at_most: chance.map(|chance| chance.p99),
            hottest: rows.hottest_region(),
            empty_count: rows.empty_region_count(),
        }
    }
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
    let buckets = Buckets::of(table.codec());
    let sums = sums(regions, |region| buckets.of_range(&region.range)).into_iter();
    sums.map(|(name, counts)| GroupDocument { bucket: Some(name), server: None, counts }).collect()
}

/// Returns which bucket the keys of a range begin with, as a function, since what it needs is made once.
pub fn bucket_of_region(codec: &KeyCodec) -> impl Fn(&KeyRange) -> Option<String> + use<> {
    let buckets = Buckets::of(codec);
    move |range| buckets.of_range(range)
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
