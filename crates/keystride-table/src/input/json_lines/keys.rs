//! Resolution of object keys to fields.

use std::fmt;

use keystride::Design;
use keystride::design::OtherColumns;
use serde::de::{DeserializeSeed, Deserializer, Visitor};

use crate::input::columns::source_fields;

/// The known keys of objects and their meanings.
pub(super) struct Keys {
    /// Names and indexes of the source fields, sorted by name.
    fields: Vec<(String, usize)>,
    /// Names of derived fields, which are computed and not read.
    derived: Vec<String>,
    other: OtherColumns,
    /// For each field, the last line that contained it.
    seen: Vec<u64>,
    /// The fields in the order of the last line; the next line usually has the same order.
    order: Vec<usize>,
}

/// The meaning of a key.
#[derive(Clone, Copy)]
pub(super) enum Key {
    /// Index in `Keys::fields`.
    Field(usize),
    Other,
    Dropped,
    Unknown,
}

impl Keys {
    pub(super) fn new(design: &Design) -> Self {
        let mut fields: Vec<_> =
            source_fields(design).map(|(index, name)| (name.to_owned(), index)).collect();
        fields.sort_unstable();
        let derived = design.fields().iter().filter(|field| field.from.is_some());
        Self {
            seen: vec![0; fields.len()],
            order: Vec::with_capacity(fields.len()),
            derived: derived.map(|field| field.name.clone()).collect(),
            other: design.columns().other,
            fields,
        }
    }

    pub(super) fn forget(&mut self) {
        self.seen.fill(0);
    }

    /// Returns the name of a field.
    pub(super) fn name(&self, field: usize) -> &str {
        &self.fields[field].0
    }

    /// Returns the design's index of a field that occurs in line `line`; `None` if it already occurred in that line.
    pub(super) fn take(&mut self, field: usize, line: u64) -> Option<usize> {
        let before = std::mem::replace(&mut self.seen[field], line);
        (before != line).then(|| self.fields[field].1)
    }

    /// Returns the meaning of `key`, which is at position `place` among the known keys of its object.
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

/// Reads a key, storing its text in `name` if it will be needed later.
pub(super) struct KeySeed<'a> {
    pub(super) keys: &'a mut Keys,
    pub(super) place: usize,
    pub(super) name: &'a mut String,
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
