//! Rows as lines of CSV or JSON, in the texts that a load reads.

use arrow_array::RecordBatch;
use keystride::design::{Field, TimeStyle};
use keystride::{Design, Value};

use super::ExtractError;
use crate::arrow::value_at;
use crate::input::{Dialect, Format, InputError, InputOptions};

/// How the rows of an extract are written as text.
#[derive(Debug)]
pub(super) struct TextForm {
    fields: Vec<Field>,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// The dialect of the design, and the text for null; `None` if the design has none.
    Csv(Dialect, Option<String>),
    /// The beginning of each value: its name in JSON, with a colon.
    Json(Vec<String>),
}

/// Whole numbers up to this magnitude are exact in all readers of JSON, of which many take numbers for floats.
pub const MOST_EXACT_IN_JSON: u64 = 1 << 53;

impl TextForm {
    /// Returns the form of a format; `None` for Parquet, which is no text.
    pub(super) fn of(format: Format, design: &Design, fields: &[usize]) -> Result<Option<Self>, InputError> {
        let fields: Vec<Field> = fields.iter().map(|&field| design.fields()[field].clone()).collect();
        let form = match format {
            Format::Parquet => return Ok(None),
            Format::Csv => {
                let (input, nulls) = (design.input(), &design.input().null);
                let null = nulls.iter().find(|null| null.is_empty()).or(nulls.first());
                Form::Csv(Dialect::of("extract.csv", input, InputOptions::default())?, null.cloned())
            }
            Format::JsonLines => {
                let name = |field: &Field| format!("{}:", serde_json::Value::from(field.name.as_str()));
                Form::Json(fields.iter().map(name).collect())
            }
        };
        Ok(Some(Self { fields, form }))
    }

    /// Appends the line of the columns' names. Returns whether there is one.
    pub(super) fn write_header(&self, line: &mut Vec<u8>) -> Result<bool, ExtractError> {
        let Form::Csv(dialect, _) = &self.form else { return Ok(false) };
        for (column, field) in self.fields.iter().enumerate() {
            if column > 0 {
                dialect.write_delimiter(line);
            }
            if !dialect.write_field(&field.name, line) {
                return Err(ExtractError::NotCsv { field: field.name.clone() });
            }
        }
        Ok(true)
    }

    /// Appends a row.
    pub(super) fn write_row(
        &self,
        rows: &RecordBatch,
        row: usize,
        line: &mut Vec<u8>,
    ) -> Result<(), ExtractError> {
        let values = self.fields.iter().zip(rows.columns());
        let values = values.map(|(field, column)| (field, value_at(column, field, row)));
        match &self.form {
            Form::Csv(dialect, null) => write_csv(*dialect, null.as_deref(), values, line),
            Form::Json(names) => write_json(names, values, line),
        }
    }
}

fn write_csv<'a>(
    dialect: Dialect,
    null: Option<&str>,
    values: impl Iterator<Item = (&'a Field, Option<Value<'a>>)>,
    line: &mut Vec<u8>,
) -> Result<(), ExtractError> {
    let mut is_first = true;
    for (field, value) in values {
        if !std::mem::take(&mut is_first) {
            dialect.write_delimiter(line);
        }
        let is_written = match value {
            None => null.is_some_and(|null| dialect.write_null(null, line)),
            Some(Value::Text(text)) => dialect.write_field(text, line),
            Some(value) => dialect.write_field(&text_of(field, value)?, line),
        };
        if !is_written {
            return Err(ExtractError::NotCsv { field: field.name.clone() });
        }
    }
    if line.is_empty() && !is_first && !dialect.write_empty_record(line) {
        return Err(ExtractError::EmptyLine);
    }
    Ok(())
}

fn write_json<'a>(
    names: &[String],
    values: impl Iterator<Item = (&'a Field, Option<Value<'a>>)>,
    line: &mut Vec<u8>,
) -> Result<(), ExtractError> {
    line.push(b'{');
    for (column, (name, (field, value))) in names.iter().zip(values).enumerate() {
        if column > 0 {
            line.push(b',');
        }
        line.extend_from_slice(name.as_bytes());
        match value {
            None => line.extend_from_slice(b"null"),
            Some(Value::Text(text)) => write_json_text(text, line),
            Some(value) if is_json(field, value) => {
                line.extend_from_slice(text_of(field, value)?.as_bytes());
            }
            Some(value) => write_json_text(&text_of(field, value)?, line),
        }
    }
    line.push(b'}');
    Ok(())
}

/// Whether the text of a value is a value of JSON that all readers take for the same. A zero below zero is none: many take
/// it for a whole number.
fn is_json(field: &Field, value: Value<'_>) -> bool {
    let is_usual = |number: f64| number.is_finite() && !(number == 0.0 && number.is_sign_negative());
    match value {
        Value::Bool(_) => true,
        Value::Int(number) => field.time().is_none() && number.unsigned_abs() <= MOST_EXACT_IN_JSON.into(),
        Value::F32(number) => is_usual(number.into()),
        Value::F64(number) => is_usual(number),
        Value::Text(_) | Value::Bytes(_) | Value::Uuid(_) => false,
    }
}

fn write_json_text(text: &str, line: &mut Vec<u8>) {
    serde_json::to_writer(line, text).expect("a text can be written to memory");
}

/// Returns the text that a load reads as this value.
fn text_of(field: &Field, value: Value<'_>) -> Result<String, ExtractError> {
    let text = TimeStyle::Source.text_of(field, value);
    text.ok_or_else(|| ExtractError::NoText { field: field.name.clone() })
}
