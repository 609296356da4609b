//! The bytes of intervals of texts.

use std::ops::Bound;

use super::{PartBytes, Piece};
use crate::design::{Encoding, End, FieldKind, OrderKept, Part};
use crate::key::{SortOrder, escape_nul, ordered_bytes};
use crate::plan::set::{Interval, Literal};
use crate::range::{after_prefix, next_key};

impl PartBytes<'_> {
    /// Returns the pieces of an interval of texts; `None` if their order is lost and nothing but the filter can select
    /// them.
    pub(super) fn texts(&self, interval: &Interval) -> Option<Vec<Piece>> {
        let layout = &self.codec.design().layout[self.index];
        if layout.order == OrderKept::No {
            return (!self.part.steps.invert).then(|| vec![self.loose_texts(interval)]);
        }
        let low = match &interval.low {
            Bound::Included(Literal::Bytes(low)) => self.before(low),
            Bound::Excluded(Literal::Bytes(low)) => self.after(low),
            _ => Edge::Open,
        };
        let high = match &interval.high {
            Bound::Included(Literal::Bytes(high)) => self.after(high),
            Bound::Excluded(Literal::Bytes(high)) => self.before(high),
            _ => Edge::Open,
        };
        let (low, high) = match layout.order {
            OrderKept::Descending => (high.turned(), low.turned()),
            OrderKept::Ascending | OrderKept::No => (low, high),
        };
        let is_at_end = layout.end == End::KeyEnd;
        let start = match low {
            Edge::Open => Some(Vec::new()),
            Edge::Before(bytes) => Some(bytes),
            Edge::After(bytes) => first_after(&bytes, is_at_end),
        };
        let stop = match high {
            Edge::Open => None,
            Edge::Before(bytes) => Some(bytes),
            Edge::After(bytes) => first_after(&bytes, is_at_end),
        };
        // There is no start if nothing sorts after the lower end, as after FF bytes alone; then no value is in it.
        Some(start.map(|start| Piece::Span { start, stop, exact: true, numbers: None }).into_iter().collect())
    }

    /// Returns the place before a text and all texts that begin with it.
    fn before(&self, text: &[u8]) -> Edge {
        match self.beginning_of_values(text) {
            Some(beginning) => Edge::After(self.bytes(beginning)),
            None => Edge::Before(self.bytes(text)),
        }
    }

    /// Returns the place after a text and before all other texts that begin with it.
    fn after(&self, text: &[u8]) -> Edge {
        match self.beginning_of_values(text) {
            Some(beginning) => Edge::After(self.bytes(beginning)),
            None if self.fixed_width().is_some_and(|width| text.len() < width) => {
                Edge::Before(self.bytes(text))
            }
            None => Edge::After(self.bytes(text)),
        }
    }

    /// Returns the longest prefix of a text that values can have, if no value can have the whole text as a prefix:
    /// values that are not above the text are then not above the prefix either. That is so if the text is longer than
    /// all values, or from its first byte on that is not above the terminator, since all bytes of values are.
    fn beginning_of_values<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        let is_too_long = |width: &usize| text.len() > *width;
        let before_mark = |mark: &u8| text.iter().position(|byte| byte <= mark);
        let len =
            self.fixed_width().filter(is_too_long).or_else(|| self.mark().first().and_then(before_mark));
        len.map(|len| &text[..len])
    }

    /// Returns the length of all values, if it is fixed and the key contains them as they are.
    fn fixed_width(&self) -> Option<usize> {
        let is_uuid = matches!(self.kind(), FieldKind::Uuid { .. });
        self.codec.design().layout[self.index].end.fixed().filter(|_| !is_uuid)
    }

    /// Returns the bytes of a value and its terminator, as they are in the key.
    fn bytes(&self, value: &[u8]) -> Vec<u8> {
        let steps = &self.part.steps;
        let mut bytes = Vec::new();
        if steps.encoding == Encoding::OrderedBytes {
            let is_bytes = matches!(self.kind(), FieldKind::Bytes { .. });
            bytes.push(if is_bytes { ordered_bytes::BLOB_COPY } else { ordered_bytes::TEXT });
        }
        let text = self.uuid_text(value);
        let value = text.as_deref().map_or(value, str::as_bytes);
        if steps.escape {
            escape_nul::encode(&mut bytes, value, SortOrder::Ascending);
        } else {
            bytes.extend_from_slice(value);
            bytes.extend_from_slice(self.mark());
        }
        if steps.invert {
            SortOrder::Descending.apply(&mut bytes);
        }
        bytes
    }

    /// Returns the span of texts that end without a mark, or with one that may sort among their characters: from the
    /// lower bound to the last key that a text up to the upper one can begin.
    fn loose_texts(&self, interval: &Interval) -> Piece {
        let start = bytes_of_bound(&interval.low).unwrap_or_default();
        let stop = bytes_of_bound(&interval.high).and_then(|high| {
            // Other texts sort before the upper bound with all that follows them. What follows a text that the bound
            // begins with may sort after it.
            let ends = (0..=high.len()).map(|len| &high[..len]);
            let ends = ends.filter(|end| interval.contains(&Literal::Bytes(end.to_vec())));
            let stops = ends.map(|end| after_prefix(&[end, self.mark()].concat()));
            stops.chain([Some(high.to_vec())]).collect::<Option<Vec<_>>>()?.into_iter().max()
        });
        Piece::Span { start: start.to_vec(), stop, exact: false, numbers: None }
    }

    /// Returns the text of a UUID if the part holds UUIDs as text.
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
}

/// One end of an interval: a place between the bytes of values.
enum Edge {
    Open,
    /// Before these bytes, and all that begin with them.
    Before(Vec<u8>),
    /// After these bytes; see [`first_after`] for those that begin with them.
    After(Vec<u8>),
}

impl Edge {
    /// Returns the same place in a part in which larger values come first.
    fn turned(self) -> Self {
        match self {
            Self::After(bytes) => Self::Before(bytes),
            Self::Before(bytes) => Self::After(bytes),
            Self::Open => Self::Open,
        }
    }
}

fn bytes_of_bound(bound: &Bound<Literal>) -> Option<&[u8]> {
    match bound {
        Bound::Included(Literal::Bytes(bytes)) | Bound::Excluded(Literal::Bytes(bytes)) => Some(bytes),
        _ => None,
    }
}

/// Returns the first bytes after those of a value: directly after them if they end the key, and otherwise after all
/// that begin with them; `None` if there are none.
fn first_after(bytes: &[u8], is_at_end: bool) -> Option<Vec<u8>> {
    if is_at_end { Some(next_key(bytes)) } else { after_prefix(bytes) }
}
