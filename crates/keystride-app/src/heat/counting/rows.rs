use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use keystride_store::{RowBatch, RowStream, StoreError};

use super::tables::OfTable;

/// The rows of a scan, counted as they come.
pub(super) struct CountingRows {
    pub(super) rows: RowStream,
    pub(super) table: Arc<OfTable>,
}

impl Stream for CountingRows {
    type Item = Result<RowBatch, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.rows.as_mut().poll_next(context);
        if let Poll::Ready(Some(Ok(batch))) = &polled {
            self.table.read(batch);
        }
        polled
    }
}
