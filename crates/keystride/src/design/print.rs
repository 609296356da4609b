//! Prints a tree of words and values as TOML or JSON.

use std::collections::BTreeMap;

use crate::escape;

/// A value to be written to a design file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doc {
    Bool(bool),
    Int(i128),
    Number(f64),
    Text(String),
    /// The bytes of keys and split points.
    Bytes(Vec<u8>),
    List(Vec<Doc>),
    Table(Vec<(String, Doc)>),
}

pub(super) fn int(value: i128) -> Doc {
    Doc::Int(value)
}

pub(super) fn number(value: f64) -> Doc {
    Doc::Number(value)
}

pub(super) fn text(value: &str) -> Doc {
    Doc::Text(value.to_owned())
}

pub(super) fn bytes(value: &[u8]) -> Doc {
    Doc::Bytes(value.to_vec())
}

pub(super) fn list(items: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::List(items.into_iter().collect())
}

pub(super) fn table(words: Vec<(&'static str, Doc)>) -> Doc {
    Doc::Table(words.into_iter().map(|(word, value)| (word.to_owned(), value)).collect())
}

impl Doc {
    /// Prints top-level tables under headings, and the tables in them on one line each.
    pub(super) fn to_toml(&self) -> String {
        let Self::Table(words) = self else { return String::new() };
        let mut out = String::new();
        for (word, value) in words {
            match value {
                Self::Table(inner) if word == "access" => {
                    for (name, access) in inner {
                        heading(&mut out, &format!("access.{}", toml_key(name)), access);
                    }
                }
                Self::Table(_) => heading(&mut out, word, value),
                _ => out.push_str(&format!("{word} = {}\n", value.inline())),
            }
        }
        out
    }

    pub(super) fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(value) => serde_json::Number::from_i128(*value).map_or(Value::Null, Value::Number),
            Self::Number(value) => serde_json::Number::from_f64(*value).map_or(Value::Null, Value::Number),
            Self::Text(text) => Value::String(text.clone()),
            Self::Bytes(bytes) => Value::String(escape::to_escaped(bytes)),
            Self::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Self::Table(words) => {
                Value::Object(words.iter().map(|(word, v)| (word.clone(), v.to_json())).collect())
            }
        }
    }

    /// Returns every leaf by its path; an empty table is one, too.
    pub(super) fn flatten(&self) -> BTreeMap<String, String> {
        let mut leaves = BTreeMap::new();
        self.flatten_into(String::new(), &mut leaves);
        leaves
    }

    fn flatten_into(&self, path: String, leaves: &mut BTreeMap<String, String>) {
        match self {
            Self::Table(words) if !words.is_empty() => {
                for (word, value) in words {
                    value.flatten_into(super::reader::join(&path, word), leaves);
                }
            }
            Self::List(items) if items.iter().any(|item| matches!(item, Self::Table(_))) => {
                for (index, item) in items.iter().enumerate() {
                    item.flatten_into(format!("{path}[{index}]"), leaves);
                }
            }
            leaf => {
                leaves.insert(path, leaf.inline());
            }
        }
    }

    fn inline(&self) -> String {
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            // Without an exponent, TOML would read a whole number, and one beyond its limits.
            Self::Number(value) if value.abs() >= 1e15 => format!("{value:e}"),
            Self::Number(value) => value.to_string(),
            Self::Text(text) => quoted(text),
            Self::Bytes(bytes) => byte_text(bytes),
            Self::List(items) => {
                format!("[{}]", items.iter().map(Self::inline).collect::<Vec<_>>().join(", "))
            }
            Self::Table(words) if words.is_empty() => "{}".to_owned(),
            Self::Table(words) => {
                let words =
                    words.iter().map(|(word, value)| format!("{} = {}", toml_key(word), value.inline()));
                format!("{{ {} }}", words.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

fn heading(out: &mut String, name: &str, value: &Doc) {
    let Doc::Table(words) = value else { return };
    out.push_str(&format!("\n[{name}]\n"));
    for (word, value) in words {
        match value {
            Doc::List(items) if items.iter().any(|item| matches!(item, Doc::Table(_))) => {
                out.push_str(&format!("{} = [\n", toml_key(word)));
                for item in items {
                    out.push_str(&format!("  {},\n", item.inline()));
                }
                out.push_str("]\n");
            }
            _ => out.push_str(&format!("{} = {}\n", toml_key(word), value.inline())),
        }
    }
}

/// Returns a key of TOML, in quotes if it needs them.
pub fn toml_key(word: &str) -> String {
    let bare = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { word.to_owned() } else { quoted(word) }
}

/// Returns a text of TOML, in quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            control if control.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(control))),
            plain => out.push(plain),
        }
    }
    out.push('"');
    out
}

/// Returns printable ASCII in double quotes, and anything else escaped in single quotes, where a quote becomes `\x27`,
/// as a literal text can't contain one.
pub fn byte_text(bytes: &[u8]) -> String {
    let plain = bytes.iter().all(|byte| (b' '..=b'~').contains(byte) && !matches!(byte, b'\\' | b'"'));
    match std::str::from_utf8(bytes) {
        Ok(text) if plain => format!("\"{text}\""),
        _ => format!("'{}'", escape::to_escaped(bytes).replace('\'', "\\x27")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_plain_text_stand_in_single_quotes() {
        assert_eq!(byte_text(b"a|"), "\"a|\"");
        assert_eq!(byte_text(b"\x00'"), r"'\x00\x27'");
    }

    #[test]
    fn keys_and_texts_are_quoted_as_toml_reads_them() {
        for (word, key) in [
            ("a_b-9", "a_b-9"),
            ("a b", "\"a b\""),
            ("", "\"\""),
            ("é", "\"é\""),
            ("a\"\\\n", r#""a\"\\\u000A""#),
        ] {
            assert_eq!(toml_key(word), key);
        }
    }

    #[test]
    fn numbers_are_written_as_short_as_they_read_back() {
        for (value, written) in [
            (8.0, "8"),
            (0.25, "0.25"),
            (1e14, "100000000000000"),
            (1e39, "1e39"),
            (2.5e300, "2.5e300"),
            (1e-7, "0.0000001"),
        ] {
            assert_eq!(number(value).inline(), written);
        }
    }
}
