//! Texts that may begin with a byte order mark, and places in them.

use std::ops::Range;

/// Some editors write it at the beginning of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the text after its byte order mark, if it has one; places in a design are counted from there.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Returns `text` with the byte order mark and the line ends of the file as it was; where that had those of Windows and
/// others, all are of Windows.
pub fn in_form_of(before: &str, text: &str) -> String {
    let text = if before.contains("\r\n") {
        text.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        text.to_owned()
    };
    if before.starts_with(BYTE_ORDER_MARK) { format!("{BYTE_ORDER_MARK}{text}") } else { text }
}

/// Returns the place of the character that a byte belongs to; it is empty at the end of the text.
pub fn character_at(text: &str, at: usize) -> Range<usize> {
    let start = text.floor_char_boundary(at);
    start..start + text[start..].chars().next().map_or(0, char::len_utf8)
}

/// Returns the number of the character that a byte belongs to, from 1; one more than there are at the end of the text.
///
/// ```
/// assert_eq!(keystride_app::marked_text::character_number("城市 = x", 9), 6);
/// ```
pub fn character_number(text: &str, at: usize) -> usize {
    text[..text.floor_char_boundary(at)].chars().count() + 1
}

/// Returns the line and the column of a place in the text of a design file, from 1.
pub fn line_and_column(text: &str, at: usize) -> Option<(usize, usize)> {
    let before = without_mark(text).get(..at)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    Some((line, column))
}
