//! What a screen shows of columns: at most so many rows, a code and flags for each row and column.

mod document;
mod fill;
mod lens;
mod merge;
mod mode;
mod rows;
mod scale;

use std::sync::Arc;

use super::{Axis, Column, Metric};
use fill::{Fill, Filled};
use lens::Lenses;

pub(super) use document::to_hex;
pub use document::{BlockDocument, ViewDocument};
pub use mode::{BucketRange, Mode, Sizes};
pub use rows::Rows;
pub use scale::Scale;

/// The rows of a view if nothing else is asked for.
pub const DEFAULT_ROWS: usize = 1_000;

/// Flag of a row whose first keys are in a region that the row above shows too.
pub const CONTINUES: u8 = 4;

/// What a [`View`] is to show.
#[derive(Debug, Clone, Copy)]
pub struct ViewRequest<'a> {
    /// Of what.
    pub metric: Metric,
    /// How.
    pub mode: Mode<'a>,
    /// Which rows.
    pub rows: Rows<'a>,
    /// The most rows, at least 1; [`DEFAULT_ROWS`] suit a screen.
    pub most_rows: usize,
    /// Keys that no row crosses where there are too many for one each, such as where buckets begin; ascending. If
    /// there are more than a quarter of the rows, they are not kept.
    pub borders: &'a [Vec<u8>],
}

/// The map of some columns: a code for each row and column, as [`code_of`](super::code_of) makes it, and flags.
///
/// Rows are cells of keys. A row in a column shows the rate of the region that has the row's keys, whole: a region
/// is not divided among its rows, but all of them after the first are flagged [`CONTINUES`]. Of several regions it
/// shows the highest rate; [`Cells::under`](super::Cells::under) tells the sum and how many there are. Where nothing is known, the code is 0 and the flag
/// [`UNKNOWN`](super::UNKNOWN).
///
/// ```
/// # use std::sync::Arc;
/// # use keystride_heat::live::{Axis, Cell, Cells, Column, Metric, rate_of};
/// # use keystride_heat::live::view::{CONTINUES, Mode, Rows, View, ViewRequest};
/// # let column = |t0_ms, bounds: &[&str], rates: &[f64]| {
/// #     let cells: Vec<_> = rates.iter().map(|&rate| Cell::known([0.0, rate, 0.0], 0)).collect();
/// #     let axis = Axis::new(bounds).expect("they ascend");
/// #     let cells = Some(Cells::new(axis, [true, true, false], &cells));
/// #     Arc::new(Column { t0_ms, t1_ms: t0_ms + 10_000, cells })
/// # };
/// // A region from `g` on, which is split at `p`.
/// let columns = [column(0, &["g"], &[1.0, 80.0]), column(10_000, &["g", "p"], &[1.0, 20.0, 60.0])];
/// let view = View::of(&columns, &ViewRequest::new(Metric::RowsWritten));
/// let rates: Vec<_> = (0..2).map(|column| view.codes_of(column).iter().map(|&code| rate_of(code).round())
///     .collect::<Vec<_>>()).collect();
/// assert_eq!(rates, [[1.0, 80.0, 80.0], [1.0, 20.0, 60.0]]);
/// assert_eq!((view.flags_of(0)[2], view.flags_of(1)[2]), (CONTINUES, 0));
/// ```
#[derive(Debug, Clone)]
pub struct View {
    metric: Metric,
    mode: &'static str,
    rows: Axis,
    columns: Vec<ViewColumn>,
    filled: Filled,
    scale: Scale,
}

/// A column of a [`View`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewColumn {
    /// When it begins, in ms since 1970-01-01 UTC.
    pub t0_ms: i64,
    /// When it ends.
    pub t1_ms: i64,
    /// Whether nothing is known of it.
    pub is_gap: bool,
}

impl ViewRequest<'_> {
    /// Asks for a metric of regions, with [`DEFAULT_ROWS`] chosen anew.
    pub fn new(metric: Metric) -> Self {
        Self { metric, mode: Mode::Region, rows: Rows::Anew, most_rows: DEFAULT_ROWS, borders: &[] }
    }
}

impl View {
    /// Makes the map of columns, which must be in the order of time.
    pub fn of(columns: &[Arc<Column>], request: &ViewRequest<'_>) -> Self {
        let fill = Fill { columns, metric: request.metric, mode: request.mode };
        let rows = rows::choose(&fill, request);
        let mut lenses = Lenses::new(&rows, request.mode);
        let filled = fill.filled(&mut lenses);
        let scale = Scale::of(&fill, &filled);
        let column = |column: &Arc<Column>| ViewColumn {
            t0_ms: column.t0_ms,
            t1_ms: column.t1_ms,
            is_gap: column.cells.is_none(),
        };
        let (metric, mode) = (request.metric, request.mode.name());
        Self { metric, mode, columns: columns.iter().map(column).collect(), rows, filled, scale }
    }

    /// Returns the rows' boundaries; of a folded map, without their buckets.
    pub fn rows(&self) -> &Axis {
        &self.rows
    }

    /// Returns the columns, in the order of time.
    pub fn columns(&self) -> &[ViewColumn] {
        &self.columns
    }

    /// Returns the codes of a column, from the first row on.
    ///
    /// # Panics
    ///
    /// If there is no such column.
    pub fn codes_of(&self, column: usize) -> &[u16] {
        of_column(&self.filled.codes, column, &self.rows)
    }

    /// Returns the flags of a column, from the first row on.
    ///
    /// # Panics
    ///
    /// If there is no such column.
    pub fn flags_of(&self, column: usize) -> &[u8] {
        of_column(&self.filled.flags, column, &self.rows)
    }

    /// Returns the servers of a column, of the region that each row shows; `None` if they were not asked for.
    ///
    /// # Panics
    ///
    /// If there is no such column.
    pub fn servers_of(&self, column: usize) -> Option<&[u16]> {
        self.filled.servers.as_ref().map(|servers| of_column(servers, column, &self.rows))
    }

    /// Returns what colours are relative to.
    pub fn scale(&self) -> Scale {
        self.scale
    }
}

fn of_column<'a, T>(cells: &'a [T], column: usize, rows: &Axis) -> &'a [T] {
    &cells[column * rows.cell_count()..][..rows.cell_count()]
}

#[cfg(test)]
mod tests;
