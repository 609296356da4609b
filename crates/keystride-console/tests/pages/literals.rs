//! The texts of Rust's sources, as templates in which `{0}`, `{1}` … stand where values are written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::catalogue::files;

/// The folder of all crates.
pub(crate) fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The source of a file, without its unit tests.
pub(crate) fn source(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
}

/// The templates of all texts in the sources of the crates.
pub(crate) fn all_templates() -> BTreeSet<String> {
    let folders = fs::read_dir(crates()).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let sources = folders.filter(|folder| folder.is_dir()).flat_map(|folder| files(&folder, ".rs"));
    sources.flat_map(|path| templates(&source(&path))).collect()
}

/// The templates of the texts in a source, in their order.
pub(crate) fn templates(source: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), source);
    while let Some(first) = rest.chars().next() {
        rest = if rest.starts_with("//") {
            rest.split_once('\n').map_or("", |(_, after)| after)
        } else if first == '\'' {
            after_character(rest)
        } else if let Some((text, after)) = raw_text(rest).or_else(|| text(rest)) {
            found.push(template(&text));
            after
        } else {
            &rest[first.len_utf8()..]
        };
    }
    found
}

/// What follows a character in quotes, or the quote of a lifetime.
fn after_character(rest: &str) -> &str {
    let quoted = &rest[1..];
    let mut letters = quoted.chars();
    match (letters.next(), letters.next()) {
        (Some('\\'), Some(escaped)) => {
            quoted[1 + escaped.len_utf8()..].split_once('\'').map_or("", |(_, after)| after)
        }
        (Some(letter), Some('\'')) => &quoted[letter.len_utf8() + 1..],
        _ => quoted,
    }
}

/// A text such as `r#"…"#`, and what follows it.
fn raw_text(rest: &str) -> Option<(String, &str)> {
    let marked = rest.strip_prefix('r')?;
    let begun = marked.trim_start_matches('#');
    let end = format!("\"{}", &marked[..marked.len() - begun.len()]);
    let (text, after) = begun.strip_prefix('"')?.split_once(&end)?;
    Some((text.to_owned(), after))
}

/// A text in quotes with its escapes read, and what follows it.
fn text(rest: &str) -> Option<(String, &str)> {
    let mut letters = rest.strip_prefix('"')?.char_indices();
    let mut text = String::new();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((text, &rest[1 + at + 1..])),
            '\\' => match letters.next()?.1 {
                '\n' => letters = skip_blanks(letters),
                'n' => text.push('\n'),
                escaped => text.push(escaped),
            },
            letter => text.push(letter),
        }
    }
    None
}

/// A line that ends in a backslash goes on with the next word.
fn skip_blanks(letters: std::str::CharIndices<'_>) -> std::str::CharIndices<'_> {
    let mut after = letters.clone();
    let mut last = letters;
    while after.next().is_some_and(|(_, letter)| letter.is_whitespace()) {
        last = after.clone();
    }
    last
}

/// The text with numbers for the values in braces. Braces around a blank are braces, as in `{ field = "id" }`.
fn template(text: &str) -> String {
    let (mut template, mut count, mut rest) = (String::new(), 0, text);
    while let Some(first) = rest.chars().next() {
        let inner = rest.strip_prefix('{').filter(|inner| !inner.starts_with([' ', '\u{2026}']));
        if let Some(doubled @ ("{{" | "}}")) = rest.get(..2) {
            template.push_str(&doubled[1..]);
            rest = &rest[2..];
        } else if let Some((_, after)) = inner.and_then(|inner| inner.split_once('}')) {
            template.push_str(&format!("{{{count}}}"));
            count += 1;
            rest = after;
        } else {
            template.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    template
}
