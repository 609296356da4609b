//! HBase's escaped text form of bytes, as its shell and web pages print row keys.
//!
//! Printable ASCII (20 to 7E) except `\` is itself; every other byte is `\xNN` with upper-case digits. The rules are
//! those of `Bytes.toStringBinary` and `Bytes.toBytesBinary`. The latter accepts nearly any text but does not preserve
//! some of it; [`first_mangled`] finds where.

use std::fmt::Write as _;

/// Escaped text that even HBase can't read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EscapeError {
    /// The text ends inside an escape.
    #[error("the escape at character {at} is cut short: \\x takes two upper-case hex digits, as in \\x0A")]
    CutShort {
        /// Offset of the backslash in UTF-16 units from 0, as Java counts.
        at: usize,
    },
}

/// Text that [`from_escaped`], like HBase, reads as other bytes than its writer meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mangled {
    /// `\x` before something that is not two upper-case hex digits: only the backslash is dropped.
    #[error(
        "HBase reads \\x{high}{low} at character {at} as the text x{high}{low}: hex digits must be upper case"
    )]
    BadDigits {
        /// Offset of the backslash in UTF-16 units from 0.
        at: usize,
        /// The first character after `\x`.
        high: char,
        /// The second.
        low: char,
    },
    /// A character beyond ASCII: only the low 8 bits of each of its UTF-16 units are kept.
    #[error(
        "{found:?} at character {at} is not ASCII, and HBase keeps only its low 8 bits: write its bytes as {}",
        to_escaped(found.to_string().as_bytes())
    )]
    NotAscii {
        /// Offset in UTF-16 units from 0.
        at: usize,
        /// The character.
        found: char,
    },
}

/// Converts bytes to escaped text, as `Bytes.toStringBinary` does.
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

/// Converts escaped text to bytes, as `Bytes.toBytesBinary` does, with all that it accepts.
///
/// `\xNN` with two upper-case hex digits is that byte. Before anything else, `\x` only loses its backslash; a backslash
/// without `x` is kept. Any other UTF-16 unit becomes its low 8 bits.
///
/// ```
/// # use keystride::escape::from_escaped;
/// assert_eq!(from_escaped("a\\x00\\xFF")?, b"a\x00\xff");
/// assert_eq!(from_escaped("\\x0a")?, b"x0a");
/// assert_eq!(from_escaped("年")?, b"t"); // U+5E74
/// # Ok::<(), keystride::escape::EscapeError>(())
/// ```
///
/// # Errors
///
/// [`EscapeError`] when fewer than two characters follow `\x`.
pub fn from_escaped(text: &str) -> Result<Vec<u8>, EscapeError> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut bytes = Vec::with_capacity(units.len());
    let mut at = 0;
    while at < units.len() {
        if !starts_escape(&units[at..]) {
            bytes.push(low_byte(units[at]));
            at += 1;
            continue;
        }
        let &[high, low] = digits_of(&units, at)?;
        if let (Some(high), Some(low)) = (hex_value(high), hex_value(low)) {
            bytes.push(high << 4 | low);
            at += 4;
        } else {
            at += 1;
        }
    }
    Ok(bytes)
}

/// Returns the first place where [`from_escaped`] gives other bytes than the text suggests; `None` when there is none.
///
/// ```
/// # use keystride::escape::{first_mangled, Mangled};
/// assert_eq!(first_mangled("\\x00\\x0A"), None);
/// assert_eq!(first_mangled("\\x0a"), Some(Mangled::BadDigits { at: 0, high: '0', low: 'a' }));
/// ```
pub fn first_mangled(text: &str) -> Option<Mangled> {
    // Up to the first character beyond ASCII, byte offsets and UTF-16 offsets are the same.
    for (at, found) in text.char_indices() {
        if !found.is_ascii() {
            return Some(Mangled::NotAscii { at, found });
        }
        if let Some(bad) = bad_digits(&text[at..], at) {
            return Some(bad);
        }
    }
    None
}

fn bad_digits(rest: &str, at: usize) -> Option<Mangled> {
    let mut digits = rest.strip_prefix("\\x")?.chars();
    let (high, low) = (digits.next()?, digits.next()?);
    let good = [high, low].iter().all(|digit| matches!(digit, '0'..='9' | 'A'..='F'));
    (!good).then_some(Mangled::BadDigits { at, high, low })
}

fn starts_escape(units: &[u16]) -> bool {
    const BACKSLASH: u16 = b'\\' as u16;
    const X: u16 = b'x' as u16;
    matches!(units, [BACKSLASH, X, ..])
}

fn digits_of(units: &[u16], at: usize) -> Result<&[u16; 2], EscapeError> {
    units[at + 2..].first_chunk().ok_or(EscapeError::CutShort { at })
}

fn hex_value(unit: u16) -> Option<u8> {
    match u8::try_from(unit).ok()? {
        digit @ b'0'..=b'9' => Some(digit - b'0'),
        digit @ b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

fn low_byte(unit: u16) -> u8 {
    let [_, low] = unit.to_be_bytes();
    low
}

/// Returns the text itself if the bytes are printable text, and [`to_escaped`] otherwise.
pub fn to_shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(char::is_control) => text.to_owned(),
        _ => to_escaped(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        let text = to_escaped(&all);
        assert_eq!(from_escaped(&text), Ok(all));
        assert_eq!(first_mangled(&text), None);
    }

    #[test]
    fn an_escape_cut_short_is_refused() {
        assert_eq!(from_escaped("ab\\x4"), Err(EscapeError::CutShort { at: 2 }));
        assert_eq!(from_escaped("ab\\"), Ok(b"ab\\".to_vec()));
    }

    #[test]
    fn a_bad_escape_does_not_swallow_the_next_one() {
        assert_eq!(from_escaped("\\xg\\x41"), Ok(b"xgA".to_vec()));
    }

    #[test]
    fn what_hbase_mangles_is_found() {
        assert_eq!(first_mangled("a\\x41b\\n"), None);
        let beyond = first_mangled("a年").unwrap();
        assert_eq!(beyond, Mangled::NotAscii { at: 1, found: '年' });
        assert_eq!(
            beyond.to_string(),
            "'年' at character 1 is not ASCII, and HBase keeps only its low 8 bits: write its bytes as \\xE5\\xB9\\xB4"
        );
        let bad = first_mangled("\\x00\\xff").unwrap();
        assert_eq!(
            bad.to_string(),
            "HBase reads \\xff at character 4 as the text xff: hex digits must be upper case"
        );
    }
}
