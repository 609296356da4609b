//! Rows seen long ago, in a few sorted files.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use super::SeenRow;
use crate::load::image::RowDigest;
use crate::load::record_place::RecordPlace;
use crate::load::spill::{ReadOnce, spill_file};

/// Size of a row in a table or a file in bytes.
pub(super) const ENTRY_BYTES: usize = 32;

/// This many files of one level are merged into one of the next level.
const FILES_A_LEVEL: usize = 8;

/// Number of entries per key that is kept in memory.
const ENTRIES_A_FENCE: usize = 512;

/// Number of entries read around the expected position of a key. Digests are uniformly distributed: among 512 entries
/// between two fences, a typical deviation is 11 positions, and it exceeds 32 in one of 200 cases.
const ENTRIES_A_LOOK: usize = 64;

/// Maximum number of fences of a file, however long it is.
const MOST_FENCES: usize = 1 << 14;

/// A row in a table or a file: digest of the key, digest of the cells, place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    key: [u64; 2],
    cells: u64,
    place: u64,
}

/// Files of rows, the newest last.
#[derive(Debug)]
pub(super) struct SortedFiles {
    folder: Option<PathBuf>,
    files: Vec<SortedFile>,
}

#[derive(Debug)]
struct SortedFile {
    file: File,
    len: usize,
    level: u32,
    /// The key of every `spacing`-th entry.
    fences: Vec<u128>,
    spacing: usize,
}

/// Reads a sorted file from its start.
struct Cursor {
    entries: BufReader<ReadOnce>,
    left: usize,
    head: Option<Entry>,
}

/// Writes a sorted file.
struct SortedFileWriter {
    entries: BufWriter<File>,
    len: usize,
    fences: Vec<u128>,
    spacing: usize,
}

impl Entry {
    pub(super) fn of(seen_row: SeenRow) -> Self {
        let key = seen_row.digest.key;
        Self { key: [high(key), low(key)], cells: seen_row.digest.cells, place: seen_row.place.pack() }
    }

    pub(super) fn key(&self) -> u128 {
        u128::from(self.key[0]) << 64 | u128::from(self.key[1])
    }

    pub(super) fn seen_row(&self) -> SeenRow {
        let digest = RowDigest { key: self.key(), cells: self.cells };
        SeenRow { digest, place: RecordPlace::unpack(self.place) }
    }

    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        let words = [self.key[0], self.key[1], self.cells, self.place];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_be_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let word = |at: usize| bytes[8 * at..].first_chunk().map_or(0, |word| u64::from_be_bytes(*word));
        Self { key: [word(0), word(1)], cells: word(2), place: word(3) }
    }
}

impl SortedFiles {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, files: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes rows, sorted by key, as the newest file.
    pub(super) fn add(&mut self, sorted: &[Entry]) -> io::Result<()> {
        let mut writer = SortedFileWriter::new(spill_file(self.folder.as_deref())?, sorted.len());
        for entry in sorted {
            writer.push(*entry)?;
        }
        self.files.push(writer.finish(0)?);
        while self.last_level_is_full() {
            let newest = self.files.split_off(self.files.len() - FILES_A_LEVEL);
            let merged = self.merge(newest)?;
            self.files.push(merged);
        }
        Ok(())
    }

    /// Returns the newest row with this key.
    pub(super) fn find(&mut self, key: u128) -> io::Result<Option<SeenRow>> {
        for sorted in self.files.iter_mut().rev() {
            if let Some(seen_row) = sorted.find(key)? {
                return Ok(Some(seen_row));
            }
        }
        Ok(None)
    }

    #[cfg(test)]
    pub(super) fn file_bytes(&self) -> u64 {
        self.files.iter().map(|sorted| (sorted.len * ENTRY_BYTES) as u64).sum()
    }

    fn last_level_is_full(&self) -> bool {
        let last = self.files.iter().rev();
        let level = self.files.last().map(|sorted| sorted.level);
        last.take_while(|sorted| Some(sorted.level) == level).count() >= FILES_A_LEVEL
    }

    /// Merges several files, given oldest first; of rows with the same key, the newest one is kept.
    fn merge(&self, files: Vec<SortedFile>) -> io::Result<SortedFile> {
        let level = files.last().map_or(0, |sorted| sorted.level) + 1;
        let most = files.iter().map(|sorted| sorted.len).sum();
        let mut writer = SortedFileWriter::new(spill_file(self.folder.as_deref())?, most);
        let mut cursors = files.into_iter().map(SortedFile::into_cursor).collect::<io::Result<Vec<_>>>()?;
        while let Some(least) = cursors.iter().filter_map(|cursor| Some(cursor.head?.key())).min() {
            let mut newest = None;
            for cursor in &mut cursors {
                newest = cursor.take(least)?.or(newest);
            }
            if let Some(entry) = newest {
                writer.push(entry)?;
            }
        }
        writer.finish(level)
    }
}

impl SortedFile {
    fn find(&mut self, key: u128) -> io::Result<Option<SeenRow>> {
        let after = self.fences.partition_point(|fence| *fence <= key);
        let Some(fence) = after.checked_sub(1) else { return Ok(None) };
        let (mut start, mut stop) = (fence * self.spacing, (after * self.spacing).min(self.len));
        while stop - start > ENTRIES_A_FENCE {
            let middle = usize::midpoint(start, stop);
            let entry = self.read(middle, 1)?;
            if entry.first().is_some_and(|entry| entry.key() <= key) { start = middle } else { stop = middle }
        }
        let (first, last) = self.expected(key, fence, start, stop);
        let entries = self.read(first, last - first)?;
        let begins = first == start || entries.first().is_some_and(|entry| entry.key() <= key);
        let ends = last == stop || entries.last().is_some_and(|entry| entry.key() >= key);
        let entries = if begins && ends { entries } else { self.read(start, stop - start)? };
        let found = entries.binary_search_by_key(&key, Entry::key).ok();
        Ok(found.map(|at| entries[at].seen_row()))
    }

    /// Returns a range within `start..stop` around the position at which a key is expected, assuming that keys are
    /// evenly distributed after its fence.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimated position among some hundreds"
    )]
    fn expected(&self, key: u128, fence: usize, start: usize, stop: usize) -> (usize, usize) {
        let low = self.fences[fence];
        let high = self.fences.get(fence + 1).copied().unwrap_or(u128::MAX);
        let share = (key - low) as f64 / (high - low).max(1) as f64;
        let most = self.spacing.min(self.len - fence * self.spacing);
        let place = fence * self.spacing + (share * most as f64) as usize;
        let first = place.saturating_sub(ENTRIES_A_LOOK / 2).clamp(start, stop);
        (first, (first + ENTRIES_A_LOOK).min(stop))
    }

    fn read(&mut self, start: usize, count: usize) -> io::Result<Vec<Entry>> {
        self.file.seek(SeekFrom::Start((start * ENTRY_BYTES) as u64))?;
        let mut bytes = vec![[0; ENTRY_BYTES]; count];
        self.file.read_exact(bytes.as_flattened_mut())?;
        Ok(bytes.iter().map(Entry::from_bytes).collect())
    }

    fn into_cursor(self) -> io::Result<Cursor> {
        let entries = BufReader::with_capacity(1 << 16, ReadOnce::new(self.file)?);
        let mut cursor = Cursor { entries, left: self.len, head: None };
        cursor.advance()?;
        Ok(cursor)
    }
}

impl Cursor {
    /// Takes the head if it has this key.
    fn take(&mut self, key: u128) -> io::Result<Option<Entry>> {
        let head = self.head.filter(|head| head.key() == key);
        if head.is_some() {
            self.advance()?;
        }
        Ok(head)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.head = None;
        if self.left > 0 {
            let mut bytes = [0; ENTRY_BYTES];
            self.entries.read_exact(&mut bytes)?;
            self.left -= 1;
            self.head = Some(Entry::from_bytes(&bytes));
        }
        Ok(())
    }
}

impl SortedFileWriter {
    fn new(file: File, most_entries: usize) -> Self {
        let spacing = ENTRIES_A_FENCE.max(most_entries.div_ceil(MOST_FENCES));
        Self { entries: BufWriter::with_capacity(1 << 16, file), len: 0, fences: Vec::new(), spacing }
    }

    fn push(&mut self, entry: Entry) -> io::Result<()> {
        if self.len.is_multiple_of(self.spacing) {
            self.fences.push(entry.key());
        }
        self.len += 1;
        self.entries.write_all(&entry.to_bytes())
    }

    fn finish(self, level: u32) -> io::Result<SortedFile> {
        let file = self.entries.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(SortedFile { file, len: self.len, level, fences: self.fences, spacing: self.spacing })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only the lower half is wanted")]
fn low(key: u128) -> u64 {
    key as u64
}

fn high(key: u128) -> u64 {
    low(key >> 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_row(key: u128) -> SeenRow {
        SeenRow { digest: RowDigest { key, cells: 5 }, place: RecordPlace { source: 1, line: 2 } }
    }

    #[test]
    fn keys_are_found_however_unevenly_they_lie() {
        let keys: Vec<u128> = (1..=3_000).map(|number: u128| number.pow(9)).collect();
        for spacing in [ENTRIES_A_FENCE, 700] {
            let mut writer = SortedFileWriter::new(spill_file(None).unwrap(), spacing * MOST_FENCES);
            for &key in &keys {
                writer.push(Entry::of(seen_row(key))).unwrap();
            }
            let mut sorted = writer.finish(0).unwrap();
            assert_eq!((sorted.len, sorted.fences.len()), (3_000, 3_000_usize.div_ceil(spacing)));
            for &key in &keys {
                assert_eq!(sorted.find(key).unwrap(), Some(seen_row(key)));
                assert_eq!(sorted.find(key + 1).unwrap(), None);
            }
            assert_eq!([0, u128::MAX].map(|key| sorted.find(key).unwrap()), [None, None]);
        }
    }
}
