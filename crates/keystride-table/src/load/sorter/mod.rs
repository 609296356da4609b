//! An external merge sort of rows by key: in memory as long as they fit, then in sorted files that are merged.
//!
//! The sort is stable. A row takes its own bytes and 28 more; [`packed`] is its format in memory and in files,
//! [`block`] holds rows in memory, [`sorted_file`] is a sorted file, and [`merge`] combines several files into one stream.
//! While one block is filled, a separate thread sorts the previous one and writes it to a file.

mod block;
mod merge;
mod packed;
mod sorted_file;

use std::io;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use keystride_store::ColumnNames;

use self::block::{Block, OrderedBlock};
use self::merge::Merge;
use self::sorted_file::{SortedFile, SortedFileWriter};
use super::error::LoadError;

use super::intake::RowSink;
use super::spill::spill_file;
use crate::cells::RowImage;

/// Collects rows to be sorted.
#[derive(Debug)]
pub(super) struct Sorter {
    filling: Block,
    /// The previous block, which is being written to a file and will be returned empty.
    writing: Option<JoinHandle<io::Result<(Block, SortedFile)>>>,
    block_bytes: usize,
    folder: Option<PathBuf>,
    /// Oldest first, with non-increasing levels.
    files: Vec<SortedFile>,
    runs_written: u64,
}

/// Rows in key order.
#[derive(Debug)]
pub(super) struct SortedRows {
    rows: Sorted,
}

#[derive(Debug)]
enum Sorted {
    InMemory(OrderedBlock),
    Merged(Merge),
}

/// Number of blocks: one is filled while the other is sorted and written.
const BLOCKS: usize = 2;

/// Number of files that are merged at a time. With blocks of 64 MiB, up to 32 GiB of rows are merged only once.
const FAN_IN: usize = 512;

impl Sorter {
    /// Creates a sorter that takes about `memory_bytes`, and a quarter of that while it merges.
    pub(super) fn new(memory_bytes: usize, folder: Option<PathBuf>) -> Self {
        let block_bytes = (memory_bytes / BLOCKS).min(1 << 31);
        let (filling, writing, files) = (Block::default(), None, Vec::new());
        Self { filling, writing, block_bytes, folder, files, runs_written: 0 }
    }

    /// Returns how many sorted files were written or are being written.
    pub(super) fn runs_written(&self) -> u64 {
        self.runs_written
    }

    pub(super) fn push(&mut self, image: &RowImage) -> io::Result<()> {
        if self.filling.is_full_for(image, self.block_bytes) {
            self.spill()?;
        }
        self.filling.push(image, self.block_bytes)
    }

    /// Returns all rows in order.
    pub(super) fn finish(mut self) -> io::Result<SortedRows> {
        if self.runs_written == 0 {
            return Ok(SortedRows { rows: Sorted::InMemory(self.filling.into_ordered()) });
        }
        if !self.filling.is_empty() {
            self.spill()?;
        }
        drop(self.settle()?);
        tracing::info!(files = self.files.len(), "sorted files are merged");
        self.filling = Block::default();
        let buffer_bytes = self.buffer_bytes();
        Ok(SortedRows { rows: Sorted::Merged(Merge::new(self.files, buffer_bytes)?) })
    }

    /// Starts sorting the current block and writing it to a file, after the previous one is written.
    fn spill(&mut self) -> io::Result<()> {
        let free = self.settle()?;
        let mut full = std::mem::replace(&mut self.filling, free);
        let file = spill_file(self.folder.as_deref())?;
        let write = move || full.write_to(file).map(|sorted| (full, sorted));
        self.writing = Some(thread::Builder::new().name("keystride-sort".to_owned()).spawn(write)?);
        self.runs_written += 1;
        tracing::info!(files = self.runs_written, "rows exceed the memory: sorted and written to a file");
        Ok(())
    }

    /// Waits until the previous block is written, merges files if there are many, and returns that block.
    fn settle(&mut self) -> io::Result<Block> {
        let Some(writing) = self.writing.take() else { return Ok(Block::default()) };
        let (block, sorted) = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        self.files.push(sorted);
        while self.last_level_is_full() {
            self.merge_last_level()?;
        }
        Ok(block)
    }

    fn last_level_is_full(&self) -> bool {
        let level = self.files.last().map(SortedFile::level);
        self.files.iter().rev().take_while(|sorted| Some(sorted.level()) == level).count() >= FAN_IN
    }

    fn merge_last_level(&mut self) -> io::Result<()> {
        let files = self.files.split_off(self.files.len() - FAN_IN);
        let level = files[0].level() + 1;
        let mut writer = SortedFileWriter::new(spill_file(self.folder.as_deref())?);
        let mut merge = Merge::new(files, self.buffer_bytes())?;
        while let Some(row) = merge.next()? {
            writer.push(row)?;
        }
        self.files.push(writer.finish(level)?);
        Ok(())
    }

    /// Returns the size of the read buffer of each file during a merge.
    fn buffer_bytes(&self) -> usize {
        (self.block_bytes * BLOCKS / 4 / FAN_IN).clamp(1 << 12, 1 << 20)
    }
}

impl RowSink for Sorter {
    fn take(&mut self, image: &RowImage, _: &ColumnNames) -> Result<(), LoadError> {
        self.push(image).map_err(LoadError::Spill)
    }

    fn delete(&mut self, _: &RowImage, _: &[Vec<u8>]) -> Result<(), LoadError> {
        unreachable!("only sources without an end delete rows, and these are not sorted")
    }
}

impl SortedRows {
    /// Reads the next row into `image`; `false` after the last.
    pub(super) fn next(&mut self, image: &mut RowImage) -> io::Result<bool> {
        let row = match &mut self.rows {
            Sorted::InMemory(rows) => rows.next(),
            Sorted::Merged(merge) => merge.next()?,
        };
        let Some(row) = row else { return Ok(false) };
        packed::read(row, image)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use keystride_store::PutCell;

    fn image(key: &[u8], value: &[u8]) -> RowImage {
        let end = u32::try_from(value.len()).unwrap();
        let cells = vec![PutCell { column: 0, end: 0 }, PutCell { column: 7, end }];
        RowImage { key: key.to_vec(), stamp_ms: -5, values: value.to_vec(), cells }
    }

    fn sorted(memory_bytes: usize, rows: &[RowImage]) -> (u64, Vec<RowImage>) {
        let mut sorter = Sorter::new(memory_bytes, None);
        for row in rows {
            sorter.push(row).unwrap();
        }
        let files = sorter.runs_written();
        let (mut ordered, mut image) = (sorter.finish().unwrap(), RowImage::default());
        let mut out = Vec::new();
        while ordered.next(&mut image).unwrap() {
            out.push(image.clone());
        }
        (files, out)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn rows_come_out_by_key_and_then_as_they_came(
            shared in prop::collection::vec(any::<u8>(), 0..4),
            keys in prop::collection::vec(prop::collection::vec(prop_oneof![Just(0), Just(1), any::<u8>()], 1..12), 0..1200),
            memory_bytes in prop_oneof![Just(1), Just(2000), Just(1 << 20)],
            long in 1..40_usize,
        ) {
            let rows = keys.iter().enumerate();
            let value = |at: usize| at.to_string().repeat(if at.is_multiple_of(long * 10) { 5_000 } else { 1 });
            let rows = rows.map(|(at, key)| image(&[&shared[..], key].concat(), value(at).as_bytes()));
            let mut rows: Vec<RowImage> = rows.collect();
            let (files, out) = sorted(memory_bytes, &rows);
            rows.sort_by(|left, right| left.key.cmp(&right.key));
            prop_assert!(memory_bytes > 1 || files + 1 >= rows.len() as u64);
            prop_assert_eq!(out, rows);
        }
    }
}
