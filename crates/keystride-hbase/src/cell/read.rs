//! Reading cells out of bytes.

use std::cmp::Ordering;
use std::fmt;

use super::{CellKind, KEY_OVERHEAD};
use crate::bytes_text::Escaped;

/// One cell, borrowed from the answer that brought it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The row's key.
    pub row: &'a [u8],
    /// Name of the column family.
    pub family: &'a [u8],
    /// Name of the column in its family; may be empty.
    pub qualifier: &'a [u8],
    /// Milliseconds since 1970 by convention.
    pub ts: i64,
    /// Value or mark.
    pub kind: CellKind,
    /// The value; empty for a mark.
    pub value: &'a [u8],
    /// Tags as the server keeps them; empty unless the connection was made
    /// [with tags](crate::ClientOptions::tags).
    pub tags: &'a [u8],
}

/// Cells that were checked when they came in, one after the other.
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    left: &'a [u8],
}

/// Bytes that are no cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadCell {
    /// The bytes end inside a cell.
    #[error("cell block ends inside a cell: {needed} bytes are needed, {left} are left")]
    Short {
        /// What the cell says of its length.
        needed: usize,
        /// What is there.
        left: usize,
    },
    /// Lengths of a cell that contradict each other.
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
    /// A code that is no kind of cell.
    #[error("{code} is no kind of cell")]
    Kind {
        /// The code found.
        code: u8,
    },
    /// Fewer or more cells than the message said.
    #[error("cell block holds fewer cells than its message says: {missing} are missing")]
    Missing {
        /// How many more there should be.
        missing: usize,
    },
}

impl Cell<'_> {
    /// The order of cells in a row: family, qualifier, newest timestamp first, then marks before values.
    ///
    /// HBase's `CellComparatorImpl`, without its tie-break by write order.
    pub fn cmp_in_row(&self, other: &Self) -> Ordering {
        let columns = self.family.cmp(other.family).then_with(|| self.qualifier.cmp(other.qualifier));
        columns.then_with(|| other.ts.cmp(&self.ts)).then_with(|| other.kind.cmp(&self.kind))
    }
}

impl<'a> Cells<'a> {
    /// Cells of bytes that were checked before.
    pub(crate) fn of_checked(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = Cell<'a>;

    fn next(&mut self) -> Option<Cell<'a>> {
        if self.left.is_empty() {
            return None;
        }
        let (cell, len) = read_cell(self.left).expect("the bytes were checked when they came in");
        self.left = &self.left[len..];
        Some(cell)
    }
}

/// The first cell of `bytes` and its length there.
pub(super) fn read_cell(bytes: &[u8]) -> Result<(Cell<'_>, usize), BadCell> {
    let short = |needed| BadCell::Short { needed, left: bytes.len() };
    let (head, _) = bytes.split_first_chunk::<12>().ok_or(short(12))?;
    let [whole, key, value] = [number(head, 0), number(head, 4), number(head, 8)];
    let bad = BadCell::Lengths { whole, key, value };
    let (whole, key, value) = (whole as usize, key as usize, value as usize);
    let tags =
        whole.checked_sub(8).and_then(|n| n.checked_sub(key)?.checked_sub(value)).ok_or(bad.clone())?;
    if key < KEY_OVERHEAD || tags == 1 {
        return Err(bad);
    }
    let body = bytes.get(12..4 + whole).ok_or(short(4 + whole))?;
    let (key, rest) = body.split_at(key);
    let (value, tags) = rest.split_at(value);
    let tags = match tags.split_first_chunk::<2>() {
        None => tags,
        Some((len, tags)) if usize::from(u16::from_be_bytes(*len)) == tags.len() => tags,
        Some(_) => return Err(bad),
    };
    Ok((read_key(key, value, tags).ok_or(bad)??, 4 + whole))
}

/// `None` when the lengths inside the key don't fit into it.
fn read_key<'a>(key: &'a [u8], value: &'a [u8], tags: &'a [u8]) -> Option<Result<Cell<'a>, BadCell>> {
    let (row_len, rest) = key.split_first_chunk::<2>()?;
    let (row, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*row_len)))?;
    let (&family_len, rest) = rest.split_first()?;
    let (family, rest) = rest.split_at_checked(usize::from(family_len))?;
    let (rest, &[code]) = rest.split_last_chunk::<1>()?;
    let (qualifier, ts) = rest.split_last_chunk::<8>()?;
    let Some(kind) = CellKind::from_code(code) else { return Some(Err(BadCell::Kind { code })) };
    Some(Ok(Cell { row, family, qualifier, ts: i64::from_be_bytes(*ts), kind, value, tags }))
}

fn number(bytes: &[u8; 12], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

impl fmt::Debug for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, family, qualifier, ts, kind, value, .. } = self;
        write!(f, "{}/{}:{}/{ts}/{kind:?}=", Escaped(row), Escaped(family), Escaped(qualifier))?;
        write!(f, "{}", Escaped(value))
    }
}
