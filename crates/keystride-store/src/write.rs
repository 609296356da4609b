//! What a store is given to write, and what it reports back.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{MutationBatch, RegionId};

/// The argument of [`Store::write`](crate::Store::write): mutations, and notes to store with them. Either may be
/// empty.
#[derive(Debug, Clone, Default)]
pub struct Write {
    /// The mutations. They must not change, because the prepared part was derived from them.
    pub(crate) batch: MutationBatch,
    /// The notes.
    pub notes: Vec<Note>,
    ahead: Prepared,
}

/// What a store derived from the mutations in advance; opaque to everyone else.
#[derive(Clone, Default)]
struct Prepared(Option<Arc<dyn Any + Send + Sync>>);

/// Bytes stored with a table under a key, such as the progress of a load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The key.
    pub key: String,
    /// The bytes; `None` removes the note.
    pub value: Option<Vec<u8>>,
}

/// What was written, region by region.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The regions that were written to, in key order.
    pub regions: Vec<RegionWrite>,
}

/// What was written to one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionWrite {
    /// The region.
    pub region: RegionId,
    /// Number of distinct rows.
    pub rows: u64,
    /// Number of values and delete markers.
    pub cells: u64,
    /// Bytes, counted as [`RegionCounts::bytes_written`](crate::RegionCounts::bytes_written).
    pub bytes: u64,
}

impl Write {
    /// Creates a write without notes.
    pub fn of(batch: MutationBatch) -> Self {
        Self { batch, ..Self::default() }
    }

    /// Returns the mutations.
    pub fn batch(&self) -> &MutationBatch {
        &self.batch
    }

    /// Creates a write without mutations.
    pub fn of_notes(notes: Vec<Note>) -> Self {
        Self { notes, ..Self::default() }
    }

    /// Adds a note.
    #[must_use]
    pub fn with_note(mut self, key: &str, value: impl Into<Vec<u8>>) -> Self {
        self.notes.push(Note { key: key.into(), value: Some(value.into()) });
        self
    }

    /// Creates a write for which a store has prepared `ahead`.
    pub(crate) fn with_ahead(batch: MutationBatch, ahead: impl Any + Send + Sync) -> Self {
        Self { batch, notes: Vec::new(), ahead: Prepared(Some(Arc::new(ahead))) }
    }

    /// Takes what the store prepared. Returns `None` also if a clone of the write shares it.
    pub(crate) fn take_ahead<T: Any + Send + Sync>(&mut self) -> Option<T> {
        Arc::into_inner(self.ahead.0.take()?.downcast().ok()?)
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Prepared").field(&self.0.is_some()).finish()
    }
}

impl Written {
    /// Returns the number of distinct rows written, over all regions.
    pub fn rows(&self) -> u64 {
        self.regions.iter().map(|region| region.rows).sum()
    }

    /// Returns the number of values and delete markers written, over all regions.
    pub fn cells(&self) -> u64 {
        self.regions.iter().map(|region| region.cells).sum()
    }

    /// Adds what a later batch of the same load wrote; its rows must come after those counted so far.
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
