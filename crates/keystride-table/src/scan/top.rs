//! The first few rows by a time field that rows are not stored in order of.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use futures_util::TryStreamExt;
use keystride::Row;
use keystride_store::RowStream;

use super::gather::Gatherer;
use super::prepare::Newest;
use super::{PreparedQuery, ReadError, Route};
use crate::cells::number_of;

/// The best rows so far, at most as many as requested, in a heap with the worst one at its head.
pub(super) struct Top {
    heap: BinaryHeap<Candidate>,
    newest: Newest,
    count: usize,
}

/// A row and its rank in the requested order.
struct Candidate {
    rank: Rank,
    key: Vec<u8>,
    row: Row,
}

/// Rows without the time come last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    At(i128),
    Timeless,
}

impl Top {
    /// Reads all rows of a scan and returns the first ones by time, with equal times ordered by key.
    pub(super) async fn of(
        prepared: &PreparedQuery,
        gatherer: &mut Gatherer,
        mut scan: RowStream,
    ) -> Result<Vec<(Vec<u8>, Row)>, ReadError> {
        let Route::Top { field, newest, count } = prepared.route else { return Ok(Vec::new()) };
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let mut top = Self { heap: BinaryHeap::new(), newest, count };
        while let Some(batch) = scan.try_next().await? {
            for stored in batch.rows() {
                if let Some(row) = gatherer.read(stored)? {
                    top.offer(stored.key(), row, number_of(prepared.table.design(), field, row));
                }
            }
        }
        let sorted = top.heap.into_sorted_vec();
        Ok(sorted.into_iter().map(|candidate| (candidate.key, candidate.row)).collect())
    }

    fn offer(&mut self, key: &[u8], row: &Row, time: Option<i128>) {
        let rank = match time {
            Some(time) if self.newest == Newest::First => Rank::At(-time),
            Some(time) => Rank::At(time),
            None => Rank::Timeless,
        };
        if self.heap.len() < self.count {
            return self.heap.push(Candidate { rank, key: key.to_vec(), row: row.clone() });
        }
        let Some(mut last) = self.heap.peek_mut() else { return };
        if (rank, key) < (last.rank, last.key.as_slice()) {
            *last = Candidate { rank, key: key.to_vec(), row: row.clone() };
        }
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.rank, &self.key).cmp(&(other.rank, &other.key))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PreparedQuery {
    /// Returns the time field that rows are sorted by after reading, if they are.
    pub(super) fn sorted_by(&self) -> Option<usize> {
        match self.route {
            Route::Top { field, .. } => Some(field),
            _ => None,
        }
    }
}
