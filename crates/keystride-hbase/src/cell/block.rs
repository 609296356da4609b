//! The cell block of an answer.

use bytes::Bytes;

use super::read::check_cell;
use super::{BadCell, Cells};

/// A cell block whose cells are taken in order.
///
/// ```
/// # use keystride_hbase::{CellBlock, CellWriter, LATEST};
/// let mut cells = CellWriter::default();
/// cells.put(b"row1", b"cf", b"a", LATEST, b"v1")?;
/// let mut block = CellBlock::new(cells.into_bytes());
/// let row = block.take(1)?;
/// assert_eq!(CellBlock::cells(&row).next().unwrap().value, b"v1");
/// assert!(block.take(1).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct CellBlock {
    left: Bytes,
}

impl CellBlock {
    /// A block of unchecked bytes.
    pub fn new(bytes: Bytes) -> Self {
        Self { left: bytes }
    }

    /// Takes the next `count` cells and checks them.
    ///
    /// # Errors
    ///
    /// [`BadCell`] for too few cells or malformed bytes; then nothing is taken.
    pub fn take(&mut self, count: usize) -> Result<Bytes, BadCell> {
        let mut len = 0;
        for taken in 0..count {
            if len == self.left.len() {
                return Err(BadCell::Missing { missing: count - taken });
            }
            len += check_cell(&self.left[len..])?;
        }
        Ok(self.left.split_to(len))
    }

    /// Takes all remaining cells and checks them.
    ///
    /// # Errors
    ///
    /// [`BadCell`] for malformed bytes; then nothing is taken.
    pub fn take_all(&mut self) -> Result<Bytes, BadCell> {
        let mut len = 0;
        while len < self.left.len() {
            len += check_cell(&self.left[len..])?;
        }
        Ok(std::mem::take(&mut self.left))
    }

    /// Whether all cells were taken.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The cells in bytes returned by [`Self::take`] or [`Self::take_all`].
    ///
    /// # Panics
    ///
    /// Panics for other bytes.
    pub fn cells(checked: &[u8]) -> Cells<'_> {
        Cells::of_checked(checked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Cell, CellKind, CellWriter};

    /// A block from the tests of another client.
    const DOG: &[u8] = b"\x00\x00\x00\x30\x00\x00\x00\x13\x00\x00\x00\x15\x00\x04row7\x02cfa\
        \x00\x00\x01\x5c\x0d\x61\x05\x20\x04Hello my name is Dog.";

    #[test]
    fn a_recorded_cell_is_read_and_written_the_same() {
        let bytes = CellBlock::new(Bytes::from_static(DOG)).take_all().unwrap();
        let cell = CellBlock::cells(&bytes).next().unwrap();
        assert_eq!((cell.row, cell.family, cell.qualifier), (&b"row7"[..], &b"cf"[..], &b"a"[..]));
        assert_eq!((cell.ts, cell.kind), (1_494_873_081_120, CellKind::Put));
        assert_eq!(cell.value, b"Hello my name is Dog.");
        let mut rewritten = CellWriter::default();
        rewritten.push(&cell).unwrap();
        assert_eq!(rewritten.as_bytes(), DOG);
    }

    #[test]
    fn every_cut_of_a_cell_is_an_error() {
        for len in 1..DOG.len() {
            assert!(CellBlock::new(Bytes::from_static(&DOG[..len])).take_all().is_err(), "{len} bytes");
        }
    }

    #[test]
    fn lengths_that_contradict_each_other_are_an_error() {
        let mut bytes = DOG.to_vec();
        bytes[3] = 42;
        let error = CellBlock::new(bytes.into()).take_all().unwrap_err();
        assert_eq!(error, BadCell::Lengths { whole: 42, key: 19, value: 21 });
    }

    #[test]
    fn tags_are_kept_where_the_codec_has_them() {
        let cell = Cell {
            row: b"r",
            family: b"f",
            qualifier: b"",
            ts: 1,
            kind: CellKind::Put,
            value: b"v",
            tags: b"\x00\x02\x41x",
        };
        let mut with = CellWriter::default().with_tags();
        with.push(&cell).unwrap();
        let bytes = CellBlock::new(with.into_bytes()).take(1).unwrap();
        assert_eq!(CellBlock::cells(&bytes).next(), Some(cell));
        let mut without = CellWriter::default();
        without.push(&cell).unwrap();
        assert_eq!(without.len() + 6, bytes.len());
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            if let Ok(checked) = CellBlock::new(bytes.into()).take_all() {
                CellBlock::cells(&checked).count();
            }
        }
    }
}
