//! The language of a design's keys: which byte strings can be keys at all.
//!
//! [`KeyLanguage::first_at_or_after`] answers exactly what a sample can only suggest: a region `[a, b)` can never hold a
//! row when the first key at or after `a` is not below `b`. Where a part can't be told exactly (text without an
//! alphabet, a value without an end), the language holds more than the keys: an empty region is always proved.
//!
//! Every part is an automaton over bytes of which each state can still be completed; the key is their concatenation.
//! A key is found part by part, in `lookup.rs`.

mod automaton;
mod byte_set;
mod decimal;
mod lookup;
mod number;
mod part;
mod share;
mod state;
mod text;
mod words;

pub(crate) use lookup::Lookup;

use part::{Extent, PartLanguage};

use crate::KeyCodec;
use crate::domain;

/// The byte strings that can be keys of a design.
#[derive(Debug, Clone)]
pub struct KeyLanguage {
    parts: Vec<PartLanguage>,
    /// The smallest string of the parts from each on; none when there is no key.
    firsts: Vec<Vec<u8>>,
}

impl KeyLanguage {
    /// The language of a codec's keys. Buckets that no row can have are left out where the fields they are computed from
    /// have few enough values to try them all.
    pub fn new(codec: &KeyCodec) -> Self {
        let design = codec.design();
        let mut parts = Vec::new();
        let mut index = 0;
        while index < design.parts.len() {
            let (part, extent) = PartLanguage::of(codec, index);
            parts.push(part);
            index += match extent {
                Extent::Part => 1,
                Extent::WithMark => 2,
                Extent::Rest => break,
            };
        }
        let firsts = lookup::firsts(&parts).unwrap_or_default();
        Self { parts, firsts }
    }

    /// The smallest key that is not below `bytes`; `None` when every key is below.
    ///
    /// Where the key has an open end, the answer is a key or the beginning of some.
    pub fn first_at_or_after(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.lookup().first_at_or_after(bytes)
    }

    /// Whether some key lies in `[start, stop)`; `None` is the table's end.
    pub fn meets(&self, start: &[u8], stop: Option<&[u8]>) -> bool {
        self.lookup().meets(start, stop)
    }

    /// For many questions at once.
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        Lookup::new(&self.parts, &self.firsts)
    }

    /// The share of keys below `bytes` when every value of every field is as likely as any other, 0 to 1.
    pub fn share_below(&self, bytes: &[u8]) -> f64 {
        share::share_below(&self.parts, bytes)
    }

    /// The smallest key.
    pub fn first(&self) -> Option<Vec<u8>> {
        self.first_at_or_after(&[])
    }
}

/// Numbers of buckets that some row can have, ascending, where the fields they are computed from can be listed; else
/// all.
pub(crate) fn reachable_buckets(codec: &KeyCodec, part: &crate::design::BucketPart) -> Vec<u32> {
    domain::buckets(codec, part).unwrap_or_else(|| part.numbers().collect())
}
