//! The part of a map that a finding is about.

use std::ops::Range;

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};

use crate::live::Axis;
use crate::live::view::to_hex;

/// Some keys for some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// When it begins, in ms since 1970-01-01 UTC.
    pub t0_ms: i64,
    /// When it ends.
    pub t1_ms: i64,
    /// The first key; empty for the first of all.
    pub start: Vec<u8>,
    /// The end of the keys, exclusive; `None` for the end of all.
    pub stop: Option<Vec<u8>>,
    /// The indexes of the regions that have these keys in the last column.
    pub regions: Range<usize>,
}

impl Area {
    /// Returns the rows of a view, not a folded one, that show the keys; see [`View::rows`](crate::live::view::View::rows).
    pub fn rows_of(&self, rows: &Axis) -> Range<usize> {
        rows.cells_of(&self.start, self.stop.as_deref())
    }
}

/// Keys are in hexadecimal.
impl Serialize for Area {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut area = serializer.serialize_struct("Area", 6)?;
        area.serialize_field("t0_ms", &self.t0_ms)?;
        area.serialize_field("t1_ms", &self.t1_ms)?;
        area.serialize_field("start", &to_hex(&self.start))?;
        area.serialize_field("stop", &self.stop.as_deref().map(to_hex))?;
        area.serialize_field("first_region", &self.regions.start)?;
        area.serialize_field("region_count", &self.regions.len())?;
        area.end()
    }
}
