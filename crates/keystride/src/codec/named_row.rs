//! A row whose values are given by the names of its fields.

use super::{KeyCodec, KeyError};
use crate::value::ValueError;
use crate::{InvalidKey, Key, Row};

/// A row that is filled by names; see [`KeyCodec::row`].
#[derive(Debug, Clone)]
#[must_use = "a row does nothing until its key is asked for"]
pub struct NamedRow<'a> {
    codec: &'a KeyCodec,
    row: Result<Row, NamedRowError>,
}

/// Why a row that was filled by names has no key.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum NamedRowError {
    /// No field has this name.
    #[error("no field \"{name}\"; the design has {}", known.join(", "))]
    NoField {
        /// The name.
        name: String,
        /// The names of all fields.
        known: Vec<String>,
    },
    /// A field is computed from another, and takes no value.
    #[error("field \"{name}\" is computed from another, which takes the value")]
    Derived {
        /// The field.
        name: String,
    },
    /// A text is not a value of its field.
    #[error("field \"{name}\": {cause}")]
    Value {
        /// The field.
        name: String,
        /// What is wrong with the text.
        cause: ValueError,
    },
    /// The row has no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The bytes are no key of HBase.
    #[error(transparent)]
    Invalid(#[from] InvalidKey),
}

impl KeyCodec {
    /// Starts a row whose values are given by names, as texts that a load would read. For many rows, fill a [`Row`] by the
    /// fields' indexes and use an [`encoder`](Self::encoder).
    ///
    /// ```
    /// # use keystride::{Design, KeyCodec};
    /// # let toml = "format = 1\n[table]\nname = \"calls\"\nfamilies = [\"f\"]\n[fields]\n\
    /// #     phone = { type = \"digits\", len = 11 }\nts = { type = \"time\", unit = \"ms\" }\n\
    /// #     [key]\nparts = [{ field = \"phone\" }, { field = \"ts\", desc = 9999999999999 }]";
    /// let codec = KeyCodec::new(Design::from_toml(toml)?);
    /// let key = codec.row().with("phone", "13800138000").with("ts", "1586131200000").key()?;
    /// assert_eq!(key.as_bytes(), b"138001380008413868799999");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn row(&self) -> NamedRow<'_> {
        NamedRow { codec: self, row: Ok(Row::new(self.design().fields.len())) }
    }
}

impl NamedRow<'_> {
    /// Gives a field its value; an error is told when the key or the row is asked for.
    pub fn with(mut self, field: &str, text: &str) -> Self {
        self.row = self.row.and_then(|row| set(self.codec, row, field, text));
        self
    }

    /// Returns the row's key.
    ///
    /// # Errors
    ///
    /// [`NamedRowError`]: the first of what was given that is wrong, or why the row has no key.
    pub fn key(self) -> Result<Key, NamedRowError> {
        let mut bytes = Vec::new();
        self.codec.encoder().encode(&self.row?, &mut bytes)?;
        Ok(Key::new(bytes)?)
    }

    /// Returns the row.
    ///
    /// # Errors
    ///
    /// [`NamedRowError`]: the first of what was given that is wrong.
    pub fn into_row(self) -> Result<Row, NamedRowError> {
        self.row
    }
}

fn set(codec: &KeyCodec, mut row: Row, name: &str, text: &str) -> Result<Row, NamedRowError> {
    let design = codec.design();
    let named = || name.to_owned();
    let Some(index) = design.field_index(name) else {
        let known = design.fields.iter().map(|field| field.name.clone()).collect();
        return Err(NamedRowError::NoField { name: named(), known });
    };
    if design.fields[index].from.is_some() {
        return Err(NamedRowError::Derived { name: named() });
    }
    design
        .read_value(&mut row, index, text)
        .map_err(|cause| NamedRowError::Value { name: named(), cause })?;
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;

    #[test]
    fn what_is_wrong_is_told_when_the_key_is_asked_for() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
                    name = { type = \"string\" }\nlow = { from = \"lower(name)\" }\n\
                    [key]\nparts = [{ field = \"id\", as = \"be\" }]";
        let codec = KeyCodec::new(Design::from_toml(toml).unwrap());
        let key = |field, text| codec.row().with("id", "7").with(field, text).key();
        assert_eq!(key("name", "A").unwrap().as_bytes(), [0, 0, 0, 7]);
        assert!(matches!(key("ID", "1"), Err(NamedRowError::NoField { known, .. }) if known.len() == 3));
        assert!(matches!(key("low", "a"), Err(NamedRowError::Derived { .. })));
        assert!(matches!(key("id", "-1"), Err(NamedRowError::Value { .. })));
        assert!(matches!(codec.row().key(), Err(NamedRowError::Key(KeyError::Missing { .. }))));
    }
}
