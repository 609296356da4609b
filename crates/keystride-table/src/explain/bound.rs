//! Bounds of key ranges, described part by part.

use std::fmt;

use keystride::KeyCodec;
use keystride::codec::{DescribedPart, PartKind};
use keystride::escape::{to_escaped, to_shown};

/// The beginning of a key, described part by part: `bucket 03, user=ann, "!", ts=8637…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyBound {
    /// The bytes.
    pub key: Vec<u8>,
    /// The complete parts.
    pub parts: Vec<DescribedPart>,
    /// The incomplete part at the end, with its bytes.
    pub begun: Option<(PartKind, Vec<u8>)>,
}

impl KeyBound {
    /// Splits `key` into parts. Any bytes are accepted.
    pub fn new(codec: &KeyCodec, key: &[u8]) -> Self {
        let described = codec.describe_prefix(key);
        Self { key: key.to_vec(), parts: described.parts, begun: described.begun }
    }

    /// Returns the whole key that this bound comes directly after; `None` if it is of another kind.
    pub(super) fn successor_of(&self) -> Option<Self> {
        let (key, parts, begun) = (self.key.strip_suffix(&[0])?.to_vec(), self.parts.clone(), None);
        (self.beyond() == [0]).then_some(Self { key, parts, begun })
    }

    /// Returns the bytes behind all parts.
    fn beyond(&self) -> &[u8] {
        match self.begun {
            Some(_) => &[],
            None => &self.key[self.parts.last().map_or(0, |part| part.span.end)..],
        }
    }
}

impl fmt::Display for KeyBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for part in &self.parts {
            f.write_str(between)?;
            between = ", ";
            let bytes = &self.key[part.span.clone()];
            match (&part.kind, &part.value) {
                (PartKind::Field(name), Some(value)) => write!(f, "{name}={value}")?,
                (PartKind::Field(name), None) => write!(f, "{name}:{}", to_shown(bytes))?,
                (PartKind::Bucket, _) => write!(f, "bucket {}", to_shown(bytes))?,
                (PartKind::Text, _) => write!(f, "\"{}\"", to_escaped(bytes))?,
            }
        }
        match &self.begun {
            None if self.beyond().is_empty() => Ok(()),
            None => write!(f, "{between}{}", to_escaped(self.beyond())),
            Some((kind, bytes)) => {
                let name = match kind {
                    PartKind::Field(name) => name,
                    PartKind::Bucket => "bucket",
                    PartKind::Text => "text",
                };
                write!(f, "{between}{name}:{}…", to_shown(bytes))
            }
        }
    }
}
