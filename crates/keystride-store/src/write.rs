//! What a store is given to write, and what it says of it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{MutationBatch, RegionId};

/// What [`Store::write`](crate::Store::write) takes: mutations, and notes to keep with them. Either may be empty.
#[derive(Debug, Clone, Default)]
pub struct Write {
    /// The mutations. What was made ahead is made of them, so they stay as they are.
    pub(crate) batch: MutationBatch,
    /// The notes.
    pub notes: Vec<Note>,
    ahead: Ahead,
}

/// What a store has made of mutations before they are written, known to that store alone.
#[derive(Clone, Default)]
struct Ahead(Option<Arc<dyn Any + Send + Sync>>);

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
        Self { batch, ..Self::default() }
    }

    /// The mutations.
    pub fn batch(&self) -> &MutationBatch {
        &self.batch
    }

    /// A write of notes alone.
    pub fn of_notes(notes: Vec<Note>) -> Self {
        Self { notes, ..Self::default() }
    }

    /// The same with one more note.
    #[must_use]
    pub fn with_note(mut self, key: &str, value: impl Into<Vec<u8>>) -> Self {
        self.notes.push(Note { key: key.into(), value: Some(value.into()) });
        self
    }

    /// The same, of which a store has made something ahead.
    pub(crate) fn with_ahead(batch: MutationBatch, ahead: impl Any + Send + Sync) -> Self {
        Self { batch, notes: Vec::new(), ahead: Ahead(Some(Arc::new(ahead))) }
    }

    /// What its store made ahead; `None` too where a copy of the write has it as well.
    pub(crate) fn take_ahead<T: Any + Send + Sync>(&mut self) -> Option<T> {
        Arc::into_inner(self.ahead.0.take()?.downcast().ok()?)
    }
}

impl fmt::Debug for Ahead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ahead").field(&self.0.is_some()).finish()
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
