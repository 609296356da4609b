//! Columns on the boundaries that all of them have.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::{Area, COLUMNS_LOOKED_AT};
use crate::Chance;
use crate::live::{Axis, Cell, Cells, Column, Metric, NO_SERVER};
use crate::number::float;
use crate::spread::quantile;

/// The columns that have cells.
#[derive(Debug)]
pub(super) struct Windows {
    pub(super) axis: Axis,
    pub(super) all: Vec<Window>,
    last_axis: Axis,
}

/// One column on the common boundaries.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) t0_ms: i64,
    pub(super) t1_ms: i64,
    /// The rate of each cell, of its regions together.
    pub(super) rates: Vec<f64>,
    /// The rate of each cell's hottest region.
    pub(super) most: Vec<f64>,
    pub(super) is_known: Vec<bool>,
    pub(super) total: f64,
    pub(super) region_count: u64,
    /// Rates by server.
    pub(super) servers: BTreeMap<u16, f64>,
}

impl Windows {
    /// Returns the columns that have the metric; `None` if none has.
    pub(super) fn of(columns: &[Arc<Column>], metric: Metric) -> Option<Self> {
        let with_cells = || {
            let pairs = columns.iter().filter_map(|column| Some((column, column.cells.as_ref()?)));
            pairs.filter(|(column, cells)| cells.has(metric) && column.width_ms() > 0)
        };
        let last_axis = with_cells().next_back()?.1.axis().clone();
        let axis = with_cells().fold(last_axis.clone(), |axis, (_, cells)| axis.intersection(cells.axis()));
        let window = |(column, cells): (&Arc<Column>, &Cells)| Window::of(column, cells, metric, &axis);
        let all = with_cells().map(window).collect();
        Some(Self { axis, all, last_axis })
    }

    /// Returns some cells for some time.
    pub(super) fn area(&self, times: &[Window], cells: Range<usize>) -> Area {
        let start = self.axis.start(cells.start).to_vec();
        let stop = self.axis.stop(cells.end.max(cells.start + 1) - 1).map(<[u8]>::to_vec);
        let regions = self.last_axis.cells_of(&start, stop.as_deref());
        let [t0_ms, t1_ms] =
            [times.first().map_or(0, |first| first.t0_ms), times.last().map_or(0, |last| last.t1_ms)];
        Area { t0_ms, t1_ms, start, stop, regions }
    }

    /// Returns all cells for some time.
    pub(super) fn whole(&self, times: &[Window]) -> Area {
        self.area(times, 0..self.axis.cell_count())
    }

    /// Returns the last columns, up to the last one that has rows: what was hot is known after a load has ended, too.
    pub(super) fn last(&self) -> &[Window] {
        let end = self.all.iter().rposition(|window| window.rows() >= 1.0).map_or(0, |last| last + 1);
        &self.all[end.saturating_sub(COLUMNS_LOOKED_AT)..end]
    }

    /// Returns those that have rows.
    pub(super) fn busy(&self) -> impl Iterator<Item = &Window> + Clone {
        self.all.iter().filter(|window| window.rows() >= 1.0)
    }

    /// Returns the imbalance of the median column, and what chance gives: median for as many rows. `None` for too few.
    pub(super) fn imbalance(&self) -> Option<(f64, f64)> {
        let count = self.busy().count();
        let imbalance = median(self.busy().map(Window::imbalance))?;
        let rows = median(self.busy().map(Window::rows))?;
        let regions = median(self.busy().map(|window| float(window.region_count)))?;
        let chance = Chance::of(whole(regions), whole(rows) as u64)?;
        (count >= super::LEAST_COLUMNS && chance.region_count > 1).then_some((imbalance, chance.median))
    }
}

impl Window {
    fn of(column: &Column, cells: &Cells, metric: Metric, axis: &Axis) -> Self {
        let own: Vec<Cell> = cells.axis().spans(axis).into_iter().map(|span| cells.gathered(span)).collect();
        let index = metric.index();
        let mut servers = BTreeMap::new();
        for cell in 0..cells.len() {
            let cell = cells.cell(cell);
            if cell.server != NO_SERVER {
                *servers.entry(cell.server).or_default() += cell.rates[index];
            }
        }
        Self {
            t0_ms: column.t0_ms,
            t1_ms: column.t1_ms,
            rates: own.iter().map(|cell| cell.rates[index]).collect(),
            most: own.iter().map(|cell| cell.most[index]).collect(),
            is_known: own.iter().map(Cell::is_known).collect(),
            total: cells.total(metric),
            region_count: cells.region_count(),
            servers,
        }
    }

    pub(super) fn seconds(&self) -> f64 {
        float(self.t1_ms.abs_diff(self.t0_ms)) / 1000.0
    }

    pub(super) fn rows(&self) -> f64 {
        self.total * self.seconds()
    }

    /// Returns the mean rate of a region.
    pub(super) fn mean(&self) -> f64 {
        self.total / float(self.region_count.max(1))
    }

    /// Returns the hottest cell, the first of equals.
    pub(super) fn hottest(&self) -> usize {
        let max = self.most.iter().copied().fold(0.0, f64::max);
        self.most.iter().position(|&rate| rate >= max).unwrap_or(0)
    }

    /// Returns the rate of the hottest region divided by the mean.
    fn imbalance(&self) -> f64 {
        self.most[self.hottest()] / self.mean()
    }
}

/// Returns the median; `None` for no values.
pub(super) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    quantile(&values, 50)
}

/// Rounds to a count.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` stops at both ends")]
pub(super) fn whole(value: f64) -> usize {
    value.round() as usize
}
