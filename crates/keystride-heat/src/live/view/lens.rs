//! Which cells of a column each row shows.

use std::ops::Range;

use super::{BucketRange, CONTINUES, Mode};
use crate::live::{Axis, UNKNOWN};

/// The cells of one axis that each row shows: one run of cells per row, or one per row and bucket.
#[derive(Debug)]
pub(super) struct Lens {
    axis: Axis,
    runs_per_row: usize,
    is_plain: bool,
    runs: Vec<Range<usize>>,
    /// [`CONTINUES`] or nothing, by row; [`UNKNOWN`] where a row has no keys.
    pub(super) flags: Vec<u8>,
    /// The size of each cell, if rates are divided by it.
    pub(super) gib: Option<Vec<f64>>,
}

/// The lens of the last axis: neighbouring columns share theirs.
#[derive(Debug)]
pub(super) struct Lenses<'a> {
    rows: &'a Axis,
    mode: Mode<'a>,
    last: Option<Lens>,
}

impl<'a> Lenses<'a> {
    pub(super) fn new(rows: &'a Axis, mode: Mode<'a>) -> Self {
        Self { rows, mode, last: None }
    }

    pub(super) fn rows(&self) -> &'a Axis {
        self.rows
    }

    /// Returns the lens of an axis.
    pub(super) fn of(&mut self, axis: &Axis) -> &Lens {
        let last = self.last.take().filter(|last| last.axis.is_shared_with(axis));
        self.last.insert(last.unwrap_or_else(|| Lens::new(axis, self.rows, self.mode)))
    }
}

impl Lens {
    fn new(axis: &Axis, rows: &Axis, mode: Mode<'_>) -> Self {
        let (runs_per_row, runs) = match mode {
            Mode::Folded(buckets) => (buckets.len(), folded_runs(axis, rows, buckets)),
            _ => (1, axis.spans(rows)),
        };
        let gib = match mode {
            Mode::Density(sizes) => Some(sizes.of(axis)),
            _ => None,
        };
        let is_plain = matches!(mode, Mode::Region | Mode::Server);
        let mut lens = Self { axis: axis.clone(), runs_per_row, is_plain, runs, flags: Vec::new(), gib };
        let nothing = if runs_per_row == 0 { UNKNOWN } else { 0 };
        let flags = |row| nothing | if lens.continues(row) { CONTINUES } else { 0 };
        lens.flags = (0..rows.cell_count()).map(flags).collect();
        lens
    }

    /// Returns the runs of a row.
    pub(super) fn runs(&self, row: usize) -> &[Range<usize>] {
        &self.runs[row * self.runs_per_row..][..self.runs_per_row]
    }

    /// Returns the single run of a row, which is not folded.
    pub(super) fn run(&self, row: usize) -> Range<usize> {
        self.runs[row].clone()
    }

    /// Whether each row has one run, whose codes are shown as they are.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether the regions in which a row begins are those in which the row above ends.
    fn continues(&self, row: usize) -> bool {
        let Some(above) = row.checked_sub(1) else { return false };
        let mut pairs = self.runs(above).iter().zip(self.runs(row));
        self.runs_per_row > 0 && pairs.all(|(above, run)| above.end == run.start + 1)
    }
}

/// Returns the cells of each row and bucket.
fn folded_runs(axis: &Axis, rows: &Axis, buckets: &[BucketRange]) -> Vec<Range<usize>> {
    let of_buckets: Vec<_> = buckets.iter().map(|bucket| bucket_runs(axis, rows, bucket)).collect();
    let row = |row: usize| of_buckets.iter().map(move |runs| runs[row].clone());
    (0..rows.cell_count()).flat_map(row).collect()
}

/// Returns the cells of each row in one bucket.
fn bucket_runs(axis: &Axis, rows: &Axis, bucket: &BucketRange) -> Vec<Range<usize>> {
    let cells = axis.cells_of(&bucket.prefix, bucket.stop.as_deref());
    let is_before = |cell: usize, is_before: &dyn Fn(&[u8]) -> bool| {
        cell < cells.end && bucket.rest(axis.start(cell)).is_some_and(is_before)
    };
    // The next cells that are not yet known to begin before the row, and before its end.
    let (mut first, mut last) = (cells.start + 1, cells.start + 1);
    let run = |row| {
        while is_before(first, &|rest| rest <= rows.start(row)) {
            first += 1;
        }
        let stop = rows.stop(row);
        while last < cells.end && stop.is_none_or(|stop| is_before(last, &|rest| rest < stop)) {
            last += 1;
        }
        first - 1..last.max(first)
    };
    (0..rows.cell_count()).map(run).collect()
}
