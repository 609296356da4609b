//! Resolution of object keys to fields.

use std::collections::BTreeMap;
use std::fmt;

use keystride::Design;
use keystride::design::OtherColumns;
use keystride::internal::nfc;
use serde::de::{DeserializeSeed, Deserializer, Visitor};

/// The known keys of objects and their meanings.
pub(super) struct Keys {
    /// Keys and indexes of the source fields, sorted by key: the name that the source has for a field, and its own.
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
    /// Takes the keys of all fields but those that are `given` otherwise.
    pub(super) fn new(design: &Design, given: &[usize]) -> Self {
        let read = || design.source_fields().filter(|(index, _)| !given.contains(index));
        let columns = read().map(|(index, field)| (field.column(), index));
        let names = read().map(|(index, field)| (field.name.as_str(), index));
        let keys: BTreeMap<&str, usize> = names.chain(columns).collect();
        let fields: Vec<_> = keys.into_iter().map(|(key, index)| (key.to_owned(), index)).collect();
        let derived = design.fields().iter().filter(|field| field.from.is_some());
        Self {
            seen: vec![0; design.fields().len()],
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
        let index = self.fields[field].1;
        let before = std::mem::replace(&mut self.seen[index], line);
        (before != line).then_some(index)
    }

    /// Returns the meaning of `key`, which is at position `place` among the known keys of its object.
    fn find(&mut self, key: &str, place: usize) -> Key {
        if let Some(field) = self.order.get(place)
            && self.fields[*field].0 == key
        {
            return Key::Field(*field);
        }
        let key = &*nfc(key);
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
