//! Recently seen rows, in a hash table that grows up to its share of memory.

use super::SeenRow;
use super::sorted_file::{ENTRY_BYTES, Entry};

/// A list of rows, and a hash table of their positions: with four bytes per slot it fits into nearer caches than one
/// of whole rows would. It uses open addressing and is at most three quarters full. The keys are digests, so their
/// low bits are already well distributed.
#[derive(Debug)]
pub(super) struct RecentKeys {
    rows: Vec<Entry>,
    /// The number of a row, below the [`tag`] of its key; or [`EMPTY`].
    slots: Vec<u32>,
    most_slots: usize,
}

const FEWEST_SLOTS: usize = 256;

/// As many as row numbers that fit next to a tag.
const MOST_SLOTS: usize = 1 << NUMBER_BITS;

const NUMBER_BITS: u32 = 24;

/// Size of a slot with its share of the rows, and with its share of the slots that are replaced while the table grows:
/// at that time, only half of the memory for rows is in use.
const GROWING_SLOT_BYTES: usize = size_of::<u32>() + size_of::<u32>() / 2 + ENTRY_BYTES / 4 * 3;

const EMPTY: u32 = 0;

const EVERY_NUMBER: u32 = (1 << NUMBER_BITS) - 1;

impl RecentKeys {
    /// The maximum size of a table in bytes.
    pub(super) const MOST_BYTES: usize = MOST_SLOTS * GROWING_SLOT_BYTES;

    /// Creates an empty table that takes up to `memory_bytes`, even while it grows.
    pub(super) fn new(memory_bytes: usize) -> Self {
        Self { rows: Vec::new(), slots: Vec::new(), most_slots: most_slots(memory_bytes) }
    }

    /// Lets the table take up to `memory_bytes` if `keys` keys then fit into it and it thus gets larger. Returns
    /// whether it does.
    pub(super) fn extend(&mut self, keys: u64, memory_bytes: usize) -> bool {
        let slots = most_slots(memory_bytes);
        let extends = slots > self.most_slots && keys <= most_keys(slots) as u64;
        if extends {
            self.most_slots = slots;
        }
        extends
    }

    pub(super) fn find(&self, key: u128) -> Option<SeenRow> {
        if self.slots.is_empty() {
            return None;
        }
        let held = self.slots[self.slot_of(key)];
        (held != EMPTY).then(|| self.rows[number(held)].seen_row())
    }

    /// Loads the first slot of a key, whatever it contains, so that it is in the cache when the key is looked up.
    #[inline]
    pub(super) fn touch(&self, key: u128) -> u32 {
        let mask = self.slots.len().wrapping_sub(1);
        self.slots.get(low_bits(key) & mask).copied().unwrap_or(EMPTY)
    }

    /// Returns how many keys it takes at most.
    pub(super) fn most_keys(&self) -> usize {
        most_keys(self.most_slots)
    }

    /// Whether the table accepts no further keys.
    pub(super) fn is_full(&self) -> bool {
        self.rows.len() >= self.most_keys()
    }

    /// Adds a row, replacing one with the same key.
    pub(super) fn put(&mut self, seen_row: SeenRow) {
        if self.rows.len() >= most_keys(self.slots.len()) {
            self.grow();
        }
        let slot = self.slot_of(seen_row.digest.key);
        match self.slots[slot] {
            EMPTY => {
                self.slots[slot] = held(seen_row.digest.key, self.rows.len());
                self.rows.push(Entry::of(seen_row));
            }
            held => self.rows[number(held)] = Entry::of(seen_row),
        }
    }

    /// Sorts and returns all rows. Lookups are invalid afterwards, until [`Self::begin_anew`] is called.
    pub(super) fn sort(&mut self) -> &[Entry] {
        self.rows.sort_unstable_by_key(Entry::key);
        &self.rows
    }

    /// Removes all rows but keeps their memory: it will soon be needed again, and repeatedly freeing large blocks
    /// between other allocations causes fragmentation.
    pub(super) fn begin_anew(&mut self) {
        self.rows.clear();
        self.slots.fill(EMPTY);
    }

    /// Returns the slot of a key, or the empty slot where it belongs.
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
        self.rows.reserve_exact(most_keys(slots) - self.rows.len());
        self.slots = vec![EMPTY; slots];
        for row in 0..self.rows.len() {
            let key = self.rows[row].key();
            let slot = self.slot_of(key);
            self.slots[slot] = held(key, row);
        }
    }
}

/// Returns how many slots fit into `memory_bytes`.
fn most_slots(memory_bytes: usize) -> usize {
    1 << (memory_bytes / GROWING_SLOT_BYTES).clamp(FEWEST_SLOTS, MOST_SLOTS).ilog2()
}

/// Returns how many keys a table with so many slots accepts.
fn most_keys(slots: usize) -> usize {
    slots / 4 * 3
}

/// Returns the contents of the slot of a row.
#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer rows than slots, and 24 bits number all slots"
)]
fn held(key: u128, number: usize) -> u32 {
    tag(key) | number as u32
}

/// Returns the row number in a slot.
fn number(held: u32) -> usize {
    (held & EVERY_NUMBER) as usize
}

/// Returns the tag of a key: bits that do not determine its slot, shifted above the row number, and never 0, so that
/// no occupied slot equals [`EMPTY`].
fn tag(key: u128) -> u32 {
    u32::from(((key >> 120) as u8).max(1)) << NUMBER_BITS
}

fn low_bits(key: u128) -> usize {
    key as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::image::RowDigest;
    use crate::load::record_place::RecordPlace;

    #[test]
    fn the_first_key_is_found_whatever_its_bits() {
        for key in [0, 1, (1 << 120) - 1, 1 << 120, u128::MAX] {
            let seen_row =
                SeenRow { digest: RowDigest { key, cells: 5 }, place: RecordPlace { source: 1, line: 2 } };
            let mut recent = RecentKeys::new(1 << 14);
            recent.put(seen_row);
            assert_eq!((recent.find(key), recent.find(key ^ 1)), (Some(seen_row), None));
        }
    }

    #[test]
    fn a_table_is_extended_only_for_keys_that_fit_and_only_to_be_larger() {
        let mut recent = RecentKeys::new(1 << 14);
        let most_bytes = 1 << 20;
        let most = most_keys(most_slots(most_bytes));
        assert!(!recent.extend(most as u64 + 1, most_bytes));
        assert_eq!(recent.most_slots, most_slots(1 << 14));
        assert!(recent.extend(most as u64, most_bytes));
        assert_eq!(recent.most_slots, most_slots(most_bytes));
        assert!(!recent.extend(1, most_bytes) && !recent.extend(1, 1 << 14));
        assert_eq!(recent.most_slots, most_slots(most_bytes));
    }
}
