use std::ops::Range;

use super::{KeyCodec, KeyDecodeError};
use crate::design::{Expr, Part};
use crate::value::write_text;

/// One part of a key, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribedPart {
    /// What it is.
    pub kind: PartKind,
    /// Where it lies in the key.
    pub span: Range<usize>,
    /// The value as text, where the key gives it back.
    pub value: Option<String>,
    /// What is done to it, in the design's words; empty for nothing.
    pub note: String,
}

/// What a part of a key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind {
    /// Literal bytes.
    Text,
    /// A field, by name.
    Field(String),
    /// A salt.
    Bucket,
}

impl KeyCodec {
    /// Tells the parts of a key apart.
    ///
    /// # Errors
    ///
    /// [`KeyDecodeError`] where the bytes stop being a key of the design.
    pub fn describe(&self, key: &[u8]) -> Result<Vec<DescribedPart>, KeyDecodeError> {
        let decoded = self.decode(key)?;
        let parts = self.design().parts.iter().zip(decoded.spans);
        Ok(parts.map(|(part, span)| self.describe_part(part, span, &decoded.row)).collect())
    }

    fn describe_part(&self, part: &Part, span: Range<usize>, row: &crate::Row) -> DescribedPart {
        match part {
            Part::Text(_) => DescribedPart { kind: PartKind::Text, span, value: None, note: String::new() },
            Part::Bucket(bucket) => {
                let of: Vec<String> = bucket.of.items().iter().map(|item| self.expr_text(item)).collect();
                let of = if bucket.of.is_rest() { "the rest".to_owned() } else { of.join(", ") };
                let hash = bucket.hash.name();
                let note = if bucket.is_computed() { format!("{hash} of {of}") } else { hash.to_owned() };
                DescribedPart { kind: PartKind::Bucket, span, value: None, note }
            }
            Part::Field(part) => {
                let field = &self.design().fields[part.field];
                let value = row.get(part.field).and_then(|value| {
                    let mut text = Vec::new();
                    write_text(value, &field.kind, &mut text).ok()?;
                    Some(crate::escape::to_shown(&text))
                });
                let kind = PartKind::Field(field.name.clone());
                DescribedPart { kind, span, value, note: part.steps.to_string() }
            }
        }
    }

    fn expr_text(&self, expr: &Expr) -> String {
        expr.to_text(&self.design().fields)
    }
}
