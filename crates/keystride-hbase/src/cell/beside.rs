//! Cells that have the row and the family of one before them.

use std::ops::Range;

use super::write::{MAX_QUALIFIER, MAX_VALUE, tail};
use super::{Cell, CellKind, CellTooLarge, CellWriter};

/// Where in what was written the names of a row and of a family are, each behind its length.
///
/// The cells of a put differ only in the rest: what they share is copied from one to the next in one piece, which
/// takes a third less time than to write each cell whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Names {
    range: Range<usize>,
    family: Range<usize>,
}

/// What comes before them: the lengths of the cell, of its key and of its value.
const LENGTHS: usize = 12;
/// What comes between qualifier and value: the time and the kind.
const TAIL: usize = 9;

impl Names {
    /// Of the cell that begins at `start`.
    #[inline]
    fn at(start: usize, row_len: usize, family_len: usize) -> Self {
        let family = start + LENGTHS + 2 + row_len + 1;
        let end = family + family_len;
        Self { range: start + LENGTHS..end, family: family..end }
    }
}

impl CellWriter {
    /// Appends a value; gives where its names are.
    #[inline]
    pub(crate) fn put_named(
        &mut self,
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        ts: i64,
        value: &[u8],
    ) -> Result<Names, CellTooLarge> {
        let start = self.out.len();
        self.put(row, family, qualifier, ts, value)?;
        Ok(Names::at(start, row.len(), family.len()))
    }

    /// The names of its first cell, whose row has so many bytes; none where it has no cell.
    #[inline]
    pub(crate) fn first_names(&self, row_len: usize) -> Names {
        self.out
            .get(LENGTHS + 2 + row_len)
            .map_or_else(Names::default, |&family| Names::at(0, row_len, family.into()))
    }

    /// Whether names are those of that family; none are not.
    #[inline]
    pub(crate) fn is_family(&self, names: &Names, family: &[u8]) -> bool {
        match (&self.out[names.family.clone()], family) {
            // Most names of families are of one byte, which need no call to be compared.
            ([this], [that]) => this == that,
            (this, that) => this == that && !names.range.is_empty(),
        }
    }

    /// Appends a cell with the row and the family of those names.
    #[inline]
    pub(crate) fn push_beside(
        &mut self,
        names: &Names,
        qualifier: &[u8],
        ts: i64,
        kind: CellKind,
        value: &[u8],
    ) -> Result<(), CellTooLarge> {
        let cell = Cell { row: b"", family: b"", qualifier, ts, kind, value, tags: b"" };
        let lengths = lengths(names, &cell).ok_or_else(|| CellTooLarge::of(&cell, b""))?;
        self.reserve(LENGTHS + names.range.len() + qualifier.len() + TAIL + value.len());
        self.out.extend_from_slice(&lengths);
        self.out.extend_from_within(names.range.clone());
        self.out.extend_from_slice(qualifier);
        self.out.extend_from_slice(&tail(&cell));
        self.out.extend_from_slice(value);
        Ok(())
    }
}

/// `None` where a part is too long.
#[inline]
fn lengths(names: &Names, cell: &Cell<'_>) -> Option<[u8; LENGTHS]> {
    if cell.qualifier.len() > MAX_QUALIFIER || cell.value.len() > MAX_VALUE {
        return None;
    }
    let key = u32::try_from(names.range.len() + cell.qualifier.len() + TAIL).ok()?;
    let value = u32::try_from(cell.value.len()).ok()?;
    let mut lengths = [0; LENGTHS];
    lengths[..4].copy_from_slice(&(8 + key + value).to_be_bytes());
    lengths[4..8].copy_from_slice(&key.to_be_bytes());
    lengths[8..].copy_from_slice(&value.to_be_bytes());
    Some(lengths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Families of no byte, of one and of more, each after each.
    const FAMILIES: [&str; 8] = ["", "", "f", "f", "g", "family", "familz", ""];

    #[test]
    fn what_is_copied_is_what_would_be_written() {
        let (mut whole, mut beside) = (CellWriter::default(), CellWriter::default());
        let mut names = Names::default();
        for (family, value) in FAMILIES.into_iter().zip(["", "1", "22", "333", "4444", "", "6", "7"]) {
            let (family, value) = (family.as_bytes(), value.as_bytes());
            whole.put(b"row", family, value, 7, value).unwrap();
            if beside.is_family(&names, family) {
                beside.push_beside(&names, value, 7, CellKind::Put, value).unwrap();
            } else {
                names = beside.put_named(b"row", family, value, 7, value).unwrap();
            }
        }
        assert_eq!(beside.as_bytes(), whole.as_bytes());
    }

    #[test]
    fn the_first_cell_has_the_names_that_it_was_written_with() {
        let mut cells = CellWriter::default();
        assert!(!cells.is_family(&cells.first_names(0), b""));
        let names = cells.put_named(b"row", b"fam", b"q", 7, b"v").unwrap();
        cells.put(b"row", b"other", b"q", 7, b"v").unwrap();
        assert_eq!(cells.first_names(3), names);
        assert!(cells.is_family(&names, b"fam") && !cells.is_family(&names, b"fan"));
    }

    #[test]
    fn what_is_too_long_leaves_no_trace() {
        let mut cells = CellWriter::default();
        let names = cells.put_named(b"r", b"f", b"q", 7, b"v").unwrap();
        let before = cells.len();
        let long = vec![0; MAX_QUALIFIER + 1];
        let error = cells.push_beside(&names, &long, 7, CellKind::Put, b"v").unwrap_err();
        assert_eq!((error.part, error.len, cells.len()), ("qualifier", long.len(), before));
    }
}
