//! Several sorted files as one stream.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;

use super::run::{Run, RunReader};

/// Rows of several runs in the order of their keys, of one key those of older runs first.
#[derive(Debug)]
pub(super) struct Merge {
    heads: BinaryHeap<Head>,
    /// Whether the first head's row was given away.
    is_given: bool,
}

/// A run by its next row. The first in a heap is the largest, so the order is turned around.
#[derive(Debug)]
struct Head {
    reader: RunReader,
    age: usize,
}

impl Merge {
    /// Merges runs given oldest first; each reads `buffer_bytes` at a time.
    pub(super) fn new(runs: Vec<Run>, buffer_bytes: usize) -> io::Result<Self> {
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (age, run) in runs.into_iter().enumerate() {
            let mut reader = run.into_reader(buffer_bytes)?;
            if reader.advance()? {
                heads.push(Head { reader, age });
            }
        }
        Ok(Self { heads, is_given: false })
    }

    /// The next row.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if self.is_given {
            self.pass_first()?;
        }
        self.is_given = true;
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
