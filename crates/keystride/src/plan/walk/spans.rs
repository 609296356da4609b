//! Parts that have many values: one range over all of them, or several that later parts restrict.

use super::{Found, Place, Walk};
use crate::Value;
use crate::design::{FieldPart, next_period};
use crate::plan::set::Literal;
use crate::range::{KeyRange, after_prefix};

/// The bytes that many values of one part have.
pub(super) struct Span {
    pub(super) start: Vec<u8>,
    /// `None` is as far as the part reaches.
    pub(super) stop: Option<Vec<u8>>,
    /// Its values from one to another, if they are whole numbers.
    pub(super) numbers: Option<(i128, i128)>,
    /// Terms that hold for all of them.
    pub(super) held: Vec<usize>,
}

/// Maximum number of numbers in a span that are tried one by one, so that later parts can be used.
const MOST_SPAN_VALUES: i128 = 256;

impl Walk<'_> {
    /// Ends the walk with a span, unless it has few values and later parts can still be restricted.
    pub(super) fn span(&mut self, part: &FieldPart, place: &Place, span: Span) {
        let after = Place { part: place.part + 1, held: span.held.clone(), ..place.clone() };
        let is_restricted_later = self.says_more(&after);
        let Some((low, high)) = span.numbers.filter(|_| is_restricted_later) else {
            return self.emit_span(place, span);
        };
        match self.values_between(part, low, high) {
            Some(values) => {
                let before = self.found.len();
                for value in values {
                    self.number(part, place, value, &span.held);
                }
                if self.is_as_wide(before, place, &span) {
                    self.found.truncate(before);
                    self.emit_span(place, span);
                }
            }
            None => self.tight_span(part, place, (low, high), span),
        }
    }

    /// Whether all that was found from `before` on, of the single values of a span, is whole values: later parts restricted
    /// none of them.
    fn is_as_wide(&self, before: usize, place: &Place, span: &Span) -> bool {
        let width = place.prefix.len() + span.start.len();
        let is_whole = |range: &KeyRange| {
            range.start().len() == width && range.stop().is_none_or(|stop| stop.len() <= width)
        };
        let found = &self.found[before..];
        let is_fixed = self.design().layout[place.part].end.fixed().is_some();
        is_fixed && !found.is_empty() && found.iter().all(|found| is_whole(&found.range))
    }

    /// Returns the numbers, or the starts of periods, from `low` to `high` if they are few.
    fn values_between(&self, part: &FieldPart, low: i128, high: i128) -> Option<Vec<i128>> {
        let field = &self.design().fields[part.field];
        let mut values = Vec::new();
        let mut at = low;
        while at <= high {
            if values.len() as i128 >= MOST_SPAN_VALUES {
                return None;
            }
            values.push(at);
            at = match (part.steps.floor, field.time()) {
                (Some(period), Some(time)) => next_period(at, period, time),
                _ => at + 1,
            };
        }
        Some(values)
    }

    fn number(&mut self, part: &FieldPart, place: &Place, number: i128, held: &[usize]) {
        let mut bytes = Vec::new();
        if self.encoder.encode_value(place.part, Value::Int(number), &mut bytes).is_ok() {
            let next = self.after_value(part, place, &bytes, Some(&Literal::Int(number)), held.to_vec());
            self.step(next);
        }
    }

    fn emit_span(&mut self, place: &Place, span: Span) {
        let start = [&place.prefix, span.start.as_slice()].concat();
        let stop = match span.stop {
            Some(stop) => Some([&place.prefix, stop.as_slice()].concat()),
            None => after_prefix(&place.prefix),
        };
        let range = KeyRange::new(start, stop);
        if !range.is_empty() {
            let (bucket, held) = (place.bucket, place.certain(span.held));
            self.found.push(Found { range, bucket, held, fixed_parts: place.fixed_parts() });
        }
    }

    /// Emits one range over many values, whose ends are tightened as far as the later parts allow.
    fn tight_span(&mut self, part: &FieldPart, place: &Place, (low, high): (i128, i128), span: Span) {
        let mut low_bytes = Vec::new();
        let rises = self.encoder.encode_value(place.part, Value::Int(low), &mut low_bytes).is_ok()
            && low_bytes == span.start;
        let ends = if rises { [low, high] } else { [high, low] };
        let [first_end, last_end] =
            ends.map(|number| self.apart(|walk| walk.number(part, place, number, &span.held)).0);
        let Some(stop) = &span.stop else { return self.emit_span(place, span) };
        let (start, stop) =
            ([&place.prefix, span.start.as_slice()].concat(), [&place.prefix, stop.as_slice()].concat());
        // If nothing is found for one end, as no key can have it, that says nothing about the other.
        let first = first_end.iter().map(|found| found.range.start()).min();
        let start = first.filter(|first| *first > start.as_slice()).map_or(start, <[u8]>::to_vec);
        let stops: Option<Vec<&[u8]>> = last_end.iter().map(|found| found.range.stop()).collect();
        let last = stops.and_then(|stops| stops.into_iter().max());
        let stop = last.filter(|last| *last < stop.as_slice()).map_or(stop, <[u8]>::to_vec);
        let range = KeyRange::new(start, Some(stop));
        let (bucket, held) = (place.bucket, place.certain(span.held));
        self.found.push(Found { range, bucket, held, fixed_parts: place.fixed_parts() });
    }
}
