//! Several columns as one.

use std::sync::Arc;

use super::column::joined;
use super::{Axis, Cell, Cells, Column, Metric, UNKNOWN};
use crate::number::float;

/// Makes one column of several that follow each other. Its boundaries are those that all of them have; inside, rates
/// are added, and weighted by time: nothing is spread over finer cells, so nothing is invented. Of too many, adjacent
/// cells share one.
///
/// It is a gap if more than half of its time is; else what is known counts for all of it. `None` for no columns.
pub(super) fn rolled_up(columns: &[Arc<Column>], grouping: &mut Grouping) -> Option<Column> {
    let (t0_ms, t1_ms) = (columns.first()?.t0_ms, columns.last()?.t1_ms);
    let with_cells = || columns.iter().filter_map(|column| Some((column.width_ms(), column.cells.as_ref()?)));
    let known_ms: i64 = with_cells().map(|(width_ms, _)| width_ms).sum();
    let own = with_cells().map(|(_, cells)| cells.axis().clone());
    let Some(axis) = own.reduce(|one, two| one.intersection(&two)) else {
        return Some(Column::gap(t0_ms, t1_ms));
    };
    if 2 * known_ms < columns.iter().map(|column| column.width_ms()).sum() {
        return Some(Column::gap(t0_ms, t1_ms));
    }
    let axis = grouping.of(axis);
    let mut means = vec![Mean::default(); axis.cell_count()];
    for (width_ms, cells) in with_cells() {
        for (mean, span) in means.iter_mut().zip(cells.axis().spans(&axis)) {
            mean.add(&cells.gathered(span), width_ms);
        }
    }
    let counted = Metric::ALL.map(|metric| with_cells().any(|(_, cells)| cells.has(metric)));
    let cells: Vec<Cell> = means.into_iter().map(Mean::finish).collect();
    Some(Column { t0_ms, t1_ms, cells: Some(Cells::new(axis, counted, &cells)) })
}

/// Which adjacent cells share one, kept as long as it can be: groups that move with each split would have no
/// boundaries in common, and the next layer would lose them all.
#[derive(Debug, Clone)]
pub(super) struct Grouping {
    /// The most cells that stay as they are.
    most_single: usize,
    /// The most groups of more.
    most_groups: usize,
    last: Option<Axis>,
}

impl Grouping {
    pub(super) fn new(most_single: usize, most_groups: usize) -> Self {
        Self { most_single, most_groups, last: None }
    }

    /// Returns the cells of an axis, or groups of them. What is left of the last groups is kept while it is at least half
    /// of the most; else each has as many cells as the others.
    fn of(&mut self, axis: Axis) -> Axis {
        if axis.cell_count() <= self.most_single {
            self.last = None;
            return axis;
        }
        let kept = self.last.take().map(|last| last.intersection(&axis));
        let kept = kept.filter(|kept| 2 * kept.cell_count() >= self.most_groups).unwrap_or_else(|| {
            let together = axis.cell_count().div_ceil(self.most_groups);
            axis.filtered(|bound| (bound + 1).is_multiple_of(together))
        });
        self.last = Some(kept.clone());
        kept
    }
}

/// A cell's mean over time.
#[derive(Debug, Clone, Default)]
struct Mean {
    rates: [f64; Metric::COUNT],
    most: [f64; Metric::COUNT],
    peaks: [f64; Metric::COUNT],
    known_ms: f64,
    last: Option<Cell>,
}

impl Mean {
    fn add(&mut self, cell: &Cell, width_ms: i64) {
        if cell.is_known() {
            let width_ms = float(width_ms.unsigned_abs());
            for metric in 0..Metric::COUNT {
                self.rates[metric] += cell.rates[metric] * width_ms;
                self.most[metric] += cell.most[metric] * width_ms;
                self.peaks[metric] = self.peaks[metric].max(cell.peaks[metric]);
            }
            self.known_ms += width_ms;
        }
        let mut next = *cell;
        if let Some(last) = self.last {
            next.flags = joined(last.flags, cell.flags);
            next.regions = last.regions.max(cell.regions);
        }
        self.last = Some(next);
    }

    fn finish(self) -> Cell {
        let last = self.last.unwrap_or(Cell::unknown(super::NO_SERVER));
        if self.known_ms <= 0.0 {
            return Cell { regions: last.regions, ..Cell::unknown(last.server) };
        }
        let mean = |sums: [f64; Metric::COUNT]| sums.map(|sum| sum / self.known_ms);
        let flags = last.flags & !UNKNOWN;
        Cell { rates: mean(self.rates), most: mean(self.most), peaks: self.peaks, flags, ..last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::{APPROX, NO_SERVER};

    fn column(t0_s: i64, t1_s: i64, bounds: &[&str], rates: &[f64]) -> Arc<Column> {
        let cell = |&rate: &f64| {
            if rate < 0.0 { Cell::unknown(NO_SERVER) } else { Cell::known([0.0, rate, 0.0], 0) }
        };
        let cells: Vec<Cell> = rates.iter().map(cell).collect();
        let cells = Some(Cells::new(Axis::new(bounds).unwrap(), [true, true, false], &cells));
        Arc::new(Column { t0_ms: t0_s * 1000, t1_ms: t1_s * 1000, cells })
    }

    fn gap(t0_s: i64, t1_s: i64) -> Arc<Column> {
        Arc::new(Column::gap(t0_s * 1000, t1_s * 1000))
    }

    fn rolled(columns: &[Arc<Column>]) -> Column {
        rolled_up(columns, &mut Grouping::new(100, 100)).unwrap()
    }

    fn written(column: &Column) -> Vec<Cell> {
        let cells = column.cells.as_ref().unwrap();
        (0..cells.len()).map(|cell| cells.cell(cell)).collect()
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= expected * 0.002, "{found} {expected}");
    }

    #[test]
    fn only_boundaries_of_all_columns_stay_and_sums_inside_are_exact() {
        let before = column(0, 10, &["g"], &[10.0, 40.0]);
        let split = column(10, 20, &["g", "p"], &[20.0, 10.0, 50.0]);
        let column = rolled(&[before, split]);
        assert_eq!(column.axis(), Some(&Axis::new(["g"]).unwrap()));
        let cells = written(&column);
        assert_close(cells[0].rates[1], 15.0);
        assert_close(cells[1].rates[1], 50.0);
        assert_close(cells[1].most[1], 45.0);
        assert_close(cells[1].peaks[1], 50.0);
        assert_eq!((column.t0_ms, column.t1_ms, cells[1].regions), (0, 20_000, 2));
    }

    #[test]
    fn a_spike_stays_as_the_peak() {
        let columns: Vec<_> =
            (0..6).map(|n| column(n * 10, n * 10 + 10, &[], &[if n == 3 { 600.0 } else { 0.0 }])).collect();
        let minute = rolled(&columns);
        let hour = rolled(&[Arc::new(minute), column(60, 120, &[], &[0.0])]);
        assert_close(written(&hour)[0].rates[1], 50.0);
        assert_close(written(&hour)[0].peaks[1], 600.0);
    }

    #[test]
    fn rates_are_weighted_by_time_and_what_is_unknown_counts_nothing() {
        let long = column(0, 30, &["g"], &[10.0, -1.0]);
        let short = column(30, 40, &["g"], &[50.0, 8.0]);
        let cells = written(&rolled(&[long, short]));
        assert_close(cells[0].rates[1], 20.0);
        assert_close(cells[1].rates[1], 8.0);
        assert_eq!((cells[0].flags, cells[1].flags), (0, APPROX));
        let unknown = column(0, 10, &[], &[-1.0]);
        assert_eq!(written(&rolled(&[unknown]))[0].flags, UNKNOWN);
    }

    #[test]
    fn a_column_is_a_gap_if_most_of_its_time_is() {
        let data = column(0, 10, &[], &[6.0]);
        assert_eq!(rolled(&[data.clone(), gap(10, 25)]).cells, None);
        assert_close(written(&rolled(&[data, gap(10, 19)]))[0].rates[1], 6.0);
        assert_eq!(rolled(&[gap(0, 10), gap(10, 20)]), Column::gap(0, 20_000));
        assert_eq!(rolled_up(&[], &mut Grouping::new(1, 1)), None);
    }

    #[test]
    fn too_many_cells_share_groups_that_outlast_splits() {
        let keys: Vec<String> = (1..1000).map(|n| format!("{n:04}")).collect();
        let mut rates = vec![1.0; 1000];
        rates[500] = 90.0;
        let whole = Cells::new(
            Axis::new(&keys).unwrap(),
            [true, true, false],
            &rates.iter().map(|&rate| Cell::known([0.0, rate, 0.0], 0)).collect::<Vec<_>>(),
        );
        let whole = Arc::new(Column { t0_ms: 0, t1_ms: 10, cells: Some(whole) });
        let mut grouping = Grouping::new(100, 100);
        let first = rolled_up(std::slice::from_ref(&whole), &mut grouping).unwrap();
        let groups = first.axis().unwrap().clone();
        assert_eq!(groups.cell_count(), 100);
        let hot = written(&first)[50];
        assert_close(hot.most[1], 90.0);
        assert_close(hot.rates[1], 99.0);
        assert_eq!(hot.regions, 10);

        let mut more = keys;
        more.insert(3, "0003x".into());
        let split = Arc::new(Column {
            cells: Some(Cells::new(
                Axis::new(&more).unwrap(),
                [true, true, false],
                &vec![Cell::known([0.0; 3], 0); 1001],
            )),
            ..*whole
        });
        let second = rolled_up(&[split], &mut grouping).unwrap();
        assert_eq!(second.axis(), Some(&groups));
    }
}
