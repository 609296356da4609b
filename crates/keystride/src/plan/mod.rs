//! The planner: from a predicate on fields to the smallest set of key ranges to read, in order.
//!
//! [`Planner::plan`] is the entry point; [`Predicate::parse`] reads a predicate's text. A [`ScanPlan`] is only made by
//! the planner: its ranges are disjoint and ascending, and contain every row that matches; where they may contain
//! others, the plan keeps the predicate as a filter.

mod bucket_ranges;
mod choices;
mod conjunction;
mod error;
mod like;
mod literal;
mod parse;
mod pieces;
mod predicate;
mod print;
mod set;
mod small;
mod term;
mod token;
mod walk;

pub use choices::BucketReason;
pub use error::{PredicateError, PredicateFault};
pub use predicate::{Comparison, Predicate};
pub use set::Literal;

use crate::design::{Base, BucketPart, Design, End, OrderKept, Part};
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRange {
    /// The keys to read.
    pub range: KeyRange,
    /// The number of the first bucket of the key, if the range lies within one.
    pub bucket: Option<u32>,
}

/// The order of the rows of a range in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeOrder {
    /// No order is asked for.
    NotAsked,
    /// When read forwards, the rows of each range are in the order asked for; compare keys from this part on.
    Forwards {
        /// Index of the time's part.
        part: usize,
    },
    /// When read backwards, the rows of each range are in the order asked for; compare keys from this part on.
    Backwards {
        /// Index of the time's part.
        part: usize,
    },
    /// All rows must be read, and sorted by this field.
    Sorted {
        /// Index of the time's field.
        field: usize,
    },
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

    /// Plans without listing the keys, even if there are few: the general rule, for comparison and tests.
    #[doc(hidden)]
    pub fn plan_unlisted(&self, predicate: Option<&Predicate>) -> ScanPlan {
        let unlisted = Self { codec: self.codec.clone(), language: self.language.clone(), listed: None };
        unlisted.cut(predicate, PlanOrder::Any).0
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
        let mut walk = Walk::new(&self.codec, order);
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
        let key = crate::domain::key_fields(design);
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

    /// Returns the first part that holds a time in order, with its field and that order.
    fn time_part(&self) -> Option<(usize, usize, OrderKept)> {
        let design = self.codec.design();
        design.parts.iter().enumerate().find_map(|(index, part)| match part {
            Part::Field(part)
                if design.fields[part.field].time().is_some()
                    && design.fields[part.field].from.is_none()
                    && part.steps.floor.is_none() =>
            {
                Some((index, part.field, design.layout[index].order))
                    .filter(|(.., order)| *order != OrderKept::No)
            }
            _ => None,
        })
    }

    fn time_order(
        &self,
        plan: &ScanPlan,
        fixed_parts: usize,
        order: PlanOrder,
    ) -> Result<TimeOrder, PlanError> {
        let newest = match order {
            PlanOrder::Any => return Ok(TimeOrder::NotAsked),
            PlanOrder::Newest => true,
            PlanOrder::Oldest => false,
        };
        let of_key = self.time_part();
        if let Some((part, _, kept)) = of_key
            && (fixed_parts..part).all(|index| shows_end(self.codec.design(), index))
            && plan.ranges.iter().all(|planned| self.is_fixed_up_to(part, &planned.range))
        {
            let forwards = newest == (kept == OrderKept::Descending);
            return Ok(if forwards { TimeOrder::Forwards { part } } else { TimeOrder::Backwards { part } });
        }
        let first = || self.codec.design().fields.iter().position(|field| field.time().is_some());
        match of_key.map(|(_, field, _)| field).or_else(first) {
            Some(field) => Ok(TimeOrder::Sorted { field }),
            None => Err(PlanError::NoTime),
        }
    }

    /// Whether all keys of the range have the same bytes before part `part`: those of its first legal key.
    fn is_fixed_up_to(&self, part: usize, range: &KeyRange) -> bool {
        let Some(first) = self.language.first_at_or_after(range.start()) else { return true };
        let Some(width) = self.width_before(part, &first) else { return false };
        let Some(prefix) = first.get(..width) else { return false };
        let within = KeyRange::prefix(prefix);
        match (range.stop(), within.stop()) {
            (_, None) => true,
            (None, Some(stop)) => self.language.first_at_or_after(stop).is_none(),
            (Some(end), Some(stop)) => end <= stop || !self.language.meets(stop, Some(end)),
        }
    }

    /// Returns how many bytes of `key` come before part `part`.
    fn width_before(&self, part: usize, key: &[u8]) -> Option<usize> {
        let mut at = 0;
        for index in 0..part {
            at = crate::codec::part_end(&self.codec, index, key, at).ok()?;
        }
        Some(at)
    }
}

/// Whether no value of a part begins with the bytes of another one, so that the start of a key alone shows where the
/// part ends.
fn shows_end(design: &Design, index: usize) -> bool {
    match (&design.parts[index], design.parts.get(index + 1)) {
        (Part::Bucket(part), _) if part.has_fixed_width() => true,
        (Part::Bucket(part), Some(Part::Text(text))) => {
            part.base != Base::Byte && !text.bytes[0].is_ascii_hexdigit()
        }
        (Part::Bucket(_), _) => false,
        _ => !matches!(design.layout[index].end, End::FromKeyEnd(_) | End::Unmarked),
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

    #[test]
    fn rows_are_ordered_by_the_time_of_the_key_whatever_else_is_asked() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
             answered = { type = \"time\", unit = \"ms\" }\nphone = { type = \"digits\", len = 3 }\n\
             ts = { type = \"time\", unit = \"ms\" }\n\
             [key]\nparts = [{ field = \"phone\" }, { field = \"ts\", desc = \"long-max\" }]",
        );
        let planner = Planner::new(&KeyCodec::new(design.unwrap()));
        let order = |text: &str| {
            let predicate = Predicate::parse(text, planner.codec().design()).unwrap();
            planner.plan(Some(&predicate), PlanOrder::Newest).unwrap().time_order
        };
        assert_eq!(order("phone = '123'"), TimeOrder::Forwards { part: 1 });
        assert_eq!(order("phone > '123'"), TimeOrder::Sorted { field: 2 });
    }
}
