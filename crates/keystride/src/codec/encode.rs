use std::sync::Arc;

use super::CodecPlan;
use super::bucket;
use super::error::KeyError;
use super::ops::Op;
use super::quick;
use crate::design::BucketPart;
use crate::key::check_len;
use crate::value::{Row, Value};

/// Encodes rows, one after the other, into the caller's buffer. It allocates nothing once its own buffers have grown.
#[derive(Debug)]
pub struct KeyEncoder {
    plan: Arc<CodecPlan>,
    /// A number for buckets that are not a function of the row.
    supplied: u64,
    scratch: Scratch,
}

/// Buffers used again for every row.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The text of a derived value.
    pub(super) derived: Vec<u8>,
    /// The bytes a bucket is computed from, and where each item ends.
    pub(super) items: Vec<u8>,
    pub(super) ends: Vec<usize>,
    /// A value before its last steps.
    pub(super) value: Vec<u8>,
    /// Where in the key each bucket of the rest stands.
    rest: Vec<(usize, usize)>,
}

impl KeyEncoder {
    pub(super) fn new(plan: Arc<CodecPlan>) -> Self {
        Self { plan, supplied: 0, scratch: Scratch::default() }
    }

    /// The number that `random` and `round-robin` buckets of the next rows are taken from: bucket = number mod count.
    /// The caller draws it or counts it, as this crate knows neither chance nor a counter.
    pub fn supply(&mut self, number: u64) {
        self.supplied = number;
    }

    /// Appends the key of `row` to `out`; on an error `out` is as it was.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when the row can't have a key under this design.
    pub fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        match self.plan.runs.as_slice() {
            [run] if quick::append(&run.quick, row, self.supplied, out) => Ok(()),
            _ => self.encode_runs(row, out),
        }
    }

    /// The bucket of a row under the bucket part at `index` of the design, where it is a function of fields.
    ///
    /// # Errors
    ///
    /// [`KeyError`] as [`KeyEncoder::encode`] has it.
    pub(crate) fn bucket_of(&mut self, part: &BucketPart, row: &Row) -> Result<u32, KeyError> {
        bucket::of_items(&self.plan, part, row, self.supplied, &mut self.scratch)
    }

    /// Appends the bytes of one field part to `out`, its terminator not included.
    pub(crate) fn encode_part(&mut self, index: usize, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let Self { plan, scratch, .. } = self;
        match &plan.ops[index] {
            Op::Field(op) => op.encode(plan, index, row, scratch, out),
            Op::Text(_) | Op::Bucket(_) | Op::Rest(_) => Ok(()),
        }
    }

    /// The same for a value of the part's field.
    pub(crate) fn encode_value(
        &mut self,
        index: usize,
        value: Value<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyError> {
        let Self { plan, scratch, .. } = self;
        match &plan.ops[index] {
            Op::Field(op) => op.encode_value(plan, index, value, &mut scratch.value, out),
            Op::Text(_) | Op::Bucket(_) | Op::Rest(_) => Ok(()),
        }
    }

    /// Encodes a key that the quick forms don't write whole.
    fn encode_runs(&mut self, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let start = out.len();
        let done = self.encode_parts(row, start, out);
        if done.is_err() {
            out.truncate(start);
        }
        done
    }

    fn encode_parts(&mut self, row: &Row, start: usize, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let Self { plan, supplied, scratch } = self;
        scratch.rest.clear();
        // The quick forms of a run that is alone have given up.
        let has_quick = plan.runs.len() > 1;
        for run in &plan.runs {
            if !has_quick || !quick::append(&run.quick, row, *supplied, out) {
                for index in run.parts.clone() {
                    encode_op(plan, index, row, *supplied, scratch, out)?;
                }
            }
        }
        while let Some((index, at)) = scratch.rest.pop() {
            if let Op::Rest(op) = &plan.ops[index] {
                op.write(at, &mut scratch.value, out)?;
            }
        }
        Ok(check_len(out.len() - start)?)
    }
}

/// Appends one part of any form.
fn encode_op(
    plan: &CodecPlan,
    index: usize,
    row: &Row,
    supplied: u64,
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) -> Result<(), KeyError> {
    match &plan.ops[index] {
        Op::Text(text) => out.extend_from_slice(text),
        Op::Field(op) => op.encode(plan, index, row, scratch, out)?,
        Op::Bucket(part) => part.write(bucket::of_items(plan, part, row, supplied, scratch)?, out),
        Op::Rest(op) => {
            scratch.rest.push((index, out.len()));
            op.make_room(out);
        }
    }
    Ok(())
}

/// What a default that is no value of its field looks like in the part at `index`.
pub(super) fn absence(plan: &CodecPlan, index: usize) -> Option<Vec<u8>> {
    let Op::Field(op) = &plan.ops[index] else { return None };
    let field = op.field(&plan.design);
    field.default.as_deref().filter(|default| field.is_absence(default))?;
    let mut bytes = Vec::new();
    let nothing = Row::new(plan.design.fields.len());
    op.encode(plan, index, &nothing, &mut Scratch::default(), &mut bytes).ok()?;
    Some(bytes)
}
