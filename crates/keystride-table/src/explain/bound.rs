//! Bounds of key ranges, described part by part.

use std::fmt;

use keystride::codec::{DescribedPrefix, PartKind};
use keystride::design::TimeStyle;
use keystride::escape::{to_escaped, to_shown};
use keystride::{Design, KeyCodec, KeyRange};
use serde::Serialize;

use super::RangeShape;

/// The beginning of a key, described part by part: `bucket 03, user=ann, "!", ts=8637…`.
#[derive(Debug, Clone)]
pub struct KeyBound {
    codec: KeyCodec,
    key: Vec<u8>,
}

impl KeyBound {
    /// Creates the bound of these bytes, which need not be a key of the codec's design.
    pub fn new(codec: &KeyCodec, key: &[u8]) -> Self {
        Self { codec: codec.clone(), key: key.to_vec() }
    }

    /// Returns the bytes.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Splits the bytes into parts, as far as they are some of the design's.
    pub fn parts(&self) -> DescribedPrefix {
        self.codec.describe_prefix(&self.key)
    }

    /// Returns the parts as text.
    pub fn to_text(&self, style: &TimeStyle) -> String {
        Described::new(&self.codec, &self.key).to_text(style)
    }
}

impl fmt::Display for KeyBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(&TimeStyle::default()))
    }
}

/// The bounds of a range, described part by part; `None` is the table's start or end.
#[derive(Debug, Clone, Serialize)]
pub struct BoundsDocument {
    from: Option<String>,
    before: Option<String>,
}

impl BoundsDocument {
    /// Describes the bounds of a range.
    pub fn new(codec: &KeyCodec, range: &KeyRange, style: &TimeStyle) -> Self {
        let text = |key: &[u8]| KeyBound::new(codec, key).to_text(style);
        let start = Some(range.start()).filter(|start| !start.is_empty());
        Self { from: start.map(text), before: range.stop().map(text) }
    }
}

/// The texts of a range's bounds.
pub(super) struct BoundTexts<'a> {
    pub(super) codec: &'a KeyCodec,
    pub(super) style: &'a TimeStyle,
    /// Whether the leading bucket is left out, as the same is said of several.
    pub(super) without_bucket: bool,
}

impl BoundTexts<'_> {
    /// Returns the text of a range with its bounds.
    pub(super) fn range(&self, range: &KeyRange) -> String {
        let start = self.text(&Described::new(self.codec, range.start()));
        match RangeShape::of(range) {
            RangeShape::Key => format!("key {start}"),
            RangeShape::Prefix if start.is_empty() => "all of it".to_owned(),
            RangeShape::Prefix => format!("prefix {start}"),
            RangeShape::Between => {
                let start = if start.is_empty() { "the start" } else { &start };
                format!(
                    "from {start} {}",
                    range.stop().map_or("to the end".to_owned(), |stop| self.end(stop))
                )
            }
        }
    }

    /// Returns where a range ends: with the key that its stop comes directly after, if it is that of a key.
    fn end(&self, stop: &[u8]) -> String {
        let mut stop = Described::new(self.codec, stop);
        let is_successor = stop.beyond == [0];
        if is_successor {
            stop.beyond = &[];
        }
        format!("{}{}", if is_successor { "to " } else { "to before " }, self.text(&stop))
    }

    fn text(&self, bound: &Described<'_>) -> String {
        bound.texts(self.style).skip(usize::from(self.without_bucket)).collect::<Vec<_>>().join(", ")
    }
}

/// The bytes of a bound, and what they are.
struct Described<'a> {
    design: &'a Design,
    key: &'a [u8],
    parts: DescribedPrefix,
    /// The bytes behind all parts.
    beyond: &'a [u8],
}

impl<'a> Described<'a> {
    fn new(codec: &'a KeyCodec, key: &'a [u8]) -> Self {
        let parts = codec.describe_prefix(key);
        let end = parts.parts.last().map_or(0, |part| part.span.end);
        let beyond = if parts.begun.is_some() { &[] } else { &key[end..] };
        Self { design: codec.design(), key, parts, beyond }
    }

    fn to_text(&self, style: &TimeStyle) -> String {
        self.texts(style).collect::<Vec<_>>().join(", ")
    }

    /// Returns the text of each part.
    fn texts(&self, style: &TimeStyle) -> impl Iterator<Item = String> {
        let parts = self.parts.parts.iter().map(move |part| {
            let (bytes, name) = (&self.key[part.span.clone()], part.kind.name(self.design));
            match (part.kind, part.value_text(self.design, style)) {
                (PartKind::Field(_), Some(value)) => format!("{name}={value}"),
                (PartKind::Field(_), None) => format!("{name}:{}", to_shown(bytes)),
                (PartKind::Bucket, _) => format!("bucket {}", to_shown(bytes)),
                (PartKind::Text, _) => format!("\"{}\"", to_escaped(bytes)),
            }
        });
        let begun = self.parts.begun.iter();
        let begun = begun.map(|(kind, bytes)| format!("{}:{}…", kind.name(self.design), to_shown(bytes)));
        let beyond = Some(to_escaped(self.beyond)).filter(|beyond| !beyond.is_empty());
        parts.chain(begun).chain(beyond)
    }
}
