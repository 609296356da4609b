//! Words of commands that people copy into a shell.

/// Returns a word in single quotes.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
