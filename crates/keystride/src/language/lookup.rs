//! Finds keys of a language part by part.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::automaton::LONGEST;
use super::part::PartLanguage;

/// Answers questions about one language and caches the answers, since the ranges of all buckets continue alike.
pub(crate) struct Lookup<'a> {
    parts: &'a [PartLanguage],
    /// For each part, the smallest string of this part and all later ones; empty when there are no keys.
    firsts: &'a [Vec<u8>],
    /// By the bytes that it is not to be below, the smallest remainder of a key after its first part.
    rests: BTreeMap<Vec<u8>, Rest>,
}

/// A remainder of a key, `None` if there is none; it may be cut off once it has `enough` bytes.
struct Rest {
    bytes: Option<Vec<u8>>,
    enough: usize,
}

/// The number of cached remainders; the ranges of one query rarely continue in more ways.
const MOST_RESTS: usize = 1_024;

impl<'a> Lookup<'a> {
    pub(super) fn new(parts: &'a [PartLanguage], firsts: &'a [Vec<u8>]) -> Self {
        Self { parts, firsts, rests: BTreeMap::new() }
    }

    /// Like [`KeyLanguage::first_at_or_after`](super::KeyLanguage::first_at_or_after).
    pub(crate) fn first_at_or_after(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.halves(bytes, LONGEST).map(|(word, rest)| [&word, rest].concat())
    }

    /// Like [`KeyLanguage::meets`](super::KeyLanguage::meets).
    pub(crate) fn meets(&mut self, start: &[u8], stop: Option<&[u8]>) -> bool {
        // What a key has behind as many bytes as `stop` has says nothing of their order.
        match (self.halves(start, stop.map_or(0, <[u8]>::len)), stop) {
            (Some((word, rest)), Some(stop)) => word.iter().chain(rest).lt(stop),
            (found, _) => found.is_some(),
        }
    }

    /// Returns the first key that is not below `bytes`, as its first part and the remainder; each may be cut off once it
    /// has `enough` bytes.
    fn halves(&mut self, bytes: &[u8], enough: usize) -> Option<(Cow<'a, [u8]>, &[u8])> {
        let first = self.parts.first().filter(|_| !self.firsts.is_empty())?;
        if self.parts.len() == 1 {
            return Some((first.not_below(bytes, enough)?, &[]));
        }
        let word = first.at_or_after(bytes, enough)?;
        match bytes.strip_prefix(&*word) {
            Some(more) if self.knows_rest(more, enough) => Some((word, self.rests[more].bytes.as_deref()?)),
            Some(_) => Some((first.after(&word, enough)?, &self.firsts[1])),
            None => Some((word, &self.firsts[1])),
        }
    }

    /// Whether there is a remainder of a key that is not below `bytes`; caches it.
    fn knows_rest(&mut self, bytes: &[u8], enough: usize) -> bool {
        if let Some(known) = self.rests.get(bytes).filter(|known| known.enough >= enough) {
            return known.bytes.is_some();
        }
        if self.rests.len() == MOST_RESTS {
            self.rests.clear();
        }
        let rest = Rest { bytes: self.smallest(1, bytes, enough), enough };
        let found = rest.bytes.is_some();
        self.rests.insert(bytes.to_vec(), rest);
        found
    }

    /// Returns the smallest string of the parts from `index` on that is not below `bytes`.
    fn smallest(&self, index: usize, bytes: &[u8], enough: usize) -> Option<Vec<u8>> {
        if bytes.is_empty() {
            return Some(self.firsts[index].clone());
        }
        let part = &self.parts[index];
        if index + 1 == self.parts.len() {
            return part.not_below(bytes, enough).map(Cow::into_owned);
        }
        let word = part.at_or_after(bytes, enough)?;
        match bytes.strip_prefix(&*word).map(|more| self.smallest(index + 1, more, enough)) {
            Some(Some(rest)) => Some([&*word, &rest].concat()),
            Some(None) => Some([&*part.after(&word, enough)?, &self.firsts[index + 1]].concat()),
            None => Some([&*word, &self.firsts[index + 1]].concat()),
        }
    }
}

/// Returns, for each part, the smallest string of this part and all later ones, followed by the empty string; `None`
/// when a part has no string.
pub(super) fn firsts(parts: &[PartLanguage]) -> Option<Vec<Vec<u8>>> {
    let mut firsts = vec![Vec::new()];
    for part in parts.iter().rev() {
        let rest = &firsts[firsts.len() - 1];
        firsts.push([&*part.not_below(&[], LONGEST)?, rest].concat());
    }
    firsts.reverse();
    Some(firsts)
}

#[cfg(test)]
mod tests {
    use crate::{Design, KeyCodec, KeyLanguage};

    #[test]
    fn many_questions_to_one_lookup_are_answered_as_each_is_alone() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    v = { type = \"string\", max_len = 9, alphabet = \"ab\" }\nn = { type = \"int\", min = 0, max = 2 }\n\
                    [key]\nparts = [{ bucket = 2, of = [\"n\"] }, { field = \"v\" }, { text = \"~\" }, { field = \"n\" }]";
        let language = KeyLanguage::new(&KeyCodec::new(Design::from_toml(toml).unwrap()));
        let mut lookup = language.lookup();
        let rests =
            ["", "a", "ab", "aaaa", "aaaaaaaaa~0", "aaaaaaaaa~1", "ab~", "ab~0", "ab~3", "bbbbbbbbb~3", "c"];
        let places: Vec<String> =
            rests.iter().flat_map(|rest| ["0", "1"].map(|at| format!("{at}{rest}"))).collect();
        for start in places.iter().map(String::as_bytes) {
            let first = language.first_at_or_after(start);
            for stop in places.iter().map(String::as_bytes) {
                let holds_one = first.as_deref().is_some_and(|first| first < stop);
                assert_eq!(lookup.meets(start, Some(stop)), holds_one, "{start:?} to {stop:?}");
            }
            assert_eq!(lookup.meets(start, None), first.is_some(), "{start:?}");
            assert_eq!(lookup.first_at_or_after(start), first, "{start:?}");
        }
    }
}
