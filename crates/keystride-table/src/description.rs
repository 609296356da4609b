//! A table's description as a document, for programs.

use keystride_store::TableDescription;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::DESIGN_ATTRIBUTE;

/// A table's families with their settings, in HBase's words, and the text of the design that is kept with it.
#[derive(Debug, Clone, Serialize)]
pub struct TableDocument {
    format: u32,
    table: String,
    families: Vec<String>,
    family_attributes: Map<String, Value>,
    design: Option<String>,
}

impl From<&TableDescription> for TableDocument {
    fn from(described: &TableDescription) -> Self {
        let attributes = described.families.iter().map(|family| {
            let attributes = family.attributes().into_iter();
            let attributes = attributes.map(|(name, value)| (name.to_owned(), value.into()));
            (family.name.to_string(), Value::Object(attributes.collect()))
        });
        Self {
            format: 1,
            table: described.name.to_string(),
            families: described.families.iter().map(|family| family.name.to_string()).collect(),
            family_attributes: attributes.collect(),
            design: described.attributes.get(DESIGN_ATTRIBUTE).cloned(),
        }
    }
}
