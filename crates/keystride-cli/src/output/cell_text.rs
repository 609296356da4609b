//! Values as text, without anything that would break a line or control a terminal.

use serde_json::Value;

/// Returns a value as text; empty for null.
pub(super) fn cell_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Formats a value, so that it can be read back. CSV quotes what would break a line; TSV has no quotes, and escapes it.
pub(super) fn written(text: &str, separator: char) -> String {
    if separator != ',' {
        return escaped(text);
    }
    let breaks = text.contains([separator, '"', '\n', '\r']);
    if breaks { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Escapes what structures TSV, and the backslash, which begins an escape.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\\' => escaped.push_str("\\\\"),
            character => escaped.push(character),
        }
    }
    escaped
}

/// Escapes control characters, so that they neither break a line nor control a terminal. A backslash is kept, so that
/// escaped keys can be pasted.
pub(super) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            '\0'..='\x7f' if character.is_control() => {
                shown.push_str(&format!("\\x{:02x}", u32::from(character)));
            }
            // Programs that read lines treat the last two as line breaks as well.
            character if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                shown.extend(character.escape_unicode());
            }
            character => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_neither_break_a_line_nor_steer_a_terminal() {
        assert_eq!(shown("a\tb\nc\r\x1b[31m\0\u{9b}年\\n"), "a\\tb\\nc\\r\\x1b[31m\\x00\\u{9b}年\\n");
        assert_eq!(written("a\nb", ','), "\"a\nb\"");
    }

    #[test]
    fn csv_quotes_what_would_break_a_line_and_tsv_escapes_it_and_the_backslash() {
        for (text, csv, tsv) in [
            ("a b|c", "a b|c", "a b|c"),
            ("a,b", "\"a,b\"", "a,b"),
            ("say \"a\"", "\"say \"\"a\"\"\"", "say \"a\""),
            ("a\tb", "a\tb", "a\\tb"),
            ("a\r", "\"a\r\"", "a\\r"),
            ("a\nb", "\"a\nb\"", "a\\nb"),
            ("a\\nb", "a\\nb", "a\\\\nb"),
            ("\x1b[31m", "\x1b[31m", "\x1b[31m"),
        ] {
            assert_eq!(
                (written(text, ','), written(text, '\t')),
                (csv.to_owned(), tsv.to_owned()),
                "{text:?}"
            );
        }
    }
}
