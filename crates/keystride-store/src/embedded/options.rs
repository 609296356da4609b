//! Options of an embedded store.

use std::sync::Arc;
use std::time::Duration;

use crate::{Clock, SystemClock};

/// When a write is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Durability {
    /// After it is on disk: each batch waits for its own `fdatasync`. Acknowledged writes survive a crash of the
    /// program or the machine.
    Batch,
    /// After the operating system has it; it is on disk at most this interval later. Acknowledged writes survive a
    /// crash of the program. If the machine crashes or loses power, writes acknowledged within the last interval may
    /// be lost: always the most recent batches, and only as a whole. [`Store::sync`](crate::Store::sync) waits for
    /// the disk.
    Interval(Duration),
}

/// What a store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Purpose {
    /// Anything.
    #[default]
    Any,
    /// To remove tables or all their rows, also on a full disk: the store gives back the room that it keeps for this,
    /// and merges no files.
    Removal,
}

/// Which threads read the batches of scans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reading {
    /// Threads for work that blocks; after the first few batches, one is read ahead while the caller uses another.
    #[default]
    Ahead,
    /// The thread that polls for a batch, which is blocked meanwhile. For callers that keep all processors busy. Batches
    /// are small enough to be in the processor's caches when they are used.
    InPlace,
}

/// Settings of an embedded store. They may differ each time it is opened.
///
/// ```
/// # use std::time::Duration;
/// # use keystride_store::{Durability, EmbeddedOptions};
/// let quick =
///     EmbeddedOptions { durability: Durability::Interval(Duration::from_millis(200)), ..EmbeddedOptions::default() };
/// assert_eq!(quick.cache_bytes, 64 << 20);
/// ```
#[derive(Debug, Clone)]
pub struct EmbeddedOptions {
    /// When a write is acknowledged. The default is [`Durability::Batch`].
    pub durability: Durability,
    /// What the store is opened for. The default is [`Purpose::Any`].
    pub purpose: Purpose,
    /// Which threads read the batches of scans. The default is [`Reading::Ahead`].
    pub reading: Reading,
    /// The address of the console that opens the store, which others are told meanwhile. The default is none.
    pub console: Option<String>,
    /// The clock of the store. The default is the system clock.
    pub clock: Arc<dyn Clock>,
    /// Memory for cached blocks of all tables, in bytes. The default is 64 MiB.
    pub cache_bytes: u64,
    /// Memory for recently written rows of all tables, in bytes. The default is 128 MiB. A write that exceeds it
    /// waits until earlier rows are in files. Rows that are already in files but still being read from memory, for
    /// example by merges of files, count as well; therefore between a fifth and a half of this memory is flushed at a
    /// time, 48 MiB at most, and a write waits for merges that leave no room for that. The larger this value, the
    /// larger the files and the less work to merge them. Rows written while a scan is open stay in memory in addition,
    /// until it ends or reads nothing while rows are moved to files twice.
    pub write_buffer_bytes: u64,
}

impl Default for EmbeddedOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Batch,
            purpose: Purpose::Any,
            reading: Reading::Ahead,
            console: None,
            clock: Arc::new(SystemClock),
            cache_bytes: 64 << 20,
            write_buffer_bytes: 128 << 20,
        }
    }
}
