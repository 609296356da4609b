//! The codec of a design's keys.

use std::sync::Arc;

use super::encode::KeyEncoder;
use super::ops::Op;
use super::plan::CodecPlan;
use crate::Design;

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
    pub(super) plan: Arc<CodecPlan>,
}

impl KeyCodec {
    /// Creates the codec of `design`.
    pub fn new(design: Design) -> Self {
        Self { plan: Arc::new(CodecPlan::new(design)) }
    }

    /// Returns the design.
    pub fn design(&self) -> &Design {
        &self.plan.base.design
    }

    /// Returns the bytes of the text part at `index` as they are in keys.
    pub fn text_bytes(&self, index: usize) -> &[u8] {
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
