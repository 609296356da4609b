//! The memory of an hour of columns.

use std::sync::Arc;

use keystride_bench::{Bound, Figures, Size};
use keystride_heat::live::Layers;

use crate::{Failure, map};

const MIB: f64 = 1_048_576.0;

/// Measures what an hour of a table with 1,000 regions takes, and 28 days: the layers are full then.
pub(crate) fn add(figures: &mut Figures, size: Size) -> Result<(), Failure> {
    let regions = size.pick(20, 1_000);
    let axis = map::axis(regions, 0)?;
    let mut layers = Layers::new(10_000);
    let mut push = |columns: std::ops::Range<i64>| {
        columns.for_each(|n| drop(layers.push(Arc::new(map::column(n, &axis, regions)))));
        mib(layers.memory_bytes())
    };
    let hour = push(0..360);
    let month = push(360..size.pick(400, 28 * 8_640));
    let limit = mib(Layers::MOST_BYTES);
    figures.add("C4", "MiB, live map of 1,000 regions, after an hour", hour, limit, Bound::AtMost(1.0, 0.5));
    figures.add("C4", "MiB, the same after 28 days", month, limit, Bound::AtMost(1.0, 1.0));
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a few MiB")]
fn mib(bytes: usize) -> f64 {
    bytes as f64 / MIB
}
