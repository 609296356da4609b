//! The planner: from a predicate on fields to the smallest set of key ranges to read, in order.
//!
//! [`Planner::plan`] is the entry point; [`Predicate::parse`] reads a predicate's text, and [`Predicate::compare`] is the
//! first of the functions that make one of values. A [`ScanPlan`] is only made by
//! the planner: its ranges are disjoint and ascending, and contain every row that matches; where they may contain
//! others, the plan keeps the predicate as a filter.

mod bucket_choices;
mod bucket_ranges;
mod checked;
mod conjunction;
mod error;
mod everything;
mod item_choices;
mod key_default;
mod like;
mod literal;
mod literal_list;
mod parse;
mod pieces;
pub(crate) mod predicate;
mod print;
mod set;
mod small;
mod term;
mod time_order;
mod token;
mod walk;

pub use bucket_choices::BucketReason;
pub use error::{PredicateError, PredicateFault};
pub use literal_list::LiteralList;
pub use predicate::{Comparison, Predicate};
pub use set::Literal;
pub use time_order::TimeOrder;

use serde::Serialize;

use crate::design::{BucketPart, Design};
use crate::language::Lookup;
use crate::{KeyCodec, KeyLanguage, KeyRange};
use walk::{Found, Walk};

/// Beyond this many ranges, a plan is not refined further.
const MOST_RANGES: usize = 200_000;

/// Key spaces of up to this size are listed to find the smallest number of ranges.
const MOST_LISTED: u128 = 10_000;

/// Makes plans for one design.
#[derive(Debug)]
pub struct Planner {
    codec: KeyCodec,
    language: KeyLanguage,
    /// All keys, if they are few.
    listed: Option<Vec<(Vec<u8>, crate::Row)>>,
}

/// Plans without listing the keys, even if there are few: the general rule, for comparison and tests.
pub fn plan_unlisted(planner: &Planner, predicate: Option<&Predicate>) -> ScanPlan {
    let Planner { codec, language, .. } = planner;
    let unlisted = Planner { codec: codec.clone(), language: language.clone(), listed: None };
    unlisted.cut(predicate, PlanOrder::Any).0
}

/// The order in which rows are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlanOrder {
    /// In any order.
    #[default]
    Any,
    /// By time, latest first.
    Newest,
    /// By time, earliest first.
    Oldest,
}

/// What to read for a predicate.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanPlan {
    /// The ranges to read, disjoint and ascending by key.
    pub ranges: Vec<PlannedRange>,
    /// The predicate, if the ranges may contain rows that do not match it.
    pub filter: Option<Predicate>,
    /// How the buckets were chosen, once for each time that a bucket part was planned.
    pub buckets: Vec<BucketReason>,
    /// The order of the rows of a range in time, if an order is asked for.
    pub time_order: TimeOrder,
}

/// A range, and the bucket that it lies in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedRange {
    /// The keys to read.
    #[serde(flatten)]
    pub range: KeyRange,
    /// The number of the first bucket of the key, if the range lies within one.
    pub bucket: Option<u32>,
}

/// Why a predicate can't be planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The design has no time field to order by.
    #[error("the design has no time field to order rows by")]
    NoTime,
}

impl Planner {
    /// Creates a planner for a codec's design.
    pub fn new(codec: &KeyCodec) -> Self {
        Self {
            codec: codec.clone(),
            language: KeyLanguage::new(codec),
            listed: crate::domain::list_keys(codec, MOST_LISTED),
        }
    }

    /// Returns the codec that plans are made for.
    pub fn codec(&self) -> &KeyCodec {
        &self.codec
    }

    /// Plans a predicate; `None` asks for every row.
    ///
    /// # Errors
    ///
    /// [`PlanError`] when the order asked for needs a field that the design does not have.
    pub fn plan(&self, predicate: Option<&Predicate>, order: PlanOrder) -> Result<ScanPlan, PlanError> {
        let (mut plan, fixed_parts) = self.cut(predicate, order);
        plan.time_order = self.time_order(&plan, fixed_parts, order)?;
        if let TimeOrder::Sorted { .. } = plan.time_order
            && let Some(mut cut) = self.cut_by_bucket(&plan)
        {
            cut.time_order = self.time_order(&cut, fixed_parts, order)?;
            if !matches!(cut.time_order, TimeOrder::Sorted { .. }) {
                return Ok(cut);
            }
        }
        Ok(plan)
    }

    /// Returns the plan but for the order in time, and the number of leading parts that certainly have a single value
    /// in each range that was found.
    fn cut(&self, predicate: Option<&Predicate>, order: PlanOrder) -> (ScanPlan, usize) {
        let everything = || Found { range: KeyRange::all(), bucket: None, held: Vec::new(), fixed_parts: 0 };
        let Some(predicate) = predicate else {
            return (self.finish(vec![everything()], None, Vec::new(), order), 0);
        };
        let Some(alternatives) = conjunction::alternatives(predicate, self.codec.design()) else {
            return (self.finish(vec![everything()], Some(predicate.clone()), Vec::new(), order), 0);
        };
        let mut walk = Walk::new(&self.codec);
        let mut exact = true;
        for alternative in &alternatives {
            let before = walk.found.len();
            walk.conjunction(alternative);
            exact &= walk.found[before..].iter().all(|found| found.holds_all(alternative.terms.len()));
        }
        let filter = (!exact).then(|| predicate.clone());
        let fixed_parts = walk.found.iter().map(|found| found.fixed_parts).min().unwrap_or(0);
        if order == PlanOrder::Any
            && let Some(listed) = &self.listed
            && self.is_about_the_key(predicate)
        {
            return (small::plan(&self.codec, listed, predicate, &walk), fixed_parts);
        }
        (self.finish(walk.found, filter, walk.buckets, order), fixed_parts)
    }

    /// Returns the plan with every range cut to one bucket, if the key begins with one; it may be in order where the
    /// whole is not.
    fn cut_by_bucket(&self, plan: &ScanPlan) -> Option<ScanPlan> {
        let part = self.codec.design().leading_bucket()?;
        let mut ranges = Vec::new();
        for planned in &plan.ranges {
            match planned.bucket {
                Some(_) => ranges.push(planned.clone()),
                None => ranges.extend(
                    part.cut(&planned.range)
                        .into_iter()
                        .map(|(bucket, range)| PlannedRange { range, bucket: Some(bucket) }),
                ),
            }
        }
        let mut language = self.language.lookup();
        ranges.retain(|planned| language.meets(planned.range.start(), planned.range.stop()));
        Some(ScanPlan { ranges, ..plan.clone() })
    }

    fn is_about_the_key(&self, predicate: &Predicate) -> bool {
        let design = self.codec.design();
        let key = design.key_fields();
        predicate.fields().into_iter().all(|field| key.contains(&design.source_of(field)))
    }

    /// Sorts the ranges, drops those that can't contain a key, and joins neighbours that have no key between them.
    fn finish(
        &self,
        mut found: Vec<Found>,
        filter: Option<Predicate>,
        buckets: Vec<BucketReason>,
        order: PlanOrder,
    ) -> ScanPlan {
        let mut language = self.language.lookup();
        found.retain(|found| language.meets(found.range.start(), found.range.stop()));
        found.sort_by(|left, right| left.range.cmp(&right.range));
        let mut ranges: Vec<PlannedRange> = Vec::with_capacity(found.len());
        for next in found {
            match ranges.last_mut().filter(|last| self.joins(&mut language, &last.range, &next, order)) {
                Some(last) => {
                    last.range = join(&last.range, &next.range);
                    last.bucket = last.bucket.filter(|bucket| Some(*bucket) == next.bucket);
                }
                None => ranges.push(PlannedRange { range: next.range, bucket: next.bucket }),
            }
        }
        ScanPlan { ranges, filter, buckets, time_order: TimeOrder::NotAsked }
    }

    /// Overlapping ranges are joined; so are neighbours, unless each is in time order and the joined range would not
    /// be.
    fn joins(&self, language: &mut Lookup<'_>, last: &KeyRange, next: &Found, order: PlanOrder) -> bool {
        let Some(stop) = last.stop() else { return true };
        if next.range.start() < stop {
            return true;
        }
        let ordered =
            order != PlanOrder::Any && self.time_part().is_some_and(|(part, ..)| next.fixed_parts >= part);
        !ordered && !language.meets(stop, Some(next.range.start()))
    }
}

impl Found {
    fn holds_all(&self, terms: usize) -> bool {
        (0..terms).all(|term| self.held.contains(&term))
    }
}

impl ScanPlan {
    /// Returns how many buckets of the leading part the ranges lie in, and how many there are, the number
    /// [outside](BucketPart::outside) them included; `None` if the key does not begin with a bucket.
    pub fn buckets_read(&self, design: &Design) -> Option<(usize, usize)> {
        let part: &BucketPart = design.leading_bucket()?;
        let mut read: Vec<u32> = self.ranges.iter().filter_map(|planned| planned.bucket).collect();
        let all = part.numbers().count();
        if self.ranges.iter().any(|planned| planned.bucket.is_none()) {
            return Some((all, all));
        }
        read.sort_unstable();
        read.dedup();
        Some((read.len(), all))
    }
}

fn join(left: &KeyRange, right: &KeyRange) -> KeyRange {
    let stop = match (left.stop(), right.stop()) {
        (Some(left), Some(right)) => Some(left.max(right).to_vec()),
        _ => None,
    };
    KeyRange::new(left.start(), stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                        phone = { type = \"digits\", len = 3 }\nts = { type = \"time\", unit = \"ms\" }\n[key]\nparts = ";

    fn plan(parts: &str, predicate: &str, order: PlanOrder) -> ScanPlan {
        let planner = Planner::new(&KeyCodec::new(Design::from_toml(&format!("{HEAD}[{parts}]")).unwrap()));
        let predicate = Predicate::parse(predicate, planner.codec().design()).unwrap();
        planner.plan(Some(&predicate), order).unwrap()
    }

    #[test]
    fn neighbours_that_are_each_in_order_stay_apart() {
        let parts = "{ field = \"phone\" }, { field = \"ts\" }";
        let of = |predicate: &str, order| {
            let plan = plan(parts, predicate, order);
            (plan.ranges.len(), plan.time_order)
        };
        let two = "phone in ('123', '124')";
        assert_eq!(of(two, PlanOrder::Any), (1, TimeOrder::NotAsked));
        assert_eq!(of(two, PlanOrder::Oldest), (2, TimeOrder::Forwards { part: 1 }));
        let many = "phone like '12%' or phone like '13%'";
        assert_eq!(of(many, PlanOrder::Oldest), (1, TimeOrder::Sorted { field: 1 }));
    }

    #[test]
    fn joined_ranges_are_in_a_bucket_if_both_were() {
        let parts = "{ bucket = 4, of = [\"phone\"] }, { field = \"ts\" }, { field = \"phone\" }";
        let everywhere = plan(parts, "ts < 1400657685457 or ts >= 1400657685457", PlanOrder::Any);
        assert_eq!((everywhere.ranges.len(), everywhere.ranges[0].bucket), (1, None));
        let parts = "{ bucket = 4, of = [\"phone\"] }, { field = \"phone\" }, { field = \"ts\" }";
        let one =
            plan(parts, "phone = '123' and (ts < 1400657685457 or ts >= 1400657685457)", PlanOrder::Any);
        assert_eq!(one.ranges.len(), 1);
        assert!(one.ranges[0].bucket.is_some());
    }

    #[test]
    fn a_run_of_listed_keys_is_in_a_bucket_if_both_its_ends_are() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    n = { type = \"int\", min = 0, max = 9 }\n\
                    [key]\nparts = [{ bucket = 4, of = [\"n\"] }, { field = \"n\" }]";
        let planner = Planner::new(&KeyCodec::new(Design::from_toml(toml).unwrap()));
        let buckets = |text: &str| {
            let predicate = Predicate::parse(text, planner.codec().design()).unwrap();
            let plan = planner.plan(Some(&predicate), PlanOrder::Any).unwrap();
            plan.ranges.iter().map(|planned| planned.bucket).collect::<Vec<_>>()
        };
        assert_eq!(buckets("n = 5"), [Some(2)]);
        // The keys 16 and 25 follow each other.
        assert_eq!(buckets("n in (5, 6)"), [None]);
    }
}
