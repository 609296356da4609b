//! Kinds of values.

use keystride::design::FieldKind;
use keystride::time::{Zone, read_iso8601};

/// What values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::input) enum ValueKind {
    Bool,
    Int,
    Float,
    Decimal,
    Text,
    Bytes,
    Date,
    /// An instant.
    Instant,
    /// A date and time without a time zone.
    LocalTime,
    /// No values: all are null.
    Null,
}

impl ValueKind {
    /// Whether the values can be converted to those of a field.
    pub(in crate::input) fn fits(self, field: &FieldKind) -> bool {
        match field {
            _ if self == Self::Null => true,
            FieldKind::String(_) => !matches!(self, Self::Float | Self::Instant | Self::LocalTime),
            FieldKind::Digits { .. } => {
                matches!(self, Self::Int | Self::Text | Self::Bytes | Self::Decimal | Self::Float)
            }
            FieldKind::Int(_) => matches!(self, Self::Int | Self::Text | Self::Float | Self::Decimal),
            FieldKind::Float(_) => matches!(self, Self::Int | Self::Text | Self::Float | Self::Decimal),
            FieldKind::Bool => matches!(self, Self::Bool | Self::Int | Self::Text),
            FieldKind::Bytes { .. } | FieldKind::Uuid { .. } => matches!(self, Self::Bytes | Self::Text),
            FieldKind::Time(_) => !matches!(self, Self::Bool | Self::Bytes | Self::Decimal),
        }
    }

    /// Whether a text may be that of such a value; true of all texts for what is compared as text in any case.
    pub(in crate::input) fn may_be(self, text: &str) -> bool {
        match self {
            Self::Bool => matches!(text, "true" | "false"),
            Self::Int | Self::Float | Self::Decimal => text.parse::<f64>().is_ok(),
            Self::Date | Self::Instant | Self::LocalTime => {
                read_iso8601(text.as_bytes(), &Zone::utc()).is_ok()
            }
            Self::Bytes | Self::Text | Self::Null => true,
        }
    }

    /// Returns a declaration for the design file of a field that can hold all the values.
    pub(in crate::input) fn suggested(self) -> &'static str {
        match self {
            Self::Bool => r#"type = "bool""#,
            Self::Int => r#"type = "int""#,
            Self::Float => r#"type = "f64""#,
            Self::Bytes => r#"type = "bytes""#,
            Self::Decimal | Self::Text | Self::Date | Self::Null => r#"type = "string""#,
            Self::Instant | Self::LocalTime => r#"type = "time", unit = "ms""#,
        }
    }
}
