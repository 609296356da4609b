//! Times that are counted in a unit, as people read and write them.
//!
//! A time with a pattern has its text. One that is counted in a unit is a number to the source, the key and a load; on
//! the screen it is ISO 8601.

use std::borrow::Cow;

use keystride::codec::PartKind;
use keystride::design::{Field, FieldKind, TimeKind, TimeText};
use keystride::time::{InputFormat, Zone, to_iso8601};
use keystride::{Design, Value};
use keystride_table::explain::KeyBound;

use crate::format::Format;
use crate::global::Global;

/// How times that are counted in a unit are shown and read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Times {
    /// The zone asked for; else it is each field's own.
    zone: Option<Zone>,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    /// ISO 8601 to the unit.
    #[default]
    Iso8601,
    /// As a load takes it.
    Source,
}

impl Times {
    /// Formats that are read by people have ISO 8601, and those that are loaded again what a load takes. A zone is asked
    /// for by who wants to read times, so then all have ISO 8601.
    pub(crate) fn of(global: &Global) -> Self {
        let is_loaded = matches!(global.format, Some(Format::Csv | Format::Json | Format::Ndjson));
        let form = if is_loaded && global.tz.is_none() { Form::Source } else { Form::Iso8601 };
        Self { zone: global.tz.clone(), form }
    }

    /// The same in words for people, whatever the format.
    pub(crate) fn in_words(global: &Global) -> Self {
        Self { zone: global.tz.clone(), form: Form::Iso8601 }
    }

    /// The text of a field's value.
    pub(crate) fn text_of(&self, field: &Field, value: Value<'_>) -> Option<String> {
        match (counted(field), value) {
            (Some(time), Value::Int(number)) => {
                let text = match self.form {
                    Form::Iso8601 => self.iso8601(time, number),
                    Form::Source => source_text(time, number),
                };
                Some(text.unwrap_or_else(|| number.to_string()))
            }
            _ => field.text_of(value),
        }
    }

    /// Tells the times of a bound anew.
    pub(crate) fn retell(&self, design: &Design, mut bound: KeyBound) -> KeyBound {
        for part in &mut bound.parts {
            if let (PartKind::Field(name), Some(text)) = (&part.kind, &mut part.value) {
                self.retell_text(design, name, text);
            }
        }
        bound
    }

    /// Replaces the default text of a field's value, which of such a time is its number.
    pub(crate) fn retell_text(&self, design: &Design, name: &str, text: &mut String) {
        let field = design.field_index(name).map(|field| &design.fields[field]);
        if let (Some(field), Ok(number)) = (field.filter(|field| counted(field).is_some()), text.parse()) {
            *text = self.text_of(field, Value::Int(number)).unwrap_or_else(|| text.clone());
        }
    }

    /// The design by which words of the command line are read: such times in the zone asked for.
    pub(crate) fn reading<'a>(&self, design: &'a Design) -> Cow<'a, Design> {
        let Some(zone) = &self.zone else { return Cow::Borrowed(design) };
        let mut design = design.clone();
        for field in &mut design.fields {
            if let FieldKind::Time(TimeKind { text: TimeText::Epoch(_), zone: own, .. }) = &mut field.kind {
                *own = zone.clone();
            }
        }
        Cow::Owned(design)
    }

    fn iso8601(&self, time: &TimeKind, number: i128) -> Option<String> {
        to_iso8601(number, time.unit(), self.zone.as_ref().unwrap_or(&time.zone))
    }
}

fn counted(field: &Field) -> Option<&TimeKind> {
    field.time().filter(|time| matches!(time.text, TimeText::Epoch(_)))
}

/// The number as the field's source writes it; what that can't say without loss is told as ISO 8601.
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
