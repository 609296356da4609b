//! What is worked out once for a design.

use super::defaulted_design::DefaultedDesign;
use super::ops::{self, Op, Run};
use crate::Design;
use crate::design::End;

/// The data shared by all encoders and decoders of a design.
#[derive(Debug)]
pub(super) struct CodecPlan {
    pub(super) base: DefaultedDesign,
    /// The compiled parts of the key, indexed like the design's parts.
    pub(super) ops: Vec<Op>,
    pub(super) runs: Vec<Run>,
    /// The first part whose end can't be found.
    pub(super) unmarked: Option<usize>,
    /// For each part, its bytes when the value is absent, if no value has these bytes.
    pub(super) absences: Vec<Option<Vec<u8>>>,
}

impl CodecPlan {
    pub(super) fn new(design: Design) -> Self {
        let ops = ops::compile(&design);
        let runs = ops::runs(&design, &ops);
        let unmarked = design.layout.iter().position(|layout| layout.end == End::Unmarked);
        let base = DefaultedDesign::new(design);
        let absences = ops.iter().enumerate().map(|(index, op)| op.absence(&base, index)).collect();
        Self { base, ops, runs, unmarked, absences }
    }
}
