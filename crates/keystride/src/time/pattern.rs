//! Java date patterns.

use std::fmt;
use std::str::FromStr;

use super::civil::LocalTime;
use super::compact_text::CompactText;
use super::cursor::Cursor;
use super::pattern_letters::compile;
use super::piece::Piece;
use super::{Grain, TimeError, Zone};

/// A Java date pattern, compiled for writing and reading times.
///
/// It supports what `SimpleDateFormat` and `DateTimeFormatter` write alike and what can be read back: `yyyy` `MM` `dd`
/// `HH` `mm` `ss` `SSS`, from the year down without gaps, each once and in any order; `M` `d` `H` `m` `s` without
/// leading zeros, where no digit follows; `yy`, the year in two digits, whose century is declared with
/// [`between`](Self::between); `DDD`, the day of the year, or `D` without leading zeros, in place of month and day; `XX`
/// (`+0800` or `Z`) and `XXX` (`+08:00` or `Z`); text in single quotes, `''` for a quote; any other character that is not
/// an ASCII letter or one of `[]{}#`. The calendar is the Gregorian one throughout, with the years 1 to 9999.
///
/// ```
/// # use keystride::time::{Pattern, Zone};
/// let pattern = Pattern::parse("yyyyMMddHHmmss")?;
/// let shanghai = Zone::parse("Asia/Shanghai")?;
/// let mut key = Vec::new();
/// pattern.format(1_400_657_685_457, &shanghai, &mut key)?;
/// assert_eq!(key, b"20140521153445");
/// assert_eq!(pattern.read(&key, &shanghai)?, 1_400_657_685_000);
/// # Ok::<(), keystride::time::TimeError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Pattern {
    text: Box<str>,
    pieces: Box<[Piece]>,
    /// How its texts are read and written at once, if they are digits in the usual order.
    compact: Option<CompactText>,
    resolution: Grain,
    /// The years that are declared for one with `yy`.
    years: Option<Years>,
}

/// At most a hundred years, which differ in their last two digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Years {
    first: u16,
    last: u16,
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// [`TimeError`], with the place in the pattern, for letters whose text can't be read back or that Java's two
    /// formatters do not write alike.
    pub fn parse(pattern: &str) -> Result<Self, TimeError> {
        let (pieces, resolution) = compile(pattern)?;
        let compact = CompactText::of(&pieces);
        Ok(Self { text: pattern.into(), pieces: pieces.into(), compact, resolution, years: None })
    }

    /// Declares the years that `yy` stands for: those that clocks of `zone` show from one epoch millisecond to another. A
    /// pattern without `yy` has no use for them.
    ///
    /// ```
    /// # use keystride::time::{Pattern, Zone};
    /// let utc = Zone::utc();
    /// let pattern = Pattern::parse("yyDDD")?.between(0, 3_155_759_999_999, &utc)?; // 1970 to 2069
    /// assert_eq!(pattern.read(b"69365", &utc)?, 3_155_673_600_000);
    /// assert_eq!(pattern.read(b"70001", &utc)?, 0);
    /// assert!(!pattern.keeps_order());
    /// # Ok::<(), keystride::time::TimeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TimeError::ManyYears`] when these are more than a hundred years, [`TimeError::YearOutOfRange`] when they are not
    /// within 1 to 9999.
    pub fn between(self, first_ms: i64, last_ms: i64, zone: &Zone) -> Result<Self, TimeError> {
        if !self.needs_century() {
            return Ok(self);
        }
        let year = |ms: i64| local_of(ms, zone).map(|(local, _)| local.number(Grain::Year));
        let (first, last) = (year(first_ms)?, year(last_ms)?);
        if last.saturating_sub(first) >= 100 {
            return Err(TimeError::ManyYears { first, last });
        }
        Ok(Self { years: Some(Years { first, last }), ..self })
    }

    /// Whether it has `yy`, whose century has to be declared.
    pub fn needs_century(&self) -> bool {
        self.pieces.contains(&Piece::YearOfCentury)
    }

    /// Returns the length in bytes of every text that it writes; `None` when it varies, as between `Z` and `+08:00`.
    pub fn width(&self) -> Option<usize> {
        self.pieces.iter().map(|piece| piece.width()).sum()
    }

    /// Returns the finest grain that its text includes.
    pub fn resolution(&self) -> Grain {
        self.resolution
    }

    /// Returns the grain that its text begins with.
    pub fn first_grain(&self) -> Option<Grain> {
        self.pieces.iter().find_map(|piece| piece.grain())
    }

    /// Whether its text includes the offset, so that it reads back as the same instant when clocks are set back.
    pub fn has_offset(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Offset(_)))
    }

    /// Whether it writes only ASCII digits.
    pub fn is_digits(&self) -> bool {
        self.pieces.iter().all(|piece| piece.is_digits())
    }

    /// Returns the characters that its texts may have, and perhaps some more.
    pub(crate) fn chars(&self) -> impl Iterator<Item = char> {
        self.pieces.iter().flat_map(|piece| piece.chars())
    }

    /// Whether texts in one zone sort as local times do: the year first, the finest grain last, in fixed width and
    /// without an offset. Instants sort so, too, except in the hour that is repeated when clocks are set back. Years in
    /// two digits sort within one century.
    pub fn keeps_order(&self) -> bool {
        let grains = self.pieces.iter().filter_map(|piece| piece.grain());
        let has_order = self.width().is_some() && !self.has_offset() && grains.is_sorted();
        has_order && (!self.needs_century() || self.years.is_some_and(Years::are_of_one_century))
    }

    /// Appends the text of an instant, `epoch_ms` milliseconds since 1970-01-01T00:00:00Z.
    ///
    /// Offsets are written in whole minutes, as Java does, though some before 1972 have seconds; in the same zone such a
    /// text reads back exactly.
    ///
    /// # Errors
    ///
    /// [`TimeError`] when the local year is not 1 to 9999, or with `yy` not one of those whose century is declared;
    /// nothing is appended then.
    pub fn format(&self, epoch_ms: i64, zone: &Zone, out: &mut Vec<u8>) -> Result<(), TimeError> {
        let (local, offset) = local_of(epoch_ms, zone)?;
        if let Some(compact) = self.compact {
            compact.write(&local, out);
            return Ok(());
        }
        if self.needs_century() {
            self.years.ok_or(TimeError::NoCentury)?.check(local.number(Grain::Year))?;
        }
        self.pieces.iter().for_each(|piece| piece.write(&local, offset, out));
        Ok(())
    }

    /// Reads a whole text, strictly, and returns the instant in milliseconds since 1970-01-01T00:00:00Z: the first of
    /// those that [`format`](Self::format) writes so.
    ///
    /// What the text does not include is at its start: `202004` is the first of April, at midnight. Without an offset
    /// in the text it is a time of `zone`: the earlier one of two instants or, when clocks skip the start of what it
    /// names, the first instant after. With an offset it is the first instant that has this text in `zone`, if there is
    /// one: the day `20260329+0200` begins in Berlin at three o'clock.
    ///
    /// # Errors
    ///
    /// [`TimeError`] with the place for a text that does not match this pattern exactly, or is not a day or time of the
    /// Gregorian calendar; [`TimeError::InGap`] when the zone's clocks skip all that it names.
    pub fn read(&self, text: &[u8], zone: &Zone) -> Result<i64, TimeError> {
        let (local, offset) = match self.compact.and_then(|compact| compact.read(text)) {
            Some(local) => (local, None),
            None => self.read_pieces(text)?,
        };
        self.instant_of(local, offset, zone)
    }

    /// Reads a text as [`read`](Self::read) does, but takes an offset in it literally, to the minute: in a text of
    /// another origin it was not written by the rules of `zone`.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read).
    pub fn read_literally(&self, text: &[u8], zone: &Zone) -> Result<i64, TimeError> {
        if !self.has_offset() {
            return self.read(text, zone);
        }
        let (local, offset) = self.read_pieces(text)?;
        match offset {
            Some(offset) => Ok(epoch_ms(local.to_seconds() - offset, local)),
            None => self.instant_of(local, None, zone),
        }
    }

    #[cfg(test)]
    pub(super) fn is_compact(&self) -> bool {
        self.compact.is_some()
    }

    /// Reads a text piece by piece, which finds out what is wrong with it. Returns the local time and its offset.
    fn read_pieces(&self, text: &[u8]) -> Result<(LocalTime, Option<i64>), TimeError> {
        let mut cursor = Cursor::new(text);
        let mut local = LocalTime::FIRST;
        let mut offset = None;
        let (mut day_at, mut day_of_year) = (0, None);
        for piece in &self.pieces {
            let at = cursor.at();
            match *piece {
                Piece::Padded(grain) => local.set(grain, cursor.padded(grain)?),
                Piece::Short(grain) => local.set(grain, cursor.short(grain)?),
                Piece::YearOfCentury => {
                    let years = self.years.ok_or(TimeError::NoCentury)?;
                    local.set(Grain::Year, years.year_of(cursor.year_of_century()?));
                }
                Piece::PaddedDayOfYear => day_of_year = Some(cursor.padded_day_of_year()?),
                Piece::ShortDayOfYear => day_of_year = Some(cursor.short_day_of_year()?),
                Piece::Offset(style) => offset = Some(cursor.offset(style)?),
                Piece::Literal(char) => cursor.char(char)?,
            }
            if piece.grain() == Some(Grain::Day) {
                day_at = at;
            }
        }
        cursor.end()?;
        match day_of_year {
            Some(day) => local.set_day_of_year(day, day_at)?,
            None => local.check_day(day_at)?,
        }
        Ok((local, offset.map(i64::from)))
    }

    /// Rounds an instant, in epoch milliseconds, down to the first one that has the same text: what
    /// [`read`](Self::read) returns for the text that [`format`](Self::format) writes, without writing it.
    ///
    /// # Errors
    ///
    /// [`TimeError::YearOutOfRange`] when the local year is not 1 to 9999.
    pub fn cut(&self, epoch_ms: i64, zone: &Zone) -> Result<i64, TimeError> {
        let (local, offset) = local_of(epoch_ms, zone)?;
        self.instant_of(local.cut(self.resolution), self.has_offset().then_some(written_offset(offset)), zone)
    }

    /// Returns the first instant whose text names this local time, with this offset if there is one.
    fn instant_of(&self, local: LocalTime, offset: Option<i64>, zone: &Zone) -> Result<i64, TimeError> {
        let end = || local.end_of(self.resolution);
        let second = match offset {
            Some(offset) => first_with_offset(local.to_seconds(), end(), offset, zone),
            None => zone.instant_of(local, end)?,
        };
        Ok(epoch_ms(second, local))
    }
}

impl Years {
    /// Returns the one of a hundred years up to the last that ends in these two digits. Periods begin before the first.
    fn year_of(self, digits: u16) -> u16 {
        let before = (self.last % 100 + 100 - digits) % 100;
        self.last.saturating_sub(before)
    }

    /// Checks that a year reads back from its last two digits.
    fn check(self, year: u16) -> Result<(), TimeError> {
        let Self { first, last } = self;
        if self.year_of(year % 100) == year {
            Ok(())
        } else {
            Err(TimeError::YearOfOtherCentury { year, first, last })
        }
    }

    fn are_of_one_century(self) -> bool {
        self.first / 100 == self.last / 100
    }
}

/// Returns what clocks show, and their offset in seconds.
#[inline]
fn local_of(epoch_ms: i64, zone: &Zone) -> Result<(LocalTime, i64), TimeError> {
    let (second, ms) = split(epoch_ms);
    let offset = zone.offset_at(second);
    Ok((LocalTime::of_seconds(second + offset, ms)?, offset))
}

/// Returns an offset as it is written: in whole minutes, as seconds.
fn written_offset(offset: i64) -> i64 {
    offset / 60 * 60
}

/// Returns the first second at which the clocks of `zone` show local seconds from `from` to before `to` at an offset
/// that is written as `offset`; if they never do, the second of `from` at that offset.
fn first_with_offset(from: i64, to: i64, offset: i64, zone: &Zone) -> i64 {
    /// No offset is written with more minutes than this, and no zone has one of more than a day.
    const DAY_S: i64 = 86_400;
    let first = zone.stretch_at(from - DAY_S);
    let stretches = std::iter::successors(Some(first), |stretch| zone.stretch_after(stretch.from));
    let near = stretches.take_while(|stretch| stretch.from <= to + DAY_S);
    let begins = near.filter(|stretch| written_offset(stretch.offset.into()) == offset).find_map(|stretch| {
        let begin = (from - i64::from(stretch.offset)).max(stretch.from);
        let is_named = begin + i64::from(stretch.offset) < to;
        let is_there = zone.stretch_at(begin).from == stretch.from;
        (is_named && is_there).then_some(begin)
    });
    begins.unwrap_or(from - offset)
}

fn epoch_ms(second: i64, local: LocalTime) -> i64 {
    second * 1000 + i64::from(local.number(Grain::Ms))
}

/// Returns whole seconds, rounded down, and the remaining milliseconds.
#[expect(clippy::cast_possible_truncation, reason = "the rest of a division by 1000")]
fn split(epoch_ms: i64) -> (i64, u16) {
    (epoch_ms.div_euclid(1000), epoch_ms.rem_euclid(1000) as u16)
}

impl FromStr for Pattern {
    type Err = TimeError;

    fn from_str(pattern: &str) -> Result<Self, TimeError> {
        Self::parse(pattern)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn pattern(text: &str) -> Pattern {
        text.parse().unwrap()
    }

    fn zone(name: &str) -> Zone {
        name.parse().unwrap()
    }

    fn written(text: &str, epoch_ms: i64, zone: &Zone) -> String {
        let mut out = Vec::new();
        pattern(text).format(epoch_ms, zone, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn order_is_kept_by_fixed_width_from_the_year_down() {
        assert!(
            ["yyyy", "yyyyMMddHHmmssSSS", "yyyy-MM-dd'T'HH:mm"].map(pattern).iter().all(Pattern::keeps_order)
        );
        assert!(!["ddMMyyyy", "yyyy-M-d", "yyyyMMddXX"].map(pattern).iter().any(Pattern::keeps_order));
    }

    #[test]
    fn width_is_that_of_the_text_or_none() {
        assert_eq!(pattern("yyyyMMddHHmmssSSS").width(), Some(17));
        assert_eq!(pattern("yyyy年MM月").width(), Some(written("yyyy年MM月", 0, &Zone::utc()).len()));
        assert_eq!(pattern("yyyyMMXXX").width(), None);
        assert_eq!(pattern("yyyy/M").width(), None);
    }

    #[test]
    fn digits_are_told_from_other_text() {
        assert!(pattern("yyyyMMdd'0'").is_digits());
        assert!(!pattern("yyyy-MM").is_digits());
        assert!(!pattern("yyyyXX").is_digits());
    }

    #[test]
    fn quotes_literals_and_short_numbers_are_written_and_read() {
        let utc = Zone::utc();
        for (text, expected) in [
            ("d/M/yyyy H:m:s", "6/4/2020 1:2:3"),
            ("yyyy'y'''MM''dd", "2020y'04'06"),
            ("yyyy年M月d日 HH:mm:ss", "2020年4月6日 01:02:03"),
            ("'MM'yyyyMM", "MM202004"),
        ] {
            let ms = 1_586_134_923_000;
            assert_eq!(written(text, ms, &utc), expected);
            assert_eq!(pattern(text).read(expected.as_bytes(), &utc), pattern(text).cut(ms, &utc));
        }
        assert_eq!(pattern("M/d/yyyy").read(b"04/06/2020", &utc), Ok(1_586_131_200_000));
    }

    #[test]
    fn years_in_two_digits_are_those_that_are_declared() {
        let utc = Zone::utc();
        let ms = |text: &str| pattern("yyyyMMdd").read(text.as_bytes(), &utc).unwrap();
        let declared =
            |first: &str, last: &str| pattern("yyMMdd").between(ms(first), ms(last), &utc).unwrap();
        for (first, last, in_order) in [
            ("19700101", "20691231", false),
            ("19700601", "19991231", true),
            ("20000101", "20991231", true),
            ("19991231", "20000101", false),
        ] {
            let pattern = declared(first, last);
            assert_eq!(pattern.keeps_order(), in_order);
            for day in [first, last] {
                let mut text = Vec::new();
                pattern.format(ms(day), &utc, &mut text).unwrap();
                assert_eq!(text, &day.as_bytes()[2..]);
                assert_eq!(pattern.read(&text, &utc), Ok(ms(day)));
            }
        }
        // Periods begin before the first time.
        assert_eq!(declared("19710101", "20000101").read(b"701231", &utc), Ok(ms("19701231")));
        let error =
            declared("19700101", "20691231").format(ms("20700101"), &utc, &mut Vec::new()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "year 2070 can't be written in two digits: the declared years are 1970 to 2069"
        );
        let error = pattern("yyMMdd").between(ms("19700101"), ms("20700101"), &utc).unwrap_err();
        assert_eq!(error, TimeError::ManyYears { first: 1970, last: 2070 });
        assert_eq!(pattern("yyMMdd").read(b"700101", &utc), Err(TimeError::NoCentury));
        assert_eq!(pattern("yyMMdd").format(0, &utc, &mut Vec::new()), Err(TimeError::NoCentury));
        assert!(!pattern("yyMMdd").keeps_order());
    }

    #[test]
    fn days_of_the_year_keep_order_with_leading_zeros() {
        assert!(pattern("yyyyDDDHHmm").keeps_order() && pattern("yyyyDDD").is_digits());
        assert_eq!((pattern("yyyyDDD").width(), pattern("yyyy-D").width()), (Some(7), None));
        assert!(!["DDDyyyy", "yyyy-D"].map(pattern).iter().any(Pattern::keeps_order));
        let read = |text: &str, value: &str| {
            pattern(text).read(value.as_bytes(), &Zone::utc()).unwrap_err().to_string()
        };
        assert_eq!(read("yyyyDDD", "2023366"), "at byte 4: found day 366, expected 1 to 365");
        assert_eq!(
            read("yyyyDDD", "202360"),
            "at byte 6: found the end, expected 3 digits of the day of the year"
        );
        assert_eq!(
            read("yyyy-D", "2023-"),
            "at byte 5: found the end, expected one to three digits of the day of the year"
        );
    }

    #[test]
    fn offsets_are_z_or_whole_minutes() {
        for (name, colon, no_colon) in [
            ("UTC", "1970Z", "1970Z"),
            ("+08:00", "1970+08:00", "1970+0800"),
            ("-03:30", "1969-03:30", "1969-0330"),
        ] {
            assert_eq!(written("yyyyXXX", 0, &zone(name)), colon);
            assert_eq!(written("yyyyXX", 0, &zone(name)), no_colon);
        }
        assert_eq!(written("yyyyXXX", -5_000_000_000_000, &zone("Asia/Shanghai")), "1811+08:05");
        assert_eq!(written("yyyyXXX", -5_000_000_000_000, &zone("Europe/London")), "1811-00:01");
    }

    #[test]
    fn an_offset_with_seconds_reads_back_in_its_zone() {
        let second = "yyyy-MM-dd'T'HH:mm:ssXXX";
        for (name, epoch_s, text) in [
            ("Africa/Monrovia", 59_611_217, "1971-11-21T21:55:47-00:44"),
            ("Asia/Shanghai", -2_200_000_000, "1900-04-15T08:59:03+08:05"),
        ] {
            assert_eq!(written(second, epoch_s * 1000, &zone(name)), text);
            assert_eq!(pattern(second).read(text.as_bytes(), &zone(name)), Ok(epoch_s * 1000));
            assert_eq!(pattern(second).cut(epoch_s * 1000, &zone(name)), Ok(epoch_s * 1000));
        }
    }

    /// Offsets change within a day, a month and a year, which have several texts then.
    #[test]
    fn a_text_with_an_offset_stands_for_the_first_instant_that_has_it() {
        const HALF_HOUR_MS: i64 = 1_800_000;
        /// 2025-12-31T00:00:00Z.
        const START_MS: i64 = 1_767_139_200_000;
        for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo"] {
            let zone = zone(name);
            for text in ["yyyyXX", "yyyyMMXX", "yyyyMMddXX", "yyyyMMddHHXX", "yyyyMMddHHmmXXX"] {
                let pattern = pattern(text);
                let mut firsts = BTreeMap::new();
                for ms in (0..48 * 400).map(|half| START_MS + half * HALF_HOUR_MS) {
                    let written = written(text, ms, &zone);
                    let first = *firsts.entry(written.clone()).or_insert(ms);
                    // The first texts begin before the start.
                    if firsts.len() > 2 {
                        assert_eq!(pattern.cut(ms, &zone), Ok(first), "{written} {zone}");
                        assert_eq!(pattern.read(written.as_bytes(), &zone), Ok(first), "{written} {zone}");
                    }
                }
            }
        }
        let day = pattern("yyyyMMddXX");
        assert_eq!(day.read(b"20260329+0200", &zone("Europe/Berlin")), Ok(1_774_746_000_000));
        assert_eq!(day.read_literally(b"20260329+0200", &zone("Europe/Berlin")), Ok(1_774_735_200_000));
    }

    #[test]
    fn the_text_s_own_offset_wins_over_the_zone() {
        let with_offset = pattern("yyyyMMddHHXXX");
        assert_eq!(with_offset.read(b"1970010108+08:00", &zone("America/New_York")), Ok(0));
    }

    #[test]
    fn errors_tell_place_found_and_expected() {
        let read = |text: &str, value: &str| {
            pattern(text).read(value.as_bytes(), &Zone::utc()).unwrap_err().to_string()
        };
        assert_eq!(read("yyyyMMdd", "20210229"), "at byte 6: found day 29, expected 1 to 28");
        assert_eq!(read("ddMMyyyy", "31042021"), "at byte 0: found day 31, expected 1 to 30");
        assert_eq!(read("yyyyMM", "202013"), "at byte 4: found month 13, expected 1 to 12");
        assert_eq!(read("yyyyMMdd", "00000101"), "at byte 0: found year 0, expected 1 to 9999");
        assert_eq!(read("yyyy-MM", "2020/04"), "at byte 4: found '/', expected '-'");
        assert_eq!(read("yyyyMM", "202004\u{ff}"), "at byte 6: found byte \\xC3, expected the end");
        assert_eq!(read("yyyyMMddHH", "2020040624"), "at byte 8: found hour 24, expected 0 to 23");
        assert_eq!(
            read("yyyyMMXX", "202004"),
            "at byte 6: found the end, expected Z or an offset such as +0800"
        );
        assert_eq!(
            read("yyyy-M", "2020-"),
            "at byte 5: found the end, expected one or two digits of the month"
        );
    }

    #[test]
    fn texts_of_other_lengths_and_with_other_signs_are_refused() {
        for (pattern, text) in [
            ("yyyyMMdd", "20200406"),
            ("yyyyMMddHHmmssSSS", "20200406123456789"),
            ("yyyy-MM-dd'T'HH:mm:ss", "2020-04-06T12:34:56"),
        ] {
            let read = |text: &str| Pattern::parse(pattern).unwrap().read(text.as_bytes(), &Zone::utc());
            assert!(read(text).is_ok(), "{text}");
            let lengths = [text[1..].to_owned(), text[..text.len() - 1].to_owned(), format!("{text}0")];
            let signs = (0..text.len()).map(|at| [&text[..at], "/", &text[at + 1..]].concat());
            for other in lengths.into_iter().chain(signs) {
                assert!(read(&other).is_err(), "{other}");
            }
        }
    }

    #[test]
    fn a_year_beyond_four_digits_is_not_written() {
        let mut out = b"before".to_vec();
        let error = pattern("'x'yyyy").format(253_402_300_800_000, &Zone::utc(), &mut out).unwrap_err();
        assert_eq!(error.to_string(), "year 10000 can't be written: a pattern has years 1 to 9999");
        assert_eq!(out, b"before");
        assert!(pattern("yyyy").format(i64::MIN, &zone("America/New_York"), &mut out).is_err());
        assert!(pattern("yyyy").cut(i64::MAX, &zone("America/New_York")).is_err());
    }

    #[test]
    fn a_time_that_clocks_skip_is_refused() {
        let error = pattern("yyyyMMddHHmmss").read(b"20130310023000", &zone("America/New_York")).unwrap_err();
        let expected =
            "no such time in America/New_York: its clocks go from 2013-03-10T02:00:00 to 2013-03-10T03:00:00";
        assert_eq!(error.to_string(), expected);
        assert!(pattern("yyyyMMdd").read(b"20111230", &zone("Pacific/Apia")).is_err());
    }

    #[test]
    fn a_day_or_hour_that_clocks_skip_in_part_starts_after_the_gap() {
        let sao_paulo = zone("America/Sao_Paulo");
        let ms = pattern("yyyyMMdd").read(b"20181104", &sao_paulo).unwrap();
        assert_eq!(written("yyyyMMddHHmm", ms, &sao_paulo), "201811040100");
        let lord_howe = zone("Australia/Lord_Howe");
        let ms = pattern("yyyyMMddHH").read(b"2020100402", &lord_howe).unwrap();
        assert_eq!(written("yyyyMMddHHmm", ms, &lord_howe), "202010040230");
    }

    #[test]
    fn of_a_repeated_hour_the_earlier_is_read() {
        let new_york = zone("America/New_York");
        for ms in [1_383_456_600_000, 1_383_460_200_000] {
            assert_eq!(written("yyyyMMddHHmm", ms, &new_york), "201311030130");
            assert_eq!(pattern("yyyyMMddHHmm").cut(ms, &new_york), Ok(1_383_456_600_000));
            assert_eq!(pattern("yyyyMMddHHmmXX").cut(ms, &new_york), Ok(ms));
        }
        assert_eq!(pattern("yyyyMMddHHmm").read(b"201311030130", &new_york), Ok(1_383_456_600_000));
    }
}
