//! The latest rows only, for input without an end.

use super::SeenRow;
use super::recent::RecentKeys;

/// As many of the latest keys as fit into memory: two tables, of which the older one is emptied when the newer one is
/// full. So a key is found for at least as many rows as one table holds.
#[derive(Debug)]
pub(in super::super) struct LatestKeys {
    newer: RecentKeys,
    older: RecentKeys,
}

impl LatestKeys {
    /// Creates an empty set that takes up to `memory_bytes`.
    pub(super) fn new(memory_bytes: usize) -> Self {
        let table = || RecentKeys::new((memory_bytes / 2).min(RecentKeys::MOST_BYTES));
        Self { newer: table(), older: table() }
    }

    /// Returns how many of the latest keys are always found.
    pub(super) fn least_count(&self) -> u64 {
        self.newer.most_keys() as u64
    }

    pub(super) fn touch(&self, key: u128) -> u32 {
        self.newer.touch(key) ^ self.older.touch(key)
    }

    pub(super) fn find(&self, key: u128) -> Option<SeenRow> {
        self.newer.find(key).or_else(|| self.older.find(key))
    }

    pub(super) fn put(&mut self, seen_row: SeenRow) {
        if self.newer.is_full() {
            std::mem::swap(&mut self.newer, &mut self.older);
            self.newer.begin_anew();
        }
        self.newer.put(seen_row);
    }
}
