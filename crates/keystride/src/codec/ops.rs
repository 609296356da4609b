//! Compiles the parts of a design once, into the operations that an encoder performs for every row.

use std::ops::Range;

use super::bucket;
use super::defaulted_design::DefaultedDesign;
use super::error::KeyError;
use super::field::FieldOp;
use super::prefixes::Prefixes;
use super::quick::{QuickPart, QuickRun};
use crate::design::{BucketInput, BucketPart, Design, End, Part};

/// One part of the key.
#[derive(Debug)]
pub(super) enum Op {
    /// Literal bytes, complemented after a complemented value.
    Text(Vec<u8>),
    Field(FieldOp),
    /// A bucket computed from fields, or from a supplied number.
    Bucket(BucketPart),
    /// A bucket computed from the rest of the key.
    Rest(RestOp),
}

/// A bucket computed from the rest of the key.
#[derive(Debug)]
pub(super) struct RestOp {
    part: BucketPart,
    prefixes: Option<Prefixes>,
}

/// Consecutive parts and their quick forms; a part without a quick form is a run of its own, with none.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) parts: Range<usize>,
    pub(super) quick: QuickRun,
}

impl Op {
    /// Returns the bytes of the part at `index` when the value is absent, see [`FieldOp::absence`].
    pub(super) fn absence(&self, base: &DefaultedDesign, index: usize) -> Option<Vec<u8>> {
        match self {
            Self::Field(op) => op.absence(base, index),
            Self::Text(_) | Self::Bucket(_) | Self::Rest(_) => None,
        }
    }
}

/// Compiles the parts of a design, in order.
pub(super) fn compile(design: &Design) -> Vec<Op> {
    let mut after_inverted = false;
    let mut ops = Vec::with_capacity(design.parts.len());
    for (part, layout) in design.parts.iter().zip(&design.layout) {
        ops.push(match part {
            Part::Text(text) if after_inverted => Op::Text(text.bytes.iter().map(|byte| !byte).collect()),
            Part::Text(text) => Op::Text(text.bytes.clone()),
            Part::Field(part) => Op::Field(FieldOp::of(part, &design.fields[part.field], &layout.end)),
            Part::Bucket(part) if part.of == BucketInput::Rest => Op::Rest(RestOp::of(part)),
            Part::Bucket(part) => Op::Bucket(part.clone()),
        });
        after_inverted =
            matches!(part, Part::Field(field) if field.steps.invert) && matches!(layout.end, End::Before(_));
    }
    ops
}

/// Groups the parts into runs that are as long as possible.
pub(super) fn runs(design: &Design, ops: &[Op]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (index, op) in ops.iter().enumerate() {
        let literal: &[u8] = if let Op::Text(bytes) = op { bytes } else { &[] };
        let quick = QuickPart::of(design, index, literal);
        match (quick, runs.last_mut()) {
            (Some(quick), Some(Run { parts, quick: before })) if !before.is_empty() => {
                parts.end = index + 1;
                before.push(quick);
            }
            (quick, _) => runs.push(Run { parts: index..index + 1, quick: QuickRun::begin(quick) }),
        }
    }
    runs
}

impl RestOp {
    fn of(part: &BucketPart) -> Self {
        let prefixes = Prefixes::of(part);
        Self { part: part.clone(), prefixes }
    }

    /// Appends zeros in place of the bucket if its width is fixed.
    pub(super) fn make_room(&self, out: &mut Vec<u8>) {
        let room = self.room();
        out.extend_from_slice(&[0; 16][..room]);
    }

    /// Writes the bucket at `at`, the offset at which [`make_room`](Self::make_room) was called.
    pub(super) fn write(&self, at: usize, spare: &mut Vec<u8>, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let room = self.room();
        let number = bucket::of_rest(&self.part, &out[at + room..])?;
        if let Some(prefix) = self.prefixes.as_ref().and_then(|prefixes| prefixes.get(number)) {
            write_prefix(prefix, &mut out[at..at + room]);
            return Ok(());
        }
        spare.clear();
        self.part.write(number, spare);
        out.splice(at..at + room, spare.iter().copied());
        Ok(())
    }

    fn room(&self) -> usize {
        if self.part.has_fixed_width() { self.part.width } else { 0 }
    }
}

fn write_prefix(prefix: [u8; 8], place: &mut [u8]) {
    place.iter_mut().zip(prefix).for_each(|(place, byte)| *place = byte);
}
