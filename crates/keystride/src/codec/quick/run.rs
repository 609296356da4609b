//! Quick parts that follow each other, written at once.

use super::QuickPart;
use super::room::{ROOM, Room};
use crate::value::Row;

/// Consecutive quick parts; none where a part of the key has no quick form.
#[derive(Debug, Default)]
pub(in crate::codec) struct QuickRun {
    parts: Vec<QuickPart>,
    /// Whether all parts are short; these have a loop of their own.
    is_short: bool,
}

impl QuickRun {
    /// Begins a run with a part, if that has a quick form.
    pub(in crate::codec) fn begin(part: Option<QuickPart>) -> Self {
        Self { is_short: part.as_ref().is_some_and(|part| part.is_short), parts: part.into_iter().collect() }
    }

    pub(in crate::codec) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Adds the part that follows; the run has begun with another.
    pub(in crate::codec) fn push(&mut self, part: QuickPart) {
        let apart = self.parts.last_mut().and_then(|last| last.join(part));
        self.is_short &= apart.as_ref().is_none_or(|part| part.is_short);
        self.parts.extend(apart);
    }

    #[cfg(test)]
    pub(super) fn is_short(&self) -> bool {
        self.is_short
    }

    /// Returns the number of parts, less those that are merged into others.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// Appends the parts; returns `false`, with `out` unchanged, when a part gives up or there is nothing to write.
    #[inline]
    pub(in crate::codec) fn append(&self, row: &Row, supplied: u64, out: &mut Vec<u8>) -> bool {
        if self.is_short {
            return append::<true>(&self.parts, row, supplied, out);
        }
        !self.is_empty() && append::<false>(&self.parts, row, supplied, out)
    }
}

/// Kept out of line from the general path, as it needs all of the processor's registers.
#[inline(never)]
fn append<const IS_SHORT: bool>(parts: &[QuickPart], row: &Row, supplied: u64, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    out.extend_from_slice(&[0; ROOM]);
    let Some(bytes) = out.last_chunk_mut() else { return false };
    let mut room = Room::new(bytes);
    for part in parts {
        let written =
            if IS_SHORT { part.write_short(row, &mut room) } else { part.write(row, supplied, &mut room) };
        if written.is_none() {
            out.truncate(start);
            return false;
        }
    }
    let len = room.len();
    out.truncate(start + len);
    len > 0
}
