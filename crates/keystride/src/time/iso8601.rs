//! Reads and writes ISO 8601 times.

use std::fmt::Write as _;

use super::civil::LocalTime;
use super::cursor::{Cursor, OffsetStyle};
use super::{Expected, Grain, TimeError, Unit, Zone};

const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// Reads an ISO 8601 time as nanoseconds since 1970-01-01T00:00:00Z.
///
/// The text is `2013-01-01`, optionally followed by `T` or a space and `10:00` or `10:00:00`. Seconds may be followed
/// by a point or comma and one to nine digits, and a time of day by `Z`, `+08:00`, `+0800` or `+08`. Without an offset
/// it is a time of `zone`, the earlier of two instants; a date alone is the first instant of its day there.
///
/// ```
/// # use keystride::time::{Zone, read_iso8601};
/// assert_eq!(read_iso8601(b"2013-01-01T10:00:00Z", &Zone::utc())?, 1_357_034_400_000_000_000);
/// assert_eq!(read_iso8601(b"1970-01-01", &Zone::parse("+08:00")?)?, -28_800_000_000_000);
/// # Ok::<(), keystride::time::TimeError>(())
/// ```
///
/// # Errors
///
/// [`TimeError`] with the place for any other text, for a day or time that the Gregorian calendar does not have, and
/// for a time in a gap of the zone.
pub fn read_iso8601(text: &[u8], zone: &Zone) -> Result<i128, TimeError> {
    let mut cursor = Cursor::new(text);
    let mut local = read_date(&mut cursor)?;
    let (mut grain, mut nanos) = (Grain::Day, 0);
    let mut offset = None;
    if cursor.peek().is_some() {
        (grain, nanos) = read_clock(&mut cursor, &mut local)?;
        if cursor.peek().is_some() {
            offset = Some(cursor.offset(OffsetStyle::Any)?);
        }
        cursor.end()?;
    }
    let second = match offset {
        Some(offset) => local.to_seconds() - i64::from(offset),
        None => zone.instant_of(local, || local.end_of(grain))?,
    };
    Ok(i128::from(second) * NANOS_PER_SECOND + i128::from(nanos))
}

/// Writes the time `number`, counted in `unit`, to exactly that unit, as `zone` shows it and with its offset.
///
/// [`read_iso8601`] reads it back. Where the offset is not in whole minutes, as in zones before 1900 or so, the time is
/// written in UTC. `None` if the year is not 1 to 9999.
///
/// ```
/// # use keystride::time::{Unit, Zone, to_iso8601};
/// let shanghai = Zone::parse("Asia/Shanghai")?;
/// assert_eq!(to_iso8601(1_400_657_685_457, Unit::Ms, &shanghai).as_deref(), Some("2014-05-21T15:34:45.457+08:00"));
/// assert_eq!(to_iso8601(0, Unit::S, &Zone::utc()).as_deref(), Some("1970-01-01T00:00:00Z"));
/// # Ok::<(), keystride::time::TimeError>(())
/// ```
pub fn to_iso8601(number: i128, unit: Unit, zone: &Zone) -> Option<String> {
    let in_second = NANOS_PER_SECOND / unit.nanos();
    let second = i64::try_from(number.div_euclid(in_second)).ok()?;
    let offset = Some(zone.offset_at(second)).filter(|offset| offset % 60 == 0).unwrap_or(0);
    let mut text = LocalTime::of_seconds(second.checked_add(offset)?, 0).ok()?.to_string();
    let digits = unit.digits() - Unit::S.digits();
    // Writing to a String can't fail.
    if digits > 0 {
        let _ = write!(text, ".{:0digits$}", number.rem_euclid(in_second));
    }
    if offset == 0 {
        text.push('Z');
    } else {
        let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
        let _ = write!(text, "{sign}{:02}:{:02}", minutes / 60, minutes % 60);
    }
    Some(text)
}

fn read_date(cursor: &mut Cursor<'_>) -> Result<LocalTime, TimeError> {
    let mut local = LocalTime::FIRST;
    local.set(Grain::Year, cursor.padded(Grain::Year)?);
    cursor.char('-')?;
    local.set(Grain::Month, cursor.padded(Grain::Month)?);
    cursor.char('-')?;
    let day_at = cursor.at();
    local.set(Grain::Day, cursor.padded(Grain::Day)?);
    local.check_day(day_at)?;
    Ok(local)
}

/// Reads the time of day; returns its grain, and the nanoseconds within its second.
fn read_clock(cursor: &mut Cursor<'_>, local: &mut LocalTime) -> Result<(Grain, u32), TimeError> {
    if !cursor.eat(b'T') && !cursor.eat(b' ') {
        return Err(cursor.unexpected(Expected::DateTimeSeparator));
    }
    local.set(Grain::Hour, cursor.padded(Grain::Hour)?);
    cursor.char(':')?;
    local.set(Grain::Minute, cursor.padded(Grain::Minute)?);
    if !cursor.eat(b':') {
        return Ok((Grain::Minute, 0));
    }
    local.set(Grain::Second, cursor.padded(Grain::Second)?);
    let nanos = if cursor.eat(b'.') || cursor.eat(b',') { cursor.fraction()? } else { 0 };
    Ok((Grain::Second, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, zone: &str) -> Result<i128, TimeError> {
        read_iso8601(text.as_bytes(), &Zone::parse(zone).unwrap())
    }

    #[test]
    fn one_instant_has_many_texts() {
        for text in [
            "2013-01-01T10:00:00Z",
            "2013-01-01 10:00:00Z",
            "2013-01-01T10:00Z",
            "2013-01-01T10:00:00.000000000Z",
            "2013-01-01T18:00:00+08:00",
            "2013-01-01T18:00:00+0800",
            "2013-01-01 18:00:00+08",
            "2013-01-01T06:30:00,0-03:30",
            "2013-01-01T05:00:00",
        ] {
            assert_eq!(read(text, "America/New_York"), Ok(1_357_034_400_000_000_000), "{text}");
        }
    }

    #[test]
    fn fractions_count_nanoseconds_forward_before_1970_too() {
        assert_eq!(read("1970-01-01T00:00:00.5Z", "UTC"), Ok(500_000_000));
        assert_eq!(read("1969-12-31T23:59:59.999999999Z", "UTC"), Ok(-1));
        assert_eq!(read("9999-12-31T23:59:59.123456789Z", "UTC"), Ok(253_402_300_799_123_456_789));
    }

    #[test]
    fn a_date_alone_is_the_start_of_its_day_there() {
        assert_eq!(read("2013-01-01", "America/New_York"), read("2013-01-01T05:00Z", "UTC"));
        assert_eq!(read("2018-11-04", "America/Sao_Paulo"), read("2018-11-04T03:00Z", "UTC"));
    }

    #[test]
    fn what_is_written_reads_back_to_the_unit() {
        let last_second = 253_402_300_799;
        for zone in ["UTC", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu", "-03:30"] {
            let zone = Zone::parse(zone).unwrap();
            for unit in Unit::ALL {
                let in_second = NANOS_PER_SECOND / unit.nanos();
                for second in [-62_135_500_000, -4_000_000_000, -1, 0, 1_383_460_200, last_second - 90_000] {
                    let number = second * in_second + in_second / 3;
                    let text = to_iso8601(number, unit, &zone).unwrap();
                    let read = read_iso8601(text.as_bytes(), &Zone::utc()).unwrap();
                    assert_eq!(read, number * unit.nanos(), "{text}");
                }
            }
        }
        let utc = Zone::utc();
        assert_eq!(to_iso8601(last_second, Unit::S, &utc).as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!(to_iso8601(last_second, Unit::S, &Zone::parse("+00:01").unwrap()), None);
        assert_eq!(to_iso8601(i64::MIN.into(), Unit::S, &utc), None);
        assert_eq!(to_iso8601(i128::MAX, Unit::Ns, &utc), None);
        assert_eq!(to_iso8601(-1, Unit::Us, &utc).as_deref(), Some("1969-12-31T23:59:59.999999Z"));
    }

    #[test]
    fn all_other_texts_are_refused() {
        for text in [
            "",
            "2013",
            "2013-01",
            "20130101",
            "2013-1-1",
            "2013-01-01T",
            "2013-01-01T10",
            "2013-01-01t10:00",
            "2013-01-01T10:00:00.",
            "2013-01-01T10:00:00.1234567890Z",
            "2013-01-01T10:00:00 Z",
            "2013-01-01Z",
            "2013-01-01T10:00:00ZZ",
            "2013-01-01T24:00:00Z",
            "2013-01-01T10:60Z",
            "2013-06-30T23:59:60Z",
            "2013-02-29",
            "0000-01-01",
            "-2013-01-01",
            "2013-01-01T10:00:00+19:00",
            " 2013-01-01",
        ] {
            assert!(read(text, "UTC").is_err(), "{text}");
        }
        assert!(matches!(read("2013-03-10T02:30:00", "America/New_York"), Err(TimeError::InGap { .. })));
        assert_eq!(
            read("2013-01-01x10:00", "UTC").unwrap_err().to_string(),
            "at byte 10: found 'x', expected T, a space or the end"
        );
    }
}
