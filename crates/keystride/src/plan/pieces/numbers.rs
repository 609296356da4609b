//! The bytes of intervals of whole numbers, times and floats.

use std::ops::Bound;

use super::{PartBytes, Piece};
use crate::design::{
    Encoding, FieldKind, OrderKept, TimeKind, ceil_number, encodable, floor_number, next_period, partition,
};
use crate::plan::set::{Interval, Literal};
use crate::range::after_prefix;
use crate::time::Period;
use crate::value::Value;

impl PartBytes<'_> {
    pub(super) fn numbers(&mut self, interval: &Interval) -> Option<Vec<Piece>> {
        let order = self.codec.design().layout[self.index].order;
        let signed = self.part.steps.encoding == Encoding::Be && self.part.steps.desc.is_none();
        if order == OrderKept::No && !signed {
            return None;
        }
        let (least, max) = encodable(&self.part.steps, self.kind());
        // The interval is of the starts of periods, and the first period may begin before the field's least value.
        let numbers = interval
            .as_numbers(self.floored(least), max)
            .and_then(|(low, high)| self.values_within(low, high));
        let Some((low, high)) = numbers else { return Some(Vec::new()) };
        // In two's complement, negative numbers sort after the others.
        let halves = if order == OrderKept::No {
            let first = self.first_not_negative(low, high);
            vec![(first, high), (low, first - 1)]
        } else {
            vec![(low, high)]
        };
        let halves = halves.into_iter().filter(|(low, high)| low <= high);
        halves.map(|(low, high)| self.number_span(low, high)).collect()
    }

    /// Returns the smallest and the largest value of the part from `low` to `high`. Some numbers are not values: a time's
    /// pattern may omit hours, minutes or seconds, and has one text for the two times that clocks show twice.
    fn values_within(&self, low: i128, high: i128) -> Option<(i128, i128)> {
        let FieldKind::Time(time) = self.kind() else { return Some((low, high)) };
        let begin = self.periods().fold(low, |number, period| ceil_number(number, period, time));
        let end = self.periods().fold(high, |number, period| last_of_period(number, period, time));
        let (least, most) = (time.value_from(begin), time.value_up_to(end));
        let start = |value| self.periods().rfold(value, |value, period| floor_number(value, period, time));
        (least <= most).then(|| (start(least), start(most)))
    }

    /// Returns the periods to whose starts the part's values are rounded down, those of the part before those of the
    /// field.
    fn periods(&self) -> impl DoubleEndedIterator<Item = Period> {
        let of_field = self.codec.design().fields[self.part.field].derived_period();
        [self.part.steps.floor, of_field].into_iter().flatten()
    }

    /// Returns the first number from `low` to `high` that is not negative when written; `high` + 1 when all are
    /// negative.
    fn first_not_negative(&self, low: i128, high: i128) -> i128 {
        partition(low, high, |number| self.floored(number) < 0)
    }

    /// Returns the start of the number's period if the part has `floor`, or else the number.
    fn floored(&self, number: i128) -> i128 {
        match (self.part.steps.floor, self.kind()) {
            (Some(period), FieldKind::Time(time)) => floor_number(number, period, time),
            _ => number,
        }
    }

    fn number_span(&mut self, low: i128, high: i128) -> Option<Piece> {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        self.encoder.encode_value(self.index, Value::Int(low), &mut first).ok()?;
        self.encoder.encode_value(self.index, Value::Int(high), &mut last).ok()?;
        if low == high {
            let exact = !self.is_cut_text();
            return Some(Piece::Point { bytes: first, value: Some(Literal::Int(low)), exact });
        }
        let next = if first > last { self.value_before(low) } else { self.value_after(high) };
        let stop = self.stop_before(next, (&first).max(&last));
        let exact = !self.is_cut_text();
        Some(Piece::Span { start: first.min(last), stop, exact, numbers: Some((low, high)) })
    }

    /// Returns the stop of a span whose last bytes are `last`: the bytes of number `next` if they sort after it, which
    /// is what a reader expects, or else the first bytes after all that begin with `last`.
    fn stop_before(&mut self, next: i128, last: &[u8]) -> Option<Vec<u8>> {
        let (min, max) = encodable(&self.part.steps, self.kind());
        let mut bytes = Vec::new();
        let is_next = (min..=max).contains(&next)
            && self.encoder.encode_value(self.index, Value::Int(next), &mut bytes).is_ok()
            && bytes.as_slice() > last;
        if is_next { Some(bytes) } else { after_prefix(last) }
    }

    /// Returns the first number after `number` that has other bytes.
    fn value_after(&self, number: i128) -> i128 {
        match (self.part.steps.floor, self.kind()) {
            (Some(period), FieldKind::Time(time)) => next_period(number, period, time),
            (None, FieldKind::Time(time)) if !self.is_period() => time.value_from(number + 1),
            _ => number + 1,
        }
    }

    /// Returns the last number before `number` that has other bytes.
    fn value_before(&self, number: i128) -> i128 {
        match (self.part.steps.floor, self.kind()) {
            (None, FieldKind::Time(time)) if !self.is_period() => time.value_up_to(number - 1),
            _ => self.floored(number) - 1,
        }
    }

    pub(super) fn floats(&mut self, interval: &Interval) -> Option<Vec<Piece>> {
        let order = self.codec.design().layout[self.index].order;
        if order == OrderKept::No {
            return None;
        }
        let mut bound = |bound: &Bound<Literal>| match bound {
            Bound::Included(literal @ Literal::Float(_)) | Bound::Excluded(literal @ Literal::Float(_)) => {
                let codec = self.codec.clone();
                let value = literal.as_value(&codec.design().fields[self.part.field].kind)?;
                let mut bytes = Vec::new();
                self.encoder.encode_value(self.index, value, &mut bytes).ok()?;
                Some(bytes)
            }
            _ => None,
        };
        let (mut low, mut high) = (bound(&interval.low), bound(&interval.high));
        if order == OrderKept::Descending {
            std::mem::swap(&mut low, &mut high);
        }
        // Excluded ends, and numbers that are rounded to `f32`, are left to the filter.
        let stop = high.as_deref().and_then(after_prefix);
        Some(vec![Piece::Span { start: low.unwrap_or_default(), stop, exact: false, numbers: None }])
    }
}

/// Returns the last number of the period that `number` is in.
fn last_of_period(number: i128, period: Period, time: &TimeKind) -> i128 {
    next_period(number, period, time) - 1
}

#[cfg(test)]
mod tests {
    use crate::plan::{PlanOrder, Planner, Predicate, TimeOrder};
    use crate::{Design, KeyCodec};

    /// The first key and the stop of each range, and the order of the rows, newest first.
    fn planned(min: &str, max: &str, predicate: &str) -> (Vec<String>, TimeOrder, bool) {
        let design = Design::from_toml(&format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
             day = {{ type = \"time\", format = \"yyDDD\", min = \"{min}\", max = \"{max}\" }}\n\
             [key]\nparts = [{{ field = \"day\" }}]"
        ));
        let planner = Planner::new(&KeyCodec::new(design.unwrap()));
        let predicate = Predicate::parse(predicate, planner.codec().design()).unwrap();
        let plan = planner.plan(Some(&predicate), PlanOrder::Newest).unwrap();
        let ranges = plan.ranges.iter().map(|planned| format!("{:?}", planned.range)).collect();
        (ranges, plan.time_order, plan.filter.is_some())
    }

    #[test]
    fn years_in_two_digits_are_a_range_within_one_century_alone() {
        let since_1999 = "day >= '1999-12-31'";
        let (ranges, order, filtered) = planned("1970-01-01", "1999-12-31", since_1999);
        assert_eq!((ranges.len(), order, filtered), (1, TimeOrder::Backwards { part: 0 }, false));
        let (ranges, order, _) = planned("1970-01-01", "2069-12-31", since_1999);
        assert_eq!((ranges.len(), order), (1, TimeOrder::Sorted { field: 0 }), "{ranges:?}");
        // A few days are looked up one by one, in the order of their keys.
        let (ranges, ..) = planned("1970-01-01", "2069-12-31", "day >= '1999-12-30' and day < '2000-01-03'");
        assert_eq!(ranges.len(), 2, "{ranges:?}");
    }
}
