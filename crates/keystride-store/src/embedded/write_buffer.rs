//! How much of what was written is in memory.
//!
//! The engine by itself keeps up to five tables of 64 MiB in memory for every family. Here one limit holds for all of
//! them: the write that goes beyond it waits until they are in files.
//!
//! What is in a file stays in memory while somebody may read it there: until the next table goes to a file, and as long
//! as a merge of files lasts, or a scan, that began before. So tables in memory are made smaller while there are such
//! others, and larger when there are none.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, Weak};

use crate::StoreError;

/// Bytes in memory, over all tables.
#[derive(Debug)]
pub(super) struct WriteBuffer {
    most_bytes: u64,
    /// In no file yet.
    bytes: AtomicU64,
    /// In files too. Locked while what is in memory goes to files.
    written: Mutex<Vec<Written>>,
}

/// One of the engine's tables in memory, for as long as the engine needs it.
pub(super) type Memtable = Weak<dyn Any + Send + Sync>;

/// What went to files at one time.
#[derive(Debug)]
struct Written {
    bytes: u64,
    memtables: Vec<Memtable>,
}

/// What the engine keeps in memory for an entry besides its key and its value: a node of its list.
const ENTRY_BYTES: usize = 104;

/// Rows are written in no smaller parts of the limit than this, whatever else is in memory: many small files would be
/// merged for long.
const LEAST_PART: u64 = 8;

impl WriteBuffer {
    /// A buffer for which the engine takes about `most_bytes`.
    pub(super) fn new(most_bytes: u64) -> Self {
        Self { most_bytes, bytes: AtomicU64::new(0), written: Mutex::default() }
    }

    /// Takes note of an entry.
    pub(super) fn add(&self, key: &[u8], value: &[u8]) {
        self.bytes.fetch_add((key.len() + value.len() + ENTRY_BYTES) as u64, Ordering::Relaxed);
    }

    /// Calls `empty` where there is too much, which brings it to files and says what it was in. Others that write too
    /// much meanwhile wait for it.
    pub(super) fn keep_within(
        &self,
        empty: impl FnOnce() -> Result<Vec<Memtable>, StoreError>,
    ) -> Result<(), StoreError> {
        if self.bytes() < self.least_bytes() {
            return Ok(());
        }
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.retain(Written::is_in_memory);
        // Who waited finds it emptied.
        let bytes = self.bytes();
        if bytes >= self.room(written.iter().map(|written| written.bytes).sum()) {
            written.push(Written { bytes, memtables: empty()? });
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        Ok(())
    }

    /// How much may be in no file while so many bytes are in memory besides: half of the rest, as it stays in memory
    /// itself while the next takes its place.
    fn room(&self, written_bytes: u64) -> u64 {
        (self.most_bytes.saturating_sub(written_bytes) / 2).max(self.least_bytes())
    }

    fn least_bytes(&self) -> u64 {
        self.most_bytes / LEAST_PART
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Written {
    fn is_in_memory(&self) -> bool {
        self.memtables.iter().any(|memtable| memtable.strong_count() > 0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const MEMTABLE: fn() -> Arc<dyn Any + Send + Sync> = || Arc::new(());

    /// How many entries of 250 bytes are written before the buffer is emptied; `memtable` has them then.
    fn entries_until_emptied(buffer: &WriteBuffer, memtable: &Arc<dyn Any + Send + Sync>) -> usize {
        let (mut entries, mut emptied) = (0, false);
        while !emptied {
            buffer.add(&[0; 46], &[0; 100]);
            entries += 1;
            let empty = || {
                emptied = true;
                Ok(vec![Arc::downgrade(memtable)])
            };
            buffer.keep_within(empty).unwrap();
        }
        entries
    }

    #[test]
    fn it_is_emptied_when_half_of_the_rest_is_full() {
        let buffer = WriteBuffer::new(16_000);
        let memtables = [(); 4].map(|()| MEMTABLE());
        let entries = memtables.each_ref().map(|memtable| entries_until_emptied(&buffer, memtable));
        assert_eq!(entries, [32, 16, 8, 8], "8,000 bytes, 4,000, 2,000, and not less");
    }

    #[test]
    fn what_nobody_reads_in_memory_any_more_leaves_room() {
        let buffer = WriteBuffer::new(16_000);
        assert_eq!(entries_until_emptied(&buffer, &MEMTABLE()), 32);
        assert_eq!(entries_until_emptied(&buffer, &MEMTABLE()), 32);
    }

    #[test]
    fn what_could_not_be_emptied_is_tried_again() {
        let buffer = WriteBuffer::new(1);
        buffer.add(b"k", b"");
        assert!(buffer.keep_within(|| Err(StoreError::Closed)).is_err());
        let mut emptied = false;
        buffer
            .keep_within(|| {
                emptied = true;
                Ok(Vec::new())
            })
            .unwrap();
        assert!(emptied);
    }
}
