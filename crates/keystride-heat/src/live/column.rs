//! One column of a live map: the rates of all regions for some time.

use std::ops::Range;

use super::code::{code_of, rate_of};
use super::{Axis, Metric};

/// The rates of a table's regions from `t0_ms` to `t1_ms`, both in ms since 1970-01-01 UTC.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// When it begins.
    pub t0_ms: i64,
    /// When it ends.
    pub t1_ms: i64,
    /// The cells; `None` for a gap, of which nothing is known.
    pub cells: Option<Cells>,
}

/// The cells of a [`Column`] with the column's own boundaries, in two bytes per number.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    pub(super) axis: Axis,
    /// By [`Metric::index`].
    pub(super) rates: [Option<Rates>; Metric::COUNT],
    pub(super) servers: Box<[u16]>,
    pub(super) flags: Box<[u8]>,
    /// How many regions each cell has; `None` where each has one.
    pub(super) regions: Option<Box<[u16]>>,
}

/// The codes of one metric. What would equal `rate` is left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rates {
    pub(super) rate: Box<[u16]>,
    pub(super) peak: Option<Box<[u16]>>,
    pub(super) most: Option<Box<[u16]>>,
}

/// What is known of one cell. The arrays are in the order of [`Metric::ALL`], and 0 where a metric is not counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Rates per second, the sums of the cell's regions.
    pub rates: [f64; Metric::COUNT],
    /// The highest rate of one region in one column of the finest width.
    pub peaks: [f64; Metric::COUNT],
    /// The rate of the region with the highest one.
    pub most: [f64; Metric::COUNT],
    /// The server's index among the names of [`Meter::servers`](super::Meter::servers), or [`NO_SERVER`].
    pub server: u16,
    /// [`APPROX`] and [`UNKNOWN`].
    pub flags: u8,
    /// How many regions it has.
    pub regions: u16,
}

/// Flag of a cell that is not exact: its region moved or was split, or a part of it is unknown.
pub const APPROX: u8 = 1;
/// Flag of a cell of which nothing is known. Its rates are 0.
pub const UNKNOWN: u8 = 2;
/// The server of a cell that has none, or where there are no servers.
pub const NO_SERVER: u16 = u16::MAX;

impl Cell {
    /// A cell of one region, of which nothing is known.
    pub fn unknown(server: u16) -> Self {
        let nothing = [0.0; Metric::COUNT];
        Self { rates: nothing, peaks: nothing, most: nothing, server, flags: UNKNOWN, regions: 1 }
    }

    /// A cell of one region with these rates.
    pub fn known(rates: [f64; Metric::COUNT], server: u16) -> Self {
        Self { rates, peaks: rates, most: rates, server, flags: 0, regions: 1 }
    }

    /// Whether something is known of it.
    pub fn is_known(&self) -> bool {
        self.flags & UNKNOWN == 0
    }
}

impl Column {
    /// Creates a column of which nothing is known.
    pub fn gap(t0_ms: i64, t1_ms: i64) -> Self {
        Self { t0_ms, t1_ms, cells: None }
    }

    /// Returns how long it lasts.
    pub fn width_ms(&self) -> i64 {
        self.t1_ms.saturating_sub(self.t0_ms).max(0)
    }

    /// Returns the axis of its cells; `None` for a gap.
    pub fn axis(&self) -> Option<&Axis> {
        self.cells.as_ref().map(Cells::axis)
    }

    /// Returns the bytes of memory that it takes, without its axis.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.cells.as_ref().map_or(0, Cells::heap_bytes)
    }
}

impl Cells {
    /// Puts cells together, one for each cell of the axis. `counted` tells the metrics that the source has.
    ///
    /// # Panics
    ///
    /// If there are not as many cells as the axis has.
    pub fn new(axis: Axis, counted: [bool; Metric::COUNT], cells: &[Cell]) -> Self {
        assert_eq!(cells.len(), axis.cell_count(), "a cell for each one of the axis");
        let is_single = cells.iter().all(|cell| cell.regions == 1);
        Self {
            rates: Metric::ALL
                .map(|metric| counted[metric.index()].then(|| Rates::of(cells, metric.index()))),
            servers: cells.iter().map(|cell| cell.server).collect(),
            flags: cells.iter().map(|cell| cell.flags).collect(),
            regions: (!is_single).then(|| cells.iter().map(|cell| cell.regions).collect()),
            axis,
        }
    }

    /// Returns the cells' boundaries.
    pub fn axis(&self) -> &Axis {
        &self.axis
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.flags.len()
    }

    /// Whether there are no cells, which never is so.
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty()
    }

    /// Whether the source counts a metric.
    pub fn has(&self, metric: Metric) -> bool {
        self.rates[metric.index()].is_some()
    }

    /// Returns what is known of a cell.
    ///
    /// # Panics
    ///
    /// If the column does not have that many cells.
    pub fn cell(&self, cell: usize) -> Cell {
        let numbers = |of: fn(&Rates) -> &[u16]| {
            Metric::ALL.map(|metric| {
                self.rates[metric.index()].as_ref().map_or(0.0, |rates| rate_of(of(rates)[cell]))
            })
        };
        Cell {
            rates: numbers(|rates| &rates.rate),
            peaks: numbers(Rates::peak),
            most: numbers(Rates::most),
            server: self.servers[cell],
            flags: self.flags[cell],
            regions: self.regions.as_ref().map_or(1, |regions| regions[cell]),
        }
    }

    /// Returns adjacent cells as one: rates are added, of the others the highest counts. Its server is that of the
    /// hottest of them, by all rows read and written.
    pub fn gathered(&self, cells: Range<usize>) -> Cell {
        let mut cells = cells.map(|cell| self.cell(cell));
        let Some(first) = cells.next() else { return Cell::unknown(NO_SERVER) };
        let rows = |cell: &Cell| cell.rates[0] + cell.rates[1];
        let mut hottest = rows(&first);
        cells.fold(first, |mut sum, cell| {
            if rows(&cell) > hottest || (sum.server == NO_SERVER && cell.is_known()) {
                (hottest, sum.server) = (rows(&cell), cell.server);
            }
            for metric in 0..Metric::COUNT {
                sum.rates[metric] += cell.rates[metric];
                sum.peaks[metric] = sum.peaks[metric].max(cell.peaks[metric]);
                sum.most[metric] = sum.most[metric].max(cell.most[metric]);
            }
            sum.flags = joined(sum.flags, cell.flags);
            sum.regions = sum.regions.saturating_add(cell.regions);
            sum
        })
    }

    /// Returns the codes that a map shows of a metric: for each cell, the rate of its hottest region.
    pub(super) fn shown(&self, metric: Metric) -> Option<&[u16]> {
        self.rates[metric.index()].as_ref().map(Rates::most)
    }

    /// Returns what is known of a range of keys; a `stop` of `None` is the end of all keys. Cells that it meets count whole.
    pub fn under(&self, start: &[u8], stop: Option<&[u8]>) -> Cell {
        self.gathered(self.axis.cells_of(start, stop))
    }

    /// Returns the sums of the rates of a metric per server; a server's index is its place. What no server has is
    /// left out, and what is unknown counts 0.
    pub fn by_server(&self, metric: Metric) -> Vec<f64> {
        let mut sums = Vec::new();
        let Some(rates) = &self.rates[metric.index()] else { return sums };
        for (&server, &code) in self.servers.iter().zip(&rates.rate) {
            if server != NO_SERVER {
                let server = usize::from(server);
                sums.resize(sums.len().max(server + 1), 0.0);
                sums[server] += rate_of(code);
            }
        }
        sums
    }

    /// Returns the rate of all cells together.
    pub fn total(&self, metric: Metric) -> f64 {
        let codes = self.rates[metric.index()].as_ref();
        codes.map_or(0.0, |rates| rates.rate.iter().map(|&code| rate_of(code)).sum())
    }

    /// Returns how many regions all cells have.
    pub fn region_count(&self) -> u64 {
        match &self.regions {
            Some(regions) => regions.iter().map(|&count| u64::from(count)).sum(),
            None => self.len() as u64,
        }
    }

    fn heap_bytes(&self) -> usize {
        let rates: usize = self.rates.iter().flatten().map(Rates::heap_bytes).sum();
        let regions = self.regions.as_deref().map_or(0, size_of_val);
        rates + size_of_val(&*self.servers) + self.flags.len() + regions
    }
}

/// The flags of two cells that become one.
pub(super) fn joined(one: u8, two: u8) -> u8 {
    let is_part_unknown = (one ^ two) & UNKNOWN != 0;
    (one & two & UNKNOWN) | ((one | two) & APPROX) | if is_part_unknown { APPROX } else { 0 }
}

impl Rates {
    fn of(cells: &[Cell], metric: usize) -> Self {
        let codes = |of: fn(&Cell) -> &[f64; Metric::COUNT]| -> Box<[u16]> {
            cells.iter().map(|cell| code_of(of(cell)[metric])).collect()
        };
        let rate = codes(|cell| &cell.rates);
        let unlike = |codes: Box<[u16]>| (codes != rate).then_some(codes);
        let (peak, most) = (unlike(codes(|cell| &cell.peaks)), unlike(codes(|cell| &cell.most)));
        Self { rate, peak, most }
    }

    fn peak(&self) -> &[u16] {
        self.peak.as_deref().unwrap_or(&self.rate)
    }

    fn most(&self) -> &[u16] {
        self.most.as_deref().unwrap_or(&self.rate)
    }

    fn heap_bytes(&self) -> usize {
        let more = [&self.peak, &self.most].into_iter().flatten().map(|codes| size_of_val(&**codes));
        size_of_val(&*self.rate) + more.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() <= right * 0.001
    }

    #[test]
    fn adjacent_cells_are_one_whose_sum_highest_and_count_are_known() {
        let mut hot = Cell::known([4.0, 90.0, 0.0], 7);
        hot.peaks[1] = 200.0;
        let cells = [Cell::known([1.0, 10.0, 0.0], 3), hot, Cell::unknown(NO_SERVER)];
        let cells = Cells::new(Axis::new(["b", "c"]).unwrap(), [true, true, false], &cells);
        let two = cells.gathered(0..2);
        assert!(close(two.rates[0], 5.0) && close(two.rates[1], 100.0) && close(two.most[1], 90.0));
        assert!(close(two.peaks[1], 200.0));
        assert_eq!((two.server, two.flags, two.regions), (7, 0, 2));
        assert_eq!(cells.gathered(1..3).flags, APPROX, "a part is unknown");
        assert_eq!(cells.gathered(2..3), Cell::unknown(NO_SERVER));
        assert_eq!(cells.by_server(Metric::RowsWritten).len(), 8);
        assert!(close(cells.total(Metric::RowsWritten), 100.0) && !cells.has(Metric::BytesWritten));
    }

    #[test]
    fn a_column_of_the_finest_layer_takes_nine_bytes_per_region() {
        let axis = Axis::new((1..1000).map(|n| format!("{n:04}"))).unwrap();
        let column = Column {
            t0_ms: 0,
            t1_ms: 1,
            cells: Some(Cells::new(axis, [true; 3], &vec![Cell::known([5.0; 3], 1); 1000])),
        };
        assert_eq!(column.memory_bytes() - size_of::<Column>(), 9_000);
    }
}
