//! A map of many regions, and how long its view takes.

use std::sync::Arc;
use std::time::Instant;

use data_encoding::BASE64;
use keystride_bench::{Bound, Figures, Size};
use keystride_heat::live::view::{BucketRange, Mode, View, ViewRequest};
use keystride_heat::live::{Axis, AxisError, Cell, Cells, Column, Metric};
use serde_json::json;

use crate::{Failure, median};

/// The columns and regions of a large map.
const LARGE: (i64, u16) = (360, 10_000);

/// Measures how long the view of a large map takes.
pub(crate) fn add(figures: &mut Figures, size: Size) -> Result<(), Failure> {
    let buckets: Vec<BucketRange> =
        (b'0'..=b'9').map(|digit| BucketRange { prefix: vec![digit], stop: Some(vec![digit + 1]) }).collect();
    for splits in [0, 35, 359] {
        let columns = columns(size, splits)?;
        let modes = [("region", Mode::Region), ("server", Mode::Server), ("folded", Mode::Folded(&buckets))];
        for (name, mode) in modes {
            let times = (0..size.pick(1, 5)).map(|_| {
                let begun = Instant::now();
                let view = View::of(&columns, &ViewRequest { mode, ..ViewRequest::new(Metric::RowsWritten) });
                let ms = begun.elapsed().as_secs_f64() * 1e3;
                std::hint::black_box(view.block());
                ms
            });
            let what = format!("ms, view of a large map with {splits} splits, {name}");
            figures.add("C0", &what, median(times.collect()), 1.0, Bound::Told);
        }
    }
    Ok(())
}

/// Returns the event of a large map, as the console sends it.
pub(crate) fn event(size: Size) -> Result<String, Failure> {
    let columns = columns(size, 35)?;
    let view = View::of(&columns, &ViewRequest::new(Metric::RowsWritten));
    let labels: Vec<[String; 2]> = (0..view.rows().cell_count())
        .map(|row| {
            let start = String::from_utf8_lossy(view.rows().start(row));
            [start.chars().take(2).collect(), start.chars().skip(2).collect()]
        })
        .collect();
    let block = BASE64.encode(&view.block());
    Ok(json!({ "view": view.document(&[]), "labels": labels, "block": block, "failure": null }).to_string())
}

/// Columns of which so many begin with other boundaries than the one before; the last one ends now.
pub(crate) fn columns(size: Size, splits: i64) -> Result<Vec<Arc<Column>>, AxisError> {
    let (count, regions) = size.pick((40, 200), LARGE);
    let mut axis = axis(regions, 0)?;
    let mut columns = Vec::new();
    for n in 0..count {
        if splits > 0 && n % (count / (splits + 1)).max(1) == 0 {
            axis = self::axis(regions, n)?;
        }
        columns.push(Arc::new(column(n, &axis, regions)));
    }
    Ok(columns)
}

/// A column of 10 s, whose rates differ from region to region and from time to time.
pub(crate) fn column(n: i64, axis: &Axis, regions: u16) -> Column {
    let beat = u32::try_from(n.rem_euclid(97)).unwrap_or_default();
    let rate = |cell: u16| {
        f64::from((u32::from(cell) * 7919 + beat * 131) % 1000) + if cell % 997 == 5 { 5e4 } else { 0.0 }
    };
    let cells: Vec<Cell> = (0..regions)
        .map(|cell| Cell::known([rate(cell) / 3.0, rate(cell), rate(cell) * 200.0], cell % 64))
        .collect();
    let cells = Some(Cells::new(axis.clone(), [true; Metric::COUNT], &cells));
    Column { t0_ms: n * 10_000, t1_ms: (n + 1) * 10_000, cells }
}

/// Boundaries, one of which is another for each `n`.
pub(crate) fn axis(regions: u16, n: i64) -> Result<Axis, AxisError> {
    let user = |bound| if i64::from(bound) == 10 * n { "b" } else { "a" };
    Axis::new((1..regions).map(|bound| format!("{bound:05}-user-{}", user(bound))))
}
