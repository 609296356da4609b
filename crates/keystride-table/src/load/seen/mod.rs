//! The keys of a load seen so far: an exact set in bounded memory, whatever the number of keys.
//!
//! The [`recent`] keys are in a table. Once it is full, it is sorted and written to a file; from then on, a Bloom
//! [`filter`] excludes most keys that are in no file, and the others are looked up in the files ([`sorted_file`]). If all keys
//! to come fit into memory, the table takes them all instead. A key takes 32 bytes, and in the table up to eleven more.

mod filter;
mod latest;
mod recent;
mod sorted_file;

use std::hint::black_box;
use std::io;
use std::path::PathBuf;

use self::filter::Filters;
use self::latest::LatestKeys;
use self::recent::RecentKeys;
use self::sorted_file::SortedFiles;
use super::image::RowDigest;
use super::record_place::RecordPlace;

/// The keys seen so far, each with the cell digest and the place of the row that counts.
#[derive(Debug)]
pub(super) enum Seen {
    /// All of them.
    All(Box<AllKeys>),
    /// Those of the latest rows.
    Latest(LatestKeys),
}

/// All keys so far.
#[derive(Debug)]
pub(super) struct AllKeys {
    memory_bytes: usize,
    recent: RecentKeys,
    filters: Filters,
    files: SortedFiles,
}

/// A row that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeenRow {
    pub(super) digest: RowDigest,
    pub(super) place: RecordPlace,
}

impl Seen {
    /// Creates an empty set that keeps all keys, see [`AllKeys::new`].
    pub(super) fn all(memory_bytes: usize, folder: Option<PathBuf>) -> Self {
        Self::All(Box::new(AllKeys::new(memory_bytes, folder)))
    }

    /// Creates an empty set that forgets early keys, so that it never takes more than `memory_bytes`.
    pub(super) fn latest(memory_bytes: usize) -> Self {
        Self::Latest(LatestKeys::new(memory_bytes))
    }

    /// Returns among how many of the latest rows a key is always found; `None` if among all.
    pub(super) fn latest_count(&self) -> Option<u64> {
        match self {
            Self::All(_) => None,
            Self::Latest(keys) => Some(keys.least_count()),
        }
    }

    /// Sets the estimated number of keys, see [`AllKeys::expect`].
    pub(super) fn expect(&mut self, keys: u64) {
        if let Self::All(all) = self {
            all.expect(keys);
        }
    }

    /// Prefetches the entries of these keys, so that their cache misses overlap.
    pub(super) fn prefetch(&self, keys: impl Iterator<Item = u128>) {
        match self {
            Self::All(all) => all.prefetch(keys),
            Self::Latest(latest) => {
                black_box(keys.fold(0, |seen, key| seen ^ latest.touch(key)));
            }
        }
    }

    /// Returns the row with this key, if it was seen.
    pub(super) fn find(&mut self, key: u128) -> io::Result<Option<SeenRow>> {
        match self {
            Self::All(all) => all.find(key),
            Self::Latest(latest) => Ok(latest.find(key)),
        }
    }

    /// Adds a row, which replaces an earlier one with the same key.
    pub(super) fn keep(&mut self, seen_row: SeenRow) -> io::Result<()> {
        match self {
            Self::All(all) => all.keep(seen_row),
            Self::Latest(latest) => {
                latest.put(seen_row);
                Ok(())
            }
        }
    }
}

impl AllKeys {
    /// Creates an empty set. A quarter of `memory_bytes` is for the table, up to the size it can use, or three quarters
    /// if it then has all keys; the rest is for the filters, which save more reads the more keys there are.
    fn new(memory_bytes: usize, folder: Option<PathBuf>) -> Self {
        let table_bytes = (memory_bytes / 4).min(RecentKeys::MOST_BYTES);
        Self {
            memory_bytes,
            recent: RecentKeys::new(table_bytes),
            filters: Filters::new(memory_bytes - table_bytes),
            files: SortedFiles::new(folder),
        }
    }

    /// Sets the estimated number of keys, which keeps the filters from being larger than necessary, and keys that all
    /// fit into memory from being written to files.
    fn expect(&mut self, keys: u64) {
        self.filters.expect(keys);
    }

    fn prefetch(&self, keys: impl Iterator<Item = u128>) {
        black_box(keys.fold(0, |seen, key| seen ^ self.recent.touch(key) ^ self.filters.touch(key)));
    }

    fn find(&mut self, key: u128) -> io::Result<Option<SeenRow>> {
        if let Some(seen_row) = self.recent.find(key) {
            return Ok(Some(seen_row));
        }
        if self.files.is_empty() || !self.filters.may_hold(key) { Ok(None) } else { self.files.find(key) }
    }

    fn keep(&mut self, seen_row: SeenRow) -> io::Result<()> {
        if self.recent.is_full() && !self.makes_room() {
            let sorted = self.recent.sort();
            for entry in sorted {
                self.filters.add(entry.key());
            }
            let added = self.files.add(sorted);
            self.recent.begin_anew();
            added?;
        }
        self.recent.put(seen_row);
        Ok(())
    }

    /// Extends the full table if all keys are expected to fit into it. The filters, which will not be needed then, keep
    /// a quarter of the memory, in case there are more.
    fn makes_room(&mut self) -> bool {
        let most_bytes = self.memory_bytes / 4 * 3;
        let extends = self.files.is_empty()
            && self.filters.expected_keys().is_some_and(|keys| self.recent.extend(keys, most_bytes));
        if extends {
            self.filters.limit(self.memory_bytes - most_bytes);
        }
        extends
    }

    /// Bytes in files.
    #[cfg(test)]
    fn file_bytes(&self) -> u64 {
        self.files.file_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;

    fn seen_row(key: u64, cells: u64, line: u64) -> SeenRow {
        let digest = RowDigest { key: xxh3_128(&key.to_be_bytes()), cells };
        SeenRow { digest, place: RecordPlace { source: 3, line } }
    }

    #[test]
    fn every_key_of_many_runs_is_found_and_no_other() {
        const KEYS: u64 = 200_000;
        let mut seen = AllKeys::new(1 << 16, None);
        seen.expect(1000);
        for key in 0..KEYS {
            seen.keep(seen_row(key, key, key + 1)).unwrap();
        }
        assert!(seen.file_bytes() >= KEYS * 32 * 9 / 10);
        for key in (0..KEYS).step_by(7) {
            assert_eq!(seen.find(seen_row(key, 0, 1).digest.key).unwrap(), Some(seen_row(key, key, key + 1)));
        }
        for key in KEYS..KEYS + 10_000 {
            assert_eq!(seen.find(seen_row(key, 0, 1).digest.key).unwrap(), None);
        }
    }

    #[test]
    fn keys_stay_in_memory_where_all_fit() {
        const FIT: u64 = 3 << 12;
        let file_bytes =
            |expected, keys| {
                let mut seen = AllKeys::new(1 << 20, None);
                seen.expect(expected);
                (0..keys).for_each(|key| seen.keep(seen_row(key, key, key + 1)).unwrap());
                assert!((0..keys).all(|key| seen.find(seen_row(key, 0, 1).digest.key).unwrap()
                    == Some(seen_row(key, key, key + 1))));
                seen.file_bytes()
            };
        assert_eq!(file_bytes(FIT, FIT), 0);
        assert_eq!(file_bytes(FIT, FIT + 1), FIT * 32, "one more than fit, though they were not expected");
        assert_eq!(file_bytes(FIT + 1, FIT), FIT / 2 * 32, "half of them fit into a quarter of the memory");
    }

    #[test]
    fn the_latest_keys_are_found_in_bounded_memory() {
        const BYTES: usize = 1 << 16;
        let mut seen = Seen::latest(BYTES);
        let latest = seen.latest_count().unwrap();
        assert!(latest * 2 * 32 <= BYTES as u64 && latest > 300, "{latest}");
        for key in 0..10 * latest {
            seen.keep(seen_row(key, key, key + 1)).unwrap();
            let oldest = (key + 1).saturating_sub(latest);
            assert_eq!(
                seen.find(seen_row(oldest, 0, 1).digest.key).unwrap(),
                Some(seen_row(oldest, oldest, oldest + 1))
            );
        }
        assert_eq!(seen.find(seen_row(0, 0, 1).digest.key).unwrap(), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_row_kept_last_counts(rows in prop::collection::vec((0..3000_u64, any::<u64>()), 1..20_000)) {
            let mut seen = AllKeys::new(1 << 14, None);
            let mut model = BTreeMap::new();
            for (line, (key, cells)) in (1..).zip(rows) {
                let row = seen_row(key, cells, line);
                prop_assert_eq!(seen.find(row.digest.key).unwrap(), model.get(&row.digest.key).copied());
                seen.keep(row).unwrap();
                model.insert(row.digest.key, row);
            }
        }
    }
}
