//! The characters that structure a CSV text, besides its delimiter.

use std::fmt;
use std::str::FromStr;

/// What encloses fields, or what takes the next character as it is: one ASCII character, or none.
///
/// ```
/// # use keystride::design::Mark;
/// assert_eq!("'".parse::<Mark>()?.byte(), Some(b'\''));
/// assert_eq!("none".parse::<Mark>()?.byte(), None);
/// # Ok::<(), keystride::design::InvalidMark>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(Option<u8>);

/// A text that is neither one ASCII character nor `none`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?}: expected {}", Mark::EXPECTED)]
pub struct InvalidMark {
    /// The text found.
    pub found: String,
}

impl Mark {
    /// There is no such character.
    pub const NONE: Self = Self(None);
    /// `"`, the quote of RFC 4180.
    pub const QUOTE: Self = Self(Some(b'"'));
    /// `\`, the usual escape.
    pub const BACKSLASH: Self = Self(Some(b'\\'));

    pub(super) const EXPECTED: &str = "one ASCII character that ends no line, or \"none\"";

    /// Returns the character's byte, if there is one.
    pub fn byte(self) -> Option<u8> {
        self.0
    }
}

impl FromStr for Mark {
    type Err = InvalidMark;

    fn from_str(text: &str) -> Result<Self, InvalidMark> {
        match text.as_bytes() {
            b"none" => Ok(Self::NONE),
            [byte] if byte.is_ascii() && !b"\r\n".contains(byte) => Ok(Self(Some(*byte))),
            _ => Err(InvalidMark { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(byte) => write!(f, "{}", char::from(byte)),
            None => f.write_str("none"),
        }
    }
}
