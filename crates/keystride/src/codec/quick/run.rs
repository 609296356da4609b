//! Quick parts that follow each other, written at once.

use super::QuickPart;
use super::room::{ROOM, Room};
use crate::value::Row;

/// Consecutive quick parts; none where a part of the key has no quick form.
#[derive(Debug, Default)]
pub(in crate::codec) struct QuickRun(Vec<QuickPart>);

impl QuickRun {
    /// Begins a run with a part, if that has a quick form.
    pub(in crate::codec) fn begin(part: Option<QuickPart>) -> Self {
        Self(part.into_iter().collect())
    }

    pub(in crate::codec) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the part that follows; the run has begun with another.
    pub(in crate::codec) fn push(&mut self, part: QuickPart) {
        let apart = self.0.last_mut().and_then(|last| last.join(part));
        self.0.extend(apart);
    }

    /// Returns the number of parts, less those that are merged into others.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Appends the parts; returns `false`, with `out` unchanged, when a part gives up or there is nothing to write.
    #[inline]
    pub(in crate::codec) fn append(&self, row: &Row, supplied: u64, out: &mut Vec<u8>) -> bool {
        !self.is_empty() && append(&self.0, row, supplied, out)
    }
}

/// Kept out of line from the general path, as it needs all of the processor's registers.
#[inline(never)]
fn append(parts: &[QuickPart], row: &Row, supplied: u64, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    out.extend_from_slice(&[0; ROOM]);
    let Some(bytes) = out.last_chunk_mut() else { return false };
    let mut room = Room::new(bytes);
    for part in parts {
        if part.write(row, supplied, &mut room).is_none() {
            out.truncate(start);
            return false;
        }
    }
    let len = room.len();
    out.truncate(start + len);
    len > 0
}
