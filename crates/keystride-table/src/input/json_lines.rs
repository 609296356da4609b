//! Records of JSON lines: one object a line.

use std::fmt;

use keystride::design::OtherColumns;
use keystride::{Design, Row};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::buffer::RecordBuffer;
use super::columns::source_fields;
use super::others::Others;
use super::overlong::Overlong;
use super::reject::{Fault, RejectReason};
use super::unfit_columns::UnknownColumn;
use super::whole::whole_number;
use super::{Advance, InputError};

pub(super) struct JsonRecords {
    buffer: RecordBuffer,
    /// Bytes of the line at hand, its end included.
    len: usize,
    /// The line at hand, from 1; 0 before the first.
    line: u64,
    /// The line at hand, where it is too long to be held.
    overlong: Option<Overlong>,
    /// Whether no line was read yet.
    is_new: bool,
    keys: Keys,
    scratch: String,
}

/// What the keys of objects mean.
struct Keys {
    /// Source fields by name.
    fields: Vec<(String, usize)>,
    /// Derived fields, which are computed and not read.
    derived: Vec<String>,
    other: OtherColumns,
    /// For each field the last line that had it.
    seen: Vec<u64>,
    /// Fields in the order of the last line: the next has most often the same.
    order: Vec<usize>,
}

/// A key's meaning.
#[derive(Clone, Copy)]
enum Key {
    /// Index in `Keys::fields`.
    Field(usize),
    Other,
    Dropped,
    Unknown,
}

impl JsonRecords {
    pub(super) fn open(buffer: RecordBuffer, design: &Design) -> Self {
        let (keys, scratch) = (Keys::new(design), String::new());
        Self { buffer, len: 0, line: 0, overlong: None, is_new: true, keys, scratch }
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The line at hand, without its end; of one that is too long the beginning.
    pub(super) fn raw(&self) -> &[u8] {
        if let Some(overlong) = &self.overlong {
            return overlong.head();
        }
        match &self.buffer.pending()[..self.len] {
            [line @ .., b'\r', b'\n'] | [line @ .., b'\n'] => line,
            line => line,
        }
    }

    /// Goes to the next line that holds more than blanks.
    pub(super) fn advance(&mut self) -> Result<Advance, InputError> {
        loop {
            self.buffer.pass(self.len);
            self.len = 0;
            self.line += 1;
            self.overlong = None;
            self.len = self.line_len()?;
            if self.len == 0 && self.overlong.is_none() {
                return Ok(Advance::End);
            }
            self.is_new = false;
            if self.overlong.is_some() || !self.raw().iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            {
                return Ok(Advance::Record);
            }
        }
    }

    /// Reads the line at hand into `row` and `others`.
    pub(super) fn read(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        if self.overlong.is_some() {
            return Err(Fault::of_record(RejectReason::TooLong { to_line: self.line }));
        }
        row.clear();
        let (unknown, read) = self.read_object(design, row, others);
        read?;
        match unknown.into_iter().next() {
            Some(column) => Err(Fault::of_column(&column.name, RejectReason::UnknownKey)),
            None => Ok(()),
        }
    }

    /// Refuses a file whose first line has keys that the design does not allow.
    pub(super) fn check_first(&mut self, design: &Design) -> Result<(), InputError> {
        let (mut row, mut others) = (Row::new(design.fields.len()), Others::default());
        let (columns, _) = self.read_object(design, &mut row, &mut others);
        self.keys.forget();
        if columns.is_empty() {
            return Ok(());
        }
        Err(InputError::UnknownColumns { name: self.buffer.name().to_owned(), columns })
    }

    /// The columns that no field names although they must, and what became of the others.
    fn read_object(
        &mut self,
        design: &Design,
        row: &mut Row,
        others: &mut Others,
    ) -> (Vec<UnknownColumn>, Result<(), Fault>) {
        let Self { buffer, len, line, keys, scratch, .. } = self;
        let bytes = &buffer.pending()[..*len];
        let mut object = ObjectReader {
            design,
            row,
            others,
            keys,
            line: *line,
            scratch,
            unknown: Vec::new(),
            fault: None,
            key: None,
        };
        let read = match str::from_utf8(bytes) {
            Ok(text) => read_whole(serde_json::Deserializer::from_str(text), &mut object),
            // This way it stops at the value that is not UTF-8.
            Err(_) => read_whole(serde_json::Deserializer::from_slice(bytes), &mut object),
        };
        let ObjectReader { unknown, fault, key, .. } = object;
        let column = key.map(|key| keys.fields[key].0.clone());
        let read = match (fault, read) {
            (Some(fault), _) => Err(fault),
            (None, Ok(())) => twin_of(others),
            (None, Err(_)) if str::from_utf8(bytes).is_err() => {
                Err(Fault { column, reason: RejectReason::NotText { charset: "utf-8" } })
            }
            (None, Err(error)) => Err(Fault { column, reason: RejectReason::Json(error) }),
        };
        (unknown, read)
    }

    /// Bytes of the line, its end included; of one that is too long what is pending of it.
    fn line_len(&mut self) -> Result<usize, InputError> {
        let mut searched = 0;
        loop {
            let pending = self.buffer.pending();
            if let Some(at) = memchr::memchr(b'\n', &pending[searched..]) {
                return Ok(searched + at + 1);
            }
            searched = pending.len();
            if self.buffer.ended() {
                return Ok(searched);
            }
            if self.overlong.is_some() || self.buffer.is_full() {
                self.let_go(searched)?;
                searched = 0;
            }
            self.buffer.fill(self.line)?;
        }
    }

    /// Lets go of the bytes of a line that is too long. A source that begins with one is none of lines.
    fn let_go(&mut self, len: usize) -> Result<(), InputError> {
        if self.is_new {
            return Err(self.buffer.too_long(self.line, self.line));
        }
        self.overlong.get_or_insert_with(|| Overlong::of(&self.buffer));
        self.buffer.pass(len);
        Ok(())
    }
}

fn twin_of(others: &mut Others) -> Result<(), Fault> {
    match others.twin() {
        Some(name) => Err(Fault::of_column(name, RejectReason::KeyTwice)),
        None => Ok(()),
    }
}

fn read_whole<'de, R: serde_json::de::Read<'de>>(
    mut json: serde_json::Deserializer<R>,
    object: &mut ObjectReader<'_>,
) -> serde_json::Result<()> {
    json.deserialize_map(&mut *object)?;
    object.key = None;
    json.end()
}

impl Keys {
    fn new(design: &Design) -> Self {
        let mut fields: Vec<_> =
            source_fields(design).map(|(index, name)| (name.to_owned(), index)).collect();
        fields.sort_unstable();
        let derived = design.fields.iter().filter(|field| field.from.is_some());
        Self {
            seen: vec![0; fields.len()],
            order: Vec::with_capacity(fields.len()),
            derived: derived.map(|field| field.name.clone()).collect(),
            other: design.columns.other,
            fields,
        }
    }

    fn forget(&mut self) {
        self.seen.fill(0);
    }

    /// What `key` means, the key at `place` among the known ones of its object.
    fn find(&mut self, key: &str, place: usize) -> Key {
        if let Some(field) = self.order.get(place)
            && self.fields[*field].0 == key
        {
            return Key::Field(*field);
        }
        match self.fields.binary_search_by(|(name, _)| name.as_str().cmp(key)) {
            Ok(field) => {
                self.order.truncate(place);
                self.order.push(field);
                Key::Field(field)
            }
            Err(_) if self.derived.iter().any(|name| name == key) => Key::Dropped,
            Err(_) => match self.other {
                OtherColumns::Error => Key::Unknown,
                OtherColumns::Drop => Key::Dropped,
                OtherColumns::Store(_) => Key::Other,
            },
        }
    }
}

/// Takes the values of an object as they come by.
struct ObjectReader<'a> {
    design: &'a Design,
    row: &'a mut Row,
    others: &'a mut Others,
    keys: &'a mut Keys,
    line: u64,
    scratch: &'a mut String,
    unknown: Vec<UnknownColumn>,
    fault: Option<Fault>,
    /// The field whose value is being read.
    key: Option<usize>,
}

impl<'de> Visitor<'de> for &mut ObjectReader<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one object a line")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let mut place = 0;
        while let Some(key) = map.next_key_seed(KeySeed { keys: self.keys, place, name: self.scratch })? {
            self.key = if let Key::Field(field) = key { Some(field) } else { None };
            place += usize::from(self.key.is_some());
            let value: &RawValue = map.next_value()?;
            if let Err(fault) = self.take(key, value.get()) {
                self.fault = Some(fault);
                return Err(M::Error::custom("a fault told apart"));
            }
            self.key = None;
        }
        Ok(())
    }
}

impl ObjectReader<'_> {
    fn take(&mut self, key: Key, value: &str) -> Result<(), Fault> {
        match key {
            Key::Field(field) => self.take_field(field, value),
            Key::Other => self.take_other(value),
            Key::Dropped => Ok(()),
            Key::Unknown => {
                self.unknown.push(UnknownColumn::new(self.scratch, value));
                Ok(())
            }
        }
    }

    fn take_field(&mut self, key: usize, value: &str) -> Result<(), Fault> {
        let (name, field) = &self.keys.fields[key];
        let fail = |reason| Fault { column: Some(name.clone()), reason };
        if std::mem::replace(&mut self.keys.seen[key], self.line) == self.line {
            return Err(fail(RejectReason::KeyTwice));
        }
        let Some(text) = text_of(value, self.scratch).map_err(fail)? else { return Ok(()) };
        let whole = match value.as_bytes() {
            [b'-' | b'0'..=b'9', ..] if self.design.fields[*field].kind.is_number() => whole_of_text(value),
            _ => None,
        };
        let mut digits = itoa::Buffer::new();
        let text = whole.map_or(text, |number| digits.format(number));
        self.design.read_value(self.row, *field, text).map_err(|error| fail(error.into()))
    }

    fn take_other(&mut self, value: &str) -> Result<(), Fault> {
        let name = std::mem::take(self.scratch);
        let mut scratch = String::new();
        let read = match text_of(value, &mut scratch) {
            Ok(Some(text)) if !self.design.input.null.iter().any(|null| null == text) => {
                self.others.push_named(&name, text);
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(reason) => Err(Fault::of_column(&name, reason)),
        };
        *self.scratch = name;
        read
    }
}

/// The text of a JSON value: a string's own, a number's or boolean's as it is written; `None` for null.
fn text_of<'a>(value: &'a str, scratch: &'a mut String) -> Result<Option<&'a str>, RejectReason> {
    match value.as_bytes() {
        [b'"', inner @ .., b'"'] if memchr::memchr(b'\\', inner).is_none() => {
            Ok(value.get(1..value.len() - 1))
        }
        [b'"', ..] => {
            unescape(value, scratch).map_err(RejectReason::Json)?;
            Ok(Some(scratch))
        }
        [b'{' | b'[', ..] => Err(RejectReason::Nested),
        b"null" => Ok(None),
        _ => Ok(Some(value)),
    }
}

fn unescape(string: &str, into: &mut String) -> serde_json::Result<()> {
    into.clear();
    TextSeed(into).deserialize(&mut serde_json::Deserializer::from_str(string))
}

/// A JSON number with a fraction or an exponent, where it is a whole number all the same.
fn whole_of_text(number: &str) -> Option<i64> {
    if number.contains(['.', 'e', 'E']) { whole_number(number.parse().ok()?) } else { None }
}

/// Reads a key; `name` holds its text where that is asked for later.
struct KeySeed<'a> {
    keys: &'a mut Keys,
    place: usize,
    name: &'a mut String,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Key, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Key, E> {
        let found = self.keys.find(key, self.place);
        if matches!(found, Key::Other | Key::Unknown) {
            self.name.clear();
            self.name.push_str(key);
        }
        Ok(found)
    }
}

/// Reads a string into a buffer.
struct TextSeed<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for TextSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for TextSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.push_str(text);
        Ok(())
    }
}
