//! How much of what was written is in memory.
//!
//! The engine by itself keeps up to five tables of 64 MiB in memory for every family. Here one limit holds for all of
//! them: the write that goes beyond it seals them, and workers bring them to files while rows are written to the next
//! ones. It waits where those that were sealed before are not in files yet.
//!
//! What is in a file stays in memory while somebody may read it there: until the next table goes to a file, and as long
//! as a merge of files lasts, or a scan, that began before. So tables in memory are made smaller while there are such
//! others, and larger when there are none.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::StoreError;

/// Bytes in memory, over all tables.
#[derive(Debug)]
pub(super) struct WriteBuffer {
    most_bytes: u64,
    /// In no file, and not sealed.
    bytes: AtomicU64,
    /// Sealed, or in files too. Locked while what is in memory is sealed.
    flushed: Mutex<Vec<Flushed>>,
}

/// What goes from one table to files at one time, and is in memory for as long as the engine needs it.
#[derive(Debug, Default)]
pub(super) struct Flushed {
    bytes: u64,
    memtables: Vec<Weak<dyn Any + Send + Sync>>,
}

/// What a key and a value take besides their bytes: views of them, which is what the engine counts.
const VIEW_BYTES: u64 = 64;

/// What an entry takes besides: the links of its node in a list, and what the allocator keeps of it.
const NODE_BYTES: u64 = 40;

/// Rows are written in no smaller parts of the limit than this, whatever else is in memory: many small files would be
/// merged for long.
const LEAST_PART: u64 = 5;

/// Nor in larger ones: at 64 MiB by its own count the engine moves rows to a file of which nobody here knows.
const MOST_ROOM: u64 = 48 << 20;

impl WriteBuffer {
    /// A buffer for which the engine takes about `most_bytes`, and has taken `bytes`.
    pub(super) fn new(most_bytes: u64, bytes: u64) -> Self {
        Self { most_bytes, bytes: AtomicU64::new(bytes), flushed: Mutex::default() }
    }

    /// Takes note of an entry.
    pub(super) fn add(&self, key: &[u8], value: &[u8]) {
        let size = (key.len() + value.len()) as u64 + VIEW_BYTES;
        self.bytes.fetch_add(memory_of(size, 1), Ordering::Relaxed);
    }

    /// Calls `seal` where there is too much, which has all of it brought to files, after `settle`, which waits for what was
    /// sealed before. Others that write too much meanwhile wait for both.
    pub(super) fn keep_within(
        &self,
        settle: impl FnOnce() -> Result<(), StoreError>,
        seal: impl FnOnce() -> Result<Vec<Flushed>, StoreError>,
    ) -> Result<(), StoreError> {
        if self.bytes() < self.least_room() {
            return Ok(());
        }
        let mut flushed = self.lock_flushed();
        // Who waited finds room.
        if !self.is_full(&flushed) {
            return Ok(());
        }
        settle()?;
        flushed.retain(Flushed::is_in_memory);
        if self.is_full(&flushed) {
            let bytes = self.bytes();
            flushed.extend(seal()?);
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Takes note of what `empty` brings to files of one table.
    pub(super) fn note(&self, empty: impl FnOnce() -> Result<Flushed, StoreError>) -> Result<(), StoreError> {
        let mut all_flushed = self.lock_flushed();
        let flushed = empty()?;
        // Under the lock others only add.
        self.bytes.fetch_sub(flushed.bytes.min(self.bytes()), Ordering::Relaxed);
        all_flushed.push(flushed);
        Ok(())
    }

    fn is_full(&self, flushed: &[Flushed]) -> bool {
        self.bytes() >= self.room(flushed.iter().map(|flushed| flushed.bytes).sum())
    }

    /// How much may be written while so many bytes are in memory besides: half of the rest, as it stays in memory itself
    /// while the next takes its place.
    fn room(&self, flushed_bytes: u64) -> u64 {
        (self.most_bytes.saturating_sub(flushed_bytes) / 2).clamp(self.least_room(), MOST_ROOM)
    }

    fn least_room(&self) -> u64 {
        (self.most_bytes / LEAST_PART).min(MOST_ROOM)
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// What is sealed or in files, and still in memory.
    fn lock_flushed(&self) -> MutexGuard<'_, Vec<Flushed>> {
        let mut flushed = self.flushed.lock().unwrap_or_else(PoisonError::into_inner);
        flushed.retain(Flushed::is_in_memory);
        flushed
    }
}

impl Flushed {
    /// Adds one of the engine's tables in memory, which takes so many bytes.
    pub(super) fn add(&mut self, memtable: &Arc<impl Any + Send + Sync>, bytes: u64) {
        let memtable = Arc::downgrade(memtable);
        self.memtables.push(memtable);
        self.bytes += bytes;
    }

    /// Families of a table share memory: one of them keeps it all.
    pub(super) fn is_in_memory(&self) -> bool {
        self.memtables.iter().any(|memtable| memtable.strong_count() > 0)
    }
}

/// What entries take in memory that have such a size by the engine's count.
pub(super) fn memory_of(size: u64, entries: usize) -> u64 {
    size + NODE_BYTES * entries as u64
}

#[cfg(test)]
mod tests {
    use keystride::SplitPoints;

    use super::super::EmbeddedOptions;
    use super::super::open_store::OpenStore;
    use super::*;
    use crate::{Family, FamilyName, MutationBatch, TableDescription, TableName, Write};

    /// How many entries of 250 bytes are written before they are sealed; `memtable` has them then.
    fn entries_until_sealed(buffer: &WriteBuffer, memtable: &Arc<()>) -> usize {
        let (mut entries, mut is_sealed) = (0, false);
        while !is_sealed {
            buffer.add(&[0; 46], &[0; 100]);
            entries += 1;
            let seal = || {
                is_sealed = true;
                Ok(vec![flushed(memtable, buffer.bytes())])
            };
            buffer.keep_within(|| Ok(()), seal).unwrap();
        }
        entries
    }

    fn flushed(memtable: &Arc<()>, bytes: u64) -> Flushed {
        let mut flushed = Flushed::default();
        flushed.add(memtable, bytes);
        flushed
    }

    #[test]
    fn rows_are_sealed_when_half_of_the_rest_is_full() {
        let buffer = WriteBuffer::new(16_000, 0);
        let memtables = [(); 4].map(|()| Arc::new(()));
        let entries = memtables.each_ref().map(|memtable| entries_until_sealed(&buffer, memtable));
        assert_eq!(entries, [32, 16, 13, 13], "8,000 bytes, 4,000, then 3,200, and not less");
    }

    #[test]
    fn what_nobody_reads_in_memory_any_more_leaves_room() {
        let buffer = WriteBuffer::new(16_000, 0);
        assert_eq!(entries_until_sealed(&buffer, &Arc::new(())), 32);
        assert_eq!(entries_until_sealed(&buffer, &Arc::new(())), 32);
    }

    #[test]
    fn what_is_there_already_counts_until_it_is_written() {
        let buffer = WriteBuffer::new(16_000, 6_000);
        assert_eq!(entries_until_sealed(&buffer, &Arc::new(())), 8);
        buffer.add(&[0; 46], &[0; 1_850]);
        let memtable = Arc::new(());
        buffer.note(|| Ok(flushed(&memtable, 2_000))).unwrap();
        assert_eq!(entries_until_sealed(&buffer, &memtable), 28, "half of 14,000 bytes");
    }

    #[test]
    fn no_more_goes_to_one_file_than_the_engine_leaves_alone() {
        let buffer = WriteBuffer::new(u64::MAX, 0);
        assert_eq!((buffer.room(0), buffer.least_room()), (MOST_ROOM, MOST_ROOM));
    }

    #[test]
    fn what_could_not_be_sealed_is_tried_again() {
        let buffer = WriteBuffer::new(1, 0);
        buffer.add(b"k", b"");
        assert!(buffer.keep_within(|| Ok(()), || Err(StoreError::Closed)).is_err());
        assert!(buffer.keep_within(|| Err(StoreError::Closed), || Ok(Vec::new())).is_err());
        assert_eq!(entries_until_sealed(&buffer, &Arc::new(())), 1);
    }

    #[test]
    fn nothing_is_sealed_where_memory_comes_free_by_waiting() {
        let buffer = WriteBuffer::new(16_000, 0);
        let first = Arc::new(());
        assert_eq!(entries_until_sealed(&buffer, &first), 32);
        let second = Arc::new(());
        assert_eq!(entries_until_sealed(&buffer, &second), 16, "half of what the first leaves");
        (0..13).for_each(|_| buffer.add(&[0; 46], &[0; 100]));
        let memory_comes_free = || {
            drop(first);
            drop(second);
            Ok(())
        };
        buffer.keep_within(memory_comes_free, || unreachable!("3,250 of 8,000 bytes")).unwrap();
        assert_eq!(entries_until_sealed(&buffer, &Arc::new(())), 32 - 13);
    }

    #[test]
    fn the_rows_of_a_store_are_counted_while_they_are_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let options = EmbeddedOptions { write_buffer_bytes: 100_000, ..EmbeddedOptions::default() };
        let store = OpenStore::open(folder.path(), options.clone(), Arc::default()).unwrap();
        let table = |name| {
            TableDescription::new(TableName::new(name).unwrap(), [Family::new(FamilyName::new("f").unwrap())])
        };
        for name in ["t", "idle"] {
            store.create(table(name), SplitPoints::default()).unwrap();
        }
        let name = table("t").name;
        let write = |row: u32| {
            let mut batch = MutationBatch::new();
            batch.put(&row.to_be_bytes(), b"f", b"q", 1, &[b'v'; 1_000]).unwrap();
            store.write(&name, Write::of(batch)).unwrap();
        };
        // What a snapshot may read stays in memory.
        let snapshot = store.engine.snapshot();
        (0..110).for_each(write);
        let sizes = || {
            store.write_buffer.lock_flushed().iter().map(|flushed| flushed.bytes / 10_000).collect::<Vec<_>>()
        };
        assert_eq!(sizes(), [5, 2, 2, 2], "a half, half of the rest, and a fifth each");
        drop(snapshot);
        (0..110).for_each(write);
        assert!(sizes().iter().sum::<u64>() < 16, "what the snapshot kept is gone: {:?}", sizes());
        store.flush(&name).unwrap();
        assert_eq!(store.write_buffer.bytes(), 0);
        (0..9).for_each(write);
        let bytes = store.write_buffer.bytes();
        drop(store);
        let store = OpenStore::open(folder.path(), options, Arc::default()).unwrap();
        assert_eq!(store.write_buffer.bytes(), bytes, "rows that the journal has");
    }
}
