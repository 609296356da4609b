//! Writing much, without waiting for each change.

mod collected;
mod lane;

use std::hash::{BuildHasher, Hasher, RandomState};

use lane::Lane;

use crate::batch::PutCells;
use crate::{CellTooLarge, Error, Mutation, Table};

/// How a [`Writer`] collects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriterOptions {
    /// Bytes of cells that are collected before they are sent; as many again are on their way
    /// (`hbase.client.write.buffer`).
    pub buffer_bytes: usize,
    /// How many batches are on their way at once.
    pub lanes: usize,
}

/// Collects changes and sends them in batches while more are collected.
///
/// It holds at most twice [`WriterOptions::buffer_bytes`]: when servers take less than comes, [`Self::push`] waits.
/// Changes of one row are made in the order they were pushed. A server that is overloaded gets its changes later, and
/// meanwhile nothing more.
///
/// Changes that could not be made are kept with their reasons until [`Self::failures`] takes them.
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
    /// The options with a change.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Table {
    /// A writer to this table. What is pushed and never flushed may never be written.
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
    /// Takes a change. Waits while too much is on its way.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] and [`Error::BadRequest`] for a change that can't be made; it is not taken then.
    pub async fn push(&mut self, mutation: Mutation) -> Result<(), Error> {
        mutation.check()?;
        let at = self.lane_of(mutation.row());
        self.lanes[at].collected.push(mutation.with_nonce());
        self.send_when_full(at).await;
        Ok(())
    }

    /// Takes a put straight from its cells, without a [`Mutation`] in between, at less cost than [`Self::push`]. Waits as that.
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
        if row.is_empty() || !self.lanes[at].collected.put(row, cells)? {
            // The reason is the one that a mutation would give.
            return Mutation::put(row).check();
        }
        self.send_when_full(at).await;
        Ok(())
    }

    /// Changes of one row go one way.
    fn lane_of(&self, row: &[u8]) -> usize {
        let mut hash = self.hasher.build_hasher();
        hash.write(row);
        let lanes = u64::try_from(self.lanes.len()).expect("there are few");
        usize::try_from(hash.finish() % lanes).expect("it is below a length")
    }

    async fn send_when_full(&mut self, at: usize) {
        let lane = &mut self.lanes[at];
        if lane.collected.byte_count() >= self.lane_bytes {
            lane.send(&mut self.failures).await;
        }
    }

    /// Sends what was collected and waits until all of it is made, or failed.
    pub async fn flush(&mut self) {
        for lane in &mut self.lanes {
            lane.send(&mut self.failures).await;
        }
        for lane in &mut self.lanes {
            lane.settle(&mut self.failures).await;
        }
    }

    /// Takes the changes that could not be made so far, each with its reason.
    pub fn failures(&mut self) -> Vec<(Mutation, Error)> {
        std::mem::take(&mut self.failures)
    }
}
