//! The pieces that a pattern is compiled into.

use super::Grain;
use super::civil::LocalTime;
use super::cursor::OffsetStyle;
use crate::key::decimal;

/// A piece of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// A number with zeros on the left.
    Padded(Grain),
    /// A number of one or two digits.
    Short(Grain),
    /// The last two digits of the year.
    YearOfCentury,
    /// The day of the year in three digits.
    PaddedDayOfYear,
    /// The day of the year in one to three digits.
    ShortDayOfYear,
    /// `Z` or an offset.
    Offset(OffsetStyle),
    /// A character that stands for itself.
    Literal(char),
}

impl Piece {
    pub(super) fn grain(self) -> Option<Grain> {
        match self {
            Self::Padded(grain) | Self::Short(grain) => Some(grain),
            Self::YearOfCentury => Some(Grain::Year),
            Self::PaddedDayOfYear | Self::ShortDayOfYear => Some(Grain::Day),
            Self::Offset(_) | Self::Literal(_) => None,
        }
    }

    pub(super) fn is_day_of_year(self) -> bool {
        matches!(self, Self::PaddedDayOfYear | Self::ShortDayOfYear)
    }

    /// Whether it is digits alone.
    pub(super) fn is_digits(self) -> bool {
        match self {
            Self::Literal(char) => char.is_ascii_digit(),
            Self::Offset(_) => false,
            _ => true,
        }
    }

    pub(super) fn width(self) -> Option<usize> {
        match self {
            Self::Padded(grain) => Some(grain.digits()),
            Self::YearOfCentury => Some(2),
            Self::PaddedDayOfYear => Some(3),
            Self::Literal(char) => Some(char.len_utf8()),
            Self::Short(_) | Self::ShortDayOfYear | Self::Offset(_) => None,
        }
    }

    /// Returns the characters that its texts may have, and perhaps some more.
    pub(super) fn chars(self) -> impl Iterator<Item = char> {
        let (some, literal) = match self {
            Self::Offset(_) => ("0123456789+-:Z", None),
            Self::Literal(char) => ("", Some(char)),
            _ => ("0123456789", None),
        };
        some.chars().chain(literal)
    }

    pub(super) fn write(self, local: &LocalTime, offset: i64, out: &mut Vec<u8>) {
        match self {
            Self::YearOfCentury => write_digits::<2>(local.number(Grain::Year) % 100, out),
            Self::PaddedDayOfYear => write_digits::<3>(local.day_of_year(), out),
            Self::ShortDayOfYear => decimal::encode(out, local.day_of_year()),
            Self::Padded(grain @ Grain::Year) => write_digits::<4>(local.number(grain), out),
            Self::Padded(grain @ Grain::Ms) => write_digits::<3>(local.number(grain), out),
            Self::Short(grain) if local.number(grain) < 10 => write_digits::<1>(local.number(grain), out),
            Self::Padded(grain) | Self::Short(grain) => write_digits::<2>(local.number(grain), out),
            Self::Offset(style) => write_offset(offset, style, out),
            Self::Literal(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

fn write_digits<const N: usize>(number: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(&digits_of::<N>(number));
}

/// Returns the digits of a number that has at most `N`, padded with zeros on the left.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the number has N digits")]
pub(super) fn digits_of<const N: usize>(mut number: u16) -> [u8; N] {
    let mut digits = [b'0'; N];
    for digit in digits[1..].iter_mut().rev() {
        *digit += (number % 10) as u8;
        number /= 10;
    }
    digits[0] += number as u8;
    digits
}

#[expect(clippy::cast_possible_truncation, reason = "offsets are below a day and a bit")]
fn write_offset(offset: i64, style: OffsetStyle, out: &mut Vec<u8>) {
    let minutes = (offset.unsigned_abs() / 60) as u16;
    if minutes == 0 {
        return out.push(b'Z');
    }
    out.push(if offset < 0 { b'-' } else { b'+' });
    write_digits::<2>(minutes / 60, out);
    if style == OffsetStyle::Colon {
        out.push(b':');
    }
    write_digits::<2>(minutes % 60, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_have_two_digits_from_ten_on() {
        for (month, text) in [(1, "1"), (9, "9"), (10, "10"), (12, "12")] {
            let (mut local, mut out) = (LocalTime::FIRST, Vec::new());
            local.set(Grain::Month, month);
            Piece::Short(Grain::Month).write(&local, 0, &mut out);
            assert_eq!(out, text.as_bytes());
        }
    }
}
