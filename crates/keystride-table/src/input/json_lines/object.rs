//! Reading the values of an object.

use std::fmt;

use keystride::{Design, Row};
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::keys::{Key, KeySeed, Keys};
use super::text::text_of;
use super::whole::plain_whole;
use crate::input::others::Others;
use crate::input::reject::{Fault, RejectReason};
use crate::input::unfit_columns::UnknownColumn;

/// Receives the values of an object while it is parsed.
pub(super) struct ObjectReader<'a> {
    pub(super) design: &'a Design,
    pub(super) row: &'a mut Row,
    pub(super) others: &'a mut Others,
    pub(super) keys: &'a mut Keys,
    pub(super) line: u64,
    pub(super) scratch: &'a mut String,
    pub(super) unknown: Vec<UnknownColumn>,
    pub(super) fault: Option<Fault>,
    /// The field whose value is being read.
    pub(super) key: Option<usize>,
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
    /// Reads a line.
    pub(super) fn read(&mut self, line: &[u8]) -> serde_json::Result<()> {
        match str::from_utf8(line) {
            Ok(text) => self.read_whole(serde_json::Deserializer::from_str(text)),
            // The parser then stops at the value that is not UTF-8.
            Err(_) => self.read_whole(serde_json::Deserializer::from_slice(line)),
        }
    }

    fn read_whole<'de>(
        &mut self,
        mut json: serde_json::Deserializer<impl serde_json::de::Read<'de>>,
    ) -> serde_json::Result<()> {
        json.deserialize_map(&mut *self)?;
        self.key = None;
        json.end()
    }

    fn take(&mut self, key: Key, value: &str) -> Result<(), Fault> {
        match key {
            Key::Field(field) => self.take_field(field, value),
            Key::Other => self.take_other(value),
            Key::Dropped => Ok(()),
            Key::Unknown => {
                self.unknown.push(UnknownColumn::of_json(self.scratch, value));
                Ok(())
            }
        }
    }

    fn take_field(&mut self, key: usize, value: &str) -> Result<(), Fault> {
        let field = self.keys.take(key, self.line);
        let fail = |reason| Fault::of_column(self.keys.name(key), reason);
        let Some(field) = field else { return Err(fail(RejectReason::KeyTwice)) };
        let text = match value.as_bytes() {
            [b'-' | b'0'..=b'9', ..] if self.design.fields()[field].kind.is_number() => {
                plain_whole(value, self.scratch).unwrap_or(value)
            }
            _ => match text_of(value, self.scratch).map_err(fail)? {
                Some(text) => text,
                None => return Ok(()),
            },
        };
        self.design.read_value(self.row, field, text).map_err(|error| fail(error.into()))
    }

    fn take_other(&mut self, value: &str) -> Result<(), Fault> {
        let name = std::mem::take(self.scratch);
        let mut scratch = String::new();
        let read = match text_of(value, &mut scratch) {
            Ok(text) => {
                self.others.push_named(&name, text.filter(|text| !self.design.input().is_null(text)));
                Ok(())
            }
            Err(reason) => Err(Fault::of_column(&name, reason)),
        };
        *self.scratch = name;
        read
    }
}
