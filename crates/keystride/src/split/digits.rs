//! Arithmetic on numbers of any size, for interpolation between rows.

use std::cmp::Ordering;

/// A natural number of any size, in a base from 2 to 256. Leading zeros are kept, so that its width is preserved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Digits {
    base: u16,
    /// The digits, most significant first, each below the base.
    digits: Vec<u8>,
}

impl Digits {
    /// Creates a number from digits below `base`, most significant first.
    pub(super) fn new(base: u16, digits: Vec<u8>) -> Self {
        Self { base, digits }
    }

    /// Returns the digits without leading zeros; zero is empty.
    pub(super) fn significant(&self) -> &[u8] {
        let zeros = self.digits.iter().take_while(|&&digit| digit == 0).count();
        &self.digits[zeros..]
    }

    /// Returns the last `width` digits, padded with zeros on the left.
    pub(super) fn to_width(&self, width: usize) -> Vec<u8> {
        let kept = &self.digits[self.digits.len().saturating_sub(width)..];
        [&vec![0; width - kept.len()], kept].concat()
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let (left, right) = (self.significant(), other.significant());
        left.len().cmp(&right.len()).then_with(|| left.cmp(right))
    }

    /// Returns the value if it is below `limit`; `limit` must be below 2⁵⁶.
    pub(super) fn below(&self, limit: u64) -> Option<u64> {
        let mut value = 0;
        for &digit in &self.digits {
            value = value * u64::from(self.base) + u64::from(digit);
            if value >= limit {
                return None;
            }
        }
        Some(value)
    }

    pub(super) fn add(&mut self, other: &Self) {
        let missing = other.digits.len().saturating_sub(self.digits.len());
        self.digits.splice(..0, std::iter::repeat_n(0, missing));
        self.add_from_right(other.digits.iter().rev().copied(), 0);
    }

    pub(super) fn increment(&mut self) {
        self.add_from_right(std::iter::empty(), 1);
    }

    /// Subtracts a number that is not larger.
    pub(super) fn subtract(&mut self, other: &Self) {
        let mut others = other.digits.iter().rev();
        let mut borrow = 0;
        for digit in self.digits.iter_mut().rev() {
            let taken = others.next().copied().map_or(0, u16::from) + borrow;
            let value = u16::from(*digit) + self.base - taken;
            borrow = u16::from(value < self.base);
            *digit = low_byte(value % self.base);
        }
        debug_assert_eq!(borrow, 0, "the number taken away is larger");
    }

    /// Returns the quotient, rounded down, in the same width. The divisor must be below 2⁵⁶ and not 0.
    pub(super) fn divide(&self, divisor: u64) -> Self {
        let mut remainder = 0;
        let quotient = self.digits.iter().map(|&digit| {
            let value = remainder * u64::from(self.base) + u64::from(digit);
            remainder = value % divisor;
            u8::try_from(value / divisor).expect("a remainder below the divisor gives a digit below the base")
        });
        Self { base: self.base, digits: quotient.collect() }
    }

    /// Adds digits and a carry; `others` must not have more digits than `self`.
    fn add_from_right(&mut self, mut others: impl Iterator<Item = u8>, mut carry: u16) {
        for digit in self.digits.iter_mut().rev() {
            let sum = u16::from(*digit) + others.next().map_or(0, u16::from) + carry;
            carry = u16::from(sum >= self.base);
            *digit = low_byte(sum - carry * self.base);
        }
        if carry == 1 {
            self.digits.insert(0, 1);
        }
    }
}

fn low_byte(value: u16) -> u8 {
    let [_, low] = value.to_be_bytes();
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the digits of a number, without leading zeros.
    fn digits(base: u16, mut number: u128) -> Digits {
        let mut digits = Vec::new();
        while number > 0 {
            digits.insert(0, u8::try_from(number % u128::from(base)).unwrap());
            number /= u128::from(base);
        }
        Digits::new(base, digits)
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_integers(
            base in prop_oneof![Just(10_u16), Just(16), Just(256)],
            (small, large) in (any::<u64>(), any::<u64>()).prop_map(|(a, b)| (a.min(b), a.max(b))),
            divisor in 1_u64..1 << 20,
        ) {
            let (low, high) = (digits(base, small.into()), digits(base, large.into()));
            let shown = |number: &Digits| number.to_width(80);
            let mut sum = low.clone();
            sum.add(&high);
            prop_assert_eq!(shown(&sum), shown(&digits(base, u128::from(small) + u128::from(large))));
            let mut difference = high.clone();
            difference.subtract(&low);
            prop_assert_eq!(shown(&difference), shown(&digits(base, (large - small).into())));
            prop_assert_eq!(shown(&high.divide(divisor)), shown(&digits(base, (large / divisor).into())));
            prop_assert_eq!(low.compare(&high), small.cmp(&large));
        }
    }

    #[test]
    fn a_carry_out_of_the_front_widens() {
        let mut all_nines = digits(10, 999);
        all_nines.increment();
        assert_eq!(all_nines, Digits::new(10, vec![1, 0, 0, 0]));
        assert_eq!(all_nines.to_width(2), [0, 0]);
        assert_eq!(all_nines.to_width(6), [0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn below_stops_at_the_limit() {
        let number = Digits::new(256, vec![0, 1, 0]);
        assert_eq!(number.below(256), None);
        assert_eq!(number.below(257), Some(256));
        assert_eq!(Digits::new(256, vec![0xff; 40]).below(1 << 20), None);
    }
}
