//! Texts that consist of digits from the year down with nothing between them, as is common in keys: `yyyyMMdd`,
//! `yyyyMMddHHmmss`, `yyyyMMddHHmmssSSS`. They are read and written eight digits at a time, in the bytes of one word.

use super::Grain;
use super::civil::LocalTime;
use super::piece::Piece;
use crate::digit_word::{self, ZEROS};

/// The patterns, named by their finest number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CompactText {
    Day,
    Second,
    Ms,
}

/// A mask of the lower byte of every two.
const LOWER_BYTES: u64 = 0x00ff_00ff_00ff_00ff;

impl CompactText {
    /// Recognises a pattern; `None` for any other.
    pub(super) fn of(pieces: &[Piece]) -> Option<Self> {
        let ends = [(Grain::Day, Self::Day), (Grain::Second, Self::Second), (Grain::Ms, Self::Ms)];
        let (_, text) = ends.into_iter().find(|(finest, _)| {
            let grains = Grain::ALL.into_iter().filter(|grain| grain <= finest);
            grains.map(Piece::Padded).eq(pieces.iter().copied())
        })?;
        Some(text)
    }

    /// Reads a text; `None` if it does not match the pattern, or a number is out of range.
    #[inline]
    pub(super) fn read(self, text: &[u8]) -> Option<LocalTime> {
        let [century, year, month, day] = pairs(*text.first_chunk()?)?;
        let [hour, minute, second, ms] = match self {
            Self::Day if text.len() == 8 => [0; 4],
            Self::Second if text.len() == 14 => {
                let [_, hour, minute, second] = pairs(*text.last_chunk()?)?;
                [hour, minute, second, 0]
            }
            Self::Ms if text.len() == 17 => {
                let [hour, minute, second, hundredths] = pairs(*text[8..].first_chunk()?)?;
                let last = text[16].wrapping_sub(b'0');
                if last > 9 {
                    return None;
                }
                [hour, minute, second, hundredths * 10 + u16::from(last)]
            }
            _ => return None,
        };
        LocalTime::of_numbers([century * 100 + year, month, day, hour, minute, second, ms])
    }

    /// Appends the text of a local time.
    #[inline]
    pub(super) fn write(self, local: &LocalTime, out: &mut Vec<u8>) {
        let [year, month, day, hour, minute, second, ms] = local.numbers();
        let date = digits([year / 100, year % 100, month, day]);
        match self {
            Self::Day => out.extend_from_slice(&date),
            Self::Second => {
                // The first two digits are padding and are dropped; appending one array of fixed length is faster than
                // a slice.
                let [_, _, time @ ..] = digits([0, hour, minute, second]);
                let mut text = [0; 14];
                text[..8].copy_from_slice(&date);
                text[8..].copy_from_slice(&time);
                out.extend_from_slice(&text);
            }
            Self::Ms => {
                let mut text = [0; 17];
                text[..8].copy_from_slice(&date);
                text[8..16].copy_from_slice(&digits([hour, minute, second, ms / 10]));
                text[16] = digits([0, 0, 0, ms % 10])[7];
                out.extend_from_slice(&text);
            }
        }
    }
}

/// Returns the numbers of four pairs of digits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each has 16 bits of its own")]
fn pairs(text: [u8; 8]) -> Option<[u16; 4]> {
    let values = digit_word::values(u64::from_be_bytes(text))?;
    let pairs = ((values >> 8) & LOWER_BYTES) * 10 + (values & LOWER_BYTES);
    Some([(pairs >> 48) as u16, (pairs >> 32) as u16, (pairs >> 16) as u16, pairs as u16])
}

/// Returns the digits of four numbers below 100.
#[inline]
fn digits(pairs: [u16; 4]) -> [u8; 8] {
    let pairs = pairs.into_iter().fold(0, |word, pair| (word << 16) | u64::from(pair));
    (digit_word::of_pairs(pairs) | ZEROS).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Pattern, Zone};
    use super::*;

    const PATTERNS: [&str; 3] = ["yyyyMMdd", "yyyyMMddHHmmss", "yyyyMMddHHmmssSSS"];

    #[test]
    fn only_digits_from_the_year_down_are_compact() {
        let compact = |pattern: &str| Pattern::parse(pattern).unwrap().is_compact();
        assert!(PATTERNS.into_iter().all(compact));
        assert!(
            !["yyyyMM", "yyyyMMddHH", "ddMMyyyy", "yyyy-MM-dd", "yyyy/M/d", "yyyyMMddXX"]
                .into_iter()
                .any(compact)
        );
    }

    #[test]
    fn every_pair_is_written_and_read() {
        for pair in 0..100 {
            let text = digits([pair, 99 - pair, pair, 0]);
            assert_eq!(text, *format!("{pair:02}{:02}{pair:02}00", 99 - pair).as_bytes());
            assert_eq!(pairs(text), Some([pair, 99 - pair, pair, 0]));
        }
    }

    proptest! {
        /// A pattern followed by an offset is written piece by piece, which gives the expected text.
        #[test]
        fn compact_texts_are_those_written_piece_by_piece(
            ms in -62_135_596_800_000..253_402_300_800_000_i64,
            pattern in prop::sample::select(PATTERNS.to_vec()),
        ) {
            let utc = Zone::utc();
            let (mut text, mut expected) = (Vec::new(), Vec::new());
            let compact = Pattern::parse(pattern).unwrap();
            compact.format(ms, &utc, &mut text).unwrap();
            Pattern::parse(&format!("{pattern}XX")).unwrap().format(ms, &utc, &mut expected).unwrap();
            prop_assert_eq!(expected.pop(), Some(b'Z'));
            prop_assert_eq!(&text, &expected);
            prop_assert_eq!(compact.read(&text, &utc), compact.cut(ms, &utc));
            if compact.resolution() == Grain::Ms {
                prop_assert_eq!(compact.read(&text, &utc), Ok(ms));
            }
        }

        #[test]
        fn other_texts_are_refused_as_piece_by_piece(
            text in prop_oneof!["[0-9]{8}", "[0-9]{14}", "[0-9]{17}", "[0-3/:.é ]{7,18}", "20[0-3]{4}[0-9]{2}[0-6]{6}"],
            pattern in prop::sample::select(PATTERNS.to_vec()),
        ) {
            let utc = Zone::utc();
            let read = Pattern::parse(pattern).unwrap().read(text.as_bytes(), &utc);
            let expected = Pattern::parse(&format!("{pattern}XX")).unwrap().read(format!("{text}Z").as_bytes(), &utc);
            prop_assert_eq!(read.ok(), expected.ok(), "{}", text);
        }
    }

    #[test]
    fn texts_of_other_lengths_and_with_other_signs_are_refused() {
        for (pattern, text) in PATTERNS.into_iter().zip(["20200406", "20200406123456", "20200406123456789"]) {
            let read = |text: &str| Pattern::parse(pattern).unwrap().read(text.as_bytes(), &Zone::utc());
            assert!(read(text).is_ok(), "{text}");
            let lengths = [&text[1..], &text[..text.len() - 1]].map(str::to_owned);
            let longer = [format!("{text}0"), format!("0{text}"), [&text[..8], "0", &text[8..]].concat()];
            let signs = (0..text.len())
                .flat_map(|at| [":", "/", "x"].map(|sign| [&text[..at], sign, &text[at + 1..]].concat()));
            for other in lengths.into_iter().chain(longer).chain(signs) {
                assert!(read(&other).is_err(), "{other}");
            }
        }
    }
}
