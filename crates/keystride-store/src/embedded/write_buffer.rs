//! How much of what was written is in memory.
//!
//! The engine by itself keeps up to five tables of 64 MiB in memory for every family. Here one limit holds for all of
//! them: the write that goes beyond it seals them, and workers bring them to files while rows are written to the next
//! ones. It waits where those that were sealed before are not in files yet.
//!
//! What is in a file stays in memory while somebody reads it there: as long as a merge of files lasts, or a scan, that
//! began before. So tables in memory are made smaller while there are such others, and larger when there are none.

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
    flushed: Mutex<AllFlushed>,
}

/// What a buffer has done with the rows of its tables.
pub(super) trait Tables {
    /// Has what is in memory brought to files, and returns what that is.
    fn seal(&self) -> Result<Vec<Flushed>, StoreError>;

    /// Whether what was sealed is in files.
    fn is_in_files(&self) -> Result<bool, StoreError>;

    /// Returns when what was sealed is in files.
    fn wait_for_files(&self) -> Result<(), StoreError>;

    /// Lets go of what is in files and also in memory, where nobody reads it there.
    fn release(&self) -> Result<(), StoreError>;
}

#[derive(Debug, Default)]
struct AllFlushed {
    in_memory: Vec<Flushed>,
    /// Nothing was sealed since the engine was asked to let go.
    is_released: bool,
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

    /// Takes note of entries whose keys and values have so many bytes.
    pub(super) fn add(&self, entries: usize, bytes: u64) {
        let size = bytes + VIEW_BYTES * entries as u64;
        self.bytes.fetch_add(memory_of(size, entries), Ordering::Relaxed);
    }

    /// Seals what is in memory where it is too much; what was sealed before is in files then. Others that write too much
    /// meanwhile wait.
    pub(super) fn keep_within(&self, tables: &impl Tables) -> Result<(), StoreError> {
        if self.bytes() < self.least_room() {
            return Ok(());
        }
        let mut flushed = self.lock_flushed();
        if flushed.may_go() && tables.is_in_files()? {
            flushed.release(tables)?;
        }
        // Who waited finds room.
        if !self.is_full(&flushed) {
            return Ok(());
        }
        tables.wait_for_files()?;
        flushed.release(tables)?;
        if self.is_full(&flushed) {
            let bytes = self.bytes();
            flushed.add(tables.seal()?);
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
        all_flushed.add([flushed]);
        Ok(())
    }

    fn is_full(&self, flushed: &AllFlushed) -> bool {
        self.bytes() >= self.room(flushed.in_memory.iter().map(|flushed| flushed.bytes).sum())
    }

    /// How much may be written while so many bytes are in memory besides: half of the rest, as it stays in memory itself
    /// while it goes to a file and the next is written.
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
    fn lock_flushed(&self) -> MutexGuard<'_, AllFlushed> {
        let mut flushed = self.flushed.lock().unwrap_or_else(PoisonError::into_inner);
        flushed.forget();
        flushed
    }
}

impl AllFlushed {
    fn add(&mut self, flushed: impl IntoIterator<Item = Flushed>) {
        self.in_memory.extend(flushed);
        self.is_released = false;
    }

    /// Whether there is anything that the engine was not asked to let go of.
    fn may_go(&self) -> bool {
        !self.is_released && !self.in_memory.is_empty()
    }

    /// Has the engine let go of what is in files, once.
    fn release(&mut self, tables: &impl Tables) -> Result<(), StoreError> {
        if self.may_go() {
            tables.release()?;
            self.is_released = true;
            self.forget();
        }
        Ok(())
    }

    fn forget(&mut self) {
        self.in_memory.retain(Flushed::is_in_memory);
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
    use std::cell::RefCell;

    use keystride::SplitPoints;

    use super::super::EmbeddedOptions;
    use super::super::open_store::OpenStore;
    use super::*;
    use crate::{Family, FamilyName, MutationBatch, TableDescription, TableName, Write};

    /// Tables that tell what they were asked to do.
    struct Fake<'a> {
        buffer: &'a WriteBuffer,
        is_in_files: bool,
        /// Somebody reads what is in files in memory.
        is_read: bool,
        in_memory: RefCell<Vec<Arc<()>>>,
        asked: RefCell<Vec<&'static str>>,
    }

    impl<'a> Fake<'a> {
        fn new(buffer: &'a WriteBuffer) -> Self {
            let (in_memory, asked) = (RefCell::default(), RefCell::default());
            Self { buffer, is_in_files: true, is_read: false, in_memory, asked }
        }

        /// How many entries of 250 bytes are written before they are sealed.
        fn entries_until_sealed(&self) -> usize {
            self.asked.take();
            (1..1_000).find(|_| self.is_asked_by_a_write("seal")).unwrap()
        }

        fn is_asked_by_a_write(&self, what: &str) -> bool {
            self.write(1);
            self.asked.borrow().contains(&what)
        }

        fn write(&self, entries: usize) {
            for _ in 0..entries {
                self.buffer.add(1, 146);
                self.buffer.keep_within(self).unwrap();
            }
        }

        fn flushed(&self, bytes: u64) -> Flushed {
            let (memtable, mut flushed) = (Arc::new(()), Flushed::default());
            flushed.add(&memtable, bytes);
            self.in_memory.borrow_mut().push(memtable);
            flushed
        }
    }

    impl Tables for Fake<'_> {
        fn seal(&self) -> Result<Vec<Flushed>, StoreError> {
            self.asked.borrow_mut().push("seal");
            Ok(vec![self.flushed(self.buffer.bytes())])
        }

        fn is_in_files(&self) -> Result<bool, StoreError> {
            Ok(self.is_in_files)
        }

        fn wait_for_files(&self) -> Result<(), StoreError> {
            self.asked.borrow_mut().push("wait");
            Ok(())
        }

        fn release(&self) -> Result<(), StoreError> {
            self.asked.borrow_mut().push("release");
            self.in_memory.borrow_mut().retain(|_| self.is_read);
            Ok(())
        }
    }

    #[test]
    fn rows_are_sealed_when_half_of_the_rest_is_full() {
        let buffer = WriteBuffer::new(16_000, 0);
        let tables = Fake { is_read: true, ..Fake::new(&buffer) };
        let entries = [(); 4].map(|()| tables.entries_until_sealed());
        assert_eq!(entries, [32, 16, 13, 13], "8,000 bytes, 4,000, then 3,200, and not less");
    }

    #[test]
    fn what_is_in_files_leaves_room_as_soon_as_nobody_reads_it() {
        let buffer = WriteBuffer::new(16_000, 0);
        let mut tables = Fake { is_in_files: false, ..Fake::new(&buffer) };
        assert_eq!(tables.entries_until_sealed(), 32);
        assert_eq!(tables.asked.take(), ["wait", "seal"]);
        tables.write(15);
        assert!(tables.asked.take().is_empty(), "3,750 of 4,000 bytes, and a worker still writes");
        tables.is_in_files = true;
        tables.write(1);
        assert_eq!(tables.asked.take(), ["release"]);
        assert_eq!(tables.entries_until_sealed(), 32 - 16, "nothing else is in memory");
    }

    #[test]
    fn a_write_waits_where_rows_come_sooner_than_they_go_to_files() {
        let buffer = WriteBuffer::new(16_000, 0);
        let tables = Fake { is_in_files: false, ..Fake::new(&buffer) };
        assert_eq!(tables.entries_until_sealed(), 32);
        tables.asked.take();
        tables.write(16);
        assert_eq!(tables.asked.take(), ["wait", "release"], "4,000 of 8,000 bytes are no more too much");
    }

    #[test]
    fn what_is_there_already_counts_until_it_is_written() {
        let buffer = WriteBuffer::new(16_000, 6_000);
        let tables = Fake { is_read: true, ..Fake::new(&buffer) };
        assert_eq!(tables.entries_until_sealed(), 8);
        tables.in_memory.take();
        buffer.add(1, 1_896);
        buffer.note(|| Ok(tables.flushed(2_000))).unwrap();
        assert_eq!(tables.entries_until_sealed(), 28, "half of 14,000 bytes");
    }

    #[test]
    fn no_more_goes_to_one_file_than_the_engine_leaves_exclusive() {
        let buffer = WriteBuffer::new(u64::MAX, 0);
        assert_eq!((buffer.room(0), buffer.least_room()), (MOST_ROOM, MOST_ROOM));
    }

    #[test]
    fn what_could_not_be_sealed_is_tried_again() {
        struct Broken;
        impl Tables for Broken {
            fn seal(&self) -> Result<Vec<Flushed>, StoreError> {
                Err(StoreError::Closed)
            }
            fn is_in_files(&self) -> Result<bool, StoreError> {
                Ok(true)
            }
            fn wait_for_files(&self) -> Result<(), StoreError> {
                Ok(())
            }
            fn release(&self) -> Result<(), StoreError> {
                Ok(())
            }
        }
        let buffer = WriteBuffer::new(1, 0);
        buffer.add(1, 1);
        assert!(buffer.keep_within(&Broken).is_err());
        assert_eq!(Fake::new(&buffer).entries_until_sealed(), 1);
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
            let flushed = store.write_buffer.lock_flushed();
            flushed.in_memory.iter().map(|flushed| flushed.bytes / 10_000).collect::<Vec<_>>()
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
