//! Steps a field goes through on its way into the key, always in this order whatever the order in the file.

use std::fmt;

use super::field::{FieldKind, FloatKind, IntWidth};
use super::time_field::TimeText;
use crate::hash::Digest;
use crate::time::Period;

/// What is done to a field's value, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Steps {
    /// A time cut down to a period.
    pub floor: Option<Period>,
    /// The number taken from a bound, so that large numbers sort first.
    pub desc: Option<NumberDesc>,
    /// How the value becomes bytes.
    pub encoding: Encoding,
    /// Bytes of a narrow `be` or `ordered` number.
    pub width: Option<usize>,
    /// Zeros on the left to so many characters.
    pub pad: Option<usize>,
    /// Characters (text) or bytes (binary) backwards.
    pub reverse: bool,
    /// The start of a digest instead of the bytes.
    pub hash: Option<HashStep>,
    /// 00 becomes 00 FF, and the value ends with 00 01.
    pub escape: bool,
    /// Every byte complemented; on `ordered-bytes`, that encoding's descending form.
    pub invert: bool,
}

/// What a number is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberDesc {
    /// 2⁶³ − 1: Java's `Long.MAX_VALUE - t`, 19 digits in text.
    LongMax,
    /// A bound, in as many digits as it has.
    Bound(u64),
}

/// How a value becomes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// The field's own bytes: text, or the bytes of `bytes` and `uuid`.
    #[default]
    Plain,
    /// Text where plain is something else (`uuid`).
    Text,
    /// `Bytes.toBytes`: big-endian.
    Be,
    /// Big-endian with the sign flipped; floats in total order.
    Ordered,
    /// Apache Phoenix's.
    Phoenix,
    /// HBase's `OrderedBytes`.
    OrderedBytes,
}

/// The start of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashStep {
    /// Which digest.
    pub digest: Digest,
    /// How much of it.
    pub take: HashTake,
}

/// How much of a digest goes into the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashTake {
    /// The first n bytes.
    Bytes(usize),
    /// The first n lower-case hex digits.
    Hex(usize),
}

/// The words of encodings.
pub(super) const ENCODINGS: [(&str, Encoding); 5] = [
    ("text", Encoding::Text),
    ("be", Encoding::Be),
    ("ordered", Encoding::Ordered),
    ("phoenix", Encoding::Phoenix),
    ("ordered-bytes", Encoding::OrderedBytes),
];

impl NumberDesc {
    /// What numbers are taken from.
    pub fn bound(self) -> i128 {
        match self {
            Self::LongMax => i64::MAX.into(),
            Self::Bound(bound) => bound.into(),
        }
    }

    /// Digits of its text.
    pub fn digits(self) -> usize {
        let bound = match self {
            Self::LongMax => i64::MAX.cast_unsigned(),
            Self::Bound(bound) => bound,
        };
        crate::key::decimal::digit_count(bound)
    }
}

impl HashStep {
    /// Bytes it puts into the key.
    pub fn width(self) -> usize {
        match self.take {
            HashTake::Bytes(n) | HashTake::Hex(n) => n,
        }
    }
}

impl Steps {
    /// Bytes of the encoded value, when all values have the same number; without `escape`'s end mark.
    pub fn fixed_width(&self, kind: &FieldKind) -> Option<usize> {
        if self.escape {
            return None;
        }
        if let Some(hash) = self.hash {
            return Some(hash.width());
        }
        match self.encoding {
            Encoding::Plain | Encoding::Text => self.text_width(kind),
            Encoding::Be | Encoding::Ordered => Some(self.width.unwrap_or_else(|| self.binary_width(kind))),
            Encoding::Phoenix => match kind {
                FieldKind::String(_) | FieldKind::Bytes { .. } => None,
                _ => Some(self.binary_width(kind)),
            },
            Encoding::OrderedBytes => match kind {
                FieldKind::Int(int) if int.width == IntWidth::Int => None,
                FieldKind::String(_) | FieldKind::Bytes { .. } => None,
                _ => Some(1 + self.binary_width(kind)),
            },
        }
    }

    fn text_width(&self, kind: &FieldKind) -> Option<usize> {
        if let Some(pad) = self.pad {
            return Some(pad);
        }
        if let Some(desc) = self.desc {
            return Some(desc.digits());
        }
        match kind {
            FieldKind::String(text) if text.min_len == text.max_len => Some(text.max_len),
            FieldKind::String(_) => None,
            FieldKind::Digits { len } => Some(*len),
            FieldKind::Int(int) if int.min == int.max => Some(int.min.to_string().len()),
            FieldKind::Int(int) => {
                let (low, high) = (int.min.to_string().len(), int.max.to_string().len());
                (int.min >= 0 && low == high).then_some(high)
            }
            FieldKind::Bool => Some(1),
            FieldKind::Bytes { len, .. } => *len,
            FieldKind::Uuid { .. } if self.encoding == Encoding::Text => Some(36),
            FieldKind::Uuid { .. } => Some(16),
            FieldKind::Time(time) => match &time.text {
                TimeText::Epoch(unit) => Some(unit.digits()),
                TimeText::Pattern(pattern) => pattern.width(),
            },
            FieldKind::Float(_) => None,
        }
    }

    /// Bytes of the type's binary forms; 8 for every `long-max`.
    fn binary_width(&self, kind: &FieldKind) -> usize {
        match kind {
            _ if self.desc == Some(NumberDesc::LongMax) => 8,
            FieldKind::Int(int) => int.width.byte_width(),
            FieldKind::Float(FloatKind::F32) => 4,
            FieldKind::Bool => 1,
            FieldKind::Uuid { .. } => 16,
            FieldKind::Bytes { len, .. } => len.unwrap_or(0),
            FieldKind::Digits { len } => *len,
            _ => 8,
        }
    }

    /// Whether the encoding writes the descending form itself: `ordered-bytes` does, unless a digest takes its place.
    /// Every other form is complemented last.
    pub fn encodes_descending(&self) -> bool {
        self.invert && self.encoding == Encoding::OrderedBytes && self.hash.is_none()
    }

    /// Whether the encoded value is text, in which `pad` puts zeros and `reverse` turns characters round.
    pub fn is_text(&self, kind: &FieldKind) -> bool {
        match self.encoding {
            Encoding::Plain => {
                !matches!(kind, FieldKind::Bytes { .. } | FieldKind::Uuid { .. } | FieldKind::Float(_))
            }
            Encoding::Text => true,
            Encoding::Be | Encoding::Ordered | Encoding::Phoenix | Encoding::OrderedBytes => false,
        }
    }
}

/// The steps in the design's words and their order.
impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.floor.as_ref().map(|period| format!("floor = \"{period}\"")));
        words.extend(self.desc.map(|desc| match desc {
            NumberDesc::LongMax => "desc = \"long-max\"".to_owned(),
            NumberDesc::Bound(bound) => format!("desc = {bound}"),
        }));
        words.extend(self.encoding.word().map(|word| format!("as = \"{word}\"")));
        words.extend(self.width.map(|width| format!("width = {width}")));
        words.extend(self.pad.map(|pad| format!("pad = {pad}")));
        words.extend(self.reverse.then(|| "reverse = true".to_owned()));
        words.extend(self.hash.map(|hash| hash.to_string()));
        words.extend(self.escape.then(|| "escape = true".to_owned()));
        words.extend(self.invert.then(|| "desc = \"invert\"".to_owned()));
        f.write_str(&words.join(", "))
    }
}

impl fmt::Display for HashStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, count) = match self.take {
            HashTake::Bytes(count) => ("bytes", count),
            HashTake::Hex(count) => ("hex", count),
        };
        write!(f, "hash = {{ name = \"{}\", {word} = {count} }}", self.digest.name())
    }
}

impl Encoding {
    /// Its word in a design file; plain bytes have none.
    pub fn word(self) -> Option<&'static str> {
        ENCODINGS.iter().find(|(_, encoding)| *encoding == self).map(|(word, _)| *word)
    }
}
