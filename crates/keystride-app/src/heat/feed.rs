//! Columns as they come.

use std::sync::Arc;

use keystride_heat::live::Column;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, channel};

/// The columns of a watch from now on. Who is slow loses columns, and takes no more memory.
#[derive(Debug)]
pub struct HeatFeed(Receiver<Arc<Column>>);

/// What a [`HeatFeed`] gives.
#[derive(Debug, Clone, PartialEq)]
pub enum HeatUpdate {
    /// The next column.
    Column(Arc<Column>),
    /// So many columns are lost: they came faster than they were taken. [`HeatWatch::view`](super::HeatWatch::view) has
    /// them.
    Missed(u64),
}

/// Columns that wait for the slowest.
pub(super) const WAITING: usize = 16;

impl HeatFeed {
    pub(super) fn new(receiver: Receiver<Arc<Column>>) -> Self {
        Self(receiver)
    }

    /// A feed without columns.
    pub(super) fn ended() -> Self {
        Self(channel(1).1)
    }

    /// Waits for the next column. `None` when the watch has ended: it was stopped, the store was closed or the table is
    /// gone.
    ///
    /// The future may be dropped; no column is lost by that.
    pub async fn next(&mut self) -> Option<HeatUpdate> {
        match self.0.recv().await {
            Ok(column) => Some(HeatUpdate::Column(column)),
            Err(RecvError::Lagged(count)) => Some(HeatUpdate::Missed(count)),
            Err(RecvError::Closed) => None,
        }
    }
}
