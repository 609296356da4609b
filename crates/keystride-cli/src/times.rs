//! Shows and reads times that are counted in a unit.
//!
//! On the screen, a time with a pattern has the text of the pattern, and one that is counted in a unit is in ISO 8601.
//! For a load, both are as the source writes them: in the form of the field's `input`, or else in the pattern or as a
//! number.

use std::borrow::Cow;

use keystride::codec::PartKind;
use keystride::design::{Field, TimeKind, TimeText};
use keystride::time::{InputFormat, Zone, to_iso8601};
use keystride::{Design, Value};
use keystride_table::explain::KeyBound;

use crate::format::Format;
use crate::global::Global;

/// How times that are counted in a unit are shown and read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Times {
    /// The zone asked for; `None` for each field's own.
    zone: Option<Zone>,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    /// In ISO 8601, to the unit.
    #[default]
    Iso8601,
    /// As a load reads it.
    Source,
}

impl Times {
    /// Chooses the form: ISO 8601 for formats that people read, and the form that a load reads for formats that can be
    /// loaded again. Asking for a zone means that people read the times, so then all formats have ISO 8601.
    pub(crate) fn of(global: &Global) -> Self {
        let is_loaded = matches!(global.format, Some(Format::Csv | Format::Json | Format::Ndjson));
        let form = if is_loaded && global.tz.is_none() { Form::Source } else { Form::Iso8601 };
        Self { zone: global.tz.clone(), form }
    }

    /// Always uses ISO 8601, whatever the format.
    pub(crate) fn in_words(global: &Global) -> Self {
        Self { zone: global.tz.clone(), form: Form::Iso8601 }
    }

    /// Returns the text of a field's value.
    pub(crate) fn text_of(&self, field: &Field, value: Value<'_>) -> Option<String> {
        let (Some(time), Value::Int(number)) = (field.time(), value) else { return field.text_of(value) };
        let text = match (self.form, &time.text) {
            (Form::Iso8601, TimeText::Epoch(_)) => self.iso8601(time, number),
            (Form::Iso8601, TimeText::Pattern(_)) => None,
            (Form::Source, _) => source_text(time, number),
        };
        text.or_else(|| field.text_of(value))
    }

    /// Converts the times of a bound.
    pub(crate) fn retell(&self, design: &Design, mut bound: KeyBound) -> KeyBound {
        for part in &mut bound.parts {
            if let (PartKind::Field(name), Some(text)) = (&part.kind, &mut part.value) {
                self.retell_text(design, name, text);
            }
        }
        bound
    }

    /// Replaces the default text of a field's value, which for a time that is counted in a unit is a number.
    pub(crate) fn retell_text(&self, design: &Design, name: &str, text: &mut String) {
        let field = design.field_index(name).map(|field| &design.fields()[field]);
        if let (Some(field), Ok(number)) = (field.filter(|field| counted(field).is_some()), text.parse()) {
            *text = self.text_of(field, Value::Int(number)).unwrap_or_else(|| text.clone());
        }
    }

    /// Returns the design by which the command line is read: its times that are counted in a unit are in the zone asked
    /// for.
    pub(crate) fn reading<'a>(&self, design: &'a Design) -> Cow<'a, Design> {
        let Some(zone) = &self.zone else { return Cow::Borrowed(design) };
        Cow::Owned(design.clone().in_zone(zone))
    }

    fn iso8601(&self, time: &TimeKind, number: i128) -> Option<String> {
        to_iso8601(number, time.unit(), self.zone.as_ref().unwrap_or(&time.zone))
    }
}

fn counted(field: &Field) -> Option<&TimeKind> {
    field.time().filter(|time| matches!(time.text, TimeText::Epoch(_)))
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
            let ms = i64::try_from(keystride::time::Unit::Ms.of_nanos(nanos)).ok();
            let written = ms.and_then(|ms| pattern.format(ms, &time.zone, &mut text).ok());
            written.and_then(|()| String::from_utf8(text).ok())
        }
    };
    let reads_back = |text: &String| input.read(text.as_bytes(), &time.zone) == Ok(nanos);
    text.filter(reads_back).or_else(|| time.iso8601(number))
}
