//! A decoded key, for programs.

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::{Map, Value};

use super::decode::DecodedKey;
use crate::design::{Design, TimeStyle};

/// A key in hex, with the fields that it contains as text.
#[derive(Debug, Clone, Serialize)]
pub struct KeyDocument {
    format: u32,
    key: String,
    fields: Map<String, Value>,
    bucket: Option<u32>,
}

impl KeyDocument {
    /// Describes a key of `design` and what was decoded from it.
    pub fn new(design: &Design, key: &[u8], decoded: &DecodedKey, style: &TimeStyle) -> Self {
        let fields = design.fields.iter().enumerate();
        let fields = fields.filter_map(|(index, field)| {
            Some((field.name.clone(), style.text_of(field, decoded.row.get(index)?)?.into()))
        });
        Self { format: 1, key: HEXLOWER.encode(key), fields: fields.collect(), bucket: decoded.bucket }
    }
}
