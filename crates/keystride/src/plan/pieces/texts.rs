//! The bytes of texts from one to another.

use std::ops::Bound;

use super::{PartBytes, Piece};
use crate::design::{Encoding, End, FieldKind, OrderKept, Part};
use crate::key::{SortOrder, escape_nul};
use crate::plan::set::{Interval, Literal};
use crate::range::{after_prefix, next_key};

/// The header of `OrderedBytes` text.
const ORDERED_TEXT: u8 = 0x34;

impl PartBytes<'_> {
    /// Texts that keep their order in the key, and those whose terminator sorts among their characters.
    pub(super) fn texts(&self, interval: &Interval) -> Option<Piece> {
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
}

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
