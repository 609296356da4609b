//! How much of what was written is in memory and in no file yet.
//!
//! The engine by itself keeps up to five tables of 64 MiB in memory for every family. Here one limit holds for all of
//! them: the write that goes beyond it waits until they are in files.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::StoreError;

/// Bytes in memory and in no file, over all tables.
#[derive(Debug)]
pub(super) struct WriteBuffer {
    most_bytes: u64,
    bytes: AtomicU64,
    /// Held while what is in memory goes to files.
    emptying: Mutex<()>,
}

/// What the engine keeps in memory for an entry besides its key and its value: a node of its list, and two pieces of
/// memory.
const ENTRY_BYTES: usize = 128;

/// The engine lets go of what it has written to a file only when it writes the next, so it has twice as much in memory.
const HELD: u64 = 2;

impl WriteBuffer {
    /// A buffer for which the engine takes about `memory_bytes`.
    pub(super) fn new(memory_bytes: u64) -> Self {
        Self { most_bytes: memory_bytes / HELD, bytes: AtomicU64::new(0), emptying: Mutex::new(()) }
    }

    /// Takes note of an entry.
    pub(super) fn add(&self, key: &[u8], value: &[u8]) {
        self.bytes.fetch_add((key.len() + value.len() + ENTRY_BYTES) as u64, Ordering::Relaxed);
    }

    /// Calls `empty` where there is too much. Others that write too much meanwhile wait for it.
    pub(super) fn keep_within(
        &self,
        empty: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if !self.is_full() {
            return Ok(());
        }
        let _emptying = self.emptying.lock().unwrap_or_else(PoisonError::into_inner);
        // Who waited finds it emptied.
        if self.is_full() {
            let bytes = self.bytes.load(Ordering::Relaxed);
            empty()?;
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) >= self.most_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_emptied_when_it_is_full_and_not_before() {
        let (buffer, mut emptied) = (WriteBuffer::new(2_000), 0);
        for _ in 0..20 {
            buffer.add(&[0; 22], &[0; 100]);
            buffer
                .keep_within(|| {
                    emptied += 1;
                    Ok(())
                })
                .unwrap();
        }
        assert_eq!(emptied, 5);
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
                Ok(())
            })
            .unwrap();
        assert!(emptied);
    }
}
