//! Rows in memory, in the order they were added.

use std::fs::File;
use std::hint::black_box;
use std::io;

use keystride::key::sorted_by_key;

use super::packed;
use super::sorted_file::{SortedFile, SortedFileWriter};
use crate::cells::RowImage;

/// Packed rows back to back, with their start offsets.
#[derive(Debug, Default)]
pub(super) struct Block {
    rows: Vec<u8>,
    starts: Vec<u32>,
}

/// The rows of a block in the order of their keys.
#[derive(Debug)]
pub(super) struct OrderedBlock {
    rows: Vec<u8>,
    starts: Vec<u32>,
    /// How many rows have been returned.
    given: usize,
}

/// Number of rows that are loaded into the cache at a time. Sorted rows lie anywhere in memory; so many cache misses
/// overlap.
const ROWS_AHEAD: usize = 16;

const CACHE_LINE_BYTES: usize = 64;

/// Of longer rows only the beginning is loaded ahead, so that sixteen of them fit the cache; the processor itself loads
/// ahead what is read in order.
const LINES_AHEAD: usize = 16;

/// Overhead of a row: its start offset, and 24 bytes while rows are being sorted.
const ROW_BYTES: usize = size_of::<u32>() + 24;

impl Block {
    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether adding a row would exceed `most_bytes`; never if the block is empty.
    pub(super) fn is_full_for(&self, image: &RowImage, most_bytes: usize) -> bool {
        let used = self.rows.len() + self.starts.len() * ROW_BYTES;
        !self.is_empty() && used + packed::most_len(image) + ROW_BYTES > most_bytes
    }

    /// Adds a row. The first one reserves `most_bytes` of memory, or what it takes itself if that is more.
    pub(super) fn push(&mut self, image: &RowImage, most_bytes: usize) -> io::Result<()> {
        if self.is_empty() {
            if self.rows.capacity() > most_bytes {
                self.rows = Vec::new();
            }
            // Reserved memory costs nothing until it is written, whereas growing would temporarily take twice as
            // much.
            self.rows.reserve_exact(most_bytes.max(packed::most_len(image)));
        }
        let start = u32::try_from(self.rows.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        self.starts.push(start);
        packed::write(image, &mut self.rows)
    }

    pub(super) fn into_ordered(mut self) -> OrderedBlock {
        let starts = self.take_order();
        OrderedBlock { rows: self.rows, starts, given: 0 }
    }

    /// Writes all rows to `file` in order and empties the block.
    pub(super) fn write_to(&mut self, file: File) -> io::Result<SortedFile> {
        let mut writer = SortedFileWriter::new(file);
        for starts in self.take_order().chunks(ROWS_AHEAD) {
            prefetch(&self.rows, starts);
            for start in starts {
                writer.push(packed::whole(&self.rows[*start as usize..]))?;
            }
        }
        self.rows.clear();
        writer.finish(0)
    }

    fn take_order(&mut self) -> Vec<u32> {
        let starts = std::mem::take(&mut self.starts);
        sorted_by_key(starts, |start| packed::key(&self.rows[start as usize..]))
    }
}

impl OrderedBlock {
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        let ahead = &self.starts[self.given..];
        if self.given.is_multiple_of(ROWS_AHEAD) {
            prefetch(&self.rows, &ahead[..ahead.len().min(ROWS_AHEAD)]);
        }
        let start = *ahead.first()?;
        self.given += 1;
        Some(&self.rows[start as usize..])
    }
}

/// Loads the rows at these offsets into the cache.
fn prefetch(rows: &[u8], starts: &[u32]) {
    let row = |start: &u32| packed::whole(&rows[*start as usize..]);
    // The lengths first: while they are not known, the loads of what follows them cannot overlap.
    black_box(starts.iter().map(|start| row(start).len()).sum::<usize>());
    let lines = starts.iter().flat_map(|start| row(start).iter().step_by(CACHE_LINE_BYTES).take(LINES_AHEAD));
    black_box(lines.fold(0, |seen, byte| seen ^ byte));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_full_for_a_row_that_does_not_fit_with_its_overhead() {
        let image = RowImage { key: b"key".to_vec(), ..RowImage::default() };
        let row_bytes = packed::most_len(&image) + 28;
        let mut block = Block::default();
        assert!(block.is_empty() && !block.is_full_for(&image, 0), "one row is taken however large it is");
        for rows in 1..=3 {
            block.push(&image, 4 * row_bytes).unwrap();
            assert_eq!(block.rows.capacity(), 4 * row_bytes);
            assert!(!block.is_empty() && !block.is_full_for(&image, (rows + 1) * row_bytes));
            assert!(block.is_full_for(&image, (rows + 1) * row_bytes - 1));
        }
        let sorted = block.write_to(tempfile::tempfile().unwrap()).unwrap();
        assert!(block.is_empty() && block.rows.is_empty());
        assert_eq!(sorted.level(), 0);
    }
}
