//! What a query reads and how: as data, and as text for people.

mod bound;
mod text;

pub use bound::KeyBound;

use keystride::KeyRange;
use keystride::design::Part;
use keystride::plan::BucketReason;
use keystride_store::StoreError;

use crate::scan::{MergeBy, PreparedQuery, Route, RowOrder};

/// How a query is read. Its text begins with `RANGE SCAN`, `FULL SCAN` or `EMPTY SCAN`.
///
/// ```text
/// RANGE SCAN x2, 2 of 16 buckets (computed), 2 of 16 regions
///   bucket 03: prefix tailnum=N14228 "!"
///   bucket 11: prefix tailnum=N24211 "!"
/// store filters: dest = 'IAH'
/// order: 2-way merge by time, latest first; limit 20 asked of each
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explain {
    /// How much of the table is read.
    pub reach: Reach,
    /// What is read, ascending.
    pub ranges: Vec<ExplainedRange>,
    /// Buckets of the key's head that are read; `None` for a key without.
    pub buckets: Option<ExplainedBuckets>,
    /// How many of the table's regions are read, and how many it has.
    pub regions: (usize, usize),
    /// Conditions that the store decides, in the words of a predicate.
    pub pushed: Vec<String>,
    /// What is decided row by row after reading, because ranges and store leave it open.
    pub kept: Option<String>,
    /// How rows come in the order asked for.
    pub order: ExplainedOrder,
    /// How many rows are wanted at most.
    pub limit: Option<u64>,
    /// Whether the store is told the limit; else reading ends when enough rows were found.
    pub limit_pushed: bool,
}

/// How much of a table is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Nothing: no row can be wanted.
    Nothing,
    /// Some ranges.
    Ranges,
    /// All of it.
    Everything,
}

/// A range, its bounds told as far as they go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedRange {
    /// The keys.
    pub range: KeyRange,
    /// The key's first bucket, where the range lies in one.
    pub bucket: Option<u32>,
    /// What its bounds are to each other.
    pub shape: RangeShape,
}

/// What the bounds of a range are to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RangeShape {
    /// One key.
    Key(KeyBound),
    /// All keys that begin so.
    Prefix(KeyBound),
    /// From one (inclusive) to another (exclusive); `None` is the table's start or end.
    Between(Option<KeyBound>, Option<KeyBound>),
}

/// Buckets that are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedBuckets {
    /// How many.
    pub read: usize,
    /// Of how many.
    pub all: usize,
    /// How they were chosen, each way once.
    pub reasons: Vec<BucketReason>,
}

/// How rows come in the order asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExplainedOrder {
    /// None was asked for.
    AsTheyCome,
    /// They are read in it.
    AsStored {
        /// The order.
        order: RowOrder,
    },
    /// So many scans are merged while they are read.
    Merged {
        /// How many.
        ways: usize,
        /// What rows are compared by: `key`, or the name of a time.
        by: String,
        /// The order.
        order: RowOrder,
    },
    /// Everything is read, and the first rows by this field are kept in memory.
    Sorted {
        /// The field.
        by: String,
        /// How many are kept.
        kept: u64,
        /// The order.
        order: RowOrder,
    },
}

impl PreparedQuery {
    /// How the query is read.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the table's regions can't be had.
    pub async fn explain(&self) -> Result<Explain, StoreError> {
        let design = self.table.design();
        let regions = self.table.store().regions(self.table.name()).await?;
        let regions_read = regions.iter().filter(|region| self.meets(&region.range)).count();
        let limit_pushed =
            self.query.limit.is_some() && self.kept.is_none() && !matches!(self.route, Route::Top { .. });
        Ok(Explain {
            reach: self.reach(),
            ranges: self
                .plan
                .ranges
                .iter()
                .map(|planned| self.explain_range(&planned.range, planned.bucket))
                .collect(),
            buckets: self.explain_buckets(),
            regions: (regions_read, regions.len()),
            pushed: self.pushed.iter().map(|condition| condition.to_text(design)).collect(),
            kept: self.kept.as_ref().map(|kept| kept.to_text(design)),
            order: self.explain_order(),
            limit: self.query.limit,
            limit_pushed,
        })
    }

    /// Whether a range that is read lies in the region, in part at least: ranges ascend, so there is one to look at.
    fn meets(&self, region: &KeyRange) -> bool {
        let ends_before = |range: &KeyRange| range.stop().is_some_and(|stop| stop <= region.start());
        let first = self.plan.ranges.partition_point(|planned| ends_before(&planned.range));
        self.plan.ranges.get(first).is_some_and(|planned| planned.range.intersect(region).is_some())
    }

    fn reach(&self) -> Reach {
        match self.plan.ranges.as_slice() {
            [] => Reach::Nothing,
            [all] if all.range == KeyRange::all() => Reach::Everything,
            _ => Reach::Ranges,
        }
    }

    fn explain_range(&self, range: &KeyRange, bucket: Option<u32>) -> ExplainedRange {
        let bound = |key: &[u8]| KeyBound::new(self.table.codec(), key);
        let shape = if *range == KeyRange::single(range.start()) {
            RangeShape::Key(bound(range.start()))
        } else if *range == KeyRange::prefix(range.start()) && !range.start().is_empty() {
            RangeShape::Prefix(bound(range.start()))
        } else {
            let start = Some(range.start()).filter(|start| !start.is_empty());
            RangeShape::Between(start.map(bound), range.stop().map(bound))
        };
        ExplainedRange { range: range.clone(), bucket, shape }
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
        let fields = &self.table.design().fields;
        match &self.route {
            Route::InTurn(_) if order == RowOrder::Any => ExplainedOrder::AsTheyCome,
            Route::InTurn(_) => ExplainedOrder::AsStored { order },
            Route::Merged { lanes, by, .. } => {
                let by = match by {
                    MergeBy::Key => "key".to_owned(),
                    MergeBy::Time { part } => match &self.table.design().parts[*part] {
                        Part::Field(part) => fields[part.field].name.clone(),
                        Part::Text(_) | Part::Bucket(_) => self.table.design().part_name(*part),
                    },
                };
                ExplainedOrder::Merged { ways: lanes.len(), by, order }
            }
            Route::Top { field, count, .. } => {
                ExplainedOrder::Sorted { by: fields[*field].name.clone(), kept: *count, order }
            }
        }
    }
}
