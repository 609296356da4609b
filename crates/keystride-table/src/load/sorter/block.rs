//! Rows in memory, in the order they were added.

use std::fs::File;
use std::io;

use keystride::key::sorted_by_key;

use super::packed;
use super::run::{Run, RunWriter};
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
    order: std::vec::IntoIter<u32>,
}

/// Overhead of a row: its start offset, and 16 bytes while rows are being sorted.
const ROW_BYTES: usize = size_of::<u32>() + 16;

impl Block {
    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether adding a row would exceed `most_bytes`; never if the block is empty.
    pub(super) fn is_full_for(&self, image: &RowImage, most_bytes: usize) -> bool {
        let used = self.rows.len() + self.starts.len() * ROW_BYTES;
        !self.is_empty() && used + packed::most_len(image) + ROW_BYTES > most_bytes
    }

    /// Adds a row. The first one reserves `most_bytes` of memory.
    pub(super) fn push(&mut self, image: &RowImage, most_bytes: usize) -> io::Result<()> {
        if self.rows.capacity() == 0 {
            // Reserved memory costs nothing until it is written, whereas growing would temporarily take twice as
            // much.
            self.rows.reserve_exact(most_bytes);
        }
        let start = u32::try_from(self.rows.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        self.starts.push(start);
        packed::write(image, &mut self.rows)
    }

    pub(super) fn into_ordered(mut self) -> OrderedBlock {
        let order = self.take_order().into_iter();
        OrderedBlock { rows: self.rows, order }
    }

    /// Writes all rows to `file` in order and empties the block.
    pub(super) fn write_to(&mut self, file: File) -> io::Result<Run> {
        let mut writer = RunWriter::new(file);
        for start in self.take_order() {
            writer.push(packed::whole(&self.rows[start as usize..]))?;
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
        self.order.next().map(|start| &self.rows[start as usize..])
    }
}
