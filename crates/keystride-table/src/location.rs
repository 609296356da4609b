//! Where a key is: its region.

use keystride::design::TimeStyle;
use keystride::{KeyCodec, KeyRange, SplitPoints};
use serde::Serialize;

use crate::explain::BoundsDocument;

/// The region of a key, with its bounds escaped and described part by part; `None` is the table's start or end.
#[derive(Debug, Clone, Serialize)]
pub struct KeyLocation {
    region: usize,
    of: usize,
    #[serde(flatten)]
    range: KeyRange,
    #[serde(flatten)]
    bounds: BoundsDocument,
    server: Option<String>,
}

impl KeyLocation {
    /// Finds the region of a key among those between `points`, of which these are the servers, as far as there are any.
    pub fn find(
        codec: &KeyCodec,
        points: &SplitPoints,
        servers: &[Option<String>],
        key: &[u8],
        style: &TimeStyle,
    ) -> Option<Self> {
        let region = points.region_of(key);
        let range = points.region(region)?;
        let bounds = BoundsDocument::new(codec, &range, style);
        let server = servers.get(region).cloned().flatten();
        Some(Self { region, of: points.region_count(), range, bounds, server })
    }
}
