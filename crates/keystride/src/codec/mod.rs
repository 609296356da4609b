//! A design's key codec: rows to keys, keys back to fields.
//!
//! [`KeyCodec`] holds the design; [`KeyEncoder`] encodes row after row into the caller's buffer without an allocation;
//! [`KeyCodec::decode`] reads a key back, or says exactly where it stops being one; [`KeyCodec::describe`] tells its
//! parts apart for people. [`Design::encode_cell`] and [`Design::decode_cell`] do the same for the cells of a row, and
//! [`QuickValues`] reads usual ones.

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
use crate::design::{End, Part, PartLayout};
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

/// What every encoder of a design shares.
#[derive(Debug)]
struct CodecPlan {
    design: Design,
    /// The default of each field as a value, in step with the fields.
    defaults: Row,
    /// The parts of the key, in step with the design's.
    ops: Vec<Op>,
    runs: Vec<Run>,
    /// The part whose bucket can be left open.
    open_part: Option<usize>,
    /// The first part whose end nothing tells.
    unmarked: Option<usize>,
    /// The bytes of each part in the key of a row without a value, where no value has them; in step with the parts.
    absences: Vec<Option<Vec<u8>>>,
    /// How usual values of each field part are read back, in step with the parts.
    quick_values: Vec<Option<QuickValues>>,
}

impl KeyCodec {
    /// The codec of `design`.
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

    /// The design.
    pub fn design(&self) -> &Design {
        &self.plan.design
    }

    /// The bytes of the text part at `index` as keys hold them.
    pub(crate) fn text_bytes(&self, index: usize) -> &[u8] {
        match &self.plan.ops[index] {
            Op::Text(text) => text,
            Op::Field(_) | Op::Bucket(_) | Op::Rest(_) => &[],
        }
    }

    /// The bytes of the field part at `index` that say that there is no value, its terminator not included: those of a
    /// default that is no value of the field.
    pub(crate) fn absence(&self, index: usize) -> Option<&[u8]> {
        self.plan.absences[index].as_deref()
    }

    /// An encoder with buffers of its own.
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

/// A design checked its defaults, except those of strings, which may be any text.
fn default_values(design: &Design) -> Row {
    let mut defaults = Row::new(design.fields.len());
    for (index, field) in design.fields.iter().enumerate() {
        let Some(default) = &field.default else { continue };
        if defaults.read(index, &field.kind, default).is_err() {
            defaults.set(index, Value::Text(default));
        }
    }
    defaults
}
