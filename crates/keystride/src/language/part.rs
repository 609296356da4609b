//! The automata of single parts of the key.

use super::byte_set::ByteSet;
use super::decimal::Decimals;
use super::number::Numbers;
use super::state::State;
use super::text::Texts;
use super::words::Words;

/// The byte strings of one part of the key.
///
/// All but the last part of a key are prefix-free: no string is a prefix of another.
#[derive(Debug, Clone)]
pub(crate) enum PartLanguage {
    /// A list of strings.
    Words(Words),
    /// A set of bytes for each position.
    Positions(Vec<ByteSet>),
    /// Numbers whose bytes sort as the numbers do, or in reverse.
    Numbers(Box<Numbers>),
    /// Unpadded decimals, whose bytes do not sort as the numbers do.
    Decimals(Decimals),
    /// Bytes out of a set up to a length, and what ends them.
    Texts(Texts),
    /// Any bytes of any length.
    Anything,
    /// Another language with every byte complemented.
    Complement(Box<PartLanguage>),
    /// Another language, plus one word that is not in it.
    Or(Box<PartLanguage>, Words),
}

impl PartLanguage {
    /// Whether a string is one of the language.
    pub(super) fn holds(&self, word: &[u8]) -> bool {
        let end = word.iter().try_fold(self.start(), |state, byte| self.step(&state, *byte));
        end.is_some_and(|state| self.accepts(&state))
    }

    pub(crate) fn start(&self) -> State {
        match self {
            Self::Words(words) => words.start(),
            Self::Positions(_) | Self::Anything => State::At(0),
            Self::Numbers(numbers) => numbers.start(),
            Self::Decimals(_) => State::Digits { negative: false, value: 0, count: 0, ended: 0 },
            Self::Texts(_) => State::Text { len: 0, ended: 0 },
            Self::Complement(inner) => inner.start(),
            Self::Or(left, right) => {
                State::Either(Some(Box::new(left.start())), Some(Box::new(right.start())))
            }
        }
    }

    /// Returns the state after one more byte; `None` when no string continues with it.
    pub(crate) fn step(&self, state: &State, byte: u8) -> Option<State> {
        match (self, state) {
            (Self::Words(words), state) => words.step(state, byte),
            (Self::Positions(sets), State::At(at)) => {
                sets.get(*at).filter(|set| set.contains(byte)).map(|_| State::At(at + 1))
            }
            (Self::Anything, state) => Some(state.clone()),
            (Self::Numbers(numbers), state) => numbers.step(state, byte),
            (Self::Decimals(decimals), state) => decimals.step(state, byte),
            (Self::Texts(texts), state) => texts.step(state, byte),
            (Self::Complement(inner), state) => inner.step(state, !byte),
            (Self::Or(left, right), State::Either(a, b)) => {
                let a = a.as_ref().and_then(|state| left.step(state, byte)).map(Box::new);
                let b = b.as_ref().and_then(|state| right.step(state, byte)).map(Box::new);
                (a.is_some() || b.is_some()).then_some(State::Either(a, b))
            }
            _ => None,
        }
    }

    /// Returns bytes among which are all those that a string may continue with.
    pub(crate) fn candidates(&self, state: &State) -> ByteSet {
        match (self, state) {
            (Self::Positions(sets), State::At(at)) => sets.get(*at).copied().unwrap_or(ByteSet::EMPTY),
            (Self::Texts(texts), state) => texts.candidates(state),
            (Self::Complement(inner), state) => inner.candidates(state).complemented(),
            (Self::Or(left, _), State::Either(Some(state), None)) => left.candidates(state),
            _ => ByteSet::ALL,
        }
    }

    /// Whether a string may end here.
    pub(crate) fn accepts(&self, state: &State) -> bool {
        match (self, state) {
            (Self::Words(words), state) => words.accepts(state),
            (Self::Positions(sets), State::At(at)) => *at == sets.len(),
            (Self::Anything, _) => true,
            (Self::Numbers(numbers), state) => numbers.accepts(state),
            (Self::Decimals(decimals), state) => decimals.accepts(state),
            (Self::Texts(texts), state) => texts.accepts(state),
            (Self::Complement(inner), state) => inner.accepts(state),
            (Self::Or(left, right), State::Either(a, b)) => {
                a.as_ref().is_some_and(|state| left.accepts(state))
                    || b.as_ref().is_some_and(|state| right.accepts(state))
            }
            _ => false,
        }
    }

    /// Returns the probability that a string continues with `byte`, when all values are equally likely.
    pub(crate) fn chance(&self, state: &State, byte: u8) -> f64 {
        match (self, state) {
            (Self::Words(words), state) => words.chance(state, byte),
            (Self::Positions(sets), State::At(at)) => {
                sets.get(*at).filter(|set| set.contains(byte)).map_or(0.0, |set| 1.0 / f64::from(set.len()))
            }
            (Self::Anything, _) => 1.0 / 256.0,
            (Self::Numbers(numbers), state) => numbers.chance(state, byte),
            (Self::Decimals(decimals), state) => decimals.chance(state, byte),
            (Self::Texts(texts), state) => texts.chance(state, byte),
            (Self::Complement(inner), state) => inner.chance(state, !byte),
            // The word stands for a missing value, on which the declared limits of the field have no bearing.
            (Self::Or(left, _), State::Either(Some(state), _)) => left.chance(state, byte),
            _ => 0.0,
        }
    }
}
