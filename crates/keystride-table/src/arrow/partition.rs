//! Partitions of a query.

use std::num::NonZeroUsize;

use keystride::KeyRange;
use keystride::plan::PlannedRange;
use keystride_store::Order;

use super::BatchStream;
use super::divide::divide;
use crate::scan::{PreparedQuery, ReadError, RowOrder};

/// A share of a query's rows that is read independently of the others.
#[derive(Debug, Clone)]
pub struct QueryPartition {
    /// The query over the ranges of the partition.
    prepared: PreparedQuery,
}

/// The order of the rows of a partition. Rows of several partitions have no order among each other; merging the
/// partitions gives all rows in that of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartitionOrder {
    /// No particular order.
    Any,
    /// By key without its leading bucket.
    Key(Order),
    /// By a time field. Rows without the time come last, in both directions.
    Time {
        /// Index of the field.
        field: usize,
        /// `Ascending` is the earliest first.
        order: Order,
    },
}

impl PreparedQuery {
    /// Divides the query at the starts of buckets and regions into at most `most` partitions, which together have each
    /// of its rows once. There are fewer if there are not as many such starts, and none if no key can belong to a row.
    ///
    /// The rows are exactly those for which the query's predicate is true: no condition of it has to be checked again.
    /// The query's limit holds for each partition; with several, all together may return more rows.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the store can't say what regions the table has.
    pub async fn partitions(&self, most: NonZeroUsize) -> Result<Vec<QueryPartition>, ReadError> {
        let regions = self.table.store().regions(self.table.name()).await?;
        let groups = divide(self.table.design(), &self.plan.ranges, &regions, most.get());
        groups.iter().filter_map(|group| span(group)).map(|span| self.within(&span)).collect()
    }

    /// Returns the query over the keys of `span` alone.
    fn within(&self, span: &KeyRange) -> Result<QueryPartition, ReadError> {
        let mut plan = self.plan.clone();
        let within = |PlannedRange { range, bucket }| {
            Some(PlannedRange { range: KeyRange::intersect(&range, span)?, bucket })
        };
        plan.ranges = plan.ranges.into_iter().filter_map(within).collect();
        let route = self.table.route(&self.query, &plan)?;
        Ok(QueryPartition { prepared: Self { plan, route, ..self.clone() } })
    }
}

impl QueryPartition {
    /// Returns the order of the partition's rows: the query's.
    pub fn order(&self) -> PartitionOrder {
        let PreparedQuery { table, query, plan, .. } = &self.prepared;
        let by_time = |order| {
            table
                .time_of(plan.time_order)
                .map_or(PartitionOrder::Any, |field| PartitionOrder::Time { field, order })
        };
        match query.order {
            RowOrder::Any => PartitionOrder::Any,
            RowOrder::Key => PartitionOrder::Key(Order::Ascending),
            RowOrder::KeyReversed => PartitionOrder::Key(Order::Descending),
            RowOrder::Newest => by_time(Order::Descending),
            RowOrder::Oldest => by_time(Order::Ascending),
        }
    }

    /// Reads the partition's rows, at most as many as the query's limit. A batch has at most 8,192 rows, and ends when
    /// its values take 4 MiB. Each call reads anew.
    ///
    /// # Errors
    ///
    /// The stream returns [`BatchError`](super::BatchError) when a row can't be read or its value doesn't fit its column.
    pub fn batches(&self) -> BatchStream {
        self.prepared.batches()
    }
}

/// Returns the smallest range that contains adjacent ones.
fn span(ranges: &[KeyRange]) -> Option<KeyRange> {
    let (first, last) = (ranges.first()?, ranges.last()?);
    Some(KeyRange::new(first.start(), last.stop().map(<[u8]>::to_vec)))
}
