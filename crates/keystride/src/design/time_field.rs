//! Fields of type `time`: how they are written in the key and in the source, and their range.

use super::problem::Problem;
use super::raw::{Kind, Node};
use super::reader::{Complaints, TableReader, wrong_kind};
use super::written::{floor_number, partition};
use crate::time::{Grain, InputFormat, Pattern, Period, TimeError, Unit, Zone, to_iso8601};
use crate::value::time_ms;

/// The type of an instant, whose number counts `unit`s since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeKind {
    /// Its default text.
    pub text: TimeText,
    /// The zone of patterns, periods and texts without an offset.
    pub zone: Zone,
    /// How the source writes it, when that differs from the default text.
    pub input: Option<InputFormat>,
    /// Smallest number.
    pub min: i128,
    /// Largest number.
    pub max: i128,
}

/// The default text of a time.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeText {
    /// The decimal epoch in this unit, of exactly 10, 13, 16 or 19 digits.
    Epoch(Unit),
    /// A Java pattern.
    Pattern(Pattern),
}

const UNITS: [(&str, Unit); 4] = [("s", Unit::S), ("ms", Unit::Ms), ("us", Unit::Us), ("ns", Unit::Ns)];

impl TimeKind {
    /// Whether the key or the source has years in two digits.
    fn needs_century(&self) -> bool {
        let is_so = |pattern: &Pattern| pattern.needs_century();
        let in_key = matches!(&self.text, TimeText::Pattern(pattern) if is_so(pattern));
        in_key || matches!(&self.input, Some(InputFormat::Pattern(pattern)) if is_so(pattern))
    }

    /// Declares the years of its patterns, which are those from `min` to `max`.
    fn between(self) -> Result<Self, TimeError> {
        let ms = |number: i128| time_ms(Unit::Ms.of_nanos(number.saturating_mul(self.unit().nanos())));
        let (first, last) = (ms(self.min), ms(self.max));
        let text = match self.text {
            TimeText::Pattern(pattern) => TimeText::Pattern(pattern.between(first, last, &self.zone)?),
            epoch @ TimeText::Epoch(_) => epoch,
        };
        let input = self.input.map(|input| input.between(first, last, &self.zone)).transpose()?;
        Ok(Self { text, input, ..self })
    }

    /// Returns the type of the starts of its periods, of which the first may be before all times of the field.
    pub(crate) fn floored(&self, period: Period) -> Self {
        let floored = Self { min: floor_number(self.min, period, self), ..self.clone() };
        // A start in a year whose digits are those of another one is not written.
        if floored.needs_century() { floored.clone().between().unwrap_or(floored) } else { floored }
    }

    /// Returns the unit of its number; milliseconds for a pattern.
    pub fn unit(&self) -> Unit {
        match &self.text {
            TimeText::Epoch(unit) => *unit,
            TimeText::Pattern(_) => Unit::Ms,
        }
    }

    /// Whether its default texts sort as the times do.
    pub fn text_keeps_order(&self) -> bool {
        match &self.text {
            TimeText::Epoch(_) => true,
            TimeText::Pattern(pattern) => pattern.keeps_order(),
        }
    }

    /// Whether its default texts are all digits.
    pub fn text_is_digits(&self) -> bool {
        match &self.text {
            TimeText::Epoch(_) => true,
            TimeText::Pattern(pattern) => pattern.is_digits(),
        }
    }

    /// Whether its default texts are ASCII.
    pub(crate) fn text_is_ascii(&self) -> bool {
        match &self.text {
            TimeText::Epoch(_) => true,
            TimeText::Pattern(pattern) => pattern.to_string().is_ascii(),
        }
    }

    /// Returns the smallest and the largest number that a text can express; for patterns, those of the years 1 to 9999
    /// on the zone's clocks.
    pub fn widest(text: &TimeText, zone: &Zone) -> (i128, i128) {
        let (first, last) = match text {
            TimeText::Epoch(_) => (i64::MIN, i64::MAX),
            TimeText::Pattern(_) => zone.written_ms(),
        };
        (first.into(), last.into())
    }

    /// Returns the latest value of the field that is not after `number`: a pattern drops what it does not include. Of the
    /// instants with one text the first is the value. If it lies before the last change of clocks, no value lies in
    /// between, and the latest one is that of the moment before the change.
    pub(crate) fn value_up_to(&self, number: i128) -> i128 {
        let (TimeText::Pattern(pattern), Ok(mut ms)) = (&self.text, i64::try_from(number)) else {
            return number;
        };
        loop {
            let Ok(value) = pattern.cut(ms, &self.zone) else { return number };
            let change_ms = self.zone.changed_at(ms.div_euclid(1_000)).saturating_mul(1_000);
            if value >= change_ms {
                return value.into();
            }
            ms = change_ms - 1;
        }
    }

    /// Returns the earliest value of the field that is not before `number`.
    pub(crate) fn value_from(&self, number: i128) -> i128 {
        /// No pattern drops more than a year.
        const MOST_MS: i128 = 366 * 86_400_000;
        let before = self.value_up_to(number);
        if before == number {
            return number;
        }
        partition(number, number + MOST_MS, |later| self.value_up_to(later) <= before)
    }

    /// Returns the values of the field from `low` to `high`, in order; `None` if there are more than `most`.
    pub(crate) fn values_within(&self, low: i128, high: i128, most: usize) -> Option<Vec<i128>> {
        if high.checked_sub(low)? / self.longest_step() > most as i128 {
            return None;
        }
        let after = |value: &i128| Some(self.value_from(value + 1));
        let values =
            std::iter::successors(Some(self.value_from(low)), after).take_while(|value| *value <= high);
        let values: Vec<i128> = values.take(most + 1).collect();
        (values.len() <= most).then_some(values)
    }

    /// Returns more than lies between any two values that follow each other, in the unit of its number.
    fn longest_step(&self) -> i128 {
        const HOUR_MS: i128 = 3_600_000;
        match &self.text {
            TimeText::Epoch(_) => 1,
            TimeText::Pattern(pattern) => match pattern.resolution() {
                Grain::Year => 367 * 24 * HOUR_MS,
                Grain::Month => 32 * 24 * HOUR_MS,
                Grain::Day => 48 * HOUR_MS,
                // Where clocks are set back, no value lies in the time that they repeat.
                Grain::Hour | Grain::Minute | Grain::Second | Grain::Ms => 24 * HOUR_MS,
            },
        }
    }

    /// Returns the number of an instant, rounded down to what the field keeps.
    ///
    /// # Errors
    ///
    /// [`TimeError`] when a pattern can't write it.
    pub fn number_of_nanos(&self, epoch_ns: i128) -> Result<i128, TimeError> {
        self.kept(epoch_ns.div_euclid(self.unit().nanos()))
    }

    /// Returns the number of an epoch second.
    pub fn number_of_second(&self, second: i64) -> i128 {
        i128::from(second) * (Unit::S.nanos() / self.unit().nanos())
    }

    /// Returns the value of the field that has the text of `number`.
    pub(crate) fn kept(&self, number: i128) -> Result<i128, TimeError> {
        match &self.text {
            TimeText::Epoch(_) => Ok(number),
            TimeText::Pattern(pattern) => pattern.cut(time_ms(number), &self.zone).map(i128::from),
        }
    }

    /// Returns a number in ISO 8601, to the field's unit and in its zone, which [`TimeKind::read_literal`] reads back;
    /// `None` if its year is not 1 to 9999.
    pub fn iso8601(&self, number: i128) -> Option<String> {
        to_iso8601(number, self.unit(), &self.zone)
    }

    /// Reads a literal: the field's own format, ISO 8601, a number in its unit, or the pattern of its source.
    ///
    /// # Errors
    ///
    /// [`TimeError`] when it is none of them, lies between two numbers, or is the digits of a date instead of an epoch.
    pub fn read_literal(&self, text: &str) -> Result<i128, TimeError> {
        if let TimeText::Pattern(pattern) = &self.text {
            match pattern.read(text.as_bytes(), &self.zone) {
                Ok(ms) => return Ok(ms.into()),
                // The text is in the field's own format.
                Err(error @ TimeError::InGap { .. }) => return Err(error),
                Err(_) => {}
            }
        }
        if let TimeText::Epoch(unit) = self.text {
            self.check_epoch(text, unit)?;
        }
        if let (TimeText::Epoch(unit), false) = (&self.text, text.contains([':', '+']))
            && !self.is_of_source(text, unit.digits())
            && let Ok(nanos) = InputFormat::Epoch(*unit).read(text.as_bytes(), &self.zone)
        {
            return Ok(nanos.div_euclid(unit.nanos()));
        }
        let iso8601 =
            InputFormat::Iso8601.read(text.as_bytes(), &self.zone).map_err(|error| match &self.text {
                TimeText::Pattern(pattern) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                    TimeError::OtherDigits { pattern: pattern.to_string() }
                }
                _ => error,
            });
        let nanos = match &self.input {
            Some(input @ InputFormat::Pattern(_)) => {
                iso8601.or_else(|error| match input.read(text.as_bytes(), &self.zone) {
                    // The text is in the source's format.
                    Err(gap @ TimeError::InGap { .. }) => Err(gap),
                    read => read.map_err(|_| error),
                })?
            }
            _ => iso8601?,
        };
        let unit = self.unit();
        if nanos.rem_euclid(unit.nanos()) != 0 {
            return Err(TimeError::TooFine { unit });
        }
        Ok(nanos.div_euclid(unit.nanos()))
    }

    /// Whether a text is in the pattern of the source, and no epoch of so many digits, as which a time is usually written.
    fn is_of_source(&self, text: &str, digits: usize) -> bool {
        let pattern = self.input.as_ref().filter(|input| matches!(input, InputFormat::Pattern(_)));
        text.len() != digits && pattern.is_some_and(|input| input.read(text.as_bytes(), &self.zone).is_ok())
    }

    /// Whether digits are a time in the field's own pattern, or in that of its source.
    pub(crate) fn is_time(&self, digits: &str) -> bool {
        match &self.text {
            TimeText::Pattern(pattern) => pattern.read(digits.as_bytes(), &self.zone).is_ok(),
            TimeText::Epoch(unit) => self.is_of_source(digits, unit.digits()),
        }
    }

    /// Refuses a day of eight digits, such as `20240612`, where the source writes epochs.
    pub(crate) fn check_day(&self, text: &str) -> Result<(), TimeError> {
        match (&self.input, &self.text) {
            (Some(InputFormat::Epoch(unit)), _) | (None, TimeText::Epoch(unit)) if text.len() == 8 => {
                self.check_epoch(text, *unit)
            }
            _ => Ok(()),
        }
    }

    /// Refuses the digits of a date where an epoch is expected, whose digits are more: as an epoch, `20240612` would be an
    /// hour of 1970. A text in the pattern of the source is none.
    fn check_epoch(&self, text: &str, unit: Unit) -> Result<(), TimeError> {
        const DATE: &str = "yyyyMMddHHmmss";
        let has_usual_century = ["19", "20", "21"].iter().any(|century| text.starts_with(century));
        let digits = unit.digits();
        let Some(pattern) = DATE.get(..text.len()).filter(|_| has_usual_century && text.len() != digits)
        else {
            return Ok(());
        };
        let is_date =
            Pattern::parse(pattern).is_ok_and(|date| date.read(text.as_bytes(), &Zone::utc()).is_ok());
        if is_date && !self.is_of_source(text, digits) {
            return Err(TimeError::DateInDigits { digits, pattern });
        }
        Ok(())
    }
}

pub(crate) fn read_time(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<TimeKind> {
    let zone = read_zone(reader, complaints);
    let text = read_time_text(reader, complaints);
    let input = read_input(reader, complaints);
    let Some(text) = text else {
        // Bounds can't be read without a unit or pattern, but are still known words of the type.
        reader.node("min");
        reader.node("max");
        return None;
    };
    let (min, max) = TimeKind::widest(&text, &zone);
    let mut kind = TimeKind { text, zone, input, min, max };
    let low = read_bound("min", &kind, reader, complaints);
    let high = read_bound("max", &kind, reader, complaints);
    kind.min = low.unwrap_or(kind.min).max(kind.min);
    kind.max = high.unwrap_or(kind.max).min(kind.max);
    if kind.min > kind.max {
        let found = format!("a max of {}", kind.max);
        let expected = format!("at least min, which is {}", kind.min);
        reader.complain(complaints, "max", Problem::BadValue { found, expected });
        kind.max = kind.min;
    }
    if !kind.needs_century() {
        return Some(kind);
    }
    match (low, high) {
        (Some(_), Some(_)) => {
            let between = kind.clone().between();
            complaints.ok(
                between.map_err(|cause| Problem::Time { cause }),
                &reader.span,
                &reader.path_of("max"),
            )
        }
        _ => {
            let word = if reader.has("min") { "max" } else { "min" };
            let example = "min = \"1970-01-01\" and max = \"2069-12-31\", the century of yy";
            reader.missing(word, example, complaints);
            None
        }
    }
}

fn read_zone(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Zone {
    let Some(text) = reader.text("zone", complaints) else { return Zone::utc() };
    Zone::parse(&text.value).unwrap_or_else(|cause| {
        reader.complain(complaints, "zone", Problem::Time { cause });
        Zone::utc()
    })
}

fn read_time_text(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<TimeText> {
    let unit = reader.choice("unit", "unit", &UNITS, complaints);
    let format = reader.text("format", complaints);
    match (unit, format) {
        (Some(_), Some(_)) => {
            let why = "a time is written as an epoch or by a pattern";
            let problem = Problem::Contradiction { first: "\"unit\"", second: "\"format\"".to_owned(), why };
            reader.complain(complaints, "format", problem);
            None
        }
        (Some(unit), None) => Some(TimeText::Epoch(unit)),
        (None, Some(format)) => match Pattern::parse(&format.value) {
            Ok(pattern) => Some(TimeText::Pattern(pattern)),
            Err(cause) => {
                reader.complain(complaints, "format", Problem::Time { cause });
                None
            }
        },
        (None, None) => {
            if !reader.has("unit") && !reader.has("format") {
                reader.missing("unit", "unit = \"ms\" or format = \"yyyyMMddHHmmss\"", complaints);
            }
            None
        }
    }
}

fn read_input(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<InputFormat> {
    let text = reader.text("input", complaints)?;
    match InputFormat::parse(&text.value) {
        Ok(input) => Some(input),
        Err(cause) => {
            reader.complain(complaints, "input", Problem::Time { cause });
            None
        }
    }
}

fn read_bound(
    word: &'static str,
    kind: &TimeKind,
    reader: &mut TableReader<'_>,
    complaints: &mut Complaints,
) -> Option<i128> {
    let node = reader.node(word)?;
    match bound_of(node, kind) {
        Some(Ok(number)) => Some(number),
        Some(Err(cause)) => {
            reader.complain(complaints, word, Problem::Time { cause });
            None
        }
        None => {
            wrong_kind(node, "a time in quotes or a number in its unit", &reader.path_of(word), complaints);
            None
        }
    }
}

fn bound_of(node: &Node, kind: &TimeKind) -> Option<Result<i128, TimeError>> {
    match &node.kind {
        Kind::Int(number) => Some(Ok(*number)),
        Kind::Text(text, _) => Some(kind.read_literal(text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The minutes from ten hours before clocks are set back to ten hours after, where a value is what reads back as itself.
    #[test]
    fn values_near_repeated_hours_are_those_that_read_back() {
        const MINUTE: i64 = 60_000;
        for (zone, set_back) in [
            ("Europe/Berlin", 1_729_990_800_000),
            ("America/New_York", 1_730_613_600_000),
            ("America/Havana", 1_730_610_000_000),
            ("Australia/Lord_Howe", 1_712_415_600_000),
            ("America/St_Johns", 1_162_089_060_000),
        ] {
            let zone = Zone::parse(zone).unwrap();
            assert_eq!(zone.changed_at(set_back / 1_000), set_back / 1_000, "{zone}");
            for pattern in [
                "yyyyMMddHHmm",
                "yyyyMMddHH",
                "yyyyMMdd",
                "yyyy-M-d H:m",
                "yyyyMMddHHmmXX",
                "yyyyMMddHHXX",
                "yyyyMMddXX",
            ] {
                let text = TimeText::Pattern(Pattern::parse(pattern).unwrap());
                let (min, max) = TimeKind::widest(&text, &zone);
                let time = TimeKind { text, zone: zone.clone(), input: None, min, max };
                let TimeText::Pattern(pattern) = &time.text else { unreachable!() };
                let minutes = (-2_000..2_000).map(|minute| set_back + minute * MINUTE);
                let values: Vec<i128> =
                    minutes.filter(|ms| pattern.cut(*ms, &zone) == Ok(*ms)).map(i128::from).collect();
                for number in (-600..600).map(|half| i128::from(set_back + half * MINUTE / 2)) {
                    let after = values.partition_point(|value| *value <= number);
                    assert_eq!(time.value_up_to(number), values[after - 1], "{pattern} {zone} {number}");
                    let from = values.partition_point(|value| *value < number);
                    assert_eq!(time.value_from(number), values[from], "{pattern} {zone} {number}");
                }
            }
        }
    }
}
