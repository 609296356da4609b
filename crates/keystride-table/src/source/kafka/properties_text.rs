//! The syntax of files of properties, as Java reads them, and of logins in them.

use std::collections::BTreeMap;

use super::PropertiesError;

/// Returns the properties of a file by their names.
pub(super) fn properties_of(text: &str) -> Result<BTreeMap<String, String>, PropertiesError> {
    let mut found = BTreeMap::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let mut line = line.trim_start().to_owned();
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        while line.ends_with('\\') && !line.ends_with("\\\\") {
            line.pop();
            line.push_str(lines.next().map_or("", |(_, next)| next.trim_start()));
        }
        let end = line.find(['=', ':', ' ', '\t']).ok_or(PropertiesError::Line { line: number + 1 })?;
        let (name, value) = line.split_at(end);
        let value = value.trim_start();
        let value = value.strip_prefix(['=', ':']).unwrap_or(value).trim();
        found.insert(name.to_owned(), unescaped(value));
    }
    Ok(found)
}

/// Returns a value with what its backslashes mean.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    text
}

/// Returns an option of a login module, as in `….PlainLoginModule required username="alice" password="…";`.
pub(super) fn jaas_option(jaas: &str, option: &str) -> Option<String> {
    let mut rest = jaas;
    loop {
        let (before, value) = rest.split_once('=')?;
        let name = before.trim_end().rsplit(char::is_whitespace).next()?;
        let value = value.trim_start();
        let (found, after) = match value.strip_prefix('"') {
            None => value.split_at(value.find([' ', ';', '\n']).unwrap_or(value.len())),
            Some(quoted) => {
                quoted.split_at(quoted.match_indices('"').find(|(at, _)| !quoted[..*at].ends_with('\\'))?.0)
            }
        };
        if name == option {
            return Some(found.replace("\\\"", "\""));
        }
        rest = after.strip_prefix('"').unwrap_or(after);
    }
}
