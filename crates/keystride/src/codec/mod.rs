//! The key codec of a design: rows to keys, and keys back to fields.
//!
//! [`KeyCodec`] holds the design. [`KeyEncoder`] encodes row after row into the caller's buffer without allocating;
//! [`KeyCodec::decode`] reads a key back, or says exactly where it stops being one; [`KeyCodec::describe`] splits a key
//! into its parts for people. [`Design::encode_cell`] and [`Design::decode_cell`] do the same for the cells of a row,
//! and [`QuickValues`] is a fast path for common cell values.

mod bucket;
mod cell;
mod cells;
mod decode;
mod derive;
mod describe;
mod encode;
mod error;
mod field;
mod number;
mod open;
mod ops;
mod prefixes;
mod quick;
mod quick_values;
mod read_value;
mod scratch;
mod transform;
mod write_value;

pub use cell::{CellError, CellFault};
pub use cells::CellEncoder;
pub use decode::DecodedKey;
pub use describe::{DescribedPart, DescribedPrefix, PartKind};
pub use encode::KeyEncoder;
pub use error::{KeyDecodeError, KeyDecodeFault, KeyError, KeyFault};
pub use open::OpenBucket;
pub use quick_values::QuickValues;

pub(crate) use bucket::of_rest as bucket_of_rest;
pub(crate) use decode::part_end;
pub(crate) use derive::apply as apply_function;
pub(crate) use number::write as write_number;
pub(crate) use read_value::read_number_part;

use std::sync::Arc;

use ops::{Op, Run};

use crate::Design;
use crate::design::{End, Field, Part, PartLayout};
use crate::value::{Row, Value};

/// The codec of a design's keys.
///
/// ```
/// # use keystride::{Design, KeyCodec, Row};
/// let design = Design::from_toml(
///     r#"
///     format = 1
///     [table]
///     name = "events"
///     families = ["d"]
///     [fields]
///     user = { type = "digits", len = 4 }
///     ts = { type = "time", unit = "ms" }
///     [key]
///     parts = [ { field = "user", reverse = true }, { field = "ts", desc = "long-max" } ]
///     "#,
/// )?;
/// let codec = KeyCodec::new(design);
/// let mut row = Row::new(2);
/// codec.design().read_value(&mut row, 0, "1234")?;
/// codec.design().read_value(&mut row, 1, "1400657685457")?;
/// let mut key = Vec::new();
/// codec.encoder().encode(&row, &mut key)?;
/// assert_eq!(key, b"43219223370636197090350");
/// assert_eq!(codec.decode(&key)?.row, row);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct KeyCodec {
    plan: Arc<CodecPlan>,
}

/// The data shared by all encoders of a design.
#[derive(Debug)]
struct CodecPlan {
    design: Design,
    /// The default of each field as a value, indexed like the fields.
    defaults: Row,
    /// The compiled parts of the key, indexed like the design's parts.
    ops: Vec<Op>,
    runs: Vec<Run>,
    /// The part whose bucket can be left open.
    open_part: Option<usize>,
    /// The first part whose end can't be found.
    unmarked: Option<usize>,
    /// For each part, its bytes when the value is absent, if no value has these bytes.
    absences: Vec<Option<Vec<u8>>>,
    /// For each part, the fast path that reads common values of its field.
    quick_values: Vec<Option<QuickValues>>,
}

impl KeyCodec {
    /// Creates the codec of `design`.
    pub fn new(design: Design) -> Self {
        let defaults = default_values(&design);
        let ops = ops::compile(&design);
        let runs = ops::runs(&design, &ops);
        let quick_values = quick_values(&design);
        let open_part = ops::open_part(&ops);
        let unmarked = design.layout.iter().position(|layout| layout.end == End::Unmarked);
        let absences = Vec::new();
        let mut plan = CodecPlan { design, defaults, ops, runs, open_part, unmarked, absences, quick_values };
        plan.absences = (0..plan.ops.len()).map(|index| encode::absence(&plan, index)).collect();
        Self { plan: Arc::new(plan) }
    }

    /// Returns the design.
    pub fn design(&self) -> &Design {
        &self.plan.design
    }

    /// Returns the bytes of the text part at `index` as they are in keys.
    pub(crate) fn text_bytes(&self, index: usize) -> &[u8] {
        match &self.plan.ops[index] {
            Op::Text(text) => text,
            Op::Field(_) | Op::Bucket(_) | Op::Rest(_) => &[],
        }
    }

    /// Returns the bytes with which the field part at `index` marks an absent value, without the terminator: those that
    /// a default gives which is not itself a value.
    pub(crate) fn absence(&self, index: usize) -> Option<&[u8]> {
        self.plan.absences[index].as_deref()
    }

    /// Creates an encoder with buffers of its own.
    pub fn encoder(&self) -> KeyEncoder {
        KeyEncoder::new(Arc::clone(&self.plan))
    }
}

fn quick_values(design: &Design) -> Vec<Option<QuickValues>> {
    let parts = design.parts.iter().zip(&design.layout);
    let of_part = |(part, layout): (&Part, &PartLayout)| match part {
        Part::Field(part) if layout.end != End::Unmarked => {
            Some(QuickValues::of_part(part, &design.fields[part.field]))
        }
        _ => None,
    };
    parts.map(of_part).collect()
}

fn default_values(design: &Design) -> Row {
    let mut defaults = Row::new(design.fields.len());
    for (index, field) in design.fields.iter().enumerate() {
        read_default(&mut defaults, index, field);
    }
    defaults
}

/// Puts the default of a field into a slot. It was checked when the design was read, unless the field is a string, whose
/// default may be any text.
pub(crate) fn read_default(row: &mut Row, index: usize, field: &Field) {
    let Some(default) = &field.default else { return };
    if row.read(index, &field.kind, default).is_err() {
        row.set(index, Value::Text(default));
    }
}
