//! Keys by their names, as pages see them in `KeyboardEvent.key`.

use serde_json::{Value, json};

use crate::BrowserError;

/// Keys that are no character, and `WebDriver`'s codes for them.
const NAMED: [(&str, char); 27] = [
    ("ArrowDown", '\u{e015}'),
    ("ArrowLeft", '\u{e012}'),
    ("ArrowRight", '\u{e014}'),
    ("ArrowUp", '\u{e013}'),
    ("Backspace", '\u{e003}'),
    ("Delete", '\u{e017}'),
    ("End", '\u{e010}'),
    ("Enter", '\u{e006}'),
    ("Escape", '\u{e00c}'),
    ("F1", '\u{e031}'),
    ("F2", '\u{e032}'),
    ("F3", '\u{e033}'),
    ("F4", '\u{e034}'),
    ("F5", '\u{e035}'),
    ("F6", '\u{e036}'),
    ("F7", '\u{e037}'),
    ("F8", '\u{e038}'),
    ("F9", '\u{e039}'),
    ("F10", '\u{e03a}'),
    ("F11", '\u{e03b}'),
    ("F12", '\u{e03c}'),
    ("Home", '\u{e011}'),
    ("Insert", '\u{e016}'),
    ("PageDown", '\u{e00f}'),
    ("PageUp", '\u{e00e}'),
    ("Space", ' '),
    ("Tab", '\u{e004}'),
];
const MODIFIERS: [(&str, char); 4] =
    [("Alt", '\u{e00a}'), ("Control", '\u{e009}'), ("Meta", '\u{e03d}'), ("Shift", '\u{e008}')];

/// What replaces the text of a field: all of it is selected, then overwritten, or deleted for an empty text.
pub(crate) fn replacing(text: &str) -> String {
    const RELEASE: char = '\u{e000}';
    let text = if text.is_empty() { "\u{e017}" } else { text };
    format!("\u{e009}a{RELEASE}{text}")
}

/// The actions that press keys together, such as `Alt+ArrowUp`, and release them.
pub(crate) fn chord(keys: &str) -> Result<Value, BrowserError> {
    let keys = keys_of(keys).ok_or_else(|| BrowserError::NoKey { found: keys.to_owned(), known: known() })?;
    let down = keys.iter().map(|key| json!({"type": "keyDown", "value": key}));
    let up = keys.iter().rev().map(|key| json!({"type": "keyUp", "value": key}));
    Ok(keyboard(down.chain(up)))
}

/// The actions that type a text.
pub(crate) fn typing(text: &str) -> Value {
    keyboard(
        text.chars().flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key}))),
    )
}

fn keyboard(actions: impl Iterator<Item = Value>) -> Value {
    let actions: Vec<Value> = actions.collect();
    json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})
}

/// Modifiers, then the key; nothing where one of them is not known.
fn keys_of(keys: &str) -> Option<Vec<char>> {
    let mut found = Vec::new();
    let mut rest = keys;
    // A lone `+` is a key.
    while let Some((name, after)) = rest.split_once('+').filter(|(name, _)| !name.is_empty()) {
        found.push(code(&MODIFIERS, name)?);
        rest = after;
    }
    let mut characters = rest.chars();
    let key = match (characters.next(), characters.next()) {
        (Some(character), None) => character,
        _ => code(&NAMED, rest)?,
    };
    found.push(key);
    Some(found)
}

fn code(table: &[(&str, char)], name: &str) -> Option<char> {
    table.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
}

fn known() -> String {
    NAMED.map(|(name, _)| name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_characters_or_names_after_modifiers() {
        assert_eq!(keys_of("g"), Some(vec!['g']));
        assert_eq!(keys_of("+"), Some(vec!['+']));
        assert_eq!(keys_of("Control++"), Some(vec!['\u{e009}', '+']));
        assert_eq!(keys_of("Control+Shift+Tab"), Some(vec!['\u{e009}', '\u{e008}', '\u{e004}']));
        for none in ["", "Entr", "Alt+", "Hyper+a", "a+b"] {
            assert_eq!(keys_of(none), None, "{none}");
        }
        let message = chord("Entr").expect_err("is no key").to_string();
        assert!(
            message.starts_with("\"Entr\" is not a key; press one character, or ArrowDown, "),
            "{message}"
        );
    }
}
