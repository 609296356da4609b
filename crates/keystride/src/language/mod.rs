//! The language of a design's keys: the byte strings that can be keys at all.
//!
//! [`KeyLanguage::first_at_or_after`] answers exactly what a sample can only suggest: a region `[a, b)` can never hold
//! a row if the first key at or after `a` is not below `b`. Where a part can't be described exactly (text without an
//! alphabet, a value without an end), the language contains more than the keys, so a region found empty is proved to
//! be.
//!
//! Every part is an automaton over bytes, each state of which can still be completed; the key is their concatenation.
//! Keys are found part by part, in `lookup.rs`.

mod automaton;
mod byte_set;
mod decimal;
mod lookup;
mod number;
mod of_part;
mod part;
mod part_bytes;
mod share;
mod state;
mod text;
mod words;

pub(crate) use lookup::Lookup;

use of_part::Extent;
use part::PartLanguage;

use crate::KeyCodec;
use crate::design::Part;
use crate::domain;

/// The byte strings that can be keys of a design.
#[derive(Debug, Clone)]
pub struct KeyLanguage {
    parts: Vec<PartLanguage>,
    /// For each part, the smallest string of this part and all later ones; empty when there are no keys.
    firsts: Vec<Vec<u8>>,
}

impl KeyLanguage {
    /// Creates the language of a codec's keys. Buckets that no row can have are left out if the fields they are
    /// computed from have few enough values to try them all.
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

    /// Returns the smallest key that is not below `bytes`; `None` when every key is below.
    ///
    /// If the last part of the key has no end, the answer is a key or the beginning of one.
    pub fn first_at_or_after(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.lookup().first_at_or_after(bytes)
    }

    /// Whether there is a key in `[start, stop)`; a `stop` of `None` is the table's end.
    pub fn meets(&self, start: &[u8], stop: Option<&[u8]>) -> bool {
        self.lookup().meets(start, stop)
    }

    /// Returns a lookup that caches answers, for many questions at once.
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        Lookup::new(&self.parts, &self.firsts)
    }

    /// Returns the share of keys below `bytes`, from 0 to 1, when all values of every field are equally likely.
    pub fn share_below(&self, bytes: &[u8]) -> f64 {
        share::share_below(&self.parts, bytes)
    }

    /// Returns the smallest key.
    pub fn first(&self) -> Option<Vec<u8>> {
        self.first_at_or_after(&[])
    }
}

/// Returns the numbers of the buckets that at least one row can have under the part at `index`, ascending; all buckets
/// if the fields they are computed from have too many values to list.
pub fn reachable_buckets(codec: &KeyCodec, index: usize) -> Vec<u32> {
    domain::buckets(codec, index).unwrap_or_else(|| match &codec.design().parts[index] {
        Part::Bucket(part) => part.numbers().collect(),
        Part::Text(_) | Part::Field(_) => Vec::new(),
    })
}
