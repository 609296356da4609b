//! Row keys, and the bytes that can be one.

use std::fmt;

use crate::escape;

/// The longest row key that HBase accepts, in bytes (`HConstants.MAX_ROW_LENGTH`, Java's `Short.MAX_VALUE`).
pub const MAX_KEY_LEN: usize = 32_767;

/// A row key: 1 to 32,767 bytes, ordered as unsigned bytes.
///
/// `Display` and `Debug` show HBase's escaped form.
///
/// ```
/// # use keystride::Key;
/// let key = Key::new([0x00, b'a'])?;
/// assert_eq!(key.to_string(), "\\x00a");
/// assert!(Key::new([]).is_err());
/// # Ok::<(), keystride::InvalidKey>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Box<[u8]>);

/// Bytes that can't be a row key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidKey {
    /// A row key has at least one byte.
    #[error("a row key can't be empty")]
    Empty,
    /// A row key has at most [`MAX_KEY_LEN`] bytes.
    #[error("a row key of {len} bytes is too long: HBase takes at most {MAX_KEY_LEN}")]
    TooLong {
        /// The length found, in bytes.
        len: usize,
    },
}

impl Key {
    /// Creates a row key from bytes.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] when there are none, or more than [`MAX_KEY_LEN`].
    pub fn new(bytes: impl Into<Box<[u8]>>) -> Result<Self, InvalidKey> {
        let bytes = bytes.into();
        check_len(bytes.len())?;
        Ok(Self(bytes))
    }

    /// Returns the bytes of the key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Converts the key into its bytes without copying them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_vec()
    }
}

/// Checks that `len` bytes can be a row key.
pub(crate) fn check_len(len: usize) -> Result<(), InvalidKey> {
    match len {
        0 => Err(InvalidKey::Empty),
        1..=MAX_KEY_LEN => Ok(()),
        len => Err(InvalidKey::TooLong { len }),
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl std::borrow::Borrow<[u8]> for Key {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape::to_escaped(&self.0))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_checked_at_the_door() {
        assert_eq!(Key::new([]), Err(InvalidKey::Empty));
        assert!(Key::new(vec![0; MAX_KEY_LEN]).is_ok());
        assert_eq!(Key::new(vec![0; MAX_KEY_LEN + 1]), Err(InvalidKey::TooLong { len: MAX_KEY_LEN + 1 }));
    }

    #[test]
    fn keys_sort_as_unsigned_bytes() {
        assert!(Key::new([0x7f]).unwrap() < Key::new([0x80]).unwrap());
        assert!(Key::new(*b"a").unwrap() < Key::new(*b"a\0").unwrap());
    }

    #[test]
    fn a_key_is_its_bytes() {
        let key = Key::new(*b"a\xff").unwrap();
        let borrowed: &[u8] = std::borrow::Borrow::borrow(&key);
        assert_eq!([key.as_bytes(), key.as_ref(), borrowed], [b"a\xff"; 3]);
        assert_eq!(format!("{key:?}"), "Key(a\\xFF)");
        assert_eq!(key.into_bytes(), b"a\xff");
    }
}
