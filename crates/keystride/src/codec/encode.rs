//! Encodes rows to keys.

use std::sync::Arc;

use super::bucket;
use super::error::KeyError;
use super::ops::Op;
use super::plan::CodecPlan;
use super::scratch::Scratch;
use crate::design::BucketPart;
use crate::hash::BucketCount;
use crate::key::check_len;
use crate::value::{Row, Value};

/// Encodes one row after another into the caller's buffer; allocates nothing once its own buffers have grown.
#[derive(Debug)]
pub struct KeyEncoder {
    plan: Arc<CodecPlan>,
    /// The number that stands in for buckets that are not a function of the row.
    supplied: u64,
    scratch: Scratch,
}

impl KeyEncoder {
    pub(super) fn new(plan: Arc<CodecPlan>) -> Self {
        Self { plan, supplied: 0, scratch: Scratch::default() }
    }

    /// Sets the number that determines the `random` and `round-robin` buckets of the next rows: bucket = number mod
    /// count. The caller draws it or counts it, as this crate has neither a random number generator nor a counter.
    pub fn supply(&mut self, number: u64) {
        self.supplied = number;
    }

    /// Appends the key of `row` to `out`; on error, `out` is unchanged.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when the row has no key under this design.
    #[inline]
    pub fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        match self.plan.runs.as_slice() {
            [run] if run.quick.append(row, self.supplied, out) => Ok(()),
            _ => self.encode_by_runs(row, out),
        }
    }

    /// Returns the bucket of a row under a bucket part that is a function of fields.
    ///
    /// # Errors
    ///
    /// [`KeyError`], as for [`KeyEncoder::encode`].
    pub(crate) fn bucket_of(&mut self, part: &BucketPart, row: &Row) -> Result<u32, KeyError> {
        bucket::of_items(&self.plan.base, part, row, self.supplied, &mut self.scratch)
    }

    /// Appends the bytes of all parts after the one at `index`: what a bucket of the rest is computed from.
    ///
    /// # Errors
    ///
    /// [`KeyError`], as for [`KeyEncoder::encode`]; what is appended until then remains.
    pub fn encode_after(&mut self, index: usize, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        self.scratch.rest.clear();
        for later in index + 1..self.plan.ops.len() {
            encode_op(&self.plan, later, row, self.supplied, &mut self.scratch, out)?;
        }
        write_rests(&self.plan, &mut self.scratch, out)
    }

    /// Returns the number of buckets over which the row's value is spread; `None` if it is not a hot one.
    pub(crate) fn hot_buckets(&mut self, part: &BucketPart, row: &Row) -> Option<BucketCount> {
        let spread = part.spread.as_ref()?;
        bucket::hot_buckets(&self.plan.base, part, spread, row, &mut self.scratch).ok()?
    }

    /// Appends the bytes of one field part to `out`, without its terminator.
    pub(crate) fn encode_part(&mut self, index: usize, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let Self { plan, scratch, .. } = self;
        match &plan.ops[index] {
            Op::Field(op) => op.encode(&plan.base, index, row, scratch, out),
            Op::Text(_) | Op::Bucket(_) | Op::Rest(_) => Ok(()),
        }
    }

    /// Appends the bytes of the part at `index` for a given value of its field.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when the part does not take the value.
    pub fn encode_value(
        &mut self,
        index: usize,
        value: Value<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyError> {
        let Self { plan, scratch, .. } = self;
        match &plan.ops[index] {
            Op::Field(op) => op.encode_value(&plan.base, index, value, &mut scratch.value, out),
            Op::Text(_) | Op::Bucket(_) | Op::Rest(_) => Ok(()),
        }
    }

    /// Encodes a key that is not a single quick run. Kept out of line so that the code inlined into callers of `encode`
    /// stays small.
    #[inline(never)]
    fn encode_by_runs(&mut self, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let start = out.len();
        let done = self.encode_parts(row, out).and_then(|()| Ok(check_len(out.len() - start)?));
        if done.is_err() {
            out.truncate(start);
        }
        done
    }

    /// Appends all parts.
    fn encode_parts(&mut self, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let Self { plan, supplied, scratch } = self;
        scratch.rest.clear();
        // If there is only one run, its quick form has already been tried and given up.
        let has_quick = plan.runs.len() > 1;
        for run in &plan.runs {
            if !has_quick || !run.quick.append(row, *supplied, out) {
                for index in run.parts.clone() {
                    encode_op(plan, index, row, *supplied, scratch, out)?;
                }
            }
        }
        write_rests(plan, scratch, out)
    }
}

/// Writes the buckets for which room was made, the last one first.
fn write_rests(plan: &CodecPlan, scratch: &mut Scratch, out: &mut Vec<u8>) -> Result<(), KeyError> {
    while let Some((index, at)) = scratch.rest.pop() {
        if let Op::Rest(op) = &plan.ops[index] {
            op.write(at, &mut scratch.value, out)?;
        }
    }
    Ok(())
}

/// Appends one part of any kind.
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
        Op::Field(op) => op.encode(&plan.base, index, row, scratch, out)?,
        Op::Bucket(part) => part.write(bucket::of_items(&plan.base, part, row, supplied, scratch)?, out),
        Op::Rest(op) => {
            scratch.rest.push((index, out.len()));
            op.make_room(out);
        }
    }
    Ok(())
}
