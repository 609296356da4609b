//! HBase's escaped text form of bytes, as its shell and web pages print row keys.
//!
//! Printable ASCII (20 to 7E) stands for itself, except `\`; every other byte is `\xNN` with upper-case digits.
//! The rules are those of `Bytes.toStringBinary` and `Bytes.toBytesBinary`.

use std::fmt::Write as _;

/// Bytes to escaped text, `Bytes.toStringBinary`.
///
/// ```
/// assert_eq!(keystride::escape::to_escaped(b"\x00 a\\\xff"), "\\x00 a\\x5C\\xFF");
/// ```
pub fn to_escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if (b' '..=b'~').contains(&byte) && byte != b'\\' {
            text.push(char::from(byte));
        } else {
            // Writing to a String can't fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}
