//! The bytes that a set of values covers in one part of the key.

use std::ops::Bound;

use super::set::{Interval, Literal, ValueSet};
use super::term::next_period;
use crate::KeyCodec;
use crate::codec::KeyEncoder;
use crate::design::{Encoding, End, FieldKind, FieldPart, OrderKept, Part};
use crate::design::{encodable, floor_number, partition};
use crate::key::{SortOrder, escape_nul};
use crate::range::{after_prefix, next_key};
use crate::value::{Row, Value};

/// Some of the bytes that may stand in a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// One value.
    Point {
        /// Its bytes, without what ends it.
        bytes: Vec<u8>,
        /// The value; `None` for absence.
        value: Option<Literal>,
        /// Whether other values can have these bytes, or begin with them.
        exact: bool,
    },
    /// Everything from `start` to before `stop`; `None` is as far as the part reaches.
    Span {
        start: Vec<u8>,
        stop: Option<Vec<u8>>,
        /// Whether it holds the bytes of no other value.
        exact: bool,
        /// Its values, where they are whole numbers.
        numbers: Option<(i128, i128)>,
    },
}

/// What a part's bytes are made with.
pub(super) struct PartBytes<'a> {
    pub(super) codec: &'a KeyCodec,
    pub(super) encoder: &'a mut KeyEncoder,
    pub(super) index: usize,
    pub(super) part: &'a FieldPart,
}

impl PartBytes<'_> {
    /// The pieces that `set` covers; `None` when the part can't be cut down to it.
    pub(super) fn pieces(&mut self, set: &ValueSet) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        let listed = match self.kind() {
            // True and false have no order in a key, whatever bytes they are.
            FieldKind::Bool => &truths(set),
            _ => set,
        };
        for interval in &listed.intervals {
            match interval.as_point() {
                Some(point) => pieces.extend(self.point(point)),
                None => pieces.extend(self.interval(interval)?),
            }
        }
        if set.null {
            pieces.extend(self.absence());
        }
        self.mind_default(set, &mut pieces);
        Some(pieces)
    }

    fn kind(&self) -> &FieldKind {
        &self.codec.design().fields[self.part.field].kind
    }

    /// A value that can't be encoded is in no row.
    fn point(&mut self, point: &Literal) -> Option<Piece> {
        let codec = self.codec.clone();
        let kind = &codec.design().fields[self.part.field].kind;
        let mut bytes = Vec::new();
        let value = value_of(point, kind)?;
        if !is_value(value, kind) {
            return None;
        }
        self.encoder.encode_value(self.index, value, &mut bytes).ok()?;
        let exact = self.part.steps.hash.is_none() && self.ends_itself();
        Some(Piece::Point { bytes, value: Some(point.clone()), exact })
    }

    fn absence(&mut self) -> Option<Piece> {
        let absent = Row::new(self.codec.design().fields.len());
        let mut bytes = Vec::new();
        self.encoder.encode_part(self.index, &absent, &mut bytes).ok()?;
        let field = &self.codec.design().fields[self.part.field];
        let marker = field.default.as_deref().is_some_and(|default| field.is_absence(default));
        Some(Piece::Point {
            bytes,
            value: None,
            exact: marker && self.part.steps.hash.is_none() && self.ends_itself(),
        })
    }

    fn ends_itself(&self) -> bool {
        !matches!(self.codec.design().layout[self.index].end, End::FromKeyEnd(_) | End::Unmarked)
    }

    fn interval(&mut self, interval: &Interval) -> Option<Vec<Piece>> {
        if self.part.steps.hash.is_some() || self.part.steps.reverse {
            return None;
        }
        match self.kind() {
            kind if kind.is_number() => self.numbers(interval),
            FieldKind::Float(_) => self.floats(interval),
            _ => self.texts(interval).map(|piece| vec![piece]),
        }
    }

    fn numbers(&mut self, interval: &Interval) -> Option<Vec<Piece>> {
        let order = self.codec.design().layout[self.index].order;
        let signed = self.part.steps.encoding == Encoding::Be && self.part.steps.desc.is_none();
        if order == OrderKept::No && !signed {
            return None;
        }
        let (min, max) = encodable(&self.part.steps, self.kind());
        let numbers = interval.as_numbers(min, max).and_then(|(low, high)| self.values_within(low, high));
        let Some((low, high)) = numbers else { return Some(Vec::new()) };
        // Two's complement puts negative numbers after the others.
        let halves = if order == OrderKept::No {
            let first = self.first_not_negative(low, high);
            vec![(first, high), (low, first - 1)]
        } else {
            vec![(low, high)]
        };
        let halves = halves.into_iter().filter(|(low, high)| low <= high);
        halves.map(|(low, high)| self.number_span(low, high)).collect()
    }

    /// The least and the largest value of the field from `low` to `high`: a time's pattern may leave out hours, minutes or
    /// seconds, and no row has them.
    fn values_within(&self, low: i128, high: i128) -> Option<(i128, i128)> {
        let FieldKind::Time(time) = self.kind() else { return Some((low, high)) };
        let (least, most) = (time.value_from(low), time.value_up_to(high));
        (least <= most).then_some((least, most))
    }

    /// The first number from `low` to `high` that is written as no negative one; `high` + 1 when all are.
    fn first_not_negative(&self, low: i128, high: i128) -> i128 {
        let written = |number| match (self.part.steps.floor, self.kind()) {
            (Some(period), FieldKind::Time(time)) => floor_number(number, period, time),
            _ => number,
        };
        partition(low, high, |number| written(number) < 0)
    }

    fn number_span(&mut self, low: i128, high: i128) -> Option<Piece> {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        self.encoder.encode_value(self.index, Value::Int(low), &mut first).ok()?;
        self.encoder.encode_value(self.index, Value::Int(high), &mut last).ok()?;
        if low == high {
            return Some(Piece::Point { bytes: first, value: Some(Literal::Int(low)), exact: true });
        }
        let next = if first > last { self.value_before(low) } else { self.value_after(high) };
        let stop = self.stop_before(next, (&first).max(&last));
        Some(Piece::Span { start: first.min(last), stop, exact: true, numbers: Some((low, high)) })
    }

    /// Where a span ends of which `last` sorts last: before number `next`, as a reader expects, where that comes after it.
    fn stop_before(&mut self, next: i128, last: &[u8]) -> Option<Vec<u8>> {
        let (min, max) = encodable(&self.part.steps, self.kind());
        let mut bytes = Vec::new();
        let is_next = (min..=max).contains(&next)
            && self.encoder.encode_value(self.index, Value::Int(next), &mut bytes).is_ok()
            && bytes.as_slice() > last;
        if is_next { Some(bytes) } else { after_prefix(last) }
    }

    /// The first number after `number` that is written in other bytes.
    fn value_after(&self, number: i128) -> i128 {
        match (self.part.steps.floor, self.kind()) {
            (Some(period), FieldKind::Time(time)) => next_period(number, period, time),
            (None, FieldKind::Time(time)) => time.value_from(number + 1),
            _ => number + 1,
        }
    }

    /// The last number before `number` that is written in other bytes.
    fn value_before(&self, number: i128) -> i128 {
        match (self.part.steps.floor, self.kind()) {
            (Some(period), FieldKind::Time(time)) => floor_number(number, period, time) - 1,
            (None, FieldKind::Time(time)) => time.value_up_to(number - 1),
            _ => number - 1,
        }
    }

    fn floats(&mut self, interval: &Interval) -> Option<Vec<Piece>> {
        let order = self.codec.design().layout[self.index].order;
        if order == OrderKept::No {
            return None;
        }
        let mut bound = |bound: &Bound<Literal>| match bound {
            Bound::Included(literal @ Literal::Float(_)) | Bound::Excluded(literal @ Literal::Float(_)) => {
                let codec = self.codec.clone();
                let value = value_of(literal, &codec.design().fields[self.part.field].kind)?;
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
        // Excluded ends, and narrow floats that round, are left to the filter.
        let stop = high.as_deref().and_then(after_prefix);
        Some(vec![Piece::Span { start: low.unwrap_or_default(), stop, exact: false, numbers: None }])
    }

    /// Texts that keep their order in the key, and those whose terminator sorts among their characters.
    fn texts(&self, interval: &Interval) -> Option<Piece> {
        let design = self.codec.design();
        let layout = &design.layout[self.index];
        let ordered_bytes = self.part.steps.encoding == Encoding::OrderedBytes;
        if layout.order == OrderKept::No {
            let can_bound = matches!(layout.end, End::Before(_)) && !self.part.steps.invert;
            return can_bound.then(|| self.loose_texts(interval));
        }
        let mark = self.mark();
        let bytes = |value: &[u8], mark: &[u8]| {
            let mut bytes = if ordered_bytes { vec![ORDERED_TEXT] } else { Vec::new() };
            let text = self.uuid_text(value);
            let value = text.as_deref().map_or(value, str::as_bytes);
            if self.part.steps.escape {
                escape_nul::encode(&mut bytes, value, SortOrder::Ascending);
            } else {
                bytes.extend_from_slice(value);
                bytes.extend_from_slice(mark);
            }
            if self.part.steps.invert {
                SortOrder::Descending.apply(&mut bytes);
            }
            bytes
        };
        let at_end = layout.end == End::KeyEnd;
        let after = |bytes: Vec<u8>| if at_end { Some(next_key(&bytes)) } else { after_prefix(&bytes) };
        let before_low = match &interval.low {
            Bound::Included(Literal::Bytes(low)) => Edge::Before(bytes(low, mark)),
            Bound::Excluded(Literal::Bytes(low)) => Edge::After(bytes(low, mark)),
            _ => Edge::Open,
        };
        let after_high = match &interval.high {
            Bound::Included(Literal::Bytes(high)) => Edge::After(bytes(high, mark)),
            Bound::Excluded(Literal::Bytes(high)) => Edge::Before(bytes(high, mark)),
            _ => Edge::Open,
        };
        let (start, stop) = if layout.order == OrderKept::Descending {
            (after_high.turned(&after), before_low.turned_stop(&after))
        } else {
            (before_low.start(&after), after_high.stop(&after))
        };
        Some(Piece::Span { start, stop, exact: true, numbers: None })
    }

    /// From the lower bound to the last text that can sort before the upper one's end.
    fn loose_texts(&self, interval: &Interval) -> Piece {
        let mark = self.mark();
        let start = match &interval.low {
            Bound::Included(Literal::Bytes(low)) | Bound::Excluded(Literal::Bytes(low)) => low.clone(),
            _ => Vec::new(),
        };
        let stop = match &interval.high {
            Bound::Included(Literal::Bytes(high)) | Bound::Excluded(Literal::Bytes(high)) => {
                let ended = (0..=high.len()).map(|len| [&high[..len], mark].concat()).max();
                ended.and_then(|last| after_prefix(&last))
            }
            _ => None,
        };
        Piece::Span { start, stop, exact: false, numbers: None }
    }

    /// The text of a UUID that stands in the key as text.
    fn uuid_text(&self, value: &[u8]) -> Option<String> {
        let as_text =
            matches!(self.kind(), FieldKind::Uuid { .. }) && self.part.steps.encoding == Encoding::Text;
        let bytes = value.try_into().ok().filter(|_| as_text)?;
        Some(uuid::Uuid::from_bytes(bytes).to_string())
    }

    fn mark(&self) -> &[u8] {
        match (&self.codec.design().layout[self.index].end, self.codec.design().parts.get(self.index + 1)) {
            (End::Before(_), Some(Part::Text(text))) => &text.bytes,
            (End::Own, _) if self.part.steps.encoding == Encoding::OrderedBytes => &[0],
            _ => &[],
        }
    }

    /// A span that may hold the default's bytes may hold rows without a value, which no comparison wants.
    fn mind_default(&mut self, set: &ValueSet, pieces: &mut [Piece]) {
        let field = &self.codec.design().fields[self.part.field];
        if set.null || field.default.is_none() {
            return;
        }
        let Some(Piece::Point { bytes, .. }) = self.absence() else { return };
        for piece in pieces {
            match piece {
                Piece::Span { start, stop, exact, .. } => {
                    let outside = bytes < *start && !start.starts_with(&bytes)
                        || stop.as_ref().is_some_and(|stop| bytes >= *stop);
                    *exact &= outside;
                }
                Piece::Point { bytes: point, exact, .. } => *exact &= *point != bytes,
            }
        }
    }
}

/// The truth values of a set, as points.
fn truths(set: &ValueSet) -> ValueSet {
    let both = [false, true].map(|truth| Literal::Bytes(vec![u8::from(truth)]));
    let within = both.into_iter().filter(|truth| set.contains(Some(truth)));
    // Kept apart, as neighbours they would become an interval.
    ValueSet { intervals: within.map(Interval::point).collect(), null: set.null }
}

/// The header of `OrderedBytes` text.
const ORDERED_TEXT: u8 = 0x34;

/// One end of an interval, in bytes of a value.
enum Edge {
    Open,
    Before(Vec<u8>),
    After(Vec<u8>),
}

impl Edge {
    fn start(self, after: &impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> Vec<u8> {
        match self {
            Self::Open => Vec::new(),
            Self::Before(bytes) => bytes,
            // Nothing sorts after FF bytes alone; such a start is past every value.
            Self::After(bytes) => after(bytes.clone()).unwrap_or_else(|| next_key(&bytes)),
        }
    }

    fn stop(self, after: &impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
        match self {
            Self::Open => None,
            Self::Before(bytes) => Some(bytes),
            Self::After(bytes) => after(bytes),
        }
    }

    /// The start of a descending part, from the upper end of the values.
    fn turned(self, after: &impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> Vec<u8> {
        match self {
            Self::After(bytes) => Self::Before(bytes),
            Self::Before(bytes) => Self::After(bytes),
            Self::Open => Self::Open,
        }
        .start(after)
    }

    /// The stop of a descending part, from the lower end of the values.
    fn turned_stop(self, after: &impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
        match self {
            Self::Before(bytes) => Self::After(bytes),
            Self::After(bytes) => Self::Before(bytes),
            Self::Open => Self::Open,
        }
        .stop(after)
    }
}

/// A literal as a value of `kind`; `None` when it can't be one.
pub(super) fn value_of<'a>(literal: &'a Literal, kind: &FieldKind) -> Option<Value<'a>> {
    match (literal, kind) {
        (Literal::Int(number), _) => Some(Value::Int(*number)),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an f32 field compares as f64 and is written as f32"
        )]
        (Literal::Float(number), FieldKind::Float(crate::design::FloatKind::F32)) => {
            Some(Value::F32(*number as f32))
        }
        (Literal::Float(number), _) => Some(Value::F64(*number)),
        (Literal::Bytes(bytes), FieldKind::Bool) => Some(Value::Bool(bytes.first() == Some(&1))),
        (Literal::Bytes(bytes), FieldKind::Bytes { .. }) => Some(Value::Bytes(bytes)),
        (Literal::Bytes(bytes), FieldKind::Uuid { .. }) => bytes.as_slice().try_into().ok().map(Value::Uuid),
        (Literal::Bytes(bytes), _) => std::str::from_utf8(bytes).ok().map(Value::Text),
    }
}

/// Whether a row can hold the value.
fn is_value(value: Value<'_>, kind: &FieldKind) -> bool {
    match (value, kind) {
        (Value::Text(text), FieldKind::String(_) | FieldKind::Digits { .. }) => {
            Row::new(1).read(0, kind, text).is_ok()
        }
        (Value::Int(number), FieldKind::Time(time)) => {
            (time.min..=time.max).contains(&number) && time.value_up_to(number) == number
        }
        (Value::Int(number), kind) => {
            kind.number_range().is_none_or(|(min, max)| (min..=max).contains(&number))
        }
        _ => true,
    }
}
