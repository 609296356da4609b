use std::path::Path;

use keystride::design::DesignError;
use keystride::{Design, KeyCodec};
use keystride_advisor::lint::check_silences;
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Table, Value as TomlValue};

use crate::findings::FindingDocument;
use crate::marked_text::without_mark;

/// A text that is to be a design.
#[derive(Debug)]
pub struct Draft {
    /// The text in TOML: one in JSON is converted, if it is a design.
    pub text: String,
    /// The design, if it is one.
    pub codec: Option<KeyCodec>,
    /// What is wrong with it, if it is none.
    pub mistakes: Vec<FindingDocument>,
}

impl Draft {
    /// Reads a text as TOML or, if it begins with a brace, as JSON.
    pub fn read(text: &str) -> Self {
        let text = without_mark(text);
        match read_design(text) {
            Ok(design) => Self {
                text: if is_json(text) { design.to_toml(None) } else { text.to_owned() },
                codec: Some(KeyCodec::new(design)),
                mistakes: Vec::new(),
            },
            Err(error) => {
                let mistakes = FindingDocument::of_mistakes(&error, Path::new("design.toml"), text);
                Self { text: text.to_owned(), codec: None, mistakes }
            }
        }
    }

    /// Returns the words of the file as they are written, whether it is a design or not; `None` if it is no TOML.
    pub fn words(&self) -> Option<Value> {
        let document: DocumentMut = self.text.parse().ok()?;
        Some(json_of(document.as_item()))
    }
}

/// Reads the text of a design as TOML or, if it begins with a brace, as JSON.
///
/// # Errors
///
/// [`DesignError`] with all mistakes.
pub fn read_design(text: &str) -> Result<Design, DesignError> {
    let text = without_mark(text);
    let design = if is_json(text) { Design::from_json(text) } else { Design::from_toml(text) };
    design.and_then(|design| check_silences(&design).map(|()| design))
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

fn json_of(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => json_of_value(value),
        Item::Table(table) => json_of_table(table),
        Item::ArrayOfTables(tables) => tables.iter().map(json_of_table).collect(),
    }
}

fn json_of_table(table: &Table) -> Value {
    table.iter().map(|(word, item)| (word.to_owned(), json_of(item))).collect()
}

fn json_of_value(value: &TomlValue) -> Value {
    match value {
        TomlValue::String(text) => text.value().as_str().into(),
        TomlValue::Integer(number) => (*number.value()).into(),
        TomlValue::Float(number) => (*number.value()).into(),
        TomlValue::Boolean(yes) => (*yes.value()).into(),
        TomlValue::Datetime(time) => time.value().to_string().into(),
        TomlValue::Array(array) => array.iter().map(json_of_value).collect(),
        TomlValue::InlineTable(table) => {
            let object: Map<String, Value> =
                table.iter().map(|(word, value)| (word.to_owned(), json_of_value(value))).collect();
            object.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DESIGN: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                          [key]\nparts = [{ field = \"id\", pad = 4 }, { text = '\\x00' }]\n";

    #[test]
    fn the_words_of_a_text_are_told_although_it_is_no_design() {
        let broken = Draft::read(&DESIGN.replace("pad", "padd"));
        assert!(broken.codec.is_none());
        assert_eq!(broken.mistakes.len(), 1);
        let parts = serde_json::json!([{ "field": "id", "padd": 4 }, { "text": "\\x00" }]);
        assert_eq!(broken.words().unwrap()["key"]["parts"], parts);
        assert_eq!(Draft::read("format = ").words(), None);
    }

    #[test]
    fn a_design_in_json_becomes_toml() {
        let json = Draft::read(DESIGN).codec.unwrap().design().to_json(None).to_string();
        let draft = Draft::read(&json);
        assert!(Design::from_toml(&draft.text).is_ok(), "{}", draft.text);
    }
}
