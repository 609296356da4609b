use super::state::State;

/// A sorted list of strings.
#[derive(Debug, Clone)]
pub(crate) struct Words {
    sorted: Vec<Vec<u8>>,
}

impl Words {
    /// Takes at least one string.
    pub(crate) fn new(mut words: Vec<Vec<u8>>) -> Self {
        words.sort();
        words.dedup();
        Self { sorted: words }
    }

    pub(crate) fn start(&self) -> State {
        State::Between { low: 0, high: self.sorted.len() as i128 - 1, at: 0 }
    }

    pub(crate) fn step(&self, state: &State, byte: u8) -> Option<State> {
        let (words, low, at) = self.alive(state)?;
        let first = words.partition_point(|word| word.get(at).is_none_or(|b| *b < byte));
        let after = words.partition_point(|word| word.get(at).is_none_or(|b| *b <= byte));
        let (first, after) = (low + first as i128, low + after as i128);
        (first < after).then_some(State::Between { low: first, high: after - 1, at: at + 1 })
    }

    /// Returns the word that `bytes` begin with, or else the first one after them; no word may be a prefix of another.
    pub(super) fn at_or_after(&self, bytes: &[u8]) -> Option<&[u8]> {
        let next = self.sorted.partition_point(|word| word.as_slice() <= bytes);
        let last = next.checked_sub(1).map(|last| &self.sorted[last]).filter(|word| bytes.starts_with(word));
        last.or_else(|| self.sorted.get(next)).map(Vec::as_slice)
    }

    /// Returns the first word that is not below `bytes`.
    pub(super) fn not_below(&self, bytes: &[u8]) -> Option<&[u8]> {
        self.sorted.get(self.sorted.partition_point(|word| word.as_slice() < bytes)).map(Vec::as_slice)
    }

    /// Returns the first word after `word`; no word may be a prefix of another.
    pub(super) fn after(&self, word: &[u8]) -> Option<&[u8]> {
        self.sorted.get(self.sorted.partition_point(|other| other.as_slice() <= word)).map(Vec::as_slice)
    }

    pub(crate) fn accepts(&self, state: &State) -> bool {
        self.alive(state).is_some_and(|(words, _, at)| words.first().is_some_and(|word| word.len() == at))
    }

    #[expect(clippy::cast_precision_loss, reason = "a share needs no 53 bits")]
    pub(crate) fn chance(&self, state: &State, byte: u8) -> f64 {
        let all = self.alive(state).map_or(0, |(words, ..)| words.len());
        let next = self.step(state, byte).and_then(|next| self.alive(&next).map(|(words, ..)| words.len()));
        next.unwrap_or(0) as f64 / all.max(1) as f64
    }

    /// Returns the words that match the state, the index of the first, and how many bytes they share.
    fn alive(&self, state: &State) -> Option<(&[Vec<u8>], i128, usize)> {
        let State::Between { low, high, at } = *state else { return None };
        let range = usize::try_from(low).ok()?..usize::try_from(high + 1).ok()?;
        Some((self.sorted.get(range)?, low, at))
    }
}
