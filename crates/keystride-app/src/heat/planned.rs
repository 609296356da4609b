//! What a design lets one expect of a table's regions.

use keystride::design::Workload;
use keystride::{KeyCodec, KeyLanguage, KeyRange, SplitPoints};
use serde::Serialize;

/// The share of the rows that each region is to have by a design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Planned {
    /// How that is known.
    pub by: PlannedBy,
    /// The rate of the design's workload, at its peak if it has one, in rows per second.
    pub rows_per_s: Option<f64>,
    /// The shares of the regions, in the order of keys; together 1.
    pub shares: Vec<f64>,
}

/// How it is known what is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlannedBy {
    /// All buckets get as many rows.
    Buckets,
    /// New rows are like those of a sample.
    Sample,
}

impl Planned {
    /// Returns what a design with a leading bucket makes known alone: as many rows for each bucket. `None` if there is no such
    /// bucket, or the keys of one lie in several regions: how they share its rows depends on the rows.
    pub fn of_buckets(codec: &KeyCodec, points: &SplitPoints) -> Option<Self> {
        let buckets = codec.design().leading_bucket()?.cut(&KeyRange::all());
        let language = KeyLanguage::new(codec);
        let mut rows = vec![0_u32; points.region_count()];
        for (_, bucket) in &buckets {
            let [region] = regions_of(bucket, points, &language)[..] else { return None };
            rows[region] += 1;
        }
        Some(Self::of(PlannedBy::Buckets, codec, &rows))
    }

    /// Returns what is to be expected if rows are like those of a sample, of which these are the keys; `None` if there are
    /// none.
    pub fn of_sample<'a>(
        codec: &KeyCodec,
        points: &SplitPoints,
        keys: impl Iterator<Item = &'a [u8]>,
    ) -> Option<Self> {
        let mut rows = vec![0_u32; points.region_count()];
        keys.for_each(|key| rows[points.region_of(key)] += 1);
        rows.iter().any(|&rows| rows > 0).then(|| Self::of(PlannedBy::Sample, codec, &rows))
    }

    fn of(by: PlannedBy, codec: &KeyCodec, rows: &[u32]) -> Self {
        let all: f64 = rows.iter().map(|&rows| f64::from(rows)).sum();
        let rows_per_s = codec.design().workload().and_then(Workload::rate);
        Self { by, rows_per_s, shares: rows.iter().map(|&rows| f64::from(rows) / all).collect() }
    }
}

/// Returns the regions in which keys of a bucket can lie.
fn regions_of(bucket: &KeyRange, points: &SplitPoints, language: &KeyLanguage) -> Vec<usize> {
    let first = points.region_of(bucket.start());
    let parts = (first..points.region_count()).map_while(|index| Some((index, points.region(index)?)));
    let parts = parts.map_while(|(index, region)| Some((index, region.intersect(bucket)?)));
    parts.filter(|(_, part)| language.meets(part.start(), part.stop())).map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use keystride::Design;

    use super::*;

    const DESIGN: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"digits\", len = 4 }\n\
        [key]\nparts = [{ bucket = 4, of = [\"id\"] }, { text = \"_\" }, { field = \"id\" }]\n[workload]\nrows_per_s = 100\n";

    fn planned(points: &[&str]) -> Option<Planned> {
        let codec = KeyCodec::new(Design::from_toml(DESIGN).unwrap());
        Planned::of_buckets(&codec, &SplitPoints::new(points).unwrap())
    }

    #[test]
    fn buckets_are_even_where_each_is_in_one_region() {
        let even = planned(&["1", "2", "3"]).unwrap();
        assert_eq!((even.by, even.rows_per_s, even.shares), (PlannedBy::Buckets, Some(100.0), vec![0.25; 4]));
        assert_eq!(planned(&["0|", "1|", "3|"]).unwrap().shares, [0.25, 0.25, 0.5, 0.0]);
        assert_eq!(planned(&["1", "1_5", "2", "3"]), None, "ids below 5000, or not");
    }

    #[test]
    fn a_sample_tells_the_share_of_each_region() {
        let codec = KeyCodec::new(Design::from_toml(DESIGN).unwrap());
        let points = SplitPoints::new(["1", "1_5"]).unwrap();
        let keys = ["0_0001", "1_4999", "1_5000", "3_0001"];
        let planned = Planned::of_sample(&codec, &points, keys.iter().map(|key| key.as_bytes())).unwrap();
        assert_eq!((planned.by, planned.shares), (PlannedBy::Sample, vec![0.25, 0.25, 0.5]));
        assert_eq!(Planned::of_sample(&codec, &points, std::iter::empty()), None);
    }
}
