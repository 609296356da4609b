//! The accesses of a design, planned for typical values.

use std::ops::Bound;

use keystride::design::{Access, AccessBound, AccessOrder, BucketPart, Design, Expr};
use keystride::internal::literal_of;
use keystride::plan::{BucketReason, Comparison, Literal, PlanOrder, Predicate, ScanPlan};
use keystride::{KeyLanguage, Planner, Row};

use super::typical;

/// One access, planned for typical values.
pub(super) struct Read<'a> {
    pub(super) access: &'a Access,
    pub(super) plan: ScanPlan,
    /// The share of all possible keys that lie in its ranges.
    pub(super) share: f64,
}

/// The assumed length of a range of times, in seconds, if none is declared.
const DAY_S: u64 = 86_400;

impl<'a> Read<'a> {
    /// Plans an access; `None` if it can't be planned: there is no literal for a value, or no time to order by.
    pub(super) fn new(planner: &Planner, language: &KeyLanguage, access: &'a Access) -> Option<Self> {
        let design = planner.codec().design();
        let predicate = predicate(design, access)?;
        let order = match access.order {
            AccessOrder::Key => PlanOrder::Any,
            AccessOrder::Newest => PlanOrder::Newest,
            AccessOrder::Oldest => PlanOrder::Oldest,
        };
        let plan = planner.plan(predicate.as_ref(), order).ok()?;
        let share = plan.ranges.iter().map(|planned| {
            let stop = planned.range.stop().map_or(1.0, |stop| language.share_below(stop));
            (stop - language.share_below(planned.range.start())).max(0.0)
        });
        let share = share.sum();
        Some(Self { access, plan, share })
    }

    /// Returns how many buckets of the leading part are read, and how many there are.
    pub(super) fn buckets(&self, design: &Design) -> Option<(usize, usize)> {
        self.plan.buckets_read(design)
    }

    /// Whether all buckets are read because the values they are computed from are not given.
    pub(super) fn misses_bucket(&self) -> bool {
        self.plan.buckets.contains(&BucketReason::NotGiven)
    }

    /// Whether the whole table is read although the access restricts a field.
    pub(super) fn is_full_scan(&self) -> bool {
        let asks = !self.access.by.is_empty() || self.access.bound.is_some();
        asks && self.plan.filter.is_some() && self.share > 0.999
    }

    /// Returns the number of ranges that are read in parallel for one answer.
    pub(super) fn ranges(&self, bucket: Option<&BucketPart>) -> usize {
        match bucket {
            // A range over several buckets reads from the regions of all of them.
            Some(part) if self.plan.ranges.iter().any(|planned| planned.bucket.is_none()) => {
                self.plan.ranges.len().max(part.count.get() as usize)
            }
            _ => self.plan.ranges.len(),
        }
    }
}

/// Returns `Some(None)` for an access that asks for every row.
#[expect(clippy::option_option, reason = "no predicate and no plan are different things")]
fn predicate(design: &Design, access: &Access) -> Option<Option<Predicate>> {
    let row = typical::row(design);
    let mut terms = Vec::new();
    for expr in &access.by {
        let literal = literal_of(expr, design, &row)?;
        terms.push(Predicate::Compare { expr: expr.clone(), op: Comparison::Equal, literal });
    }
    match access.bound {
        Some(AccessBound::Range(field)) => terms.extend(range(design, &row, field, access)?),
        Some(AccessBound::Prefix(field)) => terms.push(prefix(design, &row, field)?),
        None => {}
    }
    Some(match terms.len() {
        0 => None,
        1 => terms.pop(),
        _ => Some(Predicate::And(terms)),
    })
}

fn range(design: &Design, row: &Row, field: usize, access: &Access) -> Option<[Predicate; 2]> {
    let expr = Expr { field, function: None };
    let low = literal_of(&expr, design, row)?;
    let (low, high) = bounds(design, field, low, access.span_s.unwrap_or(DAY_S));
    let compare = |bound: Bound<Literal>, op| match bound {
        Bound::Included(literal) | Bound::Excluded(literal) => {
            Some(Predicate::Compare { expr: expr.clone(), op, literal })
        }
        Bound::Unbounded => None,
    };
    Some([compare(low, Comparison::GreaterOrEqual)?, compare(high, Comparison::Less)?])
}

fn bounds(design: &Design, field: usize, low: Literal, span_s: u64) -> (Bound<Literal>, Bound<Literal>) {
    let high = match (&low, design.fields()[field].time()) {
        (Literal::Int(number), Some(time)) => {
            Literal::Int(number + i128::from(span_s) * 1_000_000_000 / time.unit().nanos())
        }
        (Literal::Int(number), None) => Literal::Int(number + 10),
        (Literal::Float(number), _) => Literal::Float(number + 1.0),
        (Literal::Bytes(bytes), _) => Literal::Bytes([bytes.as_slice(), b"~"].concat()),
    };
    (Bound::Included(low), Bound::Excluded(high))
}

fn prefix(design: &Design, row: &Row, field: usize) -> Option<Predicate> {
    let expr = Expr { field, function: None };
    let text = typical::text(design, row, &expr)?;
    let cut = text.char_indices().nth(text.chars().count().div_ceil(2)).map_or(text.len(), |(at, _)| at);
    Some(Predicate::Prefix { expr, prefix: text.as_bytes()[..cut].to_vec() })
}
