//! Whether the ranges of a plan give rows in the order of time.

use super::{PlanError, PlanOrder, Planner, ScanPlan};
use crate::Design;
use crate::KeyRange;
use crate::design::{FieldPart, OrderKept, Part};

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

impl Planner {
    /// Returns the first part from which on keys are in the order of a time, with its field and that order.
    pub(super) fn time_part(&self) -> Option<(usize, usize, OrderKept)> {
        let design = self.codec.design();
        let (whole, field, order) = design.parts.iter().enumerate().find_map(|(index, part)| match part {
            Part::Field(part)
                if design.fields[part.field].time().is_some()
                    && design.fields[part.field].from.is_none()
                    && part.steps.floor.is_none() =>
            {
                Some((index, part.field, design.layout[index].order))
                    .filter(|(.., order)| *order != OrderKept::No)
            }
            _ => None,
        })?;
        Some((self.first_of_time(whole, field, order), field, order))
    }

    /// Returns the first of the parts that lead up to the `whole` time with the periods it lies in, in the same order.
    fn first_of_time(&self, whole: usize, field: usize, order: OrderKept) -> usize {
        let design = self.codec.design();
        let mut first = whole;
        for index in (0..whole).rev() {
            match &design.parts[index] {
                Part::Text(_) => {}
                Part::Field(part)
                    if is_period_of(design, part, field) && design.layout[index].order == order =>
                {
                    first = index;
                }
                Part::Field(_) | Part::Bucket(_) => break,
            }
        }
        first
    }

    pub(super) fn time_order(
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
            && (fixed_parts..part).all(|index| self.codec.design().shows_end(index))
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
            (Some(end), Some(stop)) => !self.language.meets(stop, Some(end)),
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

/// Whether a part holds the start of the period in which the time of `field` lies.
fn is_period_of(design: &Design, part: &FieldPart, field: usize) -> bool {
    let is_derived = design.fields[part.field].derived_period().is_some();
    let is_floored = part.field == field && part.steps.floor.is_some();
    is_floored || (is_derived && design.source_of(part.field) == field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KeyCodec, plan::Predicate};

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

    #[test]
    fn a_time_behind_its_period_is_in_order_from_the_period_on() {
        let order = |parts: &str| {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                 u = {{ type = \"digits\", len = 3 }}\nts = {{ type = \"time\", unit = \"ms\" }}\n\
                 day = {{ from = \"floor(ts,1d)\" }}\nlate = {{ type = \"time\", unit = \"ms\" }}\n\
                 late_day = {{ from = \"floor(late,1d)\" }}\n\
                 [key]\nparts = [{{ field = \"u\" }}, {parts}]",
            ));
            let planner = Planner::new(&KeyCodec::new(design.unwrap()));
            let predicate = Predicate::parse("u = '123'", planner.codec().design()).unwrap();
            planner.plan(Some(&predicate), PlanOrder::Oldest).unwrap().time_order
        };
        let forwards = TimeOrder::Forwards { part: 1 };
        assert_eq!(order("{ field = \"ts\", floor = \"1d\" }, { field = \"ts\" }"), forwards);
        assert_eq!(order("{ field = \"day\" }, { text = \"_\" }, { field = \"ts\" }"), forwards);
        let sorted = TimeOrder::Sorted { field: 1 };
        assert_eq!(order("{ field = \"day\", desc = \"long-max\" }, { field = \"ts\" }"), sorted);
        assert_eq!(order("{ field = \"late\", floor = \"1d\" }, { field = \"ts\" }"), sorted);
        assert_eq!(order("{ field = \"late_day\" }, { field = \"ts\" }"), sorted);
    }

    #[test]
    fn a_plan_that_is_in_order_in_each_bucket_alone_is_cut_there() {
        let plan = |parts: &str| {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                 id = {{ type = \"int\" }}\nts = {{ type = \"time\", unit = \"ms\" }}\n\
                 [key]\nparts = [{{ bucket = 4, of = [\"id\"] }}, {parts}]",
            ));
            let plan = Planner::new(&KeyCodec::new(design.unwrap())).plan(None, PlanOrder::Oldest).unwrap();
            (plan.time_order, plan.ranges.iter().map(|planned| planned.bucket).collect::<Vec<_>>())
        };
        let (order, buckets) = plan("{ field = \"ts\" }, { field = \"id\" }");
        assert_eq!(order, TimeOrder::Forwards { part: 1 });
        assert_eq!(buckets, [0, 1, 2, 3].map(Some));
        let (order, buckets) = plan("{ field = \"id\" }, { text = \"_\" }, { field = \"ts\" }");
        assert_eq!(order, TimeOrder::Sorted { field: 1 });
        assert_eq!(buckets, [None]);
    }

    /// Nothing in a key tells where the text ends, so what begins with `x` may be of `x1`.
    #[test]
    fn one_text_without_an_end_is_in_order_and_several_are_not() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
             a = { type = \"string\", max_len = 3 }\nts = { type = \"time\", unit = \"ms\" }\n\
             [key]\nparts = [{ bucket = 1, of = [\"a\"] }, { field = \"a\" }, { field = \"ts\" }]",
        );
        let planner = Planner::new(&KeyCodec::new(design.unwrap()));
        let order = |text: &str| {
            let predicate = Predicate::parse(text, planner.codec().design()).unwrap();
            planner.plan(Some(&predicate), PlanOrder::Oldest).unwrap().time_order
        };
        assert_eq!(order("a = 'x'"), TimeOrder::Forwards { part: 2 });
        assert_eq!(order("a in ('x', 'x1')"), TimeOrder::Sorted { field: 1 });
    }
}
