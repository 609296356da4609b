//! What a query reads and how: as values, as readable text and as a document for programs.

mod bound;
mod document;
mod text;

pub use bound::{BoundsDocument, KeyBound};
pub use document::ExplainDocument;

use keystride::design::Part;
use keystride::plan::{BucketReason, PlannedRange};
use keystride::{KeyCodec, KeyRange, Predicate};
use keystride_store::{Region, StoreError};
use serde::Serialize;

use crate::scan::{MergeBy, PreparedQuery, Route, RowOrder};

/// How a query is read. Its text starts with `RANGE SCAN`, `FULL SCAN` or `EMPTY SCAN`.
///
/// ```text
/// RANGE SCAN x2, 2 of 16 buckets (computed), 2 of 16 regions
///   bucket 03: prefix tailnum=N14228 "!"
///   bucket 11: prefix tailnum=N24211 "!"
/// store filters: dest = 'IAH'
/// order: 2-way merge by time, latest first; limit 20 asked of each
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Explain {
    codec: KeyCodec,
    /// How much of the table is read.
    pub reach: Reach,
    /// What is read, ascending.
    pub ranges: Vec<PlannedRange>,
    /// The leading buckets that are read; `None` if keys have no leading bucket.
    pub buckets: Option<ExplainedBuckets>,
    /// The number of regions that are read, and the number of the table's regions.
    pub regions: (usize, usize),
    /// Conditions that the store evaluates.
    pub pushed: Vec<Predicate>,
    /// The condition that is evaluated for each row after reading, because neither ranges nor store decide it.
    pub kept: Option<Predicate>,
    /// How the requested order is achieved.
    pub order: ExplainedOrder,
    /// The maximum number of rows.
    pub limit: Option<u64>,
    /// Whether the limit is passed to the store; otherwise reading stops when enough rows were found.
    pub limit_pushed: bool,
}

/// How much of a table is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Reach {
    /// Nothing: no row can satisfy the predicate.
    #[serde(rename = "empty")]
    Nothing,
    /// Some ranges.
    #[serde(rename = "range")]
    Ranges,
    /// All of it.
    #[serde(rename = "full")]
    Everything,
}

/// How the bounds of a range relate to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RangeShape {
    /// One key, the start.
    Key,
    /// All keys with the start as a prefix.
    Prefix,
    /// From one bound (inclusive) to another (exclusive), or from the table's start, or to its end.
    Between,
}

/// Buckets that are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedBuckets {
    /// The number of buckets that are read.
    pub read: usize,
    /// The number of all buckets.
    pub all: usize,
    /// How they were chosen, each reason once.
    pub reasons: Vec<BucketReason>,
}

/// How the requested order is achieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExplainedOrder {
    /// No order was requested.
    AsTheyCome,
    /// Rows are read in this order.
    AsStored {
        /// The order.
        order: RowOrder,
    },
    /// Several scans are merged while they are read.
    Merged {
        /// The number of scans.
        ways: usize,
        /// What rows are compared by.
        by: MergedBy,
        /// The order.
        order: RowOrder,
    },
    /// All rows are read, and the first ones by a field are kept in memory.
    Sorted {
        /// The index of the field.
        by: usize,
        /// How many rows are kept.
        kept: u64,
        /// The order.
        order: RowOrder,
    },
}

/// What merged rows are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergedBy {
    /// The key without its bucket.
    Key,
    /// A time field, by its index in the design.
    Time(usize),
}

impl RangeShape {
    /// Returns the shape of a range.
    pub fn of(range: &KeyRange) -> Self {
        if *range == KeyRange::single(range.start()) {
            Self::Key
        } else if *range == KeyRange::prefix(range.start()) && !range.start().is_empty() {
            Self::Prefix
        } else {
            Self::Between
        }
    }
}

impl PreparedQuery {
    /// Describes how the query is read.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the table's regions can't be retrieved.
    pub async fn explain(&self) -> Result<Explain, StoreError> {
        let regions = self.table.store().regions(self.table.name()).await?;
        Ok(self.explain_in(&regions))
    }

    /// Describes how the query is read in these regions, all of the table's.
    pub fn explain_in(&self, regions: &[Region]) -> Explain {
        let regions_read = regions.iter().filter(|region| self.meets(&region.range)).count();
        let limit_pushed = self.store_limit().is_some();
        Explain {
            codec: self.table.codec().clone(),
            reach: self.reach(),
            ranges: self.plan.ranges.clone(),
            buckets: self.explain_buckets(),
            regions: (regions_read, regions.len()),
            pushed: self.pushed.clone(),
            kept: self.kept.clone(),
            order: self.explain_order(),
            limit: self.query.limit,
            limit_pushed,
        }
    }

    /// Whether any range that is read overlaps the region. Ranges ascend, so only one needs to be checked.
    fn meets(&self, region: &KeyRange) -> bool {
        let ends_before = |range: &KeyRange| range.stop().is_some_and(|stop| stop <= region.start());
        let first = self.plan.ranges.partition_point(|planned| ends_before(&planned.range));
        self.plan.ranges.get(first).is_some_and(|planned| planned.range.intersect(region).is_some())
    }

    fn reach(&self) -> Reach {
        match self.plan.ranges.as_slice() {
            [] => Reach::Nothing,
            _ if self.plan.reads_everything(self.table.codec()) => Reach::Everything,
            _ => Reach::Ranges,
        }
    }

    fn explain_buckets(&self) -> Option<ExplainedBuckets> {
        let (read, all) = self.plan.buckets_read(self.table.design())?;
        let mut reasons: Vec<BucketReason> = Vec::new();
        for reason in &self.plan.buckets {
            if !reasons.contains(reason) {
                reasons.push(*reason);
            }
        }
        Some(ExplainedBuckets { read, all, reasons })
    }

    fn explain_order(&self) -> ExplainedOrder {
        let order = self.query.order;
        match &self.route {
            Route::InTurn(_) if order == RowOrder::Any => ExplainedOrder::AsTheyCome,
            Route::InTurn(_) => ExplainedOrder::AsStored { order },
            Route::Merged { lanes, by, .. } => {
                let by = match by {
                    MergeBy::Key => MergedBy::Key,
                    MergeBy::Time { part } => match &self.table.design().parts()[*part] {
                        Part::Field(part) => MergedBy::Time(part.field),
                        // No plan has the time in such a part.
                        Part::Text(_) | Part::Bucket(_) => MergedBy::Key,
                    },
                };
                ExplainedOrder::Merged { ways: lanes.len(), by, order }
            }
            Route::Top { field, count, .. } => ExplainedOrder::Sorted { by: *field, kept: *count, order },
        }
    }
}
