//! A column of a Phoenix primary key, and the fields of a design that hold it.

use serde_json::Value;

use crate::phoenix_bytes::encoder;
use crate::tally::to_hex;

/// A column of a primary key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column<'a> {
    pub(crate) kind: &'a str,
    pub(crate) descending: bool,
    pub(crate) nullable: bool,
}

/// A field that holds a column or a half of it, and the type of Phoenix that has the same bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    /// The field's type in a design.
    pub(crate) kind: &'static str,
    /// What its part of the key says behind the field.
    pub(crate) encoding: &'static str,
    pub(crate) sql: &'static str,
}

const PHOENIX: &str = ", as = \"phoenix\"";
/// Phoenix's unsigned times are `Bytes.toBytes` of a long.
const BE: &str = ", as = \"be\"";
const TIME: Held = held("type = \"time\", unit = \"ms\"", PHOENIX, "DATE");
const UNSIGNED_TIME: Held = held("type = \"time\", unit = \"ms\", min = 0", BE, "UNSIGNED_DATE");
/// The nanoseconds of a TIMESTAMP that are no whole milliseconds stand behind these.
const NANOS: Held = held("type = \"u32\"", PHOENIX, "UNSIGNED_INT");

const fn held(kind: &'static str, encoding: &'static str, sql: &'static str) -> Held {
    Held { kind, encoding, sql }
}

impl<'a> Column<'a> {
    pub(crate) fn of(column: &'a Value) -> Self {
        let word = |index: usize| column[index].as_str();
        Self {
            kind: word(0).expect("a type"),
            descending: word(1) == Some("DESC"),
            nullable: word(2) == Some("null"),
        }
    }

    /// Phoenix ends such a value with a separator, unless it stands last and ascends.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self.kind, "VARCHAR" | "VARBINARY")
    }

    pub(crate) fn is_text(&self) -> bool {
        self.kind == "VARCHAR"
    }

    /// The only column of a key has a value, whatever is declared.
    pub(crate) fn may_be_null(&self, columns: usize) -> bool {
        self.nullable && (self.is_variable() || columns > 1)
    }

    /// The fields that hold the column; the reason when there are none.
    pub(crate) fn held(&self) -> Result<Vec<Held>, &'static str> {
        Ok(vec![match self.kind {
            "INTEGER" => held("type = \"i32\"", PHOENIX, "INTEGER"),
            "BIGINT" => held("type = \"i64\"", PHOENIX, "BIGINT"),
            "UNSIGNED_INT" => held("type = \"u32\"", PHOENIX, "UNSIGNED_INT"),
            "UNSIGNED_LONG" => held("type = \"u64\"", PHOENIX, "UNSIGNED_LONG"),
            "FLOAT" => held("type = \"f32\"", PHOENIX, "FLOAT"),
            "DOUBLE" => held("type = \"f64\"", PHOENIX, "DOUBLE"),
            "BOOLEAN" => held("type = \"bool\"", PHOENIX, "BOOLEAN"),
            "DATE" | "TIME" => TIME,
            "UNSIGNED_DATE" | "UNSIGNED_TIME" => UNSIGNED_TIME,
            "TIMESTAMP" => return Ok(vec![TIME, NANOS]),
            "UNSIGNED_TIMESTAMP" => return Ok(vec![UNSIGNED_TIME, NANOS]),
            "VARCHAR" => held("type = \"string\"", PHOENIX, "VARCHAR"),
            "VARBINARY" => held("type = \"bytes\", input = \"hex\"", PHOENIX, "VARBINARY"),
            "TINYINT" | "UNSIGNED_TINYINT" => {
                held("type = \"bytes\", input = \"hex\", len = 1", "", "BINARY(1)")
            }
            "SMALLINT" | "UNSIGNED_SMALLINT" => {
                held("type = \"bytes\", input = \"hex\", len = 2", "", "BINARY(2)")
            }
            "CHAR" | "BINARY" | "UNSIGNED_FLOAT" => {
                held("type = \"bytes\", input = \"hex\", len = 4", "", "BINARY(4)")
            }
            "UNSIGNED_DOUBLE" => held("type = \"bytes\", input = \"hex\", len = 8", "", "BINARY(8)"),
            "DECIMAL" => return Err("DECIMAL: a design has no decimals"),
            _ => return Err("a type that neither a field nor an encoder has"),
        }])
    }

    /// A value as the texts of its fields; an empty one is no value.
    pub(crate) fn texts(&self, value: &str) -> Result<Vec<String>, String> {
        match (encoder(self.kind), self.kind) {
            (_, "TIMESTAMP" | "UNSIGNED_TIMESTAMP") => {
                let (ms, nanos) = value.split_once('+').unwrap_or((value, value));
                Ok(vec![ms.to_owned(), nanos.to_owned()])
            }
            (Some(encode), _) if !value.is_empty() => Ok(vec![to_hex(&encode(value)?)]),
            _ => Ok(vec![value.to_owned()]),
        }
    }

    /// Values at both ends of the type and one between, null among them where it is allowed.
    pub(crate) fn samples(&self) -> Vec<Option<&'static str>> {
        let values: &[&str] = match self.kind {
            "TINYINT" => &["-128", "5", "127"],
            "SMALLINT" => &["-32768", "5", "32767"],
            "INTEGER" => &["-2147483648", "5", "2147483647"],
            "BIGINT" | "DATE" | "TIME" => &["-9223372036854775808", "5", "9223372036854775807"],
            "UNSIGNED_TINYINT" => &["0", "5", "127"],
            "UNSIGNED_SMALLINT" => &["0", "5", "32767"],
            "UNSIGNED_INT" => &["0", "5", "2147483647"],
            "UNSIGNED_LONG" | "UNSIGNED_DATE" | "UNSIGNED_TIME" => &["0", "5", "9223372036854775807"],
            "TIMESTAMP" => &["-9223372036854775808+0", "5+5", "9223372036854775807+999999"],
            "UNSIGNED_TIMESTAMP" => &["0+0", "5+5", "9223372036854775807+999999"],
            "FLOAT" | "DOUBLE" => &["-inf", "0", "inf"],
            "UNSIGNED_FLOAT" | "UNSIGNED_DOUBLE" => &["0", "5", "inf"],
            "BOOLEAN" => &["false", "true"],
            "VARCHAR" => &["\u{1}", "a", "\u{10ffff}"],
            "CHAR" => &["\u{1}", "a", "~~~~"],
            "BINARY" => &["00000000", "61626364", "ffffffff"],
            _ => &["00", "61", "ffff"],
        };
        let values = values.iter().copied().map(Some);
        values.chain(self.nullable.then_some(None)).collect()
    }
}
