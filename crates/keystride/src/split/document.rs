//! Split points and the regions they make, for programs.

use data_encoding::HEXLOWER;
use serde::Serialize;

use super::SplitPoints;
use crate::{KeyLanguage, KeyRange};

/// Split points, in HBase's escaped form and in hex.
#[derive(Debug, Clone, Serialize)]
pub struct SplitPointsDocument {
    format: u32,
    regions: usize,
    points: Vec<String>,
    hex: Vec<String>,
}

/// A region that split points make, with escaped bounds and its share of the keys.
#[derive(Debug, Clone, Serialize)]
pub struct RegionPreview {
    region: usize,
    #[serde(flatten)]
    range: KeyRange,
    share: Option<f64>,
    note: Option<&'static str>,
}

impl RegionPreview {
    /// The keys it would hold.
    pub fn range(&self) -> &KeyRange {
        &self.range
    }

    /// Whether it can never hold a key of the design.
    pub fn stays_empty(&self) -> bool {
        self.note.is_some()
    }
}

impl From<&SplitPoints> for SplitPointsDocument {
    fn from(points: &SplitPoints) -> Self {
        Self {
            format: 1,
            regions: points.region_count(),
            points: points.keys().iter().map(ToString::to_string).collect(),
            hex: points.keys().iter().map(|key| HEXLOWER.encode(key.as_bytes())).collect(),
        }
    }
}

impl SplitPoints {
    /// Returns the regions that the points make, with their shares of a design's keys if its language is known.
    pub fn preview(&self, language: Option<&KeyLanguage>) -> impl Iterator<Item = RegionPreview> {
        self.regions().enumerate().map(move |(region, range)| {
            let share = language.map(|language| share_of(language, range.start(), range.stop()));
            let note = (share == Some(None)).then_some("stays empty");
            RegionPreview { region, range, share: share.map(|share| share.unwrap_or(0.0)), note }
        })
    }
}

/// Returns the share of a region's keys, to four decimals; `None` if it can hold no key.
fn share_of(language: &KeyLanguage, start: &[u8], stop: Option<&[u8]>) -> Option<f64> {
    let below = |key: Option<&[u8]>| key.map_or(1.0, |key| language.share_below(key));
    let share = below(stop) - below(Some(start));
    language.meets(start, stop).then_some((share * 10_000.0).round() / 10_000.0)
}
