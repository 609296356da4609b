//! The bucket part: a salt at the start of the key or inside it.

use super::function::Expr;
use super::span::Span;
use crate::hash::{BucketCount, BucketHash, hbasewd, java};

/// A salt: the number of a bucket, computed from the row.
#[derive(Debug, Clone, PartialEq)]
pub struct BucketPart {
    /// The number of buckets.
    pub count: BucketCount,
    /// The function.
    pub hash: BucketHash,
    /// What it is computed from.
    pub of: BucketInput,
    /// The width in digits, or in bytes for [`Base::Byte`]; a number that needs more digits is written in full.
    pub width: usize,
    /// How the number is written.
    pub base: Base,
    /// Hot values, which are spread over several buckets.
    pub spread: Option<Spread>,
    /// Its place in the file.
    pub span: Span,
}

/// What a bucket is computed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BucketInput {
    /// The bytes of all later parts.
    Rest,
    /// Fields and functions of fields; empty for `random` and `round-robin`.
    Items(Vec<Expr>),
}

/// How a bucket's number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Decimal digits.
    Decimal,
    /// Lower-case hex digits.
    Hex,
    /// Bytes, big-endian.
    Byte,
}

/// Hot values, and how many buckets each of them gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// What selects one of these buckets.
    pub by: Vec<Expr>,
    /// The default text of each hot value and its number of buckets, ascending by text.
    pub values: Vec<(String, BucketCount)>,
}

impl Spread {
    /// Returns the number of buckets of a value, if it is a hot one.
    pub fn buckets_of(&self, value: &[u8]) -> Option<BucketCount> {
        let found = self.values.binary_search_by(|(hot, _)| hot.as_bytes().cmp(value));
        found.ok().map(|index| self.values[index].1)
    }
}

impl BucketInput {
    /// Whether the input is the rest of the key.
    pub fn is_rest(&self) -> bool {
        *self == Self::Rest
    }

    /// Returns the fields and functions; empty for the rest of the key.
    pub fn items(&self) -> &[Expr] {
        match self {
            Self::Rest => &[],
            Self::Items(items) => items,
        }
    }
}

impl BucketPart {
    /// Whether the bucket is a function of the row.
    pub fn is_computed(&self) -> bool {
        !matches!(self.hash, BucketHash::Random | BucketHash::RoundRobin)
    }

    /// Returns the one number that a key can hold although it is not a bucket: what `HBaseWD` 0.1.0 writes for the hash
    /// −2³¹, unless that happens to be a bucket (SLT01).
    pub fn outside(&self) -> Option<u32> {
        if self.hash != BucketHash::HbaseWd {
            return None;
        }
        let number = u32::from(hbasewd::prefix_byte(java::abs_mod(i32::MIN, self.count)));
        (number >= self.count.get()).then_some(number)
    }

    /// Returns every number that a key can hold, ascending: the buckets, and the one [`outside`](Self::outside) them.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        (0..self.count.get()).chain(self.outside())
    }

    /// Whether a key can hold `number`.
    pub fn holds(&self, number: u32) -> bool {
        number < self.count.get() || self.outside() == Some(number)
    }

    /// Returns the smallest width that holds every bucket of `count`.
    pub fn needed_width(count: BucketCount, base: Base) -> usize {
        let last = count.get() - 1;
        match base {
            Base::Decimal => last.checked_ilog10().unwrap_or(0) as usize + 1,
            Base::Hex => last.checked_ilog(16).unwrap_or(0) as usize + 1,
            Base::Byte => 1 + usize::from(last > 0xff),
        }
    }

    /// Appends bucket `number` as it is written in the key.
    pub fn write(&self, number: u32, out: &mut Vec<u8>) {
        match self.base {
            Base::Decimal => write_digits(number, 10, self.width, out),
            Base::Hex => write_digits(number, 16, self.width, out),
            Base::Byte => out.extend_from_slice(&number.to_be_bytes()[4 - self.width..]),
        }
    }

    /// Returns the bytes of bucket `number` in a key.
    pub fn prefix(&self, number: u32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.width);
        self.write(number, &mut bytes);
        bytes
    }

    /// Whether every bucket is written in exactly `width` digits or bytes.
    pub fn has_fixed_width(&self) -> bool {
        self.width >= Self::needed_width(self.count, self.base)
    }
}

fn write_digits(number: u32, radix: u32, width: usize, out: &mut Vec<u8>) {
    let mut digits = [b'0'; 10];
    let mut rest = number;
    let mut at = digits.len();
    while rest > 0 || at == digits.len() {
        at -= 1;
        digits[at] = char::from_digit(rest % radix, radix).map_or(b'0', |digit| digit as u8);
        rest /= radix;
    }
    out.extend(std::iter::repeat_n(b'0', width.saturating_sub(digits.len() - at)));
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix(count: u32, base: Base, width: usize, number: u32) -> Vec<u8> {
        let of = BucketInput::Items(Vec::new());
        let count = BucketCount::new(count).unwrap();
        BucketPart { count, hash: BucketHash::Random, of, width, base, spread: None, span: 0..0 }
            .prefix(number)
    }

    #[test]
    fn numbers_are_padded_and_never_cut() {
        assert_eq!(prefix(16, Base::Decimal, 3, 15), b"015");
        assert_eq!(prefix(11, Base::Decimal, 1, 10), b"10");
        assert_eq!(prefix(256, Base::Hex, 2, 10), b"0a");
        assert_eq!(prefix(300, Base::Byte, 2, 256), [1, 0]);
        assert_eq!(prefix(1, Base::Decimal, 1, 0), b"0");
    }

    fn needed(count: u32, base: Base) -> usize {
        BucketPart::needed_width(BucketCount::new(count).unwrap(), base)
    }

    #[test]
    fn the_least_width_holds_the_last_bucket() {
        let widths = [1, 10, 11, 100, 101, 65_536].map(|n| needed(n, Base::Decimal));
        assert_eq!(widths, [1, 1, 2, 2, 3, 5]);
        assert_eq!([16, 17, 256, 257].map(|n| needed(n, Base::Hex)), [1, 2, 2, 3]);
        assert_eq!([256, 257, 65_536].map(|n| needed(n, Base::Byte)), [1, 2, 2]);
    }
}
