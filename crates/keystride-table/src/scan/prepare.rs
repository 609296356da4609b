//! Decides how a query is read, before anything is read.

use std::num::NonZeroU32;

use keystride::design::{End, Part};
use keystride::plan::{PlanOrder, TimeOrder};
use keystride::{KeyRange, Predicate, ScanPlan};
use keystride_store::{Filter, Order, Pace, RowStream, Scan, Selection, StoreError};

use super::lanes::{Lane, bucket_lanes, time_lanes};
use super::push::{one_of, share};
use super::{Query, ReadError, RowOrder};
use crate::Table;

/// A query together with the decision how to read it.
#[derive(Debug, Clone)]
pub struct PreparedQuery {
    pub(crate) table: Table,
    pub(crate) query: Query,
    /// The smallest ranges that contain all wanted rows.
    pub(crate) plan: ScanPlan,
    /// Conditions that the store evaluates.
    pub(crate) pushed: Vec<Predicate>,
    pub(crate) filter: Option<Filter>,
    /// The condition that is evaluated for each row after reading.
    pub(crate) kept: Option<Predicate>,
    pub(crate) route: Route,
}

/// How the ranges of a plan are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// A single scan reads all of them.
    InTurn(Order),
    /// One scan per lane, merged.
    Merged { lanes: Vec<Lane>, order: Order, by: MergeBy },
    /// A single scan reads all of them, and the first few rows by a time field are kept.
    Top { field: usize, newest: Newest, count: u64 },
}

/// What merged rows are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MergeBy {
    /// The key after its bucket.
    Key,
    /// The key from this part on, which is a time.
    Time { part: usize },
}

/// Which end of time comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Newest {
    First,
    Last,
}

/// Total size of the batches that the open scans of one query may read ahead, as long as each has room for the least.
const READ_AHEAD_BYTES: u32 = 64 << 20;
/// Batches are not smaller, however many scans are open: with more than 4,096, they take more in total.
const LEAST_BATCH_BYTES: u32 = 16 << 10;

impl Table {
    /// Decides how a query is read.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the requested order is not available.
    pub fn prepare(&self, query: &Query) -> Result<PreparedQuery, ReadError> {
        let (plan, order) = self.plan(query)?;
        let shared = plan.filter.as_ref().map(|filter| share(self, filter)).unwrap_or_default();
        let kept = one_of(self.left_open(shared.rest, order, &plan)?, Predicate::all);
        let route = self.route(query, &plan)?;
        tracing::info!(table = %self.name(), ranges = plan.ranges.len(), route = route.word(), "query planned");
        let (table, query) = (self.clone(), query.clone());
        Ok(PreparedQuery { table, query, plan, pushed: shared.pushed, filter: shared.filter, kept, route })
    }

    /// Returns the plan of a query and the order it was made for. The planner uses the first time in the key; an
    /// order by another time field requires sorting.
    fn plan(&self, query: &Query) -> Result<(ScanPlan, PlanOrder), ReadError> {
        let (predicate, order) = (query.predicate.as_ref(), query.order.to_plan_order());
        let plan = self.planner().plan(predicate, order)?;
        let by = self.time_of(plan.time_order);
        match query.time {
            Some(field) if by.is_some_and(|by| by != field) => {
                let mut plan = self.planner().plan(predicate, PlanOrder::Any)?;
                plan.time_order = TimeOrder::Sorted { field };
                Ok((plan, PlanOrder::Any))
            }
            _ => Ok((plan, order)),
        }
    }

    /// Returns the time field that rows are ordered by, if any.
    pub(crate) fn time_of(&self, order: TimeOrder) -> Option<usize> {
        match order {
            TimeOrder::NotAsked => None,
            TimeOrder::Sorted { field } => Some(field),
            TimeOrder::Forwards { part } | TimeOrder::Backwards { part } => {
                match &self.design().parts()[part] {
                    Part::Field(part) => Some(part.field),
                    Part::Text(_) | Part::Bucket(_) => None,
                }
            }
        }
    }

    /// Returns the conditions that do not hold for all rows of `plan`. If the conditions on the key alone lead to
    /// exactly the same ranges and need no filter, the ranges have decided them.
    fn left_open(
        &self,
        conditions: Vec<Predicate>,
        order: PlanOrder,
        plan: &ScanPlan,
    ) -> Result<Vec<Predicate>, ReadError> {
        let in_key = self.design().fields_in_key();
        let is_about_key =
            |one: &Predicate| one.fields().iter().all(|&field| in_key[self.design().source_of(field)]);
        let about_key: Vec<Predicate> = conditions.iter().filter(|one| is_about_key(one)).cloned().collect();
        if about_key.is_empty() {
            return Ok(conditions);
        }
        let of_key = self.planner().plan(Some(&Predicate::And(about_key)), order)?;
        if of_key.ranges != plan.ranges || of_key.filter.is_some() {
            return Ok(conditions);
        }
        Ok(conditions.into_iter().filter(|one| !is_about_key(one)).collect())
    }

    /// Decides how the ranges of `plan` are read.
    pub(crate) fn route(&self, query: &Query, plan: &ScanPlan) -> Result<Route, ReadError> {
        match (query.order, plan.time_order) {
            (_, TimeOrder::Forwards { part }) => Ok(by_time(plan, part, Order::Ascending)),
            (_, TimeOrder::Backwards { part }) => Ok(by_time(plan, part, Order::Descending)),
            (order, TimeOrder::Sorted { field }) => {
                let newest = if order == RowOrder::Newest { Newest::First } else { Newest::Last };
                let field_name = || self.design().fields()[field].name.clone();
                let count = query.limit.ok_or_else(|| ReadError::SortWithoutLimit { field: field_name() })?;
                Ok(Route::Top { field, newest, count })
            }
            (RowOrder::Key, TimeOrder::NotAsked) => self.by_key(plan, Order::Ascending),
            (RowOrder::KeyReversed, TimeOrder::NotAsked) => self.by_key(plan, Order::Descending),
            (_, TimeOrder::NotAsked) => Ok(Route::InTurn(Order::Ascending)),
        }
    }

    fn by_key(&self, plan: &ScanPlan, order: Order) -> Result<Route, ReadError> {
        if self.has_nested_buckets() && plan.ranges.iter().any(|planned| planned.bucket.is_none()) {
            return Err(ReadError::NestedBuckets);
        }
        let mut lanes = bucket_lanes(self.design(), &plan.ranges);
        // Rows that differ only in their bucket are taken in the order of the lanes.
        if order == Order::Descending {
            lanes.reverse();
        }
        Ok(merged(lanes, order, MergeBy::Key))
    }

    /// Whether only the length of a key tells which leading bucket it is in, so that no range holds the keys of one alone:
    /// `100` may be bucket 1 before `00`, or bucket 10 before `0`.
    fn has_nested_buckets(&self) -> bool {
        let design = self.design();
        design.leading_bucket().is_some() && matches!(design.layout()[0].end, End::FromKeyEnd(_))
    }
}

fn by_time(plan: &ScanPlan, part: usize, order: Order) -> Route {
    merged(time_lanes(&plan.ranges, part), order, MergeBy::Time { part })
}

impl Route {
    /// Returns its name, for messages.
    fn word(&self) -> &'static str {
        match self {
            Self::InTurn(_) => "in turn",
            Self::Merged { .. } => "merged",
            Self::Top { .. } => "sorted",
        }
    }
}

/// Chooses the route for lanes; a single lane needs no merge.
fn merged(lanes: Vec<Lane>, order: Order, by: MergeBy) -> Route {
    if lanes.len() < 2 { Route::InTurn(order) } else { Route::Merged { lanes, order, by } }
}

impl PreparedQuery {
    /// Returns the scan over all ranges.
    pub(crate) fn scan(&self, order: Order) -> Scan {
        self.scan_of(self.ranges(), order, 1)
    }

    /// Returns the scan of a lane; `lanes` is the number of lanes.
    pub(super) fn lane_scan(&self, lane: &Lane, order: Order, lanes: usize) -> Scan {
        self.scan_of(lane.ranges.clone(), order, lanes)
    }

    pub(crate) async fn open(&self, scan: Scan) -> Result<RowStream, StoreError> {
        self.table.store().scan(self.table.name(), scan).await
    }

    pub(crate) fn ranges(&self) -> Vec<KeyRange> {
        self.plan.ranges.iter().map(|planned| planned.range.clone()).collect()
    }

    fn scan_of(&self, ranges: Vec<KeyRange>, order: Order, lanes: usize) -> Scan {
        let selection = Selection { filter: self.filter.clone(), ..Selection::default() };
        let limit = self.store_limit();
        Scan { order, limit, selection, pace: pace(limit, lanes), ..Scan::of_ranges(ranges) }
    }

    /// Returns how many rows the store returns at most; `None` if rows are still chosen among those that it returns.
    pub(crate) fn store_limit(&self) -> Option<u64> {
        self.query.limit.filter(|_| self.kept.is_none() && !matches!(self.route, Route::Top { .. }))
    }

    /// Returns the maximum number of rows.
    pub(super) fn limit(&self) -> u64 {
        self.query.limit.unwrap_or(u64::MAX)
    }
}

/// Chooses batch sizes. With a limit over several lanes, each lane first reads its expected share plus a margin for
/// random variation; a lane that is exhausted earlier reads on.
fn pace(limit: Option<u64>, lanes: usize) -> Pace {
    let pace = Pace::default();
    let lanes = u32::try_from(lanes).unwrap_or(u32::MAX).max(1);
    let max_bytes = (READ_AHEAD_BYTES / lanes).clamp(LEAST_BATCH_BYTES, pace.max_bytes.get());
    let max_bytes = NonZeroU32::new(max_bytes).unwrap_or(pace.max_bytes);
    let first_rows = match limit {
        Some(limit) if lanes > 1 => {
            let share = limit.div_ceil(lanes.into());
            let rows = share.saturating_add(3 * (share.isqrt() + 1)).saturating_add(1);
            u32::try_from(rows).ok().and_then(NonZeroU32::new).unwrap_or(pace.max_rows).min(pace.max_rows)
        }
        _ => pace.first_rows,
    };
    Pace { first_rows, max_bytes, ..pace }
}
