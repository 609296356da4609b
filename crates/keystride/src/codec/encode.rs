//! Encodes rows to keys.

use std::sync::Arc;

use super::bucket;
use super::error::KeyError;
use super::open::OpenBucket;
use super::ops::Op;
use super::plan::CodecPlan;
use super::scratch::Scratch;
use crate::design::BucketPart;
use crate::hash::{BucketCount, Md5Batch};
use crate::key::check_len;
use crate::value::{Row, Value};

/// Encodes one row after another into the caller's buffer; allocates nothing once its own buffers have grown.
#[derive(Debug)]
pub struct KeyEncoder {
    plan: Arc<CodecPlan>,
    /// The number that stands in for buckets that are not a function of the row.
    supplied: u64,
    scratch: Scratch,
    hashes: Md5Batch,
}

impl KeyEncoder {
    pub(super) fn new(plan: Arc<CodecPlan>) -> Self {
        Self { plan, supplied: 0, scratch: Scratch::default(), hashes: Md5Batch::new() }
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

    /// Whether [`encode_open`](Self::encode_open) leaves a bucket open: it does for a bucket by the MD5 of the rest of
    /// the key, with at most 4,096 buckets of one width.
    pub fn leaves_open(&self) -> bool {
        self.plan.open_part.is_some()
    }

    /// Appends the key of `row` to `out` as [`encode`](Self::encode) does, but may leave its bucket open: zeros are
    /// written in its place until it is [closed](Self::close) together with others, as hashing several keys side by
    /// side is faster.
    ///
    /// ```
    /// # use keystride::{Design, KeyCodec, Row, Value};
    /// let design = Design::from_toml(
    ///     "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"string\" }\n\
    ///      [key]\nparts = [{ bucket = 16, hash = \"md5-hex1\", of = [\"rest\"], width = 3 }, { field = \"id\" }]",
    /// )?;
    /// let mut encoder = KeyCodec::new(design).encoder();
    /// let mut keys = [(Vec::new(), None), (Vec::new(), None)];
    /// for ((key, open), id) in keys.iter_mut().zip(["first", "second"]) {
    ///     let mut row = Row::new(1);
    ///     row.set(0, Value::Text(id));
    ///     *open = encoder.encode_open(&row, key)?;
    /// }
    /// encoder.close(&mut keys, |(key, open)| Some(((*open)?, key)));
    /// let keys = keys.map(|(key, _)| key);
    /// assert_eq!(keys, [b"008first".to_vec(), b"010second".to_vec()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`KeyEncoder::encode`]; `out` is then unchanged.
    pub fn encode_open(&mut self, row: &Row, out: &mut Vec<u8>) -> Result<Option<OpenBucket>, KeyError> {
        match self.plan.open_part {
            Some(part) => self.encode_runs(row, Some(part), out),
            None => self.encode(row, out).map(|()| None),
        }
    }

    /// Fills in the buckets that [`encode_open`](Self::encode_open) left open. `open` returns the open bucket of an
    /// item and the buffer to which the key was appended, or `None` if the item has no open bucket.
    ///
    /// # Panics
    ///
    /// If a buffer is not the one that the key was appended to, and ends before the bucket does.
    pub fn close<T>(&mut self, items: &mut [T], open: impl Fn(&mut T) -> Option<(OpenBucket, &mut [u8])>) {
        if let Some(Op::Rest(op)) = self.plan.open_part.map(|part| &self.plan.ops[part]) {
            super::open::close(op, &mut self.hashes, items, open);
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
        write_rests(&self.plan, None, &mut self.scratch, out).map(|_| ())
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
        self.encode_runs(row, None, out).map(|_| ())
    }

    /// Encodes a key run by run; the bucket of part `but` is left out.
    fn encode_runs(
        &mut self,
        row: &Row,
        but: Option<usize>,
        out: &mut Vec<u8>,
    ) -> Result<Option<OpenBucket>, KeyError> {
        let start = out.len();
        let done = self.encode_parts(row, but, out).and_then(|at| {
            check_len(out.len() - start)?;
            Ok(at)
        });
        if done.is_err() {
            out.truncate(start);
        }
        done.map(|at| at.map(|at| OpenBucket { at }))
    }

    /// Appends all parts; returns the offset of the bucket that is left out.
    fn encode_parts(
        &mut self,
        row: &Row,
        but: Option<usize>,
        out: &mut Vec<u8>,
    ) -> Result<Option<usize>, KeyError> {
        let Self { plan, supplied, scratch, .. } = self;
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
        write_rests(plan, but, scratch, out)
    }
}

/// Writes the buckets for which room was made, the last one first; returns the offset of the one that is left out.
fn write_rests(
    plan: &CodecPlan,
    but: Option<usize>,
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) -> Result<Option<usize>, KeyError> {
    while let Some((index, at)) = scratch.rest.pop() {
        if but == Some(index) {
            return Ok(Some(at));
        }
        if let Op::Rest(op) = &plan.ops[index] {
            op.write(at, &mut scratch.value, out)?;
        }
    }
    Ok(None)
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
