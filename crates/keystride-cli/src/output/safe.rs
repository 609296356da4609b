//! Text without anything that would control a terminal.
//!
//! A terminal obeys control characters, and some characters change the order in which it shows others. Cells, keys, names
//! of files and answers of servers may have any of them. Here they become visible, except for line breaks and tabs.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::size::bytes_text;

/// Makes visible what would control a terminal.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    escaped(text, |character, safe| match character {
        '\0'..='\x7f' => write!(safe, "\\x{:02x}", u32::from(character)),
        _ => write!(safe, "{}", character.escape_unicode()),
    })
}

/// The same for bytes; those that are no text are made visible, too, as some terminals obey them.
pub(super) fn safe_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return match safe(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&safe(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    Cow::Owned(text.into_bytes())
}

/// The same for a text with colours of our own, which are kept.
pub(super) fn safe_styled(text: &str) -> Cow<'_, str> {
    let mut pieces = text.split("\x1b[");
    let mut safe_text = safe(pieces.next().unwrap_or_default());
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_digit() && c != ';');
        let is_color = end.is_some_and(|end| piece[end..].starts_with('m'));
        safe_text.to_mut().push_str(if is_color { "\x1b[" } else { "\\x1b[" });
        safe_text.to_mut().push_str(&safe(piece));
    }
    safe_text
}

/// The same for a JSON document, in JSON's own escapes. Outside its texts it has only spaces and line breaks.
pub(super) fn safe_json(document: &str) -> Cow<'_, str> {
    escaped(document, |character, safe| write!(safe, "\\u{:04x}", u32::from(character)))
}

/// Shortens a message that tells what was found, where that is as long as a file.
pub(crate) fn brief(message: &str) -> Cow<'_, str> {
    const MOST: usize = 16 << 10;
    const END: usize = 1 << 10;
    if message.len() <= MOST {
        return Cow::Borrowed(message);
    }
    let begin = &message[..message.floor_char_boundary(MOST - END)];
    let end = &message[message.ceil_char_boundary(message.len() - END)..];
    Cow::Owned(format!("{begin}… ({}) …{end}", bytes_text(message.len() as u64)))
}

fn escaped(text: &str, escape: impl Fn(char, &mut String) -> std::fmt::Result) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unsafe(character) {
            // Writing to a String can't fail.
            let _ = escape(character, &mut safe);
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

/// Whether a terminal obeys a character, or orders others by it.
fn is_unsafe(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_a_terminal_becomes_visible() {
        let text = "a\x1b]0;b\x07\u{9b}2J\u{7f}\r\n\t北\u{202e}\u{2066}\u{200f}\u{61c}";
        let visible = "a\\x1b]0;b\\x07\\u{9b}2J\\x7f\\x0d\n\t北\\u{202e}\\u{2066}\\u{200f}\\u{61c}";
        assert_eq!(safe(text), visible);
        assert_eq!(*safe_bytes(text.as_bytes()), *visible.as_bytes());
        assert_eq!(*safe_bytes(b"\x9b1mx\xe5\x1b"), *b"\\x9b1mx\\xe5\\x1b");
    }

    #[test]
    fn a_message_as_long_as_a_file_keeps_its_ends() {
        assert_eq!(brief("short"), "short");
        let long = format!("what {} why", "北".repeat(1 << 20));
        let told = brief(&long);
        assert!(told.len() < 17_000 && told.starts_with("what 北") && told.ends_with("北 why"), "{told}");
        assert!(told.contains("北… (3.0 MiB) …北"), "{told}");
    }

    #[test]
    fn our_own_colours_are_kept_and_nothing_else() {
        assert_eq!(safe_styled("\x1b[1;31merror\x1b[0m"), "\x1b[1;31merror\x1b[0m");
        assert_eq!(safe_styled("\x1b[2J\x1b]0;\x1b[\x1b[31"), "\\x1b[2J\\x1b]0;\\x1b[\\x1b[31");
    }

    #[test]
    fn a_document_stays_json_of_the_same_values() {
        let value = serde_json::json!({ "a\u{9b}": ["\x1b\u{7f}\u{202e}", "北\n"] });
        for document in [value.to_string(), format!("{value:#}")] {
            let safe = safe_json(&document);
            assert!(!safe.contains(is_unsafe) && safe.contains("\\u202e"), "{safe}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
        }
    }
}
