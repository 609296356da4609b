//! What a store is given to write, and what it says of it.

use crate::{MutationBatch, RegionId};

/// What [`Store::write`](crate::Store::write) takes: mutations, and notes to keep with them. Either may be empty.
#[derive(Debug, Clone, Default)]
pub struct Write {
    /// The mutations.
    pub batch: MutationBatch,
    /// The notes.
    pub notes: Vec<Note>,
}

/// Bytes to keep with a table under a key, such as how far a load has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The key.
    pub key: String,
    /// The bytes; `None` forgets the note.
    pub value: Option<Vec<u8>>,
}

/// What was written, region by region.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The regions that got something, in key order.
    pub regions: Vec<RegionWrite>,
}

/// What one region got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionWrite {
    /// The region.
    pub region: RegionId,
    /// Different rows.
    pub rows: u64,
    /// Cells and marks.
    pub cells: u64,
    /// Bytes, counted as [`RegionCounts::bytes_written`](crate::RegionCounts::bytes_written).
    pub bytes: u64,
}

impl Write {
    /// A write of mutations alone.
    pub fn of(batch: MutationBatch) -> Self {
        Self { batch, notes: Vec::new() }
    }

    /// The same with one more note.
    #[must_use]
    pub fn with_note(mut self, key: &str, value: impl Into<Vec<u8>>) -> Self {
        self.notes.push(Note { key: key.into(), value: Some(value.into()) });
        self
    }
}

impl Written {
    /// Different rows written, over all regions.
    pub fn rows(&self) -> u64 {
        self.regions.iter().map(|region| region.rows).sum()
    }

    /// Cells and marks written, over all regions.
    pub fn cells(&self) -> u64 {
        self.regions.iter().map(|region| region.cells).sum()
    }

    /// Adds what later batches of the same load brought; its rows come after those here.
    pub(crate) fn absorb(&mut self, later: Self) {
        for more in later.regions {
            match self.regions.last_mut() {
                Some(last) if last.region == more.region => {
                    last.rows += more.rows;
                    last.cells += more.cells;
                    last.bytes += more.bytes;
                }
                _ => self.regions.push(more),
            }
        }
    }
}
