//! The limit on how much written data is in memory.
//!
//! By default the engine keeps up to five memtables of 64 MiB in memory per family. Here a single limit applies to
//! all families: a write that exceeds it seals the memtables, and workers flush them to files while rows are written
//! to new ones. That write waits if the previously sealed memtables are not in files yet.
//!
//! Flushed data stays in memory while it is being read there: for the duration of any merge of files or scan that
//! started earlier. Memtables are therefore kept smaller while such data exists, and larger when there is none. If
//! merges hold so much that even small memtables would exceed the limit, a write waits for them. Scans are not waited
//! for: whoever reads one may be about to write.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::StoreError;

/// Tracks bytes in memory over all tables.
#[derive(Debug)]
pub(super) struct WriteBuffer {
    most_bytes: u64,
    /// Bytes neither sealed nor in files.
    bytes: AtomicU64,
    /// Data that is sealed or in files, and still in memory. Locked while memtables are sealed.
    flushed: Mutex<AllFlushed>,
}

/// The operations on tables that a buffer needs.
pub(super) trait Tables {
    /// Starts flushing all in-memory data to files, and returns what is being flushed.
    fn seal(&self) -> Result<Vec<Flushed>, StoreError>;

    /// Whether all sealed data is in files.
    fn is_in_files(&self) -> Result<bool, StoreError>;

    /// Waits until all sealed data is in files.
    fn wait_for_files(&self) -> Result<(), StoreError>;

    /// Releases in-memory data that is also in files and that no reader uses.
    fn release(&self) -> Result<(), StoreError>;

    /// Waits a moment if files are being merged; returns whether they were.
    fn wait_for_merges(&self) -> Result<bool, StoreError>;
}

#[derive(Debug, Default)]
struct AllFlushed {
    in_memory: Vec<Flushed>,
    /// Whether nothing was sealed since the engine was last asked to release memory.
    is_released: bool,
}

/// Data of one table that is flushed together and stays in memory for as long as the engine needs it.
#[derive(Debug, Default)]
pub(super) struct Flushed {
    bytes: u64,
    memtables: Vec<Weak<dyn Any + Send + Sync>>,
}

/// Size of the views of a key and a value, which the engine counts in addition to their bytes.
const VIEW_BYTES: u64 = 64;

/// Further overhead of an entry that the engine does not count: the links of its skip list node, and the allocator's.
const NODE_BYTES: u64 = 40;

/// At least this fraction of the limit is flushed at a time, whatever else is in memory: many small files would take
/// long to merge.
const LEAST_PART: u64 = 5;

/// At most this many bytes are flushed at a time: at 64 MiB by its own count, the engine would flush a memtable
/// without this module knowing.
const MOST_ROOM: u64 = 48 << 20;

impl WriteBuffer {
    /// Creates a buffer of about `most_bytes`, of which `bytes` are already in use.
    pub(super) fn new(most_bytes: u64, bytes: u64) -> Self {
        Self { most_bytes, bytes: AtomicU64::new(bytes), flushed: Mutex::default() }
    }

    /// Registers entries whose keys and values have `bytes` bytes in total.
    pub(super) fn add(&self, entries: usize, bytes: u64) {
        let size = bytes + VIEW_BYTES * entries as u64;
        self.bytes.fetch_add(memory_of(size, entries), Ordering::Relaxed);
    }

    /// Seals the in-memory data if it exceeds the limit, after waiting until everything sealed before is in files, and
    /// for merges that leave too little room. Other writers that exceed the limit in the meantime wait.
    pub(super) fn keep_within(&self, tables: &impl Tables) -> Result<(), StoreError> {
        if self.bytes() < self.least_room() {
            return Ok(());
        }
        let mut flushed = self.lock_flushed();
        if flushed.may_go() && tables.is_in_files()? {
            flushed.release(tables)?;
        }
        // Another writer may have made room while this one waited for the lock.
        if !self.is_full(&flushed) {
            return Ok(());
        }
        tables.wait_for_files()?;
        flushed.release(tables)?;
        while flushed.bytes() + 2 * self.least_room() > self.most_bytes && tables.wait_for_merges()? {
            flushed.forget();
        }
        if self.is_full(&flushed) {
            let bytes = self.bytes();
            flushed.add(tables.seal()?);
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Runs `empty`, which flushes one table, and registers what it flushed.
    pub(super) fn note(&self, empty: impl FnOnce() -> Result<Flushed, StoreError>) -> Result<(), StoreError> {
        let mut all_flushed = self.lock_flushed();
        let flushed = empty()?;
        // While the lock is held, others only add to the counter.
        self.bytes.fetch_sub(flushed.bytes.min(self.bytes()), Ordering::Relaxed);
        all_flushed.add([flushed]);
        Ok(())
    }

    fn is_full(&self, flushed: &AllFlushed) -> bool {
        self.bytes() >= self.room(flushed.bytes())
    }

    /// Returns how much may be written while `flushed_bytes` are still in memory: half of the rest, because it stays
    /// in memory while it is flushed and the next part is being written.
    fn room(&self, flushed_bytes: u64) -> u64 {
        (self.most_bytes.saturating_sub(flushed_bytes) / 2).clamp(self.least_room(), MOST_ROOM)
    }

    fn least_room(&self) -> u64 {
        (self.most_bytes / LEAST_PART).min(MOST_ROOM)
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Locks the list of flushed data, after removing what is no longer in memory.
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

    fn bytes(&self) -> u64 {
        self.in_memory.iter().map(|flushed| flushed.bytes).sum()
    }

    /// Whether there is data that the engine has not been asked to release yet.
    fn may_go(&self) -> bool {
        !self.is_released && !self.in_memory.is_empty()
    }

    /// Asks the engine to release flushed data, unless it has been asked already.
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
    /// Adds a memtable that takes `bytes` of memory.
    pub(super) fn add(&mut self, memtable: &Arc<impl Any + Send + Sync>, bytes: u64) {
        let memtable = Arc::downgrade(memtable);
        self.memtables.push(memtable);
        self.bytes += bytes;
    }

    /// Whether any of it is still in memory. The families of a table share allocations, so one memtable keeps all of
    /// them alive.
    pub(super) fn is_in_memory(&self) -> bool {
        self.memtables.iter().any(|memtable| memtable.strong_count() > 0)
    }
}

/// Returns the memory taken by entries whose size by the engine's count is `size`.
pub(super) fn memory_of(size: u64, entries: usize) -> u64 {
    size + NODE_BYTES * entries as u64
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::super::EmbeddedOptions;
    use super::super::fixture::create;
    use super::super::open_store::OpenStore;
    use super::*;
    use crate::{MutationBatch, Write};

    /// Fake tables that record what they were asked to do.
    struct Fake<'a> {
        buffer: &'a WriteBuffer,
        is_in_files: bool,
        /// Whether flushed data is still being read from memory.
        is_read: bool,
        /// How often merges have to be waited for until they are done, if there are any.
        merging: Cell<Option<u32>>,
        in_memory: RefCell<Vec<Arc<()>>>,
        asked: RefCell<Vec<&'static str>>,
    }

    impl<'a> Fake<'a> {
        fn new(buffer: &'a WriteBuffer) -> Self {
            let (in_memory, asked) = (RefCell::default(), RefCell::default());
            Self { buffer, is_in_files: true, is_read: false, merging: Cell::default(), in_memory, asked }
        }

        /// Returns how many entries of 250 bytes are written before they are sealed.
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

        fn wait_for_merges(&self) -> Result<bool, StoreError> {
            let Some(more) = self.merging.get() else { return Ok(false) };
            self.asked.borrow_mut().push("merge");
            self.merging.set(more.checked_sub(1));
            if more == 0 {
                self.in_memory.borrow_mut().clear();
            }
            Ok(true)
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
        tables.asked.take();
        tables.write(13);
        assert_eq!(tables.asked.take(), ["release"], "of what was sealed since");
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
    fn a_write_waits_for_merges_that_leave_too_little_room() {
        let buffer = WriteBuffer::new(16_000, 0);
        let tables = Fake { is_read: true, merging: Cell::new(Some(2)), ..Fake::new(&buffer) };
        assert_eq!([(); 2].map(|()| tables.entries_until_sealed()), [32, 16]);
        assert!(!tables.asked.take().contains(&"merge"), "8,000 bytes are held, and 6,400 fit beside them");
        assert_eq!(tables.entries_until_sealed(), 13 + 19);
        let asked = tables.asked.take();
        assert_eq!(asked.iter().filter(|asked| **asked == "merge").count(), 3);
        assert_eq!(asked.last(), Some(&"seal"), "half of the memory is full, and nothing else is in it");
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
    fn what_one_table_flushed_no_longer_counts() {
        let buffer = WriteBuffer::new(16_000, 3_000);
        let tables = Fake::new(&buffer);
        for (flushed, left) in [(2_000, 1_000), (5_000, 0)] {
            buffer.note(|| Ok(tables.flushed(flushed))).unwrap();
            assert_eq!(buffer.bytes(), left);
        }
    }

    #[test]
    fn no_more_goes_to_one_file_than_the_engine_leaves_alone() {
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
            fn wait_for_merges(&self) -> Result<bool, StoreError> {
                Ok(false)
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
        let [name, _] = ["t", "idle"].map(|name| create(&store, name));
        let write = |row: u32| {
            let mut batch = MutationBatch::new();
            batch.put(&row.to_be_bytes(), b"f", b"q", 1, &[b'v'; 1_000]).unwrap();
            store.write(&name, Write::of(batch)).unwrap();
        };
        // Data visible to a snapshot stays in memory.
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
