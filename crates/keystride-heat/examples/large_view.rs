//! Prints how long the view of a large table takes: 360 columns of 10,000 regions, on 1,000 rows.
//!
//! `cargo run --release -p keystride-heat --example large_view`

#![expect(clippy::print_stdout, reason = "printing is what it does")]

use std::sync::Arc;
use std::time::Instant;

use keystride_heat::live::view::{BucketRange, Mode, View, ViewRequest};
use keystride_heat::live::{Axis, AxisError, Cell, Cells, Column, Metric};

const REGIONS: u16 = 10_000;
const COLUMNS: i64 = 360;

fn main() -> Result<(), AxisError> {
    let buckets: Vec<BucketRange> =
        (b'0'..=b'9').map(|digit| BucketRange { prefix: vec![digit], stop: Some(vec![digit + 1]) }).collect();
    for splits in [0, 35, 359] {
        let columns = columns(splits)?;
        let modes = [("region", Mode::Region), ("server", Mode::Server), ("folded", Mode::Folded(&buckets))];
        for (name, mode) in modes {
            let begun = begin();
            let view = View::of(&columns, &ViewRequest { mode, ..ViewRequest::new(Metric::RowsWritten) });
            let viewed = begun.elapsed();
            let bytes = view.block().len();
            println!(
                "{splits} splits, {name}: {viewed:?} for {} rows, {bytes} bytes",
                view.rows().cell_count()
            );
        }
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn begin() -> Instant {
    Instant::now()
}

/// Columns of which so many begin with other boundaries than the one before.
fn columns(splits: i64) -> Result<Vec<Arc<Column>>, AxisError> {
    let mut axis = axis(0)?;
    let mut columns = Vec::new();
    for n in 0..COLUMNS {
        if splits > 0 && n % (COLUMNS / (splits + 1)) == 0 {
            axis = self::axis(n)?;
        }
        let rate =
            |cell: u16| f64::from(u32::from(cell) * 7919 % 1000) + if cell % 997 == 5 { 5e4 } else { 0.0 };
        let cells: Vec<Cell> =
            (0..REGIONS).map(|cell| Cell::known([0.0, rate(cell), 0.0], cell % 64)).collect();
        let cells = Some(Cells::new(axis.clone(), [true, true, false], &cells));
        columns.push(Arc::new(Column { t0_ms: n * 10_000, t1_ms: (n + 1) * 10_000, cells }));
    }
    Ok(columns)
}

/// Boundaries, one of which is another for each `n`.
fn axis(n: i64) -> Result<Axis, AxisError> {
    Axis::new(
        (1..REGIONS)
            .map(|bound| format!("{bound:05}-user-{}", if i64::from(bound) == 10 * n { "b" } else { "a" })),
    )
}
