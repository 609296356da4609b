//! Buffered writes.

mod buffer;
mod lane;

use std::hash::{BuildHasher, Hasher, RandomState};

use lane::Lane;

use crate::batch::PutCells;
use crate::{CellTooLarge, Error, Mutation, Table};

/// Options of a [`Writer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriterOptions {
    /// Size of the cells to buffer before they are sent, in bytes (`hbase.client.write.buffer`). As many again may be
    /// in flight.
    pub buffer_bytes: usize,
    /// Maximum number of batches in flight.
    pub lanes: usize,
}

/// Buffers changes and sends them in batches in the background.
///
/// It holds at most twice [`WriterOptions::buffer_bytes`]: if servers are slower than the caller, [`Self::push`] waits.
/// Changes of the same row are made in the order in which they were pushed. An overloaded server gets its next changes
/// after a pause.
///
/// Changes that failed are kept with their errors until [`Self::failures`] takes them.
///
/// ```no_run
/// # use keystride_hbase::*;
/// # async fn write(table: Table) -> Result<(), Error> {
/// let mut writer = table.writer(WriterOptions::default());
/// for at in 0..100_000_i64 {
///     writer.push(Mutation::put(format!("row{at}")).value_at("cf", "n", 1, at.to_string())).await?;
/// }
/// writer.flush().await;
/// for (mutation, error) in writer.failures() {
///     eprintln!("{:?}: {error}", mutation.row());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Writer {
    lanes: Vec<Lane>,
    hasher: RandomState,
    lane_bytes: usize,
    failures: Vec<(Mutation, Error)>,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self { buffer_bytes: 8 << 20, lanes: 4 }
    }
}

impl WriterOptions {
    /// The options after a change.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Table {
    /// A writer to this table. Without a flush, pushed changes may never be written.
    pub fn writer(&self, options: WriterOptions) -> Writer {
        let lanes = options.lanes.max(1);
        Writer {
            lanes: (0..lanes).map(|_| Lane::new(self.clone())).collect(),
            hasher: RandomState::new(),
            lane_bytes: (options.buffer_bytes / lanes).max(1),
            failures: Vec::new(),
        }
    }
}

impl Writer {
    /// Adds a change. Waits while too much is in flight.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] and [`Error::BadRequest`] for an invalid change, which is not added.
    pub async fn push(&mut self, mutation: Mutation) -> Result<(), Error> {
        mutation.check()?;
        let at = self.lane_of(mutation.row());
        self.lanes[at].buffer.push(mutation.with_nonce());
        self.send_when_full(at).await;
        Ok(())
    }

    /// Adds a put whose cells are written directly, without a [`Mutation`]: cheaper than [`Self::push`]. Waits like it.
    ///
    /// # Errors
    ///
    /// As [`Self::push`].
    pub async fn put(
        &mut self,
        row: &[u8],
        cells: impl FnOnce(&mut PutCells<'_>) -> Result<(), CellTooLarge>,
    ) -> Result<(), Error> {
        let at = self.lane_of(row);
        if row.is_empty() || !self.lanes[at].buffer.put(row, cells)? {
            // The error is the same as for a mutation.
            return Mutation::put(row).check();
        }
        self.send_when_full(at).await;
        Ok(())
    }

    /// All changes of a row go through the same lane.
    fn lane_of(&self, row: &[u8]) -> usize {
        let mut hash = self.hasher.build_hasher();
        hash.write(row);
        let lanes = u64::try_from(self.lanes.len()).expect("there are few");
        usize::try_from(hash.finish() % lanes).expect("it is below a length")
    }

    async fn send_when_full(&mut self, at: usize) {
        let lane = &mut self.lanes[at];
        if lane.buffer.byte_count() >= self.lane_bytes {
            lane.send(&mut self.failures).await;
        }
    }

    /// Sends what is buffered, and waits until everything in flight is written or has failed.
    pub async fn flush(&mut self) {
        for lane in &mut self.lanes {
            lane.send(&mut self.failures).await;
        }
        for lane in &mut self.lanes {
            lane.settle(&mut self.failures).await;
        }
    }

    /// Takes the changes that have failed so far, with their errors.
    pub fn failures(&mut self) -> Vec<(Mutation, Error)> {
        std::mem::take(&mut self.failures)
    }
}
