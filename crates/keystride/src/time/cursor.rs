//! A strict reader of the texts of times.

use super::{Expected, Grain, TimeError};

/// Reads the text of a time from left to right, strictly.
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

/// How an offset is written; all styles accept `Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OffsetStyle {
    /// `+08:00`
    Colon,
    /// `+0800`
    NoColon,
    /// Either, or `+08`.
    Any,
}

/// The largest offset that Java accepts, in minutes.
const MAX_OFFSET_MINUTES: i32 = 18 * 60;

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips `byte` if it is next.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Reads a number padded with zeros, and checks its limits.
    #[inline]
    pub(super) fn padded(&mut self, grain: Grain) -> Result<u16, TimeError> {
        let start = self.at;
        let number = match grain.digits() {
            2 => self.digits::<2>(),
            3 => self.digits::<3>(),
            _ => self.digits::<4>(),
        };
        number.filter(|number| grain.has(*number)).ok_or_else(|| self.no_number(start, grain, number))
    }

    /// Reads a number of one or two digits, and checks its limits.
    pub(super) fn short(&mut self, grain: Grain) -> Result<u16, TimeError> {
        let start = self.at;
        let number = self.digits::<2>().or_else(|| self.digits::<1>());
        number.filter(|number| grain.has(*number)).ok_or_else(|| match number {
            Some(_) => self.no_number(start, grain, number),
            None => self.unexpected(Expected::OneOrTwoDigits(grain)),
        })
    }

    /// Reads the last two digits of a year.
    pub(super) fn year_of_century(&mut self) -> Result<u16, TimeError> {
        self.digits::<2>().ok_or_else(|| self.short_of_digits(Expected::YearOfCentury))
    }

    /// Reads the day of a year, whose limits are those of its year.
    pub(super) fn padded_day_of_year(&mut self) -> Result<u16, TimeError> {
        self.digits::<3>().ok_or_else(|| self.short_of_digits(Expected::PaddedDayOfYear))
    }

    /// As [`padded_day_of_year`](Self::padded_day_of_year), with as many digits as it needs.
    pub(super) fn short_day_of_year(&mut self) -> Result<u16, TimeError> {
        let day = self.digits::<3>().or_else(|| self.digits::<2>()).or_else(|| self.digits::<1>());
        day.ok_or_else(|| self.unexpected(Expected::ShortDayOfYear))
    }

    /// Reads this character.
    pub(super) fn char(&mut self, char: char) -> Result<(), TimeError> {
        let mut buffer = [0; 4];
        for &byte in char.encode_utf8(&mut buffer).as_bytes() {
            if !self.eat(byte) {
                return Err(self.unexpected(Expected::Char(char)));
            }
        }
        Ok(())
    }

    /// Reads `Z` or an offset, in seconds.
    pub(super) fn offset(&mut self, style: OffsetStyle) -> Result<i32, TimeError> {
        if self.eat(b'Z') {
            return Ok(0);
        }
        let start = self.at;
        let minutes = self.offset_minutes(style).filter(|minutes| minutes.abs() <= MAX_OFFSET_MINUTES);
        minutes.map(|minutes| minutes * 60).ok_or_else(|| {
            self.at = start;
            self.unexpected(match style {
                OffsetStyle::Colon => Expected::OffsetWithColon,
                OffsetStyle::NoColon => Expected::OffsetWithoutColon,
                OffsetStyle::Any => Expected::AnyOffset,
            })
        })
    }

    fn offset_minutes(&mut self, style: OffsetStyle) -> Option<i32> {
        let sign = if self.eat(b'-') {
            -1
        } else if self.eat(b'+') {
            1
        } else {
            return None;
        };
        let hours = self.digits::<2>()?;
        let colon = self.eat(b':');
        let minutes = match (style, self.digits::<2>()) {
            (OffsetStyle::Colon, _) if !colon => return None,
            (OffsetStyle::NoColon, _) if colon => return None,
            (OffsetStyle::Any, None) if !colon => 0,
            (_, minutes) => minutes.filter(|minutes| *minutes < 60)?,
        };
        Some(sign * i32::from(hours * 60 + minutes))
    }

    /// Reads one to nine digits after the point, as nanoseconds.
    pub(super) fn fraction(&mut self) -> Result<u32, TimeError> {
        let mut nanos = 0;
        let mut scale = 100_000_000_u32;
        while let Some(digit) = self.digits::<1>() {
            if scale == 0 {
                self.at -= 1;
                return Err(self.unexpected(Expected::Fraction));
            }
            nanos += u32::from(digit) * scale;
            scale /= 10;
        }
        if scale == 100_000_000 { Err(self.unexpected(Expected::Fraction)) } else { Ok(nanos) }
    }

    /// Checks that nothing follows.
    pub(super) fn end(&self) -> Result<(), TimeError> {
        if self.at == self.text.len() { Ok(()) } else { Err(self.unexpected(Expected::End)) }
    }

    /// Returns the error for text other than expected.
    #[cold]
    pub(super) fn unexpected(&self, expected: Expected) -> TimeError {
        TimeError::Unexpected { at: self.at, found: self.peek(), expected }
    }

    /// Returns the error for digits from `start` that are out of the grain's limits, or are not the right number of
    /// digits.
    #[cold]
    fn no_number(&mut self, start: usize, grain: Grain, number: Option<u16>) -> TimeError {
        if let Some(found) = number {
            let (first, last) = grain.limits();
            return TimeError::OutOfRange { at: start, grain, found, first, last };
        }
        self.short_of_digits(Expected::Digits(grain))
    }

    /// Returns the error for fewer digits than expected, at their end.
    #[cold]
    fn short_of_digits(&mut self, expected: Expected) -> TimeError {
        while self.digits::<1>().is_some() {}
        self.unexpected(expected)
    }

    /// Reads `N` digits; does not advance when there are fewer.
    #[inline]
    fn digits<const N: usize>(&mut self) -> Option<u16> {
        let digits = self.text.get(self.at..)?.first_chunk::<N>()?;
        let mut number = 0;
        for &byte in digits {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            number = number * 10 + u16::from(digit);
        }
        self.at += N;
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_in_their_style() {
        use OffsetStyle::{Any, Colon, NoColon};
        let read = |text: &str, style| {
            let mut cursor = Cursor::new(text.as_bytes());
            let offset = cursor.offset(style)?;
            cursor.end().map(|()| offset)
        };
        for style in [Colon, NoColon, Any] {
            assert_eq!(read("Z", style), Ok(0));
            assert!(read("+", style).is_err());
            assert!(read("+1860", style).is_err());
            assert!(read("08:00", style).is_err());
        }
        assert_eq!((read("+08:00", Colon), read("+0800", NoColon)), (Ok(28_800), Ok(28_800)));
        assert_eq!(
            (read("-03:30", Any), read("-0330", Any), read("-03", Any)),
            (Ok(-12_600), Ok(-12_600), Ok(-10_800))
        );
        assert!(read("+08:00", NoColon).is_err());
        assert!(read("+0800", Colon).is_err());
        assert!(read("+08", Colon).is_err());
        assert!(read("+08:", Any).is_err());
    }

    #[test]
    fn a_fraction_has_one_to_nine_digits() {
        let read = |text: &str| Cursor::new(text.as_bytes()).fraction();
        assert_eq!(
            (read("5"), read("000000001"), read("123456789")),
            (Ok(500_000_000), Ok(1), Ok(123_456_789))
        );
        assert!(read("").is_err());
        assert_eq!(
            read("1234567890"),
            Err(TimeError::Unexpected { at: 9, found: Some(b'0'), expected: Expected::Fraction })
        );
    }

    #[test]
    fn missing_digits_are_told_where_they_are_missing() {
        let error = Cursor::new(b"20x0").padded(Grain::Year).unwrap_err();
        assert_eq!(error.to_string(), "at byte 2: found 'x', expected 4 digits of the year");
        let error = Cursor::new(b"1").padded(Grain::Hour).unwrap_err();
        assert_eq!(error.to_string(), "at byte 1: found the end, expected 2 digits of the hour");
    }
}
