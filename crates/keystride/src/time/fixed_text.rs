//! Texts of times in which every number has a fixed place, as in most patterns: read and written without going from
//! piece to piece.

use super::Grain;
use super::civil::LocalTime;
use super::piece::{Piece, digits_of};

/// The places of the numbers in the text of a pattern, which are the same for every time.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct FixedText {
    /// The text with 0 in place of each digit, followed by zero bytes.
    zeros: [u8; LONGEST],
    /// The largest difference from `zeros` that each byte may have: 9 for a digit, 0 for any other.
    above: [u8; LONGEST],
    len: usize,
    /// The numbers, and the offset at which each begins.
    places: Box<[(Grain, usize)]>,
}

/// The length of the longest text that is handled, in bytes.
const LONGEST: usize = 32;

impl FixedText {
    /// Compiles a pattern; `None` when the width of a piece varies, there is an offset, or the text is too long.
    pub(super) fn of(pieces: &[Piece]) -> Option<Self> {
        let (mut zeros, mut places) = (Vec::new(), Vec::new());
        let mut above = Vec::new();
        for piece in pieces {
            match *piece {
                Piece::Padded(grain) => {
                    places.push((grain, zeros.len()));
                    zeros.resize(zeros.len() + grain.digits(), b'0');
                    above.resize(zeros.len(), 9);
                }
                Piece::Literal(char) => {
                    zeros.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                    above.resize(zeros.len(), 0);
                }
                _ => return None,
            }
        }
        let len = zeros.len();
        zeros.resize(LONGEST.max(len), 0);
        above.resize(LONGEST.max(len), 0);
        let (zeros, above) = (zeros.try_into().ok()?, above.try_into().ok()?);
        Some(Self { zeros, above, len, places: places.into() })
    }

    /// Reads a text; `None` if it does not match the pattern, or a number is out of range.
    #[inline]
    pub(super) fn read(&self, text: &[u8]) -> Option<LocalTime> {
        if text.len() != self.len {
            return None;
        }
        let mut digits = [0; LONGEST];
        digits[..self.len].copy_from_slice(text);
        let mut differs = false;
        for ((digit, zero), above) in digits.iter_mut().zip(&self.zeros).zip(&self.above) {
            *digit = digit.wrapping_sub(*zero);
            differs |= *digit > *above;
        }
        if differs {
            return None;
        }
        let mut local = LocalTime::FIRST;
        for &(grain, at) in &self.places {
            let number = match grain {
                Grain::Year => number::<4>(&digits, at)?,
                Grain::Ms => number::<3>(&digits, at)?,
                _ => number::<2>(&digits, at)?,
            };
            if !grain.has(number) {
                return None;
            }
            local.set(grain, number);
        }
        local.check_day(0).ok().map(|()| local)
    }

    /// Appends the text of a local time.
    #[inline]
    pub(super) fn write(&self, local: &LocalTime, out: &mut Vec<u8>) {
        let mut text = self.zeros;
        for &(grain, at) in &self.places {
            let number = local.number(grain);
            match grain {
                Grain::Year => put::<4>(&mut text, at, number),
                Grain::Ms => put::<3>(&mut text, at, number),
                _ => put::<2>(&mut text, at, number),
            }
        }
        out.extend_from_slice(&text[..self.len]);
    }
}

/// Returns the number of `N` digits at `at`.
#[inline]
fn number<const N: usize>(digits: &[u8; LONGEST], at: usize) -> Option<u16> {
    let digits = digits.get(at..)?.first_chunk::<N>()?;
    Some(digits.iter().fold(0, |number, &digit| number * 10 + u16::from(digit)))
}

/// Replaces the `N` zeros at `at` by a number.
#[inline]
fn put<const N: usize>(text: &mut [u8; LONGEST], at: usize, number: u16) {
    text[at..at + N].copy_from_slice(&digits_of::<N>(number));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Pattern, Zone};

    /// Patterns of fixed texts; followed by an offset, they are read and written piece by piece.
    const PATTERNS: [&str; 6] =
        ["yyyyMMddHHmm", "yyyyMM", "ssmmHHddMMyyyy", "yyyy-MM-dd'T'HH:mm:ss.SSS", "yyyy年MM月", "'0'yyyy"];

    proptest! {
        #[test]
        fn fixed_texts_are_read_and_written_as_those_that_go_from_piece_to_piece(
            pattern in prop::sample::select(&PATTERNS[..]),
            second in -62_135_596_800_i64..253_402_300_800,
            spoilt in prop::option::of((0..24usize, prop_oneof![Just(b'9'), Just(b'0'), any::<u8>()])),
        ) {
            let (utc, ms) = (Zone::utc(), second * 1_000 + second.rem_euclid(1_000));
            let quick: Pattern = pattern.parse().unwrap();
            let general: Pattern = format!("{pattern}XXX").parse().unwrap();
            let (mut text, mut expected) = (Vec::new(), Vec::new());
            quick.format(ms, &utc, &mut text).unwrap();
            general.format(ms, &utc, &mut expected).unwrap();
            prop_assert_eq!(expected.strip_suffix(b"Z"), Some(text.as_slice()));
            if let Some((at, byte)) = spoilt.filter(|(at, _)| *at < text.len()) {
                text[at] = byte;
            }
            let read = general.read(&[&text[..], b"Z"].concat(), &utc);
            prop_assert_eq!(quick.read(&text, &utc), read);
        }
    }

    #[test]
    fn texts_with_other_signs_are_refused() {
        let text = "2020-04-06T12:34:56.789";
        let read = |text: &str| Pattern::parse(PATTERNS[3]).unwrap().read(text.as_bytes(), &Zone::utc());
        assert!(read(text).is_ok());
        for at in 0..text.len() {
            for sign in [":", "/", "x", ".", "_"].into_iter().filter(|sign| *sign != &text[at..=at]) {
                let other = [&text[..at], sign, &text[at + 1..]].concat();
                assert!(read(&other).is_err(), "{other}");
            }
        }
        for other in ["2020-13-06T12:34:56.789", "2020-04-31T12:34:56.789", "2020-04-06T24:34:56.789"] {
            assert!(read(other).is_err(), "{other}");
        }
    }
}
