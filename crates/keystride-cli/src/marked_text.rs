//! Texts that may begin with a byte order mark, and places in them.

use std::ops::Range;

/// Some editors write it at the beginning of a file.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the text after its byte order mark, if it has one; places in a design are counted from there.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Returns the place of the character that a byte belongs to; it is empty at the end of the text.
pub(crate) fn character_at(text: &str, at: usize) -> Range<usize> {
    let start = text.floor_char_boundary(at);
    start..start + text[start..].chars().next().map_or(0, char::len_utf8)
}

/// Returns the line and the column of a place in the text of a design file, from 1.
pub(crate) fn line_and_column(text: &str, at: usize) -> Option<(usize, usize)> {
    let before = without_mark(text).get(..at)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    Some((line, column))
}
