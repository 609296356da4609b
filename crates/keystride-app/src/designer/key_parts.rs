use keystride::KeyCodec;
use keystride::design::TimeStyle;
use serde::Serialize;

use super::EncodedRow;
use crate::key_text::KeyForm;

/// The key of a row, part by part.
#[derive(Debug, Clone, Serialize)]
pub struct KeyPartsDocument {
    /// The key in HBase's escaped form.
    text: Option<String>,
    hex: Option<String>,
    /// Its parts, in the order of the design; empty where they can't be told apart.
    parts: Vec<PartSpan>,
    /// Why the row has no key, or why its parts can't be told apart.
    reason: Option<String>,
}

/// One part of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartSpan {
    /// Where it begins, in bytes.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The field's value, as far as it can be read back.
    pub value: Option<String>,
}

impl KeyPartsDocument {
    /// Describes the key of a row.
    pub fn new(codec: &KeyCodec, row: &EncodedRow, style: &TimeStyle) -> Self {
        let key = match &row.key {
            Ok(key) => key,
            Err(reason) => {
                return Self { text: None, hex: None, parts: Vec::new(), reason: Some(reason.clone()) };
            }
        };
        let described = codec.describe(key).map(|parts| {
            let span = |part: &keystride::codec::DescribedPart| PartSpan {
                from: part.span.start,
                to: part.span.end,
                value: part.value_text(codec.design(), style),
            };
            parts.iter().map(span).collect()
        });
        let reason = described.as_ref().err().map(ToString::to_string);
        Self {
            text: Some(KeyForm::Escaped.write(key)),
            hex: Some(KeyForm::Hex.write(key)),
            parts: described.unwrap_or_default(),
            reason,
        }
    }
}
