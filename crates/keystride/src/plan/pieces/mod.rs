//! Computes the bytes that a set of values covers in one part of the key.

mod numbers;
mod texts;
mod value;

pub(super) use self::value::{is_value, listed};
use super::set::{Interval, Literal, ValueSet};
use crate::KeyCodec;
use crate::codec::KeyEncoder;
use crate::design::{FieldKind, FieldPart, Function, TimeText};
use crate::value::Row;

/// The largest number of values of an interval that are read one by one, as the key has them in no order: neighbours in a
/// list are an interval, too.
const MOST_EACH: usize = 256;

/// Some of the bytes that a part may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// One value.
    Point {
        /// Its bytes, without those that end it.
        bytes: Vec<u8>,
        /// The value; `None` for absence.
        value: Option<Literal>,
        /// Whether no other value can have these bytes, or bytes that begin with them.
        exact: bool,
    },
    /// Everything from `start` (inclusive) to `stop` (exclusive); `None` extends to the end of the part's values.
    Span {
        start: Vec<u8>,
        stop: Option<Vec<u8>>,
        /// Whether it contains the bytes of no other value.
        exact: bool,
        /// The values, if they are whole numbers.
        numbers: Option<(i128, i128)>,
    },
}

/// The part, and what is needed to encode its values.
pub(super) struct PartBytes<'a> {
    pub(super) codec: &'a KeyCodec,
    pub(super) encoder: &'a mut KeyEncoder,
    pub(super) index: usize,
    pub(super) part: &'a FieldPart,
}

impl PartBytes<'_> {
    /// Returns the pieces that `set` covers; `None` when the part can't be restricted to it.
    pub(super) fn pieces(&mut self, set: &ValueSet) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        let listed = match self.kind() {
            // The order of true and false in a key depends on the encoding, so they are listed as single values.
            FieldKind::Bool => &truths(set),
            _ => set,
        };
        for interval in &listed.intervals {
            match interval.as_point() {
                Some(point) => pieces.extend(self.point(point)),
                None => match self.interval(interval) {
                    Some(spans) => pieces.extend(spans),
                    None => pieces.extend(self.each(interval)?),
                },
            }
        }
        if set.null {
            pieces.extend(self.absence());
        }
        self.allow_for_default(set, &mut pieces);
        Some(pieces)
    }

    fn kind(&self) -> &FieldKind {
        &self.codec.design().fields[self.part.field].kind
    }

    /// Returns the piece of one value; `None` if it can't be encoded, since then no row has it.
    fn point(&mut self, point: &Literal) -> Option<Piece> {
        let codec = self.codec.clone();
        let kind = &codec.design().fields[self.part.field].kind;
        let mut bytes = Vec::new();
        let value = point.as_value(kind)?;
        if !self.is_floored() && !is_value(value, kind) {
            return None;
        }
        self.encoder.encode_value(self.index, value, &mut bytes).ok()?;
        let exact = self.part.steps.hash.is_none() && self.ends_itself() && !self.is_cut_text();
        Some(Piece::Point { bytes, value: Some(point.clone()), exact })
    }

    fn absence(&mut self) -> Option<Piece> {
        let absent = Row::new(self.codec.design().fields.len());
        let mut bytes = Vec::new();
        self.encoder.encode_part(self.index, &absent, &mut bytes).ok()?;
        let is_marker = self.codec.absence(self.index).is_some();
        Some(Piece::Point {
            bytes,
            value: None,
            exact: is_marker && self.part.steps.hash.is_none() && self.ends_itself(),
        })
    }

    fn ends_itself(&self) -> bool {
        self.codec.design().shows_end(self.index)
    }

    /// Whether the part's numbers are the starts of periods, which need not be values of a time's pattern.
    fn is_floored(&self) -> bool {
        self.part.steps.floor.is_some() || self.is_period()
    }

    /// Whether the part's field is the start of the period of another field.
    fn is_period(&self) -> bool {
        let from = &self.codec.design().fields[self.part.field].from;
        from.as_ref().is_some_and(|expr| matches!(expr.function, Some(Function::Floor(_))))
    }

    /// Whether several starts of periods may have the same text, as a pattern may omit days or hours.
    fn is_cut_text(&self) -> bool {
        let FieldKind::Time(time) = self.kind() else { return false };
        self.is_floored() && self.part.steps.is_text(self.kind()) && matches!(time.text, TimeText::Pattern(_))
    }

    /// Returns the numbers of an interval as single values, where their order is lost; `None` if they are many.
    fn each(&mut self, interval: &Interval) -> Option<Vec<Piece>> {
        if self.is_floored() {
            return None;
        }
        let set = ValueSet { intervals: vec![interval.clone()], null: false };
        let values = listed(&set, self.kind(), MOST_EACH)?;
        Some(values.iter().filter_map(|value| self.point(value)).collect())
    }

    fn interval(&mut self, interval: &Interval) -> Option<Vec<Piece>> {
        if self.part.steps.hash.is_some() || self.part.steps.reverse {
            return None;
        }
        match self.kind() {
            kind if kind.is_number() => self.numbers(interval),
            FieldKind::Float(_) => self.floats(interval),
            _ => self.texts(interval),
        }
    }

    /// A span that may contain the bytes of the default may contain rows without a value, which match no comparison.
    fn allow_for_default(&mut self, set: &ValueSet, pieces: &mut [Piece]) {
        if set.null {
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

/// Returns the truth values of a set, as points.
fn truths(set: &ValueSet) -> ValueSet {
    let both = [false, true].map(|truth| Literal::Bytes(vec![u8::from(truth)]));
    let within = both.into_iter().filter(|truth| set.contains(Some(truth)));
    // Not normalised, as neighbouring points would be merged into an interval.
    ValueSet { intervals: within.map(Interval::point).collect(), null: set.null }
}
