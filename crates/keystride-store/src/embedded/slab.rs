//! Entries that share pieces of memory.
//!
//! The engine keeps a key and a value as views of memory that is counted. A piece of memory for each of them is most of
//! what a write asks the allocator for, and leaves holes behind when it goes.

use std::ops::Range;

use byteview::ByteView;

/// From so many bytes on, entries get their memory: many entries, and still a small part of what is written lately.
const PIECE_BYTES: usize = 256 << 10;

/// Entries on their way to the engine, which is what they are given to.
pub(super) struct Slab<T> {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    give: T,
}

/// A family's place in its table, and where key and value are.
struct Entry {
    place: usize,
    key: Range<usize>,
    value: Range<usize>,
}

impl<T: FnMut(usize, ByteView, ByteView)> Slab<T> {
    /// One that gives the place, the key and the value of each entry to `give`, in the order they come in.
    pub(super) fn new(give: T) -> Self {
        Self { bytes: Vec::new(), entries: Vec::new(), give }
    }

    /// Takes an entry, which may be given on at once or later.
    pub(super) fn add(&mut self, place: usize, key: &[u8], value: &[u8]) {
        let key = self.copy(key);
        let value = self.copy(value);
        self.entries.push(Entry { place, key, value });
        if self.bytes.len() >= PIECE_BYTES {
            self.give_on();
        }
    }

    /// Gives on all there still is.
    pub(super) fn finish(mut self) {
        self.give_on();
    }

    fn copy(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }

    fn give_on(&mut self) {
        let piece = ByteView::new(&self.bytes);
        for Entry { place, key, value } in self.entries.drain(..) {
            (self.give)(place, piece.slice(key), piece.slice(value));
        }
        self.bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_entries_are_given_on_in_their_order() {
        let entries: Vec<_> =
            [0, 30, PIECE_BYTES, 1, 0].into_iter().zip(0_u8..).map(|(len, byte)| vec![byte; len]).collect();
        let mut given = Vec::new();
        let mut slab = Slab::new(|place, key: ByteView, value: ByteView| {
            given.push((place, key.to_vec(), value.to_vec()));
        });
        for (place, value) in entries.iter().enumerate() {
            slab.add(place, b"key", value);
        }
        slab.finish();
        let expected = entries.into_iter().enumerate().map(|(place, value)| (place, b"key".to_vec(), value));
        assert_eq!(given, expected.collect::<Vec<_>>());
    }

    #[test]
    fn few_entries_are_one_piece_of_memory() {
        let mut given = Vec::new();
        let mut slab = Slab::new(|_, key, value| given.extend([key, value]));
        for _ in 0..3 {
            slab.add(0, &[1; 40], &[2; 100]);
        }
        slab.finish();
        assert_eq!(given.iter().map(ByteView::ref_count).collect::<Vec<_>>(), [6; 6]);
    }
}
