//! Where a key is: its region.

use keystride::design::TimeStyle;
use keystride::escape::to_escaped;
use keystride::{KeyCodec, SplitPoints};
use serde::Serialize;

use crate::explain::KeyBound;

/// The region of a key, with its bounds escaped and described part by part; `None` is the table's start or end.
#[derive(Debug, Clone, Serialize)]
pub struct KeyLocation {
    region: usize,
    of: usize,
    start: String,
    stop: Option<String>,
    from: Option<String>,
    before: Option<String>,
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
        let described = |key: &[u8]| KeyBound::new(codec, key).to_text(style);
        Some(Self {
            region,
            of: points.region_count(),
            start: to_escaped(range.start()),
            stop: range.stop().map(to_escaped),
            from: Some(range.start()).filter(|start| !start.is_empty()).map(described),
            before: range.stop().map(described),
            server: servers.get(region).cloned().flatten(),
        })
    }
}
