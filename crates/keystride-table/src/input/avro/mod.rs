//! Bodies in Avro: each is one record in binary, without its schema.
//!
//! [`schema`] reads a schema, [`walk`] goes through a body by it, and [`leaf`] reads its single values. They are read here
//! and not by the crate that reads schemas: that one takes a body that ends early for one with nulls at its end, and a
//! few bytes can make it nest or allocate without end.

mod column;
mod cursor;
mod fault;
mod leaf;
mod schema;
mod walk;

use keystride::{Design, Row};

use self::column::{AvroColumn, Next};
use self::cursor::Cursor;
use super::columns::ColumnMap;
use super::others::Others;
use super::reject::{Fault, RejectReason};
use super::unfit_columns::UnknownColumn;
use super::{InputError, RequiredFields};

pub use fault::AvroFault;
pub(super) use fault::InRegistry;
pub use schema::{AvroSchema, AvroSchemaError};

/// What stands before a body that names its schema in a registry: a zero, and the schema's id.
const HEADER_LEN: usize = 5;

pub(super) struct AvroRecords {
    schema: AvroSchema,
    /// One for each field of the records.
    columns: Vec<AvroColumn>,
    others: Vec<String>,
}

impl AvroRecords {
    /// Creates a reader of messages, which hold all fields but those that are `given`. Fields that the key does not need may
    /// be missing.
    pub(super) fn of_messages(
        name: &str,
        design: &Design,
        given: &[usize],
        schema: AvroSchema,
    ) -> Result<Self, InputError> {
        let names = schema.names().to_vec();
        let map = ColumnMap::of_header(name, names, design, given, RequiredFields::OfKey, None)?;
        refuse_unknown(name, &map, &schema)?;
        let fields = map.names.iter().zip(&map.targets).zip(schema.fields());
        let columns = fields
            .map(|((column, target), node)| AvroColumn::new(name, column, *target, (&schema, node), design));
        let columns = columns.collect::<Result<_, _>>()?;
        Ok(Self { columns, others: map.others, schema })
    }

    pub(super) fn take_other_names(&mut self) -> Vec<String> {
        std::mem::take(&mut self.others)
    }

    /// Reads a body into `row` and `others`.
    pub(super) fn read(
        &mut self,
        body: &[u8],
        design: &Design,
        row: &mut Row,
        others: &mut Others,
    ) -> Result<(), Fault> {
        row.clear();
        let Self { schema, columns, .. } = self;
        let mut body = Cursor::new(record_of(schema, body).map_err(Fault::of_record)?);
        for (column, node) in columns.iter_mut().zip(schema.fields()) {
            let next = column.next(schema, node, &mut body);
            let next = next.map_err(|fault| Fault::of_record(not_of_schema(fault, body.at(), None)))?;
            let put = match next {
                Next::Nothing => Ok(()),
                Next::Nested => Err(RejectReason::Nested),
                Next::Value(leaf, value) => column.put((leaf, value), design, row, others),
            };
            put.map_err(|reason| Fault::of_column(&column.name, reason))?;
        }
        Ok(())
    }
}

/// Returns the part of a body that is exactly one record: what follows the header of a registry if there seems to be one,
/// or else all of it.
fn record_of<'b>(schema: &AvroSchema, body: &'b [u8]) -> Result<&'b [u8], RejectReason> {
    let Some((id, rest)) = without_header(body) else {
        return match schema.check(body) {
            Ok(()) => Ok(body),
            Err(_) if body.is_empty() => Err(RejectReason::Empty),
            Err((fault, at)) => Err(not_of_schema(fault, at, None)),
        };
    };
    let Err((fault, at)) = schema.check(rest) else { return Ok(rest) };
    match schema.check(body) {
        Ok(()) => Ok(body),
        Err(_) => Err(not_of_schema(fault, HEADER_LEN + at, Some(id))),
    }
}

/// Splits the header of a registry off a body, whose ids begin with 1; `None` if there is none.
fn without_header(body: &[u8]) -> Option<(u32, &[u8])> {
    let (header, rest) = body.split_first_chunk::<HEADER_LEN>()?;
    let [0, id @ ..] = *header else { return None };
    let id = u32::from_be_bytes(id);
    (id > 0).then_some((id, rest))
}

fn not_of_schema(fault: AvroFault, at: usize, registry_id: Option<u32>) -> RejectReason {
    RejectReason::NotOfSchema { fault, at, registry_id }
}

/// Rejects schemas with fields that the design does not allow.
fn refuse_unknown(name: &str, map: &ColumnMap, schema: &AvroSchema) -> Result<(), InputError> {
    if map.unknown.is_empty() {
        return Ok(());
    }
    let suggested = |column: usize| {
        let mut leaves = schema.fields()[column].branches().iter().map(|branch| schema.leaf(branch));
        // The kind of what is not null.
        let leaf = leaves.find(|leaf| leaf.is_none_or(|leaf| *leaf != leaf::Leaf::Null));
        Some(leaf.unwrap_or(Some(&leaf::Leaf::Null))?.kind(None).suggested())
    };
    let columns = map
        .unknown
        .iter()
        .map(|&column| UnknownColumn { name: map.names[column].clone(), suggested: suggested(column) });
    Err(InputError::UnknownColumns { name: name.to_owned(), columns: columns.collect() })
}
