//! Keys as people write them: as text, in HBase's escaped form, in hex, or as numbers.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use keystride::escape::{self, EscapeError, Mangled};
use keystride::{InvalidKey, Key};
use serde::{Deserialize, Serialize};

/// A text that is not the bytes of a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyTextError {
    /// It is not hex.
    #[error("\"{found}\" is not hex: two digits a byte are needed")]
    NotHex {
        /// The text.
        found: String,
    },
    /// It is not HBase's escaped form.
    #[error(transparent)]
    NotEscaped(#[from] EscapeError),
    /// HBase would read it as other bytes than it seems to mean.
    #[error("in \"{found}\": {cause}")]
    Mangled {
        /// The text.
        found: String,
        /// The place.
        cause: Mangled,
    },
    /// It is no number of that size.
    #[error("\"{found}\" is not a whole number of {bits} bits")]
    NotANumber {
        /// The text.
        found: String,
        /// The bits.
        bits: u32,
    },
    /// The bytes are not a key.
    #[error(transparent)]
    NotAKey(#[from] InvalidKey),
}

/// A form in which keys are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyForm {
    /// The bytes of the text itself, as UTF-8.
    Text,
    /// HBase's escaped form, such as `\x00a`.
    Escaped,
    /// Two hex digits a byte.
    Hex,
    /// A decimal number, written as `Bytes.toBytes(int)` does: 4 bytes, big-endian.
    Int,
    /// A decimal number, written as `Bytes.toBytes(long)` does: 8 bytes, big-endian.
    Long,
}

impl KeyForm {
    /// Reads bytes in this form.
    ///
    /// # Errors
    ///
    /// [`KeyTextError`] when the text is not in this form.
    pub fn read(self, text: &str) -> Result<Vec<u8>, KeyTextError> {
        let number = |bits| KeyTextError::NotANumber { found: text.to_owned(), bits };
        match self {
            Self::Text => Ok(text.as_bytes().to_vec()),
            Self::Escaped => read_escaped(text),
            Self::Hex => read_hex(text),
            Self::Int => text.trim().parse::<i32>().map(|n| n.to_be_bytes().into()).map_err(|_| number(32)),
            Self::Long => text.trim().parse::<i64>().map(|n| n.to_be_bytes().into()).map_err(|_| number(64)),
        }
    }

    /// Reads a key in this form.
    ///
    /// # Errors
    ///
    /// [`KeyTextError`] when the text is not in this form, or its bytes are not a key.
    pub fn read_key(self, text: &str) -> Result<Key, KeyTextError> {
        Ok(Key::new(self.read(text)?)?)
    }

    /// Writes bytes in this form; those that it can't write, in HBase's escaped form.
    pub fn write(self, bytes: &[u8]) -> String {
        let number = match self {
            Self::Int => bytes.try_into().ok().map(|bytes| i32::from_be_bytes(bytes).to_string()),
            Self::Long => bytes.try_into().ok().map(|bytes| i64::from_be_bytes(bytes).to_string()),
            Self::Hex => Some(HEXLOWER.encode(bytes)),
            Self::Text => std::str::from_utf8(bytes).ok().map(str::to_owned),
            Self::Escaped => None,
        };
        number.unwrap_or_else(|| escape::to_escaped(bytes))
    }
}

/// Reads hex digits of either case.
///
/// # Errors
///
/// [`KeyTextError::NotHex`].
pub fn read_hex(text: &str) -> Result<Vec<u8>, KeyTextError> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes());
    bytes.map_err(|_| KeyTextError::NotHex { found: text.to_owned() })
}

/// Reads a text in HBase's escaped form. HBase's own reader accepts any text, and reads some as other bytes than its
/// writer meant; such texts are refused.
///
/// # Errors
///
/// [`KeyTextError::Mangled`] or [`KeyTextError::NotEscaped`].
pub fn read_escaped(text: &str) -> Result<Vec<u8>, KeyTextError> {
    check_escaped(text)?;
    Ok(escape::from_escaped(text)?)
}

/// Refuses text that HBase would read as other bytes than its writer meant.
///
/// # Errors
///
/// [`KeyTextError::Mangled`].
pub fn check_escaped(text: &str) -> Result<(), KeyTextError> {
    let mangled = escape::first_mangled(text);
    mangled.map_or(Ok(()), |cause| Err(KeyTextError::Mangled { found: text.to_owned(), cause }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_from_each_form() {
        let key = 10_i32.to_be_bytes();
        for (form, text) in
            [(KeyForm::Escaped, "\\x00\\x00\\x00\\x0A"), (KeyForm::Hex, "0000000a"), (KeyForm::Int, "10")]
        {
            assert_eq!((form.write(&key), form.read(text)), (text.to_owned(), Ok(key.to_vec())));
        }
        assert_eq!(KeyForm::Long.write(&key), "\\x00\\x00\\x00\\x0A");
        assert!(matches!(KeyForm::Int.read("3000000000"), Err(KeyTextError::NotANumber { bits: 32, .. })));
        assert!(matches!(KeyForm::Text.read_key(""), Err(KeyTextError::NotAKey(InvalidKey::Empty))));
    }
}
