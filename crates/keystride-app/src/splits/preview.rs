use keystride::design::TimeStyle;
use keystride::split::RegionPreview;
use keystride::{KeyCodec, KeyRange, SplitPoints};
use keystride_table::explain::BoundsDocument;
use serde::Serialize;

use crate::buckets::Buckets;

/// The regions that split points make.
#[derive(Debug, Clone, Serialize)]
pub struct SplitPreview {
    region_count: usize,
    /// How many of all regions can never hold a key of the design.
    empty_count: usize,
    /// The number of keys of the sample, if there is one.
    sampled_count: Option<u64>,
    /// The first regions.
    regions: Vec<PreviewedRegion>,
    /// The points without those that make empty regions, in HBase's escaped form, where there are such.
    without_empty: Option<Vec<String>>,
}

/// A region of a table that is to be made.
#[derive(Debug, Clone, Serialize)]
pub struct PreviewedRegion {
    #[serde(flatten)]
    region: RegionPreview,
    #[serde(flatten)]
    bounds: Option<BoundsDocument>,
    bucket: Option<String>,
    /// Keys of the sample in the region.
    sampled: Option<u64>,
}

/// Shows the regions that points make: the first `most` of them, with bounds, buckets and shares by the design, and how many keys
/// of a sample each has.
pub fn preview(
    points: &SplitPoints,
    codec: Option<&KeyCodec>,
    sample: Option<&[Vec<u8>]>,
    most: usize,
) -> SplitPreview {
    let buckets = codec.map(Buckets::of);
    let language = buckets.as_ref().map(|buckets| &buckets.language);
    let sampled = sample.map(|keys| sampled(points, keys));
    let shown = points.preview(language).take(most).enumerate().map(|(index, region)| {
        let range = region.range();
        PreviewedRegion {
            bounds: codec.map(|codec| BoundsDocument::new(codec, range, &TimeStyle::default())),
            bucket: buckets.as_ref().and_then(|buckets| buckets.of_range(range)),
            sampled: sampled.as_ref().map(|counts| counts[index]),
            region,
        }
    });
    let regions = shown.collect();
    let is_empty =
        |range: &KeyRange| language.is_some_and(|language| !language.meets(range.start(), range.stop()));
    let empty_count = points.regions().filter(is_empty).count();
    let fewer = language.filter(|_| empty_count > 0);
    let fewer = fewer.map(|language| points.without_empty_regions(language));
    SplitPreview {
        region_count: points.region_count(),
        empty_count,
        sampled_count: sample.map(|keys| keys.len() as u64),
        regions,
        without_empty: fewer.map(|points| points.keys().iter().map(ToString::to_string).collect()),
    }
}

/// Counts the keys of a sample in each region.
fn sampled(points: &SplitPoints, keys: &[Vec<u8>]) -> Vec<u64> {
    let mut counts = vec![0; points.region_count()];
    for key in keys {
        counts[points.region_of(key)] += 1;
    }
    counts
}
