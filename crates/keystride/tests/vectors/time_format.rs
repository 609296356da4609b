use keystride::time::{InputFormat, Pattern, Period, TimeError, Unit, Zone};
use serde_json::Value;

use crate::fields::{number, text};
use crate::tally::{Outcome, check_file, same};

const NO_PATTERN: Outcome =
    Outcome::NotApplicable("a pattern whose text does not read back, or that Java writes in two ways");

#[test]
fn times_are_written_read_and_cut_as_java_time_does() {
    check_times("time-format.json");
}

#[test]
fn years_in_two_digits_and_days_of_the_year_are_those_of_java() {
    check_times("time-year-day.json");
}

fn check_times(file: &str) {
    check_file(file, |vector| match text(vector, "case") {
        "format" => format(vector),
        "parse" => parse(vector),
        "unit" => unit(vector),
        "floor" => floor(vector),
        other => Outcome::Failed(format!("unknown case {other}")),
    });
}

/// Where the two formatters differ, ours is the one with the Gregorian calendar, `DateTimeFormatter`.
fn format(vector: &Value) -> Outcome {
    let mut ours = Vec::new();
    let Ok(pattern) = pattern(vector) else { return NO_PATTERN };
    let Some(theirs) = vector.get("text").or_else(|| vector.get("dtf")).and_then(Value::as_str) else {
        return Outcome::NotApplicable("a pattern that DateTimeFormatter does not write");
    };
    match pattern.format(whole(vector, "ms"), &zone(vector), &mut ours) {
        Ok(()) => same(&String::from_utf8(ours).as_deref(), &Ok(theirs)),
        Err(TimeError::YearOutOfRange { year: 10_000.. }) if theirs.contains('+') => {
            Outcome::NotApplicable("years beyond 9999 have more than four digits")
        }
        // Java writes the year of the era: year 0 is 1 BC.
        Err(TimeError::YearOutOfRange { year }) if theirs.contains(&format!("{:04}", 1 - year)) => {
            Outcome::NotApplicable("years before 1 would read back as others")
        }
        Err(error) => Outcome::Failed(error.to_string()),
    }
}

fn parse(vector: &Value) -> Outcome {
    let Ok(pattern) = pattern(vector) else { return NO_PATTERN };
    let ours = pattern.read(text(vector, "text").as_bytes(), &zone(vector));
    match (ours, java_reading(vector, &pattern), vector["dtf"].as_i64()) {
        (Ok(ours), Some(theirs), _) => same(&ours, &theirs),
        // The text has an offset of its own, with which the zone need not write it.
        (Ok(ours), None, Some(theirs)) if pattern.has_offset() => same(&ours, &theirs),
        (Err(_), None, _) => Outcome::Passed,
        (ours, theirs, _) => Outcome::Failed(format!("ours {ours:?}, theirs {theirs:?}")),
    }
}

/// What Java reads. Where its formatters differ it is what `DateTimeFormatter` reads, if that is what the text says:
/// it moves days beyond a month's end, hour 24 and times in a gap, and a strict reading refuses them. What it does not
/// read at all, as a year that digits follow, is what `SimpleDateFormat` reads.
fn java_reading(vector: &Value, pattern: &Pattern) -> Option<i64> {
    if let Some(agreed) = vector["ms"].as_i64() {
        return Some(agreed);
    }
    let theirs = vector["dtf"].as_i64().or(vector["sdf"].as_i64())?;
    let mut said = Vec::new();
    pattern.format(theirs, &zone(vector), &mut said).ok()?;
    (said == text(vector, "text").as_bytes()).then_some(theirs)
}

fn unit(vector: &Value) -> Outcome {
    let ns: i128 = number(vector, "ns");
    let read = InputFormat::Iso8601.read(text(vector, "instant").as_bytes(), &Zone::utc());
    let theirs = ["s", "ms", "us"].map(|name| i128::from(whole(vector, name)));
    let ours = [Unit::S, Unit::Ms, Unit::Us].map(|unit| unit.of_nanos(ns));
    let converted = [Unit::S, Unit::Ms, Unit::Us]
        .map(|to| i64::try_from(ns).ok().and_then(|ns| Unit::Ns.convert(ns, to)).map(i128::from));
    same(&(read, ours, converted), &(Ok(ns), theirs, theirs.map(Some)))
}

fn floor(vector: &Value) -> Outcome {
    let period: Period = match text(vector, "period") {
        "minute" => "1m",
        "hour" => "1h",
        "day" => "1d",
        "month" => "1mo",
        "year" => "1y",
        other => panic!("period {other}"),
    }
    .parse()
    .expect("a period");
    let (zone, ms) = (zone(vector), whole(vector, "ms"));
    let (start, theirs) = (period.floor(ms, &zone), whole(vector, "floor_ms"));
    if start > theirs && clock(ms, &zone) - clock(theirs, &zone) < ms - theirs {
        return same(&period.floor(theirs, &zone), &theirs)
            .but("the clock was put back: ours is the latest start before, not that of the clock's reading");
    }
    same(&(start, period.floor(start, &zone)), &(theirs, start))
}

/// What the zone's clock shows, as milliseconds.
fn clock(ms: i64, zone: &Zone) -> i64 {
    let pattern: Pattern = "yyyyMMddHHmmssSSS".parse().expect("a pattern");
    let mut shown = Vec::new();
    pattern.format(ms, zone, &mut shown).expect("a year of four digits");
    pattern.read(&shown, &Zone::utc()).expect("a text of the pattern")
}

fn pattern(vector: &Value) -> Result<Pattern, TimeError> {
    let pattern: Pattern = text(vector, "pattern").parse()?;
    match vector["first_ms"].as_i64() {
        Some(first_ms) => pattern.between(first_ms, whole(vector, "last_ms"), &zone(vector)),
        None => Ok(pattern),
    }
}

fn zone(vector: &Value) -> Zone {
    text(vector, "zone").parse().expect("a zone of the database")
}

/// A whole number, which may stand as text.
fn whole(vector: &Value, field: &str) -> i64 {
    vector[field].as_i64().unwrap_or_else(|| number(vector, field))
}
