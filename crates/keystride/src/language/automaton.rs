//! Finds the words of one part: by lookup where the part is a list or a range of numbers, and otherwise by walking its
//! automaton byte by byte. A step among numbers is a search of its own, so two languages are asked one after the other,
//! and not walked together.

use std::borrow::Cow;

use super::part::PartLanguage;
use super::state::State;

/// The length at which words without an end are cut off; no key is longer.
pub(super) const LONGEST: usize = crate::MAX_KEY_LEN;

/// A word that is asked for may be cut off once it has `enough` bytes.
impl PartLanguage {
    /// Returns the string that `bytes` begin with, or else the smallest one after them; for all but the last part of a
    /// key.
    pub(super) fn at_or_after(&self, bytes: &[u8], enough: usize) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Words(words) => words.at_or_after(bytes).map(Cow::Borrowed),
            Self::Numbers(numbers) => numbers.at_or_after(bytes).map(Cow::Owned),
            Self::Or(left, right) => {
                earlier(left.at_or_after(bytes, enough), right.at_or_after(bytes).map(Cow::Borrowed))
            }
            _ => at_or_after(self, bytes, enough).map(Cow::Owned),
        }
    }

    /// Returns the smallest string that is not below `bytes`.
    pub(super) fn not_below(&self, bytes: &[u8], enough: usize) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Words(words) => words.not_below(bytes).map(Cow::Borrowed),
            Self::Numbers(numbers) => match numbers.at_or_after(bytes)? {
                shorter if shorter.as_slice() < bytes => numbers.after(&shorter).map(Cow::Owned),
                word => Some(Cow::Owned(word)),
            },
            Self::Or(left, right) => {
                earlier(left.not_below(bytes, enough), right.not_below(bytes).map(Cow::Borrowed))
            }
            _ => not_below(self, bytes, enough).map(Cow::Owned),
        }
    }

    /// Returns the smallest string after all those that begin with `word`, which is one of them.
    pub(super) fn after(&self, word: &[u8], enough: usize) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Words(words) => words.after(word).map(Cow::Borrowed),
            Self::Numbers(numbers) => numbers.after(word).map(Cow::Owned),
            Self::Or(left, right) => earlier(left.after(word, enough), right.after(word).map(Cow::Borrowed)),
            _ => after(self, word, enough).map(Cow::Owned),
        }
    }
}

/// Returns the smaller of two words, if there are two. One that `bytes` begin with sorts before any other.
fn earlier<'a>(left: Option<Cow<'a, [u8]>>, right: Option<Cow<'a, [u8]>>) -> Option<Cow<'a, [u8]>> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (left, right) => left.or(right),
    }
}

/// How far a walk goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The first place where a word may end.
    Word,
    /// The last byte.
    End,
}

/// Returns the word that `bytes` begin with, or else the smallest one after them.
fn at_or_after(part: &PartLanguage, bytes: &[u8], enough: usize) -> Option<Vec<u8>> {
    let path = path(part, bytes, Until::Word);
    let depth = path.len() - 1;
    if part.accepts(&path[depth]) || depth == bytes.len() {
        return Some(complete(part, path[depth].clone(), bytes[..depth].to_vec(), enough));
    }
    next_branch(part, path, bytes, enough)
}

/// Returns the smallest word that is not below `bytes`; words of the part may be prefixes of others.
fn not_below(part: &PartLanguage, bytes: &[u8], enough: usize) -> Option<Vec<u8>> {
    let path = path(part, bytes, Until::End);
    let depth = path.len() - 1;
    if depth == bytes.len() {
        return Some(complete(part, path[depth].clone(), bytes.to_vec(), enough));
    }
    next_branch(part, path, bytes, enough)
}

/// Returns the smallest word after all those that begin with `word`.
fn after(part: &PartLanguage, word: &[u8], enough: usize) -> Option<Vec<u8>> {
    let mut path = path(part, word, Until::End);
    path.truncate(word.len());
    next_branch(part, path, word, enough)
}

/// Returns the states along `bytes`, from the start to where no word continues or the walk is to end.
fn path(part: &PartLanguage, bytes: &[u8], until: Until) -> Vec<State> {
    let mut path = vec![part.start()];
    for &byte in bytes {
        let state = &path[path.len() - 1];
        if until == Until::Word && part.accepts(state) {
            break;
        }
        match part.step(state, byte) {
            Some(next) => path.push(next),
            None => break,
        }
    }
    path
}

/// Returns the smallest word that is above `bytes`, branching off from the deepest state of `path` that allows it.
fn next_branch(part: &PartLanguage, mut path: Vec<State>, bytes: &[u8], enough: usize) -> Option<Vec<u8>> {
    while let Some(state) = path.pop() {
        let depth = path.len();
        let above = u16::from(bytes[depth]) + 1;
        if let Some((byte, next)) = first_step(part, &state, above) {
            let mut word = bytes[..depth].to_vec();
            word.push(byte);
            return Some(complete(part, next, word, enough));
        }
    }
    None
}

/// Returns the smallest word that continues from `state`.
fn complete(part: &PartLanguage, mut state: State, mut word: Vec<u8>, enough: usize) -> Vec<u8> {
    while !part.accepts(&state) && word.len() < enough.min(LONGEST) {
        match first_step(part, &state, 0) {
            Some((byte, next)) => {
                word.push(byte);
                state = next;
            }
            // Every state can be completed; only the maximum length of a key is unknown to the parts.
            None => break,
        }
    }
    word
}

/// Returns the smallest byte from `from` on that continues from `state`, and the state after it.
fn first_step(part: &PartLanguage, state: &State, from: u16) -> Option<(u8, State)> {
    let candidates = part.candidates(state);
    let mut from = u8::try_from(from).ok();
    while let Some(byte) = candidates.first_from(from?) {
        if let Some(next) = part.step(state, byte) {
            return Some((byte, next));
        }
        from = byte.checked_add(1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Design, KeyCodec};

    #[test]
    fn a_default_among_numbers_is_found_as_by_a_walk() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    t = { type = \"time\", unit = \"s\" }\nweek = { from = \"floor(t,7d)\", default = \"1586134800\" }\n\
                    [key]\nparts = [{ field = \"week\" }, { text = \"!\" }]";
        let codec = KeyCodec::new(Design::from_toml(toml).unwrap());
        let (part, _) = PartLanguage::of(&codec, 0);
        assert!(matches!(part, PartLanguage::Or(..)));
        let weeks = ["1585785600", "1586134800", "1586390400"];
        for (word, text) in weeks.iter().flat_map(|week| (0..=10).map(|len| (week.as_bytes(), &week[..len])))
        {
            for end in ["", "\0", "0", "9", ":", "!"] {
                let bytes = [text, end].concat().into_bytes();
                for enough in [3, LONGEST] {
                    let walked = at_or_after(&part, &bytes, enough);
                    let cut = |found: Option<Cow<'_, [u8]>>| {
                        found.map(|word| word[..word.len().min(enough)].to_vec())
                    };
                    assert_eq!(
                        cut(part.at_or_after(&bytes, enough)),
                        cut(walked.map(Cow::Owned)),
                        "{bytes:?}"
                    );
                    let walked = not_below(&part, &bytes, enough);
                    assert_eq!(cut(part.not_below(&bytes, enough)), cut(walked.map(Cow::Owned)), "{bytes:?}");
                    let walked = after(&part, word, enough);
                    assert_eq!(cut(part.after(word, enough)), cut(walked.map(Cow::Owned)), "{word:?}");
                }
            }
        }
    }
}
