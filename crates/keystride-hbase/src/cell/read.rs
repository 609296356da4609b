//! Reading cells.

use std::cmp::Ordering;
use std::fmt;

use super::{CellKind, KEY_OVERHEAD};
use crate::bytes_text::Escaped;

/// A cell, borrowed from the answer it came in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The row key.
    pub row: &'a [u8],
    /// Name of the column family.
    pub family: &'a [u8],
    /// The column's qualifier; may be empty.
    pub qualifier: &'a [u8],
    /// Milliseconds since 1970 by convention.
    pub ts: i64,
    /// Whether it is a value or a delete marker.
    pub kind: CellKind,
    /// The value; empty for a delete marker.
    pub value: &'a [u8],
    /// Its tags, as the server stores them. Empty unless the client asks for [tags](crate::ClientOptions::tags).
    pub tags: &'a [u8],
}

/// An iterator over checked cells.
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    left: &'a [u8],
}

/// Malformed cells.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadCell {
    /// The bytes end inside a cell.
    #[error("cell block ends inside a cell: {needed} bytes are needed, {left} are left")]
    Short {
        /// Length of the cell according to its header.
        needed: usize,
        /// Number of bytes that are left.
        left: usize,
    },
    /// Contradictory lengths of a cell.
    #[error(
        "length of a cell does not add up: {whole} bytes can't hold a key of {key} and a value of {value}"
    )]
    Lengths {
        /// Length of the whole cell.
        whole: u32,
        /// Length of its key.
        key: u32,
        /// Length of its value.
        value: u32,
    },
    /// An unknown type code.
    #[error("{code} is not a cell type")]
    Kind {
        /// The code found.
        code: u8,
    },
    /// A negative timestamp, which HBase refuses.
    #[error("a cell can't have timestamp {ts}: it is below 0")]
    Time {
        /// The timestamp.
        ts: i64,
    },
    /// Fewer cells than the message says.
    #[error("cell block holds fewer cells than its message says: {missing} are missing")]
    Missing {
        /// How many cells are missing.
        missing: usize,
    },
}

impl Cell<'_> {
    /// The order of cells in a row: family, qualifier, descending timestamp, then delete markers before values.
    ///
    /// HBase's `CellComparatorImpl`, without its tie-break by write order.
    pub fn cmp_in_row(&self, other: &Self) -> Ordering {
        let columns = self.family.cmp(other.family).then_with(|| self.qualifier.cmp(other.qualifier));
        columns.then_with(|| other.ts.cmp(&self.ts)).then_with(|| other.kind.cmp(&self.kind))
    }
}

impl<'a> Cells<'a> {
    /// The cells in bytes that were checked before.
    pub(crate) fn of_checked(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = Cell<'a>;

    #[inline]
    fn next(&mut self) -> Option<Cell<'a>> {
        if self.left.is_empty() {
            return None;
        }
        let (cell, _, len) = whole_cell(self.left).expect("the bytes were checked when they came in");
        self.left = &self.left[len..];
        Some(cell)
    }
}

/// The row key of checked cells of a single row. Empty if there are no cells.
#[inline]
pub(crate) fn row_of_checked(cells: &[u8]) -> &[u8] {
    // Skips the lengths of the first cell, its key and its value.
    let Some((len, rest)) = cells.get(12..).and_then(<[u8]>::split_first_chunk) else { return &[] };
    &rest[..usize::from(u16::from_be_bytes(*len))]
}

/// Checks the first cell in `bytes` and returns its length.
#[inline]
pub(super) fn check_cell(bytes: &[u8]) -> Result<usize, BadCell> {
    match whole_cell(bytes) {
        Some((_, tail, len)) if tail.is_empty() || end_of_tags(tail) == Some(tail.len()) => Ok(len),
        _ => Err(fault_of(bytes)),
    }
}

/// The first cell in `bytes`, the bytes after its value, and its length. `None` if `bytes` don't start with a whole
/// cell.
#[inline]
fn whole_cell(bytes: &[u8]) -> Option<(Cell<'_>, &[u8], usize)> {
    let (head, rest) = bytes.split_first_chunk::<14>()?;
    let [whole, key_len, value_len] = lengths(head);
    let body = rest.get(..whole.checked_sub(10)?)?;
    let (key, rest) = body.split_at_checked(key_len.checked_sub(2)?)?;
    // The key is read from both ends, so that its end does not depend on lengths read from it.
    let (key, &[ts @ .., code]) = key.split_last_chunk::<9>()?;
    // Lengths of rows and families are signed in Java, and timestamps are not negative.
    let row_len = i16::from_be_bytes([head[12], head[13]]);
    let (row, key) = key.split_at_checked(usize::try_from(row_len).ok()?)?;
    let (&family_len, key) = key.split_first()?;
    let (family, qualifier) = key.split_at_checked(usize::try_from(family_len.cast_signed()).ok()?)?;
    let (value, tail) = rest.split_at_checked(value_len)?;
    // Skips their length.
    let tags = if tail.is_empty() { tail } else { tail.get(2..)? };
    let kind = CellKind::from_code(code)?;
    let ts = Some(i64::from_be_bytes(ts)).filter(|&ts| ts >= 0)?;
    let cell = Cell { row, family, qualifier, ts, kind, value, tags };
    Some((cell, tail, 4 + whole))
}

/// Lengths of the cell, its key and its value.
#[inline]
fn lengths(head: &[u8; 14]) -> [usize; 3] {
    let &[w0, w1, w2, w3, k0, k1, k2, k3, v0, v1, v2, v3, ..] = head;
    // Written out because it runs for every cell, and mapping an array may not be inlined.
    [
        u32::from_be_bytes([w0, w1, w2, w3]) as usize,
        u32::from_be_bytes([k0, k1, k2, k3]) as usize,
        u32::from_be_bytes([v0, v1, v2, v3]) as usize,
    ]
}

/// Where the tags end. They start with their total length, and each tag with its own, which is not 0. Like in Java,
/// lengths are signed, and the last tag may extend past the total length.
fn end_of_tags(bytes: &[u8]) -> Option<usize> {
    let length_at = |at: usize| {
        let (len, rest) = bytes.get(at..)?.split_first_chunk()?;
        usize::try_from(i16::from_be_bytes(*len)).ok().filter(|&len| len <= rest.len())
    };
    let mut at = 2;
    let end = at + length_at(0)?;
    while at < end {
        at += 2 + length_at(at).filter(|&len| len > 0)?;
    }
    Some(at)
}

/// Why `bytes` don't start with a whole cell.
#[cold]
fn fault_of(bytes: &[u8]) -> BadCell {
    let Some(head) = bytes.first_chunk::<14>() else {
        return BadCell::Short { needed: 4 + 8 + KEY_OVERHEAD, left: bytes.len() };
    };
    let [whole, key, value] = lengths(head);
    if key < KEY_OVERHEAD || whole.checked_sub(8).and_then(|n| n.checked_sub(key)) < Some(value) {
        return bad_lengths([whole, key, value]);
    }
    let Some(Some(&[ts @ .., code])) = bytes.get(..12 + key).map(<[u8]>::last_chunk::<9>) else {
        return BadCell::Short { needed: 4 + whole, left: bytes.len() };
    };
    let ts = i64::from_be_bytes(ts);
    if bytes.len() - 4 < whole {
        BadCell::Short { needed: 4 + whole, left: bytes.len() }
    } else if CellKind::from_code(code).is_none() {
        BadCell::Kind { code }
    } else if ts < 0 {
        BadCell::Time { ts }
    } else {
        bad_lengths([whole, key, value])
    }
}

fn bad_lengths(lengths: [usize; 3]) -> BadCell {
    let [whole, key, value] = lengths.map(|len| u32::try_from(len).unwrap_or(u32::MAX));
    BadCell::Lengths { whole, key, value }
}

impl fmt::Debug for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, family, qualifier, ts, kind, value, .. } = self;
        write!(f, "{}/{}:{}/{ts}/{kind:?}=", Escaped(row), Escaped(family), Escaped(qualifier))?;
        write!(f, "{}", Escaped(value))
    }
}
