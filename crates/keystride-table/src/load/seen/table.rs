//! Rows met lately: a hash table that grows to its share of memory and not beyond.

use super::Met;
use super::run::{ENTRY_BYTES, Entry};

/// Open addressing, at most three quarters full; the keys are digests, so their low bits are scattered as they are.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Entry>,
    len: usize,
    most_slots: usize,
}

const FEWEST_SLOTS: usize = 256;

impl Table {
    /// An empty table that takes up to `memory_bytes`, also while it grows.
    pub(super) fn new(memory_bytes: usize) -> Self {
        // While it grows, the smaller table is still there: three halves of the larger.
        let slots = (memory_bytes / ENTRY_BYTES * 2 / 3).max(FEWEST_SLOTS);
        Self { slots: Vec::new(), len: 0, most_slots: 1 << slots.ilog2() }
    }

    pub(super) fn find(&self, key: u128) -> Option<Met> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot_of(key)];
        slot.met()
    }

    /// Whether it takes no further key.
    pub(super) fn is_full(&self) -> bool {
        self.len >= self.most_slots / 4 * 3
    }

    /// Keeps a row in the place of one of the same key, or besides the others.
    pub(super) fn put(&mut self, met: Met) {
        if self.len >= self.slots.len() / 4 * 3 {
            self.grow();
        }
        let slot = self.slot_of(met.digest.key);
        self.len += usize::from(self.slots[slot].is_empty());
        self.slots[slot] = Entry::of(met);
    }

    /// All rows by their keys. They are no longer found: what is next is to [begin anew](Self::begin_anew).
    pub(super) fn sort(&mut self) -> &[Entry] {
        self.slots.retain(|slot| !slot.is_empty());
        self.slots.sort_unstable_by_key(Entry::key);
        &self.slots
    }

    /// Lets go of all rows, but not of the memory they took: it is soon needed again, and much that is taken and given
    /// back beside other memory leaves holes.
    pub(super) fn begin_anew(&mut self) {
        self.slots.clear();
        self.slots.resize(self.most_slots, Entry::EMPTY);
        self.len = 0;
    }

    /// The slot of a key, or the empty one where it belongs.
    fn slot_of(&self, key: u128) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = low_bits(key) & mask;
        while !self.slots[slot].is_empty() && self.slots[slot].key() != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(FEWEST_SLOTS);
        let before = std::mem::replace(&mut self.slots, vec![Entry::EMPTY; slots]);
        for entry in before.into_iter().filter(|entry| !entry.is_empty()) {
            let slot = self.slot_of(entry.key());
            self.slots[slot] = entry;
        }
    }
}

fn low_bits(key: u128) -> usize {
    key as usize
}
