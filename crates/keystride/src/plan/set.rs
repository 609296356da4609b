//! Sets of values of one field, as a predicate allows them.

use std::cmp::Ordering;
use std::ops::Bound;

use crate::design::{FieldKind, FloatKind};
use crate::range::after_prefix;
use crate::value::Value;

/// An owned value with a total order: numbers by size, everything else by bytes.
#[derive(Debug, Clone)]
pub enum Literal {
    /// Whole numbers, and times in their field's unit.
    Int(i128),
    /// Numbers with a fraction.
    Float(f64),
    /// Texts, bytes, UUIDs, and booleans as one byte.
    Bytes(Vec<u8>),
}

impl Literal {
    pub(crate) fn of(value: Value<'_>) -> Self {
        match value {
            Value::Int(number) => Self::Int(number),
            Value::F32(number) => Self::Float(number.into()),
            Value::F64(number) => Self::Float(number),
            Value::Text(_) | Value::Bytes(_) | Value::Uuid(_) | Value::Bool(_) => {
                Self::Bytes(bytes_of(&value).unwrap_or_default().to_vec())
            }
        }
    }

    /// Returns it as a value of `kind`; `None` when it can't be one.
    pub fn as_value(&self, kind: &FieldKind) -> Option<Value<'_>> {
        match (self, kind) {
            (Self::Int(number), _) => Some(Value::Int(*number)),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "an f32 field compares as f64 and is written as f32"
            )]
            (Self::Float(number), FieldKind::Float(FloatKind::F32)) => Some(Value::F32(*number as f32)),
            (Self::Float(number), _) => Some(Value::F64(*number)),
            (Self::Bytes(bytes), FieldKind::Bool) => Some(Value::Bool(bytes.first() == Some(&1))),
            (Self::Bytes(bytes), FieldKind::Bytes { .. }) => Some(Value::Bytes(bytes)),
            (Self::Bytes(bytes), FieldKind::Uuid { .. }) => bytes.as_slice().try_into().ok().map(Value::Uuid),
            (Self::Bytes(bytes), _) => std::str::from_utf8(bytes).ok().map(Value::Text),
        }
    }
}

/// Returns what a value without numeric order compares by.
pub(super) fn bytes_of<'a>(value: &'a Value<'_>) -> Option<&'a [u8]> {
    match value {
        Value::Text(text) => Some(text.as_bytes()),
        Value::Bytes(bytes) => Some(bytes),
        Value::Uuid(bytes) => Some(bytes),
        Value::Bool(value) => Some(if *value { &[1] } else { &[0] }),
        Value::Int(_) | Value::F32(_) | Value::F64(_) => None,
    }
}

/// By the total order: -0.0 is not 0.0, and NaN is itself.
impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Literal {}

impl Ord for Literal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Float(a), Self::Float(b)) => a.total_cmp(b),
            (Self::Bytes(a), Self::Bytes(b)) => a.cmp(b),
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

impl PartialOrd for Literal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Literal {
    /// Compares it with a value, as with the literal of that value.
    pub(super) fn cmp_value(&self, value: Value<'_>) -> Ordering {
        match (self, value) {
            (Self::Int(own), Value::Int(number)) => own.cmp(&number),
            (Self::Float(own), Value::F32(number)) => own.total_cmp(&number.into()),
            (Self::Float(own), Value::F64(number)) => own.total_cmp(&number),
            (own, value) => match (own, bytes_of(&value)) {
                (Self::Bytes(own), Some(bytes)) => own.as_slice().cmp(bytes),
                _ => own.rank().cmp(&Self::of(value).rank()),
            },
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Int(_) => 0,
            Self::Float(_) => 1,
            Self::Bytes(_) => 2,
        }
    }
}

/// Values from `low` to `high`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: Bound<Literal>,
    pub(crate) high: Bound<Literal>,
}

/// Disjoint intervals in ascending order, and whether absence belongs to the set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueSet {
    pub(crate) intervals: Vec<Interval>,
    pub(crate) null: bool,
}

impl Interval {
    pub(crate) fn all() -> Self {
        Self { low: Bound::Unbounded, high: Bound::Unbounded }
    }

    pub(crate) fn point(value: Literal) -> Self {
        Self { low: Bound::Included(value.clone()), high: Bound::Included(value) }
    }

    /// Returns the values that begin with `prefix`.
    pub(crate) fn prefix(prefix: &[u8]) -> Self {
        let high =
            after_prefix(prefix).map_or(Bound::Unbounded, |stop| Bound::Excluded(Literal::Bytes(stop)));
        Self { low: Bound::Included(Literal::Bytes(prefix.to_vec())), high }
    }

    /// Returns the one value that it contains, if it is a single value.
    pub(crate) fn as_point(&self) -> Option<&Literal> {
        match (&self.low, &self.high) {
            (Bound::Included(low), Bound::Included(high)) if low == high => Some(low),
            _ => None,
        }
    }

    /// Returns the smallest and the largest number, both inclusive, within `min..=max`.
    pub(crate) fn as_numbers(&self, min: i128, max: i128) -> Option<(i128, i128)> {
        let low = match self.low {
            Bound::Included(Literal::Int(low)) => low.max(min),
            Bound::Excluded(Literal::Int(low)) => low.checked_add(1)?.max(min),
            _ => min,
        };
        let high = match self.high {
            Bound::Included(Literal::Int(high)) => high.min(max),
            Bound::Excluded(Literal::Int(high)) => high.checked_sub(1)?.min(max),
            _ => max,
        };
        (low <= high).then_some((low, high))
    }

    fn intersect(&self, other: &Self) -> Option<Self> {
        let low = later_low(&self.low, &other.low);
        let high = earlier_high(&self.high, &other.high);
        (!is_void(low, high)).then(|| Self { low: low.clone(), high: high.clone() })
    }

    fn is_empty(&self) -> bool {
        is_void(&self.low, &self.high)
    }

    pub(super) fn contains(&self, value: &Literal) -> bool {
        self.intersect(&Self::point(value.clone())).is_some()
    }
}

/// Whether nothing lies between two bounds.
fn is_void(low: &Bound<Literal>, high: &Bound<Literal>) -> bool {
    match (low, high) {
        // Nothing sorts before the empty text.
        (_, Bound::Excluded(Literal::Bytes(high))) if high.is_empty() => true,
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(low), Bound::Included(high)) => low > high,
        // There is nothing between consecutive numbers.
        (Bound::Excluded(Literal::Int(low)), Bound::Excluded(Literal::Int(high))) => {
            low.saturating_add(1) >= *high
        }
        (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) => {
            low >= high
        }
    }
}

impl ValueSet {
    /// Returns the set of all values, without absence.
    pub(crate) fn values() -> Self {
        Self { intervals: vec![Interval::all()], null: false }
    }

    pub(crate) fn only_null() -> Self {
        Self { intervals: Vec::new(), null: true }
    }

    pub(crate) fn of(intervals: Vec<Interval>) -> Self {
        Self { intervals: normalise(intervals), null: false }
    }

    pub(crate) fn interval(low: Bound<Literal>, high: Bound<Literal>) -> Self {
        Self::of(vec![Interval { low, high }])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.intervals.is_empty() && !self.null
    }

    pub(crate) fn intersect(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.intervals.as_slice(), other.intervals.as_slice());
        let mut both = Vec::new();
        while let ([one, ..], [two, ..]) = (left, right) {
            both.extend(one.intersect(two));
            // The one that ends first is passed, with those after it that end before the other begins.
            if earlier_high(&one.high, &two.high) == &one.high {
                left = those_from(&left[1..], &two.low);
            } else {
                right = those_from(&right[1..], &one.low);
            }
        }
        Self { intervals: both, null: self.null && other.null }
    }

    pub(crate) fn contains(&self, value: Option<&Literal>) -> bool {
        let Some(value) = value else { return self.null };
        let point = Bound::Included(value.clone());
        let from = those_from(&self.intervals, &point);
        from.first().is_some_and(|first| first.contains(value))
    }

    /// Returns the values if all intervals are single values.
    pub(crate) fn points(&self) -> Option<Vec<&Literal>> {
        self.intervals.iter().map(Interval::as_point).collect()
    }
}

/// Returns the intervals that do not end before `low`.
fn those_from<'a>(intervals: &'a [Interval], low: &Bound<Literal>) -> &'a [Interval] {
    &intervals[intervals.partition_point(|interval| is_void(low, &interval.high))..]
}

/// Sorts the intervals, drops empty ones and merges those that overlap or touch.
fn normalise(mut intervals: Vec<Interval>) -> Vec<Interval> {
    intervals.retain(|interval| !interval.is_empty());
    intervals.sort_by(|left, right| cmp_low(&left.low, &right.low));
    let mut merged: Vec<Interval> = Vec::with_capacity(intervals.len());
    for next in intervals {
        match merged.last_mut().filter(|last| meets(&last.high, &next.low)) {
            Some(last) => {
                if earlier_high(&last.high, &next.high) == &last.high {
                    last.high = next.high;
                }
            }
            None => merged.push(next),
        }
    }
    merged
}

/// Whether an interval that begins at `low` overlaps or touches one that ends at `high`.
fn meets(high: &Bound<Literal>, low: &Bound<Literal>) -> bool {
    match (high, low) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => true,
        (Bound::Included(high), Bound::Included(low)) => match (high, low) {
            (Literal::Int(high), Literal::Int(low)) => low <= &high.saturating_add(1),
            _ => low <= high,
        },
        (Bound::Excluded(high), Bound::Excluded(low)) => low < high,
        (Bound::Included(high) | Bound::Excluded(high), Bound::Included(low) | Bound::Excluded(low)) => {
            low <= high
        }
    }
}

fn cmp_low(left: &Bound<Literal>, right: &Bound<Literal>) -> Ordering {
    match (left, right) {
        (Bound::Unbounded, Bound::Unbounded) => Ordering::Equal,
        (Bound::Unbounded, _) => Ordering::Less,
        (_, Bound::Unbounded) => Ordering::Greater,
        (Bound::Included(a), Bound::Excluded(b)) => a.cmp(b).then(Ordering::Less),
        (Bound::Excluded(a), Bound::Included(b)) => a.cmp(b).then(Ordering::Greater),
        (Bound::Included(a), Bound::Included(b)) | (Bound::Excluded(a), Bound::Excluded(b)) => a.cmp(b),
    }
}

fn later_low<'a>(left: &'a Bound<Literal>, right: &'a Bound<Literal>) -> &'a Bound<Literal> {
    if cmp_low(left, right) == Ordering::Less { right } else { left }
}

fn earlier_high<'a>(left: &'a Bound<Literal>, right: &'a Bound<Literal>) -> &'a Bound<Literal> {
    let left_first = match (left, right) {
        (Bound::Unbounded, _) => false,
        (_, Bound::Unbounded) => true,
        (Bound::Included(a), Bound::Excluded(b)) => a < b,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) => a <= b,
    };
    if left_first { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(low: i128, high: i128) -> Interval {
        Interval { low: Bound::Included(Literal::Int(low)), high: Bound::Included(Literal::Int(high)) }
    }

    #[test]
    fn what_two_sets_share_is_what_both_contain() {
        let ends = |low: i128, high: i128| Interval {
            low: if low % 2 == 0 {
                Bound::Included(Literal::Int(low))
            } else {
                Bound::Excluded(Literal::Int(low))
            },
            high: if high % 3 == 0 {
                Bound::Excluded(Literal::Int(high))
            } else {
                Bound::Included(Literal::Int(high))
            },
        };
        let sets: Vec<ValueSet> = (0..64_i128)
            .map(|number| {
                let of = |step: i128| ends(number * step % 17, number * step % 17 + number % 5);
                let all = if number % 9 == 0 {
                    vec![Interval { low: Bound::Unbounded, ..ends(0, 4) }]
                } else {
                    Vec::new()
                };
                ValueSet::of((1..6).map(of).chain(all).collect())
            })
            .collect();
        for (left, right) in sets.iter().flat_map(|left| sets.iter().map(move |right| (left, right))) {
            let both = left.intersect(right);
            assert_eq!(ValueSet::of(both.intervals.clone()), both, "{left:?} {right:?}");
            for number in (-2..24).map(Literal::Int) {
                let in_one = |set: &ValueSet| {
                    set.intervals
                        .iter()
                        .any(|interval| interval.intersect(&Interval::point(number.clone())).is_some())
                };
                assert_eq!(in_one(left), left.contains(Some(&number)));
                assert_eq!(both.contains(Some(&number)), in_one(left) && in_one(right), "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn touching_intervals_become_one() {
        assert_eq!(ValueSet::of(vec![ints(5, 9), ints(1, 4)]).intervals, [ints(1, 9)]);
        assert_eq!(ValueSet::of(vec![ints(6, 9), ints(1, 4)]).intervals.len(), 2);
    }

    #[test]
    fn nothing_lies_between_neighbours() {
        let between = ValueSet::interval(Bound::Excluded(Literal::Int(1)), Bound::Excluded(Literal::Int(2)));
        assert!(between.is_empty());
    }

    #[test]
    fn nothing_lies_before_the_empty_text() {
        let empty = || Literal::Bytes(Vec::new());
        assert!(ValueSet::interval(Bound::Unbounded, Bound::Excluded(empty())).is_empty());
        assert!(!ValueSet::interval(Bound::Unbounded, Bound::Included(empty())).is_empty());
    }

    #[test]
    fn an_exclusive_high_ends_before_an_inclusive_one() {
        let open = Bound::Excluded(Literal::Int(5));
        let closed = Bound::Included(Literal::Int(5));
        assert_eq!(earlier_high(&open, &closed), &open);
        assert_eq!(earlier_high(&closed, &open), &open);
        assert_eq!(later_low(&open, &closed), &open);
    }
}
