//! The language of texts of variable length.

use super::byte_set::ByteSet;
use super::state::State;

/// Texts of `min` to `max` bytes out of a set, and what ends them.
#[derive(Debug, Clone)]
pub(crate) struct Texts {
    bytes: ByteSet,
    /// The bytes that stand first, and how many of them.
    lead: (ByteSet, usize),
    min: usize,
    max: usize,
    mark: Mark,
}

#[derive(Debug, Clone)]
enum Mark {
    /// Nothing: they extend to the end of the key.
    KeyEnd,
    /// A text whose first byte does not occur in the value.
    Text(Vec<u8>),
    /// 00 01, with 00 FF for a zero byte inside.
    Escape,
}

const ZERO: usize = 1;
const ENDED: usize = 2;

impl Texts {
    /// Creates texts that are ended by `mark`, whose first byte does not occur in them, or, if it is empty, by the end
    /// of the key.
    pub(crate) fn new(bytes: ByteSet, min: usize, max: usize, mark: &[u8]) -> Self {
        match mark {
            [] => Self { bytes, lead: (bytes, 0), min, max, mark: Mark::KeyEnd },
            [first, ..] => {
                let bytes = bytes.without(*first);
                Self { bytes, lead: (bytes, 0), min, max, mark: Mark::Text(mark.to_vec()) }
            }
        }
    }

    /// Sets that the first `count` bytes are out of another set.
    pub(crate) fn led_by(self, bytes: ByteSet, count: usize) -> Self {
        Self { lead: (bytes, count), ..self }
    }

    /// Creates escaped bytes, which may include zeros.
    pub(crate) fn escaped(bytes: ByteSet, min: usize, max: usize) -> Self {
        Self { bytes, lead: (bytes, 0), min, max, mark: Mark::Escape }
    }

    pub(crate) fn step(&self, state: &State, byte: u8) -> Option<State> {
        let State::Text { len, ended } = *state else { return None };
        match &self.mark {
            Mark::Escape => self.step_escaped(len, ended, byte),
            Mark::KeyEnd => self.grow(len, byte),
            Mark::Text(mark) if ended > 0 => {
                (mark.get(ended) == Some(&byte)).then_some(State::Text { len, ended: ended + 1 })
            }
            Mark::Text(mark) if mark[0] == byte && len >= self.min => Some(State::Text { len, ended: 1 }),
            Mark::Text(_) => self.grow(len, byte),
        }
    }

    /// Returns bytes among which are all those that a text may continue with.
    pub(crate) fn candidates(&self, state: &State) -> ByteSet {
        let State::Text { len, ended } = *state else { return ByteSet::EMPTY };
        match &self.mark {
            Mark::Escape if ended > 0 => ByteSet::of([0x01, 0xff]),
            Mark::Escape => self.bytes_at(len).with(0),
            Mark::KeyEnd => self.bytes_at(len),
            Mark::Text(mark) if ended > 0 => ByteSet::of(mark.get(ended).copied()),
            Mark::Text(mark) => self.bytes_at(len).with(mark[0]),
        }
    }

    pub(crate) fn accepts(&self, state: &State) -> bool {
        let State::Text { len, ended } = *state else { return false };
        match &self.mark {
            Mark::KeyEnd => len >= self.min,
            Mark::Text(mark) => ended == mark.len(),
            Mark::Escape => ended == ENDED,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a share needs no 53 bits")]
    pub(crate) fn chance(&self, state: &State, byte: u8) -> f64 {
        let (State::Text { len, .. }, Some(next)) = (state, self.step(state, byte)) else { return 0.0 };
        let ends = if *len < self.min { 0.0 } else { 1.0 / (self.max - len + 1) as f64 };
        match next {
            State::Text { ended, .. } if ended > 1 => 1.0,
            State::Text { ended: 1, .. } => ends,
            _ => (1.0 - ends) / f64::from(self.bytes_at(*len).len().max(1)),
        }
    }

    fn bytes_at(&self, len: usize) -> ByteSet {
        let (lead, count) = self.lead;
        if len < count { lead } else { self.bytes }
    }

    fn grow(&self, len: usize, byte: u8) -> Option<State> {
        (len < self.max && self.bytes_at(len).contains(byte))
            .then_some(State::Text { len: len + 1, ended: 0 })
    }

    fn holds_zero(&self, len: usize) -> bool {
        len < self.max && self.bytes.contains(0)
    }

    fn step_escaped(&self, len: usize, ended: usize, byte: u8) -> Option<State> {
        match (ended, byte) {
            (0, 0) if len >= self.min || self.holds_zero(len) => Some(State::Text { len, ended: ZERO }),
            (0, _) => self.grow(len, byte),
            (ZERO, 0x01) if len >= self.min => Some(State::Text { len, ended: ENDED }),
            (ZERO, 0xff) if self.holds_zero(len) => Some(State::Text { len: len + 1, ended: 0 }),
            _ => None,
        }
    }
}
