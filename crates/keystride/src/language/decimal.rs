use super::state::State;

/// Unpadded decimals from `min` to `max`, and the text that ends them.
#[derive(Debug, Clone)]
pub(crate) struct Decimals {
    pub(crate) min: i128,
    pub(crate) max: i128,
    pub(crate) mark: Vec<u8>,
}

impl Decimals {
    pub(crate) fn step(&self, state: &State, byte: u8) -> Option<State> {
        let State::Digits { negative, value, count, ended } = *state else { return None };
        if self.ends(state) && self.mark.get(ended) == Some(&byte) {
            return Some(State::Digits { negative, value, count, ended: ended + 1 });
        }
        if ended > 0 {
            return None;
        }
        let next = match byte {
            b'-' if count == 0 && !negative => State::Digits { negative: true, value: 0, count: 0, ended },
            // Nothing after a zero that comes first; a negative zero completes to no number.
            b'0'..=b'9' if count > 0 && value == 0 => return None,
            b'0'..=b'9' => State::Digits {
                negative,
                value: value * 10 + i128::from(byte - b'0'),
                count: count + 1,
                ended,
            },
            _ => return None,
        };
        (self.completions(&next) > 0).then_some(next)
    }

    pub(crate) fn accepts(&self, state: &State) -> bool {
        matches!(state, State::Digits { ended, .. } if *ended == self.mark.len()) && self.ends(state)
    }

    #[expect(clippy::cast_precision_loss, reason = "a share needs no 53 bits")]
    pub(crate) fn chance(&self, state: &State, byte: u8) -> f64 {
        let Some(next) = self.step(state, byte) else { return 0.0 };
        let all = self.completions(state).max(1) as f64;
        match next {
            State::Digits { ended: 1, .. } => 1.0 / all,
            _ => self.completions(&next) as f64 / all,
        }
    }

    /// Whether the digits so far form a number in the range.
    fn ends(&self, state: &State) -> bool {
        matches!(*state, State::Digits { negative, value, count, .. }
            if count > 0 && (self.min..=self.max).contains(&signed(negative, value)))
    }

    /// Returns how many numbers in the range begin with the digits so far.
    fn completions(&self, state: &State) -> i128 {
        let State::Digits { negative, value, count, .. } = *state else { return 0 };
        let (low, high) =
            if negative { ((-self.max).max(1), -self.min) } else { (self.min.max(0), self.max) };
        if count == 0 {
            let own = (high - low + 1).max(0);
            return if negative { own } else { own + (self.max.min(-1) - self.min + 1).max(0) };
        }
        if value == 0 {
            return i128::from(low <= 0 && 0 <= high);
        }
        let mut total = 0;
        let (mut first, mut last) = (value, value);
        while first <= high {
            total += (last.min(high) - first.max(low) + 1).max(0);
            (first, last) = (first * 10, last * 10 + 9);
        }
        total
    }
}

fn signed(negative: bool, value: i128) -> i128 {
    if negative { -value } else { value }
}
