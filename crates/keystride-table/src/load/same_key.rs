//! What becomes of a row whose key was met before.

use std::io;

use keystride::design::OnSameKey;

use super::image::RowDigest;
use super::place::Place;
use super::seen::{Met, Seen};

/// Decides row after row by the rows before it.
#[derive(Debug)]
pub(super) struct SameKeys {
    rule: OnSameKey,
    /// `None` where nothing is to be checked.
    seen: Option<Seen>,
}

/// What becomes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is stored.
    New,
    /// It is stored over another one.
    Replaces,
    /// It is the same as another one, cell for cell, and is passed over.
    Repeats,
    /// It is rejected for an earlier row of the load.
    Rejected(Place),
    /// It is rejected for a row stored before.
    RejectedForStored,
}

/// What the store holds under a row's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    /// Nothing, or nobody looked.
    Nothing,
    /// The same cells.
    Same,
    /// Other cells.
    Other,
}

impl SameKeys {
    pub(super) fn new(rule: OnSameKey, seen: Option<Seen>) -> Self {
        Self { rule, seen }
    }

    /// Says which rows are to be decided about next.
    pub(super) fn prefetch(&self, rows: impl Iterator<Item = RowDigest>) {
        if let Some(seen) = &self.seen {
            seen.prefetch(rows.map(|digest| digest.key));
        }
    }

    /// Decides about the row at `place`; one that is stored counts for the rows after it.
    pub(super) fn judge(&mut self, digest: RowDigest, place: Place, stored: Stored) -> io::Result<Verdict> {
        let Some(seen) = &mut self.seen else { return Ok(Verdict::New) };
        let verdict = match seen.find(digest.key)? {
            Some(met) if met.digest.cells == digest.cells => return Ok(Verdict::Repeats),
            Some(met) if self.rule == OnSameKey::Error => return Ok(Verdict::Rejected(met.place)),
            Some(_) => Verdict::Replaces,
            None => match (stored, self.rule) {
                (Stored::Nothing, _) => Verdict::New,
                (Stored::Same, _) => Verdict::Repeats,
                (Stored::Other, OnSameKey::Error) => return Ok(Verdict::RejectedForStored),
                (Stored::Other, OnSameKey::Replace) => Verdict::Replaces,
            },
        };
        seen.keep(Met { digest, place })?;
        Ok(verdict)
    }
}
