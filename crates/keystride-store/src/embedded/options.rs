//! How an embedded store is opened.

use std::sync::Arc;
use std::time::Duration;

use crate::{Clock, SystemClock};

/// When a write is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Durability {
    /// When it is on the disk: each batch waits for its own `fdatasync`. Neither a crash of the program nor of the
    /// machine takes back what was acknowledged.
    Batch,
    /// When the operating system has it; the disk follows at the latest so much later. A crash of the program takes
    /// nothing back. When the machine crashes or loses power, what was acknowledged in that last interval may be
    /// gone: always the last batches, none of them in part. [`Store::sync`](crate::Store::sync) waits for the disk.
    Interval(Duration),
}

/// Settings of an embedded store; they may differ each time it is opened.
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
    /// When a write is acknowledged; [`Durability::Batch`] unless said otherwise.
    pub durability: Durability,
    /// What the store asks for the time; the machine's clock unless said otherwise.
    pub clock: Arc<dyn Clock>,
    /// Memory for blocks that were read, in bytes, over all tables; 64 MiB unless said otherwise.
    pub cache_bytes: u64,
    /// Memory for rows that were written lately, in bytes, over all tables; 128 MiB unless said otherwise. A write
    /// beyond it waits until they are in files. It holds too what is in files and still read in memory, by merges of files
    /// say, so that a third to a fifth of it goes to files at a time, 48 MiB at most: the more, the larger the files, and
    /// the less work to merge them. Rows that are written while a scan is open stay in memory beyond it.
    pub write_buffer_bytes: u64,
}

impl Default for EmbeddedOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Batch,
            clock: Arc::new(SystemClock),
            cache_bytes: 64 << 20,
            write_buffer_bytes: 128 << 20,
        }
    }
}
