//! The errors of times, patterns, zones, units and periods.

use std::fmt;

use super::{Grain, LocalTime, Unit};

/// A time that can't be read or written, or an invalid pattern, zone, unit, input format or period.
///
/// Offsets are in bytes from the start of the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The text of a time does not continue as it should.
    #[error("at byte {at}: found {}, expected {expected}", Found(*.found))]
    Unexpected {
        /// Where.
        at: usize,
        /// The byte there; `None` at the end of the text.
        found: Option<u8>,
        /// What is expected.
        expected: Expected,
    },
    /// A number that no calendar or clock shows, such as month 13, 29 February 2021 or hour 24.
    #[error("at byte {at}: found {grain} {found}, expected {first} to {last}")]
    OutOfRange {
        /// Where its digits start.
        at: usize,
        /// What it counts.
        grain: Grain,
        /// The number.
        found: u16,
        /// The smallest number allowed.
        first: u16,
        /// The largest number allowed.
        last: u16,
    },
    /// A local time that the zone's clocks jump over.
    #[error("no such time in {zone}: its clocks go from {from} to {to}")]
    InGap {
        /// The zone's name.
        zone: Box<str>,
        /// First local time that does not exist.
        from: LocalTime,
        /// First local time that exists again.
        to: LocalTime,
        /// The epoch second of the jump.
        at: i64,
    },
    /// A local year that does not fit four digits.
    #[error("year {year} can't be written: a pattern has years 1 to 9999")]
    YearOutOfRange {
        /// The local year; 0 is 1 BC.
        year: i64,
    },
    /// A year whose last two digits are those of another one.
    #[error("year {year} can't be written in two digits: the declared years are {first} to {last}")]
    YearOfOtherCentury {
        /// The local year.
        year: u16,
        /// The first declared year.
        first: u16,
        /// The last declared year.
        last: u16,
    },
    /// Two digits of a year whose century is not declared.
    #[error("two digits of a year do not tell its century, which min and max give")]
    NoCentury,
    /// A range of more years than two digits tell apart.
    #[error(
        "years {first} to {last} are more than the hundred that yy tells apart: narrow min and max, or write yyyy"
    )]
    ManyYears {
        /// The first year.
        first: u16,
        /// The last year.
        last: u16,
    },
    /// A decimal epoch that exceeds 64 bits.
    #[error("the number does not fit 64 bits")]
    NotInSixtyFourBits,
    /// The digits of a date where an epoch is expected.
    #[error(
        "an epoch has {digits} digits, and a date is written as 2013-03-08: a field whose source has such dates needs \
         input = \"{pattern}\""
    )]
    DateInDigits {
        /// The number of digits that an epoch has.
        digits: usize,
        /// The pattern that the text is in.
        pattern: &'static str,
    },
    /// Digits that are no time of the field's pattern.
    #[error("expected {pattern}, or a day or time such as 2020-04-06 or 2020-04-06T12:34:56")]
    OtherDigits {
        /// The field's pattern.
        pattern: String,
    },
    /// A time with a fraction of the unit that times are counted in.
    #[error("it lies between two whole numbers of {unit}, which the field counts in")]
    TooFine {
        /// The unit.
        unit: Unit,
    },
    /// A zone that is neither in the bundled IANA database nor an offset.
    #[error("unknown zone \"{found}\": {}", ZoneAdvice(.near.as_deref()))]
    UnknownZone {
        /// The name found.
        found: String,
        /// A similar name.
        near: Option<String>,
    },
    /// A unit that is none of `s`, `ms`, `us`, `ns`.
    #[error("unknown unit \"{found}\": s, ms, us and ns are known")]
    UnknownUnit {
        /// The name found.
        found: String,
    },
    /// A source format that looks like the name of one, but is not.
    #[error(
        "unknown input \"{found}\": epoch-s, epoch-ms, epoch-us, epoch-ns, iso8601 and patterns are known"
    )]
    UnknownInput {
        /// The name found.
        found: String,
    },
    /// Letters of a pattern whose text can't be read back, or that Java's two formatters do not treat alike.
    #[error("at byte {at} of the pattern: \"{letters}\" can't be used: {why}")]
    Letters {
        /// Where they start.
        at: usize,
        /// The run of one letter.
        letters: String,
        /// What is wrong with them, and what is expected.
        why: &'static str,
    },
    /// A character that `DateTimeFormatter` reserves.
    #[error("at byte {at} of the pattern: '{found}' stands for itself only in single quotes")]
    Reserved {
        /// Where.
        at: usize,
        /// The character.
        found: char,
    },
    /// A quote that is not closed.
    #[error("at byte {at} of the pattern: this quote is not closed; '' is a quote itself")]
    OpenQuote {
        /// Where it opens.
        at: usize,
    },
    /// A pattern that includes one thing twice.
    #[error("at byte {at} of the pattern: the {what} was there before")]
    Twice {
        /// Where the second one is.
        at: usize,
        /// What is repeated: a grain's name, or `offset`.
        what: String,
    },
    /// A pattern whose text does not determine an instant, as something coarser than its finest piece is missing.
    #[error("the pattern lacks {}, so its text names no instant", .grain.letters())]
    Lacks {
        /// What is missing.
        grain: Grain,
    },
    /// A number without a fixed width that is followed by digits.
    #[error("at byte {at} of the pattern: digits follow a {grain} of one or two digits; write {}", .grain.letters())]
    RunsOn {
        /// Where the number is.
        at: usize,
        /// What it counts.
        grain: Grain,
    },
    /// A day of the year without a fixed width that is followed by digits.
    #[error("at byte {at} of the pattern: digits follow a day of the year of one to three digits; write DDD")]
    DayOfYearRunsOn {
        /// Where it is.
        at: usize,
    },
    /// A day of the year beside a month or day.
    #[error(
        "at byte {at} of the pattern: the day of the year stands without a month and its day; drop one of them"
    )]
    DayOfYearBeside {
        /// Where the month or day is.
        at: usize,
    },
    /// A text that is not a period.
    #[error("\"{found}\" is not a period: write a count and s, m, h or d, as in 15m, or 1mo, or 1y")]
    NotAPeriod {
        /// The text found.
        found: String,
    },
    /// A period that does not divide the next larger unit evenly, so that it would not start where clocks do.
    #[error("{count}{unit} do not divide {whole} evenly: {} do", Divisors(*.divides))]
    Uneven {
        /// The count found.
        count: u32,
        /// `s`, `m` or `h`.
        unit: &'static str,
        /// The unit that it has to divide, in words.
        whole: &'static str,
        /// How many of its own units the larger one has.
        divides: u32,
    },
    /// More than one month or year.
    #[error("{found} can't be a period: of months and years, 1mo and 1y can")]
    ManyMonths {
        /// The text found.
        found: String,
    },
}

/// What was expected next in the text of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// The digits of a number, padded with zeros.
    Digits(Grain),
    /// The digits of a number, one or two.
    OneOrTwoDigits(Grain),
    /// The last two digits of a year.
    YearOfCentury,
    /// The three digits of the day of a year.
    PaddedDayOfYear,
    /// The digits of the day of a year, one to three.
    ShortDayOfYear,
    /// This character.
    Char(char),
    /// `Z` or an offset such as `+08:00`, up to 18 hours.
    OffsetWithColon,
    /// `Z` or an offset such as `+0800`, up to 18 hours.
    OffsetWithoutColon,
    /// `Z` or an offset such as `+08:00`, `+0800` or `+08`, up to 18 hours.
    AnyOffset,
    /// `T` or a space between date and time.
    DateTimeSeparator,
    /// One to nine digits of a second's fraction.
    Fraction,
    /// Decimal digits.
    Number,
    /// The end of the text.
    End,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digits(grain) => write!(f, "{} digits of the {grain}", grain.letters().len()),
            Self::OneOrTwoDigits(grain) => write!(f, "one or two digits of the {grain}"),
            Self::YearOfCentury => f.write_str("2 digits of the year"),
            Self::PaddedDayOfYear => f.write_str("3 digits of the day of the year"),
            Self::ShortDayOfYear => f.write_str("one to three digits of the day of the year"),
            Self::Char(char) => write!(f, "{char:?}"),
            Self::OffsetWithColon => f.write_str("Z or an offset such as +08:00"),
            Self::OffsetWithoutColon => f.write_str("Z or an offset such as +0800"),
            Self::AnyOffset => f.write_str("Z, an offset such as +08:00, or the end"),
            Self::DateTimeSeparator => f.write_str("T, a space or the end"),
            Self::Fraction => f.write_str("one to nine digits of the fraction"),
            Self::Number => f.write_str("decimal digits"),
            Self::End => f.write_str("the end"),
        }
    }
}

struct Found(Option<u8>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("the end"),
            Some(byte @ b' '..=b'~') => write!(f, "{:?}", char::from(byte)),
            Some(byte) => write!(f, "byte \\x{byte:02X}"),
        }
    }
}

struct ZoneAdvice<'a>(Option<&'a str>);

impl fmt::Display for ZoneAdvice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(near) => write!(f, "did you mean \"{near}\"?"),
            None => f.write_str("write an IANA name such as Asia/Shanghai, or an offset such as +08:00"),
        }
    }
}

struct Divisors(u32);

impl fmt::Display for Divisors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("1")?;
        (2..=self.0)
            .filter(|count| self.0.is_multiple_of(*count))
            .try_for_each(|count| write!(f, ", {count}"))
    }
}
