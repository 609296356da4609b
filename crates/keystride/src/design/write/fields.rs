//! Words of fields.

use crate::design::Design;
use crate::design::field::{BYTES_INPUTS, CHARSETS, Field, FieldKind};
use crate::design::print::{Doc, int, number, table, text};
use crate::design::time_field::{TimeKind, TimeText};

impl Design {
    pub(super) fn field_doc(&self, field: &Field) -> Doc {
        let mut words = match &field.from {
            Some(from) => vec![("from", text(&from.to_text(&self.fields)))],
            None => kind_words(&field.kind),
        };
        words.extend(field.column.as_ref().map(|column| ("column", text(column))));
        words.extend(field.default.as_ref().map(|default| ("default", text(default))));
        words.extend(field.distinct.map(|distinct| ("distinct", int(distinct.into()))));
        words.extend(field.max_share.map(|share| ("max_share", number(share))));
        words.extend(field.updated.then_some(("updated", Doc::Bool(true))));
        table(words)
    }
}

fn kind_words(kind: &FieldKind) -> Vec<(&'static str, Doc)> {
    let mut words = vec![("type", text(kind.name()))];
    match kind {
        FieldKind::String(kind) => {
            words.extend(kind.has_declared_len().then(|| ("max_len", int(kind.max_len as i128))));
            words.extend(kind.alphabet.map(|alphabet| ("alphabet", text(&alphabet.to_string()))));
            let charset = CHARSETS.iter().skip(1).find(|(_, charset)| *charset == kind.charset);
            words.extend(charset.map(|(word, _)| ("charset", text(word))));
        }
        FieldKind::Digits { len } => words.push(("len", int(*len as i128))),
        FieldKind::Int(kind) => {
            let (min, max) = kind.width.range();
            words.extend((kind.min != min).then(|| ("min", int(kind.min))));
            words.extend((kind.max != max).then(|| ("max", int(kind.max))));
        }
        FieldKind::Bytes { len, input } => {
            words.extend(len.map(|len| ("len", int(len as i128))));
            let input = BYTES_INPUTS.iter().skip(1).find(|(_, known)| known == input);
            words.extend(input.map(|(word, _)| ("input", text(word))));
        }
        FieldKind::Uuid { version } => words.extend(version.map(|version| ("version", int(version.into())))),
        FieldKind::Time(time) => words.extend(time_words(time)),
        FieldKind::Float(_) | FieldKind::Bool => {}
    }
    words
}

fn time_words(time: &TimeKind) -> Vec<(&'static str, Doc)> {
    let mut words = match &time.text {
        TimeText::Epoch(unit) => vec![("unit", text(unit.name()))],
        TimeText::Pattern(pattern) => vec![("format", text(&pattern.to_string()))],
    };
    words.extend((time.zone.name() != "UTC").then(|| ("zone", text(time.zone.name()))));
    words.extend(time.input.as_ref().map(|input| ("input", text(&input.to_string()))));
    let (min, max) = TimeKind::widest(&time.text, &time.zone);
    words.extend((time.min != min).then(|| ("min", int(time.min))));
    words.extend((time.max != max).then(|| ("max", int(time.max))));
    words
}
