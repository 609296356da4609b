//! Finds keys of a language part by part.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::part::PartLanguage;

/// Answers questions about one language and caches the answers, since the ranges of all buckets continue alike.
pub(crate) struct Lookup<'a> {
    parts: &'a [PartLanguage],
    /// For each part, the smallest string of this part and all later ones; empty when there are no keys.
    firsts: &'a [Vec<u8>],
    /// The smallest remainder of a key, after its first part, that is not below the given bytes.
    rests: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

/// The number of cached remainders; the ranges of one query rarely continue in more ways.
const MOST_RESTS: usize = 1_024;

impl<'a> Lookup<'a> {
    pub(super) fn new(parts: &'a [PartLanguage], firsts: &'a [Vec<u8>]) -> Self {
        Self { parts, firsts, rests: BTreeMap::new() }
    }

    /// Like [`KeyLanguage::first_at_or_after`](super::KeyLanguage::first_at_or_after).
    pub(crate) fn first_at_or_after(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.halves(bytes).map(|(word, rest)| [&word, rest].concat())
    }

    /// Like [`KeyLanguage::meets`](super::KeyLanguage::meets).
    pub(crate) fn meets(&mut self, start: &[u8], stop: Option<&[u8]>) -> bool {
        match self.halves(start) {
            Some((word, rest)) => stop.is_none_or(|stop| word.iter().chain(rest).lt(stop)),
            None => false,
        }
    }

    /// Returns the first key that is not below `bytes`, as its first part and the remainder.
    fn halves(&mut self, bytes: &[u8]) -> Option<(Cow<'a, [u8]>, &[u8])> {
        let first = self.parts.first().filter(|_| !self.firsts.is_empty())?;
        if self.parts.len() == 1 {
            return Some((first.not_below(bytes)?, &[]));
        }
        let word = first.at_or_after(bytes)?;
        match bytes.strip_prefix(&*word) {
            Some(more) if self.knows_rest(more) => Some((word, self.rests[more].as_deref()?)),
            Some(_) => Some((first.after(&word)?, &self.firsts[1])),
            None => Some((word, &self.firsts[1])),
        }
    }

    /// Whether there is a remainder of a key that is not below `bytes`; caches it.
    fn knows_rest(&mut self, bytes: &[u8]) -> bool {
        if let Some(known) = self.rests.get(bytes) {
            return known.is_some();
        }
        if self.rests.len() == MOST_RESTS {
            self.rests.clear();
        }
        let rest = self.smallest(1, bytes);
        let found = rest.is_some();
        self.rests.insert(bytes.to_vec(), rest);
        found
    }

    /// Returns the smallest string of the parts from `index` on that is not below `bytes`.
    fn smallest(&self, index: usize, bytes: &[u8]) -> Option<Vec<u8>> {
        if bytes.is_empty() {
            return Some(self.firsts[index].clone());
        }
        let part = &self.parts[index];
        if index + 1 == self.parts.len() {
            return part.not_below(bytes).map(Cow::into_owned);
        }
        let word = part.at_or_after(bytes)?;
        match bytes.strip_prefix(&*word).map(|more| self.smallest(index + 1, more)) {
            Some(Some(rest)) => Some([&*word, &rest].concat()),
            Some(None) => Some([&*part.after(&word)?, &self.firsts[index + 1]].concat()),
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
        firsts.push([&*part.not_below(&[])?, rest].concat());
    }
    firsts.reverse();
    Some(firsts)
}
