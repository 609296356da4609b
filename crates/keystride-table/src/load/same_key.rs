//! What happens to a row whose key occurred before.

use std::io;

use keystride::design::OnSameKey;

use super::image::RowDigest;
use super::record_place::RecordPlace;
use super::seen::{Seen, SeenRow};

/// Decides about each row, based on the rows before it.
#[derive(Debug)]
pub(super) struct SameKeys {
    rule: OnSameKey,
    /// `None` if nothing is checked.
    seen: Option<Seen>,
}

/// The decision about a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is stored.
    New,
    /// It is stored and replaces another one.
    Replaces,
    /// It replaces a row that was stored before the load.
    Overwrites,
    /// It is stored, and newer cells of the same key hide it.
    Hidden,
    /// It equals another one in every cell and is skipped.
    Repeats,
    /// It is rejected because of an earlier row of the load.
    Rejected(RecordPlace),
    /// It is rejected because of a row stored before the load.
    RejectedForStored,
}

/// What is stored under a row's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    /// Nothing, or it was not looked up.
    Nothing,
    /// The same cells.
    Same,
    /// Other cells.
    Other,
    /// Cells that are newer than the row's, which they hide.
    Newer,
}

impl SameKeys {
    pub(super) fn new(rule: OnSameKey, seen: Option<Seen>) -> Self {
        Self { rule, seen }
    }

    /// Returns among how many of the latest rows a key is always found; `None` if among all, or if nothing is checked.
    pub(super) fn latest_count(&self) -> Option<u64> {
        self.seen.as_ref()?.latest_count()
    }

    /// Sets the estimated number of rows.
    pub(super) fn expect(&mut self, rows: u64) {
        if let Some(seen) = &mut self.seen {
            seen.expect(rows);
        }
    }

    /// Prefetches the entries of the rows to be decided next.
    pub(super) fn prefetch(&self, rows: impl Iterator<Item = RowDigest>) {
        if let Some(seen) = &self.seen {
            seen.prefetch(rows.map(|digest| digest.key));
        }
    }

    /// Decides about the row at `place`, and remembers it for later rows if it is stored.
    pub(super) fn judge(
        &mut self,
        digest: RowDigest,
        place: RecordPlace,
        stored: Stored,
    ) -> io::Result<Verdict> {
        let Some(seen) = &mut self.seen else { return Ok(Verdict::New) };
        let verdict = match seen.find(digest.key)? {
            Some(seen_row) if digest.is_deleted() || seen_row.digest.is_deleted() => Verdict::New,
            Some(seen_row) if seen_row.digest.cells == digest.cells => return Ok(Verdict::Repeats),
            Some(seen_row) if self.rule == OnSameKey::Error => return Ok(Verdict::Rejected(seen_row.place)),
            Some(_) => Verdict::Replaces,
            None => match (stored, self.rule) {
                (Stored::Nothing, _) => Verdict::New,
                (Stored::Same, _) => Verdict::Repeats,
                (Stored::Other | Stored::Newer, OnSameKey::Error) => return Ok(Verdict::RejectedForStored),
                (Stored::Other, OnSameKey::Replace) => Verdict::Overwrites,
                (Stored::Newer, OnSameKey::Replace) => Verdict::Hidden,
            },
        };
        seen.keep(SeenRow { digest, place })?;
        Ok(verdict)
    }
}
