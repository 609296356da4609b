//! Reads the tree of a JSON design. Unlike `serde_json::Value`, it refuses a name that an object has twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::raw::{Entry, Kind, Node, Quote};

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let kind = deserializer.deserialize_any(KindVisitor)?;
        Ok(Self { span: 0..0, kind })
    }
}

struct KindVisitor;

impl<'de> Visitor<'de> for KindVisitor {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Kind, E> {
        Ok(Kind::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Kind, E> {
        Ok(Kind::Int(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Kind, E> {
        Ok(Kind::Int(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Kind, E> {
        Ok(Kind::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Kind, E> {
        Ok(Kind::Text(text.to_owned(), Quote::Json))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Kind, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = items.next_element()? {
            nodes.push(node);
        }
        Ok(Kind::Array(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Kind, A::Error> {
        let mut entries: Vec<Entry> = Vec::new();
        while let Some(word) = map.next_key::<String>()? {
            if entries.iter().any(|entry| entry.word == word) {
                return Err(A::Error::custom(format!("\"{word}\" is given twice")));
            }
            entries.push(Entry { word, span: 0..0, value: map.next_value()? });
        }
        Ok(Kind::Table(entries))
    }
}

#[cfg(test)]
mod tests {
    use crate::Design;

    #[test]
    fn a_name_that_an_object_has_twice_is_refused() {
        let json = r#"{"format": 1, "table": {"name": "t", "families": ["f"], "name": "u"},
            "fields": {"v": {"type": "int"}}, "key": {"parts": [{"field": "v"}]}}"#;
        let error = Design::from_json(json).unwrap_err().to_string();
        assert!(error.contains("\"name\" is given twice"), "{error}");
        assert_eq!(Design::from_json(&json.replace(", \"name\": \"u\"", "")).unwrap().table.name, "t");
    }
}
