//! Merges several sorted files into one stream.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;

use super::sorted_file::{SortedFile, SortedFileReader};

/// The rows of several files in key order; rows with the same key are ordered by the age of their files, oldest first.
#[derive(Debug)]
pub(super) struct Merge {
    heads: BinaryHeap<Head>,
    /// Whether the first head's row was returned.
    is_given: bool,
}

/// A file, ordered by its next row. The order is reversed because [`BinaryHeap`] is a max-heap.
#[derive(Debug)]
struct Head {
    reader: SortedFileReader,
    age: usize,
}

impl Merge {
    /// Merges files, given oldest first. Each is read in units of `buffer_bytes`.
    pub(super) fn new(files: Vec<SortedFile>, buffer_bytes: usize) -> io::Result<Self> {
        let mut heads = BinaryHeap::with_capacity(files.len());
        for (age, sorted) in files.into_iter().enumerate() {
            let mut reader = sorted.into_reader(buffer_bytes)?;
            if reader.advance()? {
                heads.push(Head { reader, age });
            }
        }
        Ok(Self { heads, is_given: false })
    }

    /// Returns the next row.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if self.is_given {
            self.pass_first()?;
        }
        self.is_given = true;
        if let Some(mut first) = self.heads.peek_mut()
            && !first.reader.is_complete()
        {
            first.reader.complete()?;
        }
        Ok(self.heads.peek().map(|head| head.reader.row()))
    }

    fn pass_first(&mut self) -> io::Result<()> {
        let Some(mut first) = self.heads.peek_mut() else { return Ok(()) };
        if !first.reader.advance()? {
            PeekMut::pop(first);
        }
        Ok(())
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        other.reader.key().cmp(self.reader.key()).then(other.age.cmp(&self.age))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head {}
