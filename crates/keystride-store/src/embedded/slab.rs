//! Entries that share allocations.
//!
//! The engine keeps keys and values as views into reference-counted memory. Allocating each of them separately would
//! account for most of a write's allocations and would fragment memory when they are freed.

use std::ops::Range;

use byteview::ByteView;

/// Most bytes of a chunk, unless it is a single entry: large enough for many entries, yet a small part of the write
/// buffer.
const PIECE_BYTES: usize = 256 << 10;

/// Chunks larger than this take a multiple of it: in chunks of any size, an allocator leaves gaps between them.
const GRAIN_BYTES: usize = 32 << 10;

/// Collects entries for the engine in chunks.
#[derive(Debug, Default)]
pub(super) struct Slab {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    chunks: Vec<Chunk>,
}

/// Entries that will share one allocation.
///
/// It is allocated only when the entries are passed on, by the thread that writes: next to short-lived allocations it
/// would fragment memory.
#[derive(Debug)]
pub(super) struct Chunk {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// The index of a family in its table, and the ranges of key and value.
#[derive(Debug)]
struct Entry {
    place: usize,
    key: Range<usize>,
    value: Range<usize>,
}

impl Slab {
    /// Adds an entry.
    pub(super) fn add(&mut self, place: usize, key: &[u8], value: &[u8]) {
        if !self.entries.is_empty() && self.bytes.len() + key.len() + value.len() > PIECE_BYTES {
            self.cut();
        }
        let key = self.copy(key);
        let value = self.copy(value);
        self.entries.push(Entry { place, key, value });
    }

    /// Returns all entries in insertion order.
    pub(super) fn into_chunks(mut self) -> Vec<Chunk> {
        if !self.entries.is_empty() {
            self.cut();
        }
        self.chunks
    }

    fn copy(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }

    fn cut(&mut self) {
        let (bytes, entries) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.entries));
        self.chunks.push(Chunk { bytes, entries });
    }
}

impl Chunk {
    /// Applies `change` to all keys, then passes the family index, key and value of each entry to `give`.
    pub(super) fn give(
        mut self,
        change: impl Fn(&mut [u8]),
        mut give: impl FnMut(usize, ByteView, ByteView),
    ) {
        self.entries.iter().for_each(|entry| change(&mut self.bytes[entry.key.clone()]));
        if self.bytes.len() > GRAIN_BYTES {
            self.bytes.resize(self.bytes.len().next_multiple_of(GRAIN_BYTES), 0);
        }
        let view = ByteView::new(&self.bytes);
        for Entry { place, key, value } in self.entries {
            give(place, view.slice(key), view.slice(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each entry as it is given, with `!` for the first byte of its key.
    fn given(slab: Slab) -> Vec<(usize, ByteView, ByteView)> {
        let mut given = Vec::new();
        for chunk in slab.into_chunks() {
            chunk.give(|key| key[0] = b'!', |place, key, value| given.push((place, key, value)));
        }
        given
    }

    #[test]
    fn all_entries_are_given_in_their_order_with_their_keys_changed() {
        let values: Vec<_> =
            [0, 30, PIECE_BYTES, 1, 0].into_iter().zip(0_u8..).map(|(len, byte)| vec![byte; len]).collect();
        let mut slab = Slab::default();
        for (place, value) in values.iter().enumerate() {
            slab.add(place, b"key", value);
        }
        let given: Vec<_> =
            given(slab).iter().map(|(place, key, value)| (*place, key.to_vec(), value.to_vec())).collect();
        let expected = values.into_iter().enumerate().map(|(place, value)| (place, b"!ey".to_vec(), value));
        assert_eq!(given, expected.collect::<Vec<_>>());
    }

    #[test]
    fn few_entries_are_one_piece_of_memory() {
        let mut slab = Slab::default();
        for _ in 0..3 {
            slab.add(0, &[1; 40], &[2; 100]);
        }
        let given = given(slab);
        let counts: Vec<_> =
            given.iter().flat_map(|(_, key, value)| [key.ref_count(), value.ref_count()]).collect();
        assert_eq!(counts, [6; 6]);
    }

    #[test]
    fn no_entries_are_no_piece() {
        assert!(Slab::default().into_chunks().is_empty());
    }
}
