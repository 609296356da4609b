//! Fields that a topic gives itself, beside the bodies of its records.

use bytes::Bytes;
use keystride::design::{Charset, Field, FieldKind};
use keystride::time::Unit;
use keystride::value::ValueError;
use keystride::{Design, Row};

use super::TopicRecord;
use crate::input::{RejectReason, text_of};

/// The fields of a design that hold something of a topic's record besides its body, by the names of their columns:
/// `_partition`, `_offset`, `_timestamp`, `_key` and `_headers.NAME`.
#[derive(Debug, Clone)]
pub struct GivenFields(Vec<(usize, Given)>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Given {
    Partition,
    Offset,
    /// In milliseconds, or as the time that the field is.
    Time,
    Key,
    /// The first header of this name.
    Header(String),
}

impl GivenFields {
    /// Returns those of a design.
    pub fn of(design: &Design) -> Self {
        let given = |field: &Field| Given::of_column(field.column());
        Self(design.source_fields().filter_map(|(index, field)| Some((index, given(field)?))).collect())
    }

    /// Returns the indexes of the fields.
    pub fn indexes(&self) -> Vec<usize> {
        self.0.iter().map(|(index, _)| *index).collect()
    }

    /// Whether the values of a field are the keys of records.
    pub fn is_of_key(&self, field: usize) -> bool {
        self.0.contains(&(field, Given::Key))
    }

    /// Puts what the record has into `row`. On failure, returns the field at fault.
    pub(super) fn put(
        &self,
        design: &Design,
        record: &TopicRecord,
        row: &mut Row,
    ) -> Result<(), (usize, RejectReason)> {
        for (field, given) in &self.0 {
            let put = match given {
                Given::Partition => put_number(design, *field, record.partition.into(), row),
                Given::Offset => put_number(design, *field, record.offset.into(), row),
                Given::Time => match record.time_ms {
                    Some(time_ms) => put_time(design, *field, time_ms, row),
                    None => Ok(()),
                },
                Given::Key => put_bytes(design, *field, record.key.as_ref(), row),
                Given::Header(name) => put_bytes(design, *field, header(record, name), row),
            };
            put.map_err(|reason| (*field, reason))?;
        }
        Ok(())
    }
}

impl Given {
    fn of_column(column: &str) -> Option<Self> {
        Some(match column {
            "_partition" => Self::Partition,
            "_offset" => Self::Offset,
            "_timestamp" => Self::Time,
            "_key" => Self::Key,
            _ => Self::Header(column.strip_prefix("_headers.").filter(|name| !name.is_empty())?.to_owned()),
        })
    }
}

fn header<'r>(record: &'r TopicRecord, name: &str) -> Option<&'r Bytes> {
    record.headers.iter().find(|(found, _)| found == name).and_then(|(_, value)| value.as_ref())
}

fn put_number(design: &Design, field: usize, number: i128, row: &mut Row) -> Result<(), RejectReason> {
    match design.fields()[field].kind {
        FieldKind::Int(_) => design.set_number(row, field, number)?,
        _ => design.read_value(row, field, &number.to_string())?,
    }
    Ok(())
}

fn put_time(design: &Design, field: usize, time_ms: i64, row: &mut Row) -> Result<(), RejectReason> {
    let Some(time) = design.fields()[field].time() else {
        return put_number(design, field, time_ms.into(), row);
    };
    let nanos = i128::from(time_ms) * Unit::Ms.nanos();
    let time_error = |cause| ValueError::Time { found: time_ms.to_string(), cause };
    let number = time.number_of_nanos(nanos).map_err(time_error)?;
    Ok(design.set_number(row, field, number)?)
}

/// Puts bytes as they are into a field of bytes, and reads them as text for any other.
fn put_bytes(
    design: &Design,
    field: usize,
    bytes: Option<&Bytes>,
    row: &mut Row,
) -> Result<(), RejectReason> {
    let Some(bytes) = bytes else { return Ok(()) };
    let charset = match &design.fields()[field].kind {
        FieldKind::Bytes { len, .. } => return Ok(design.set_bytes(row, field, bytes, *len)?),
        FieldKind::String(kind) => kind.charset,
        _ => Charset::Utf8,
    };
    let mut scratch = String::new();
    let text = text_of(bytes, charset, &mut scratch);
    let text = text.ok_or(RejectReason::NotText { charset: charset.name() })?;
    Ok(design.read_value(row, field, text)?)
}
