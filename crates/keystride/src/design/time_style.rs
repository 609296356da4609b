//! How times that are counted in a unit are shown and read.

use std::borrow::Cow;

use super::Design;
use super::field::Field;
use super::time_field::{TimeKind, TimeText};
use crate::Value;
use crate::time::{InputFormat, Unit, Zone, to_iso8601};

/// How times are shown and read. In a key, a time with a pattern always has the text of the pattern.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum TimeStyle {
    /// The default text: a number for a time that is counted in a unit, the text of the pattern for one that has a pattern.
    #[default]
    Number,
    /// A number in the unit of the field, which is milliseconds for a time with a pattern.
    Epoch,
    /// In ISO 8601 with an offset, to the unit or to what the pattern tells.
    Iso8601 {
        /// The zone; `None` for each field's own.
        zone: Option<Zone>,
    },
    /// As a load reads it: in the form of the field's `input`, or else in the pattern or as a number.
    Source,
}

impl TimeStyle {
    /// Returns the text of a field's value; `None` for a time that its pattern can't write.
    pub fn text_of(&self, field: &Field, value: Value<'_>) -> Option<String> {
        let (Some(time), Value::Int(number)) = (field.time(), value) else { return field.text_of(value) };
        let text = match (self, &time.text) {
            (Self::Iso8601 { zone }, text) => {
                let zone = zone.as_ref().unwrap_or(&time.zone);
                match text {
                    TimeText::Pattern(_) if number % 1_000 == 0 => to_iso8601(number / 1_000, Unit::S, zone),
                    _ => to_iso8601(number, time.unit(), zone),
                }
            }
            (Self::Source, _) => source_text(time, number),
            (Self::Epoch, _) => Some(number.to_string()),
            (Self::Number, _) => None,
        };
        text.or_else(|| field.text_of(value))
    }

    /// Returns the text of a value that is part of a key, where a time with a pattern has the text of the pattern.
    pub fn text_in_key(&self, field: &Field, value: Value<'_>) -> Option<String> {
        let is_counted = field.time().is_some_and(|time| matches!(time.text, TimeText::Epoch(_)));
        if is_counted { self.text_of(field, value) } else { field.text_of(value) }
    }

    /// Returns the design by which texts are read: its times that are counted in a unit are in the style's zone.
    pub fn reading<'a>(&self, design: &'a Design) -> Cow<'a, Design> {
        let Self::Iso8601 { zone: Some(zone) } = self else { return Cow::Borrowed(design) };
        Cow::Owned(design.clone().in_zone(zone))
    }
}

/// Returns the number as the field's source writes it, or in ISO 8601 if that would lose something.
fn source_text(time: &TimeKind, number: i128) -> Option<String> {
    let input = time.input.as_ref()?;
    let nanos = number.checked_mul(time.unit().nanos())?;
    let text = match input {
        InputFormat::Iso8601 => None,
        InputFormat::Epoch(unit) => Some(unit.of_nanos(nanos).to_string()),
        InputFormat::Pattern(pattern) => {
            let mut text = Vec::new();
            let ms = i64::try_from(Unit::Ms.of_nanos(nanos)).ok();
            let written = ms.and_then(|ms| pattern.format(ms, &time.zone, &mut text).ok());
            written.and_then(|()| String::from_utf8(text).ok())
        }
    };
    let reads_back = |text: &String| input.read(text.as_bytes(), &time.zone) == Ok(nanos);
    text.filter(reads_back).or_else(|| time.iso8601(number))
}
