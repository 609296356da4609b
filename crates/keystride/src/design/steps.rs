//! The steps of a field on its way into the key; their order is fixed, whatever the order in the file.

use std::fmt;

use super::field::{FieldKind, FloatKind, IntWidth};
use super::time_field::TimeText;
use crate::hash::Digest;
use crate::time::Period;

/// The steps that a field's value goes through, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Steps {
    /// The period whose start a time is rounded down to.
    pub floor: Option<Period>,
    /// The bound that the number is subtracted from, so that large numbers sort first.
    pub desc: Option<NumberDesc>,
    /// How the value is encoded.
    pub encoding: Encoding,
    /// The width of a `be` or `ordered` number in bytes, if it is not that of the type.
    pub width: Option<usize>,
    /// The number of characters to which the number is padded with zeros on the left.
    pub pad: Option<usize>,
    /// Whether the characters (of text) or bytes (of anything else) are reversed.
    pub reverse: bool,
    /// The digest whose first bytes replace the value.
    pub hash: Option<HashStep>,
    /// Whether each 00 becomes 00 FF, and the value ends with 00 01.
    pub escape: bool,
    /// Whether every byte is complemented; for `ordered-bytes`, that encoding's descending form is used.
    pub invert: bool,
}

/// The bound that a number is subtracted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberDesc {
    /// 2⁶³ − 1: Java's `Long.MAX_VALUE - t`, with 19 digits as text.
    LongMax,
    /// A bound; as text, the number has as many digits as the bound.
    Bound(u64),
}

/// How a value is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// The value itself: text, or the bytes of `bytes` and `uuid`.
    #[default]
    Plain,
    /// Text, for a type whose plain form is not text (`uuid`).
    Text,
    /// `Bytes.toBytes`: big-endian.
    Be,
    /// Big-endian with the sign flipped; floats sort in total order.
    Ordered,
    /// As Apache Phoenix does.
    Phoenix,
    /// HBase's `OrderedBytes`.
    OrderedBytes,
}

/// The first bytes or digits of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashStep {
    /// The digest.
    pub digest: Digest,
    /// How much of it is used.
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

/// The names of the encodings.
pub(super) const ENCODINGS: [(&str, Encoding); 5] = [
    ("text", Encoding::Text),
    ("be", Encoding::Be),
    ("ordered", Encoding::Ordered),
    ("phoenix", Encoding::Phoenix),
    ("ordered-bytes", Encoding::OrderedBytes),
];

impl NumberDesc {
    /// Returns the bound that numbers are subtracted from.
    pub fn bound(self) -> i128 {
        match self {
            Self::LongMax => i64::MAX.into(),
            Self::Bound(bound) => bound.into(),
        }
    }

    /// Returns the number of digits of the result as text.
    pub fn digits(self) -> usize {
        let bound = match self {
            Self::LongMax => i64::MAX.cast_unsigned(),
            Self::Bound(bound) => bound,
        };
        crate::key::decimal::digit_count(bound)
    }
}

impl HashStep {
    /// Returns how many bytes it adds to the key.
    pub fn width(self) -> usize {
        match self.take {
            HashTake::Bytes(n) | HashTake::Hex(n) => n,
        }
    }
}

/// What a value consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Units {
    /// Code points.
    Characters,
    Bytes,
}

impl Steps {
    /// Returns the width of the encoded value in bytes, if all values have the same; `None` with `escape`.
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

    /// Returns the width of the type's binary forms in bytes; 8 for every `long-max`.
    fn binary_width(&self, kind: &FieldKind) -> usize {
        match kind {
            _ if self.desc == Some(NumberDesc::LongMax) => 8,
            FieldKind::Int(int) => int.width.byte_width(),
            FieldKind::Float(FloatKind::F32) => 4,
            FieldKind::Bool => 1,
            _ => 8,
        }
    }

    /// Whether the encoding writes the descending form itself: `ordered-bytes` does, unless a digest replaces it. Every
    /// other form is complemented last.
    pub fn encodes_descending(&self) -> bool {
        self.invert && self.encoding == Encoding::OrderedBytes && self.hash.is_none()
    }

    /// Returns what `reverse` reverses in the encoded value.
    pub(crate) fn reversed_units(&self, kind: &FieldKind) -> Units {
        let is_varchar = self.encoding == Encoding::Phoenix && matches!(kind, FieldKind::String(_));
        if self.is_text(kind) || is_varchar { Units::Characters } else { Units::Bytes }
    }

    /// Whether the encoded value is text, which `pad` can fill with zeros.
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

/// Prints the steps as in the design file, in their order.
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
    /// Returns its name in a design file; `None` for plain.
    pub fn word(self) -> Option<&'static str> {
        ENCODINGS.iter().find(|(_, encoding)| *encoding == self).map(|(word, _)| *word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;
    use crate::design::Part;

    /// The steps and the type of a design's only part.
    fn part(field: &str, steps: &str) -> (Steps, FieldKind) {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = {{ {field} }}\n\
             [key]\nparts = [{{ field = \"v\", {steps} }}]\n"
        );
        let design = Design::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
        let Part::Field(part) = &design.parts[0] else { panic!("{toml}") };
        (part.steps.clone(), design.fields[0].kind.clone())
    }

    #[test]
    fn steps_are_told_in_their_order() {
        for (field, steps) in [
            ("type = \"time\", unit = \"s\"", "floor = \"1d\", desc = \"long-max\", as = \"be\""),
            ("type = \"u32\"", "desc = 5000000000, pad = 12, reverse = true"),
            ("type = \"i64\"", "as = \"ordered\", width = 4, desc = \"invert\""),
            ("type = \"string\"", "hash = { name = \"md5\", hex = 8 }"),
            ("type = \"string\"", "hash = { name = \"xxh3\", bytes = 4 }"),
            ("type = \"string\"", "as = \"phoenix\", escape = true, desc = \"invert\""),
        ] {
            assert_eq!(part(field, steps).0.to_string(), steps);
        }
    }

    #[test]
    fn characters_of_texts_are_reversed_and_bytes_of_anything_else() {
        for (field, steps, units) in [
            ("type = \"string\"", "reverse = true", Units::Characters),
            ("type = \"string\"", "as = \"phoenix\", reverse = true", Units::Characters),
            ("type = \"u32\"", "pad = 10, reverse = true", Units::Characters),
            ("type = \"i32\"", "as = \"phoenix\", reverse = true", Units::Bytes),
            ("type = \"bytes\"", "reverse = true", Units::Bytes),
        ] {
            let (steps, kind) = part(field, steps);
            assert_eq!(steps.reversed_units(&kind), units, "{steps} of {kind:?}");
        }
    }

    #[test]
    fn a_type_with_one_value_has_its_width() {
        for (field, steps, width) in [
            ("type = \"int\", min = -5, max = -5", "reverse = false", Some(2)),
            ("type = \"int\", min = 10, max = 99", "reverse = false", Some(2)),
            ("type = \"int\", min = -9, max = 10", "reverse = false", None),
            ("type = \"i32\"", "as = \"be\", desc = \"long-max\"", Some(8)),
            ("type = \"i32\"", "as = \"ordered-bytes\"", Some(5)),
        ] {
            let (steps, kind) = part(field, steps);
            assert_eq!(steps.fixed_width(&kind), width, "{field}");
        }
    }
}
