//! JSON values as text.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Visitor};

use crate::input::reject::RejectReason;

/// Returns the text of a JSON value: the contents of a string, a number or boolean as written; `None` for null.
pub(super) fn text_of<'a>(value: &'a str, scratch: &'a mut String) -> Result<Option<&'a str>, RejectReason> {
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
