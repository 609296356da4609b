//! The bytes that a set of values covers in one part of the key.

mod numbers;
mod texts;
mod value;

use self::value::is_value;
pub(super) use self::value::value_of;
use super::set::{Interval, Literal, ValueSet};
use crate::KeyCodec;
use crate::codec::KeyEncoder;
use crate::design::{End, FieldKind, FieldPart};
use crate::value::Row;

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
