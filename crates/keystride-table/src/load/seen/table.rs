//! Rows met lately: a hash table that grows to its share of memory and not beyond.

use super::Met;
use super::run::{ENTRY_BYTES, Entry};

/// Rows one after the other, and a hash table that tells where: with four bytes a slot it stays near the processor,
/// where one of whole rows would not. Open addressing, at most three quarters full; the keys are digests, so their low
/// bits are scattered as they are.
#[derive(Debug)]
pub(super) struct Table {
    rows: Vec<Entry>,
    /// The number of a row, below the [`tag`] of its key; or [`EMPTY`].
    slots: Vec<u32>,
    most_slots: usize,
}

const FEWEST_SLOTS: usize = 256;

/// As many as there are numbers below a tag.
const MOST_SLOTS: usize = 1 << NUMBER_BITS;

const NUMBER_BITS: u32 = 24;

/// A slot and its share of the rows.
const SLOT_BYTES: usize = size_of::<u32>() + ENTRY_BYTES / 4 * 3;

const EMPTY: u32 = 0;

const EVERY_NUMBER: u32 = (1 << NUMBER_BITS) - 1;

impl Table {
    /// No table takes more.
    pub(super) const MOST_BYTES: usize = MOST_SLOTS * SLOT_BYTES / 2 * 3;

    /// An empty table that takes up to `memory_bytes`, also while it grows.
    pub(super) fn new(memory_bytes: usize) -> Self {
        // While it grows, the smaller table is still there: three halves of the larger.
        let slots = (memory_bytes / SLOT_BYTES * 2 / 3).clamp(FEWEST_SLOTS, MOST_SLOTS);
        Self { rows: Vec::new(), slots: Vec::new(), most_slots: 1 << slots.ilog2() }
    }

    pub(super) fn find(&self, key: u128) -> Option<Met> {
        if self.slots.is_empty() {
            return None;
        }
        let held = self.slots[self.slot_of(key)];
        (held != EMPTY).then(|| self.rows[number(held)].met())
    }

    /// What the first slot for a key holds, whatever its key: so that it is near when the key is looked for.
    #[inline]
    pub(super) fn touch(&self, key: u128) -> u32 {
        let mask = self.slots.len().wrapping_sub(1);
        self.slots.get(low_bits(key) & mask).copied().unwrap_or(EMPTY)
    }

    /// Whether it takes no further key.
    pub(super) fn is_full(&self) -> bool {
        self.rows.len() >= self.most_slots / 4 * 3
    }

    /// Keeps a row in the place of one of the same key, or besides the others.
    pub(super) fn put(&mut self, met: Met) {
        if self.rows.len() >= self.slots.len() / 4 * 3 {
            self.grow();
        }
        let slot = self.slot_of(met.digest.key);
        match self.slots[slot] {
            EMPTY => {
                self.slots[slot] = held(met.digest.key, self.rows.len());
                self.rows.push(Entry::of(met));
            }
            held => self.rows[number(held)] = Entry::of(met),
        }
    }

    /// All rows by their keys. They are no longer found: what is next is to [begin anew](Self::begin_anew).
    pub(super) fn sort(&mut self) -> &[Entry] {
        self.rows.sort_unstable_by_key(Entry::key);
        &self.rows
    }

    /// Lets go of all rows, but not of the memory they took: it is soon needed again, and much that is taken and given
    /// back beside other memory leaves holes.
    pub(super) fn begin_anew(&mut self) {
        self.rows.clear();
        self.slots.fill(EMPTY);
    }

    /// The slot of a key, or the empty one where it belongs.
    fn slot_of(&self, key: u128) -> usize {
        let (mask, tag) = (self.slots.len() - 1, tag(key));
        let is_of_key = |held: u32| held & !EVERY_NUMBER == tag && self.rows[number(held)].key() == key;
        let mut slot = low_bits(key) & mask;
        while self.slots[slot] != EMPTY && !is_of_key(self.slots[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(FEWEST_SLOTS);
        self.rows.reserve_exact(slots / 4 * 3 - self.rows.len());
        self.slots = vec![EMPTY; slots];
        for row in 0..self.rows.len() {
            let key = self.rows[row].key();
            let slot = self.slot_of(key);
            self.slots[slot] = held(key, row);
        }
    }
}

/// What a slot holds of a row.
#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer rows than slots, and numbers for all of these"
)]
fn held(key: u128, number: usize) -> u32 {
    tag(key) | number as u32
}

/// The number of the row that a slot holds.
fn number(held: u32) -> usize {
    (held & EVERY_NUMBER) as usize
}

/// Bits of a key that do not choose its slot, in place above a number; not 0, so that no slot with a row is [`EMPTY`].
fn tag(key: u128) -> u32 {
    u32::from(((key >> 120) as u8).max(1)) << NUMBER_BITS
}

fn low_bits(key: u128) -> usize {
    key as usize
}
