//! The values of rows in columns.

use std::sync::Arc;

use super::Mode;
use super::lens::{Lens, Lenses};
use crate::live::column::joined;
use crate::live::{Cells, Column, Metric, NO_SERVER, UNKNOWN, code_of, rate_of};

/// What is shown of which columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill<'a> {
    pub(super) columns: &'a [Arc<Column>],
    pub(super) metric: Metric,
    pub(super) mode: Mode<'a>,
}

/// The cells of a map, column by column.
#[derive(Debug, Clone)]
pub(super) struct Filled {
    pub(super) codes: Vec<u16>,
    pub(super) flags: Vec<u8>,
    pub(super) servers: Option<Vec<u16>>,
}

impl Fill<'_> {
    pub(super) fn filled(&self, lenses: &mut Lenses<'_>) -> Filled {
        let row_count = lenses.rows().cell_count();
        let cell_count = self.columns.len() * row_count;
        let is_by_server = matches!(self.mode, Mode::Server);
        let mut filled = Filled {
            codes: Vec::with_capacity(cell_count),
            flags: Vec::with_capacity(cell_count),
            servers: is_by_server.then(|| Vec::with_capacity(cell_count)),
        };
        for column in self.columns {
            match self.with_metric(column) {
                Some((cells, codes)) => filled.add(cells, codes, lenses.of(cells.axis()), row_count),
                None => filled.add_unknown(row_count),
            }
        }
        filled
    }

    /// Returns the total of each row over all columns: what it weighs when rows are joined.
    pub(super) fn totals(&self, lenses: &mut Lenses<'_>) -> Vec<f64> {
        let mut totals = vec![0.0; lenses.rows().cell_count()];
        for (cells, codes) in self.columns.iter().filter_map(|column| self.with_metric(column)) {
            let lens = lenses.of(cells.axis());
            totals.iter_mut().enumerate().for_each(|(row, total)| *total += value(codes, lens, row));
        }
        totals
    }

    /// Returns the cells of a column that has the metric, with the codes that are shown.
    fn with_metric<'c>(&self, column: &'c Column) -> Option<(&'c Cells, &'c [u16])> {
        let cells = column.cells.as_ref()?;
        Some((cells, cells.shown(self.metric)?))
    }
}

impl Filled {
    fn add(&mut self, cells: &Cells, codes: &[u16], lens: &Lens, row_count: usize) {
        let is_clean = cells.flags.iter().all(|&flags| flags == 0);
        for row in 0..row_count {
            let flags = lens.flags[row] | if is_clean { 0 } else { flags(&cells.flags, lens, row) };
            self.codes.push(if flags & UNKNOWN == 0 { code(codes, lens, row) } else { 0 });
            self.flags.push(flags);
        }
        if let Some(servers) = &mut self.servers {
            servers.extend((0..row_count).map(|row| server(cells, codes, lens, row)));
        }
    }

    fn add_unknown(&mut self, row_count: usize) {
        self.codes.extend(std::iter::repeat_n(0, row_count));
        self.flags.extend(std::iter::repeat_n(UNKNOWN, row_count));
        if let Some(servers) = &mut self.servers {
            servers.extend(std::iter::repeat_n(NO_SERVER, row_count));
        }
    }
}

/// Returns the code of a row. Most maps need no rate for that: codes ascend with rates.
fn code(codes: &[u16], lens: &Lens, row: usize) -> u16 {
    if lens.is_plain() { highest(codes, lens.run(row)) } else { code_of(value(codes, lens, row)) }
}

/// Returns the value of a row: of each run the highest, and their sum.
fn value(codes: &[u16], lens: &Lens, row: usize) -> f64 {
    if let Some(gib) = &lens.gib {
        return lens.run(row).map(|cell| rate_of(codes[cell]) / gib[cell]).fold(0.0, f64::max);
    }
    let mut last = usize::MAX;
    let mut sum = 0.0;
    for run in lens.runs(row) {
        // A region of several buckets counts once.
        if run.len() > 1 || run.start != last {
            sum += rate_of(highest(codes, run.clone()));
        }
        last = run.end - 1;
    }
    sum
}

fn highest(codes: &[u16], run: std::ops::Range<usize>) -> u16 {
    codes[run].iter().copied().max().unwrap_or(0)
}

fn flags(flags: &[u8], lens: &Lens, row: usize) -> u8 {
    let cells = lens.runs(row).iter().flat_map(|run| &flags[run.clone()]).copied();
    cells.reduce(joined).unwrap_or(UNKNOWN)
}

/// Returns the server of the hottest region of a row.
fn server(cells: &Cells, codes: &[u16], lens: &Lens, row: usize) -> u16 {
    let run = lens.run(row);
    let hottest = run.max_by_key(|&cell| (codes[cell], std::cmp::Reverse(cell)));
    hottest.map_or(NO_SERVER, |cell| cells.servers[cell])
}
