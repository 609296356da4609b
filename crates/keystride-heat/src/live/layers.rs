//! The columns of a table by age, in bounded memory.

use std::collections::VecDeque;
use std::sync::Arc;

use super::roll::{Grouping, rolled_up};
use super::{Axis, Column};

/// The columns of a table in four layers: those of the finest width, of minutes, of ten minutes and of hours. Each
/// column of a layer is rolled up from those of the layer below it.
///
/// A table takes at most [`MOST_BYTES`](Self::MOST_BYTES). With up to 1,000 regions, the layers reach back 360
/// columns (an hour of 10 s), 6 hours, 4 days and 28 days. With more than
/// [`UNGROUPED_CELLS`](Self::UNGROUPED_CELLS), columns above the finest layer have at most
/// [`MOST_CELLS`](Self::MOST_CELLS) cells, whose adjacent regions share one: they still tell the rate of the hottest,
/// the sum and the number of regions. The finest layer keeps every region, and reaches back less far: about 15 minutes
/// with 10,000 regions. Where boundaries change so often that they take more memory than the cells, each layer
/// reaches back less far too.
///
/// ```
/// # use std::sync::Arc;
/// # use keystride_heat::live::{Column, Layers};
/// let mut layers = Layers::new(10_000);
/// for n in 0..12 {
///     layers.push(Arc::new(Column::gap(n * 10_000, (n + 1) * 10_000)));
/// }
/// assert_eq!((layers.columns_of(0).len(), layers.columns_of(1).len()), (12, 2));
/// ```
#[derive(Debug, Clone)]
pub struct Layers {
    layers: [Layer; Layers::COUNT],
}

/// A column that was added to a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// The layer, from 0, the finest.
    pub layer: usize,
    /// The column.
    pub column: Arc<Column>,
}

#[derive(Debug, Clone)]
struct Layer {
    width_ms: i64,
    most_columns: usize,
    most_bytes: usize,
    columns: VecDeque<Arc<Column>>,
    /// The memory of the columns and of their axes.
    bytes: usize,
    /// Columns of the layer below that will be one of this layer.
    pending: Vec<Arc<Column>>,
    grouping: Grouping,
}

impl Layers {
    /// The number of layers.
    pub const COUNT: usize = 4;
    /// The most memory that the columns of a table take.
    pub const MOST_BYTES: usize = 32 << 20;
    /// The most regions of which columns above the finest layer have a cell each.
    pub const UNGROUPED_CELLS: usize = 1024;
    /// The most cells of columns above the finest layer if there are more regions than that: a cell of several takes
    /// more memory.
    pub const MOST_CELLS: usize = 640;

    /// The most columns of a layer that are taken for a view, if a coarser layer has fewer: a screen is not much wider.
    pub const MOST_VIEWED: i64 = 720;

    /// The widths of the layers above the finest one, the number of their columns and their memory in MiB. With 1,000
    /// regions and all metrics, a column of the finest layer has 9 bytes per cell, and others 15.
    const COARSE: [(i64, usize, usize); Self::COUNT - 1] =
        [(60_000, 360, 6), (600_000, 576, 9), (3_600_000, 672, 11)];

    /// Creates layers without columns; those of the finest one will be `width_ms` wide.
    pub fn new(width_ms: u32) -> Self {
        let [minutes, tens, hours] = Self::COARSE.map(Layer::new);
        Self { layers: [Layer::new((i64::from(width_ms.max(1)), 360, 6)), minutes, tens, hours] }
    }

    /// Adds a column after all others, and returns those that were added to the layers, this one first.
    ///
    /// What ends after the column begins is forgotten: the clock was set back.
    pub fn push(&mut self, column: Arc<Column>) -> Vec<Closed> {
        let mut closed = Vec::new();
        self.layers.iter_mut().for_each(|layer| layer.forget_from(column.t0_ms));
        self.push_to(0, column, &mut closed);
        closed
    }

    /// Closes the minute that has not ended, as when the program ends, and returns the columns that were added.
    pub fn finish(&mut self) -> Vec<Closed> {
        let mut closed = Vec::new();
        if let Some(column) = self.layers[1].close() {
            self.push_to(1, Arc::new(column), &mut closed);
        }
        closed
    }

    /// Adds a stored column to a layer again, such as [`Closed`] told it, after all others of the layer. What ends after it
    /// begins is forgotten: the clock was set back. After the last column of all layers, call [`resume`](Self::resume).
    pub fn restore(&mut self, stored: Closed) {
        let Some(layer) = self.layers.get_mut(stored.layer) else { return };
        layer.forget_from(stored.column.t0_ms);
        layer.push(stored.column);
    }

    /// Goes on with stored columns: those that are in no column of the layer above yet will be.
    pub fn resume(&mut self) {
        for layer in 1..Self::COUNT {
            let ended_ms = self.layers[layer].columns.back().map_or(i64::MIN, |last| last.t1_ms);
            let below = self.layers[layer - 1].columns.iter();
            let new: Vec<_> = below.filter(|column| column.t0_ms >= ended_ms).cloned().collect();
            for column in new {
                for column in self.layers[layer].roll(column) {
                    self.push_to(layer, Arc::new(column), &mut Vec::new());
                }
            }
        }
    }

    /// Returns the columns of a layer, from 0, the finest, in the order of time.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn columns_of(&self, layer: usize) -> impl ExactSizeIterator<Item = &Arc<Column>> {
        self.layers[layer].columns.iter()
    }

    /// Returns when the last column ends.
    pub fn ended_ms(&self) -> Option<i64> {
        self.layers.iter().filter_map(|layer| Some(layer.columns.back()?.t1_ms)).max()
    }

    /// Returns the columns that meet a time, in its order: those of the finest layer that has at most
    /// [`MOST_VIEWED`](Self::MOST_VIEWED) of them, before its first one those of coarser layers, and after its last one
    /// those of finer layers.
    pub fn columns(&self, from_ms: i64, to_ms: i64) -> Vec<Arc<Column>> {
        let begun_ms = self.layers.iter().map(Layer::first_ms).fold(i64::MAX, i64::min).max(from_ms);
        let span_ms = to_ms.min(self.ended_ms().unwrap_or(begun_ms)).saturating_sub(begun_ms);
        let suits = |layer: &Layer| span_ms / layer.width_ms <= Self::MOST_VIEWED;
        let chosen = self.layers.iter().position(suits).unwrap_or(Self::COUNT - 1);
        let mut columns: Vec<Arc<Column>> = Vec::new();
        for (index, layer) in self.layers.iter().enumerate().rev() {
            // A coarser layer is for what the next finer one does not have any more.
            let until_ms = if index > chosen { self.layers[index - 1].first_ms().min(to_ms) } else { to_ms };
            let after_ms = columns.last().map_or(from_ms, |last| last.t1_ms);
            let is_met = |column: &&Arc<Column>| column.t1_ms > after_ms && column.t0_ms < until_ms;
            let is_after = |column: &&Arc<Column>| columns.is_empty() || column.t0_ms >= after_ms;
            let new: Vec<_> = layer.columns.iter().filter(is_met).filter(is_after).cloned().collect();
            columns.extend(new);
        }
        columns
    }

    /// Returns the bytes of memory that the columns and their boundaries take.
    pub fn memory_bytes(&self) -> usize {
        self.layers.iter().map(|layer| layer.bytes).sum()
    }

    fn push_to(&mut self, layer: usize, column: Arc<Column>, closed: &mut Vec<Closed>) {
        self.layers[layer].push(Arc::clone(&column));
        closed.push(Closed { layer, column: Arc::clone(&column) });
        let Some(next) = self.layers.get_mut(layer + 1) else { return };
        for column in next.roll(column) {
            self.push_to(layer + 1, Arc::new(column), closed);
        }
    }
}

impl Layer {
    fn new((width_ms, most_columns, mib): (i64, usize, usize)) -> Self {
        Self {
            width_ms,
            most_columns,
            most_bytes: mib << 20,
            columns: VecDeque::new(),
            bytes: 0,
            pending: Vec::new(),
            grouping: Grouping::new(Layers::UNGROUPED_CELLS, Layers::MOST_CELLS),
        }
    }

    /// Returns when the first column begins, at the end of time if there is none.
    fn first_ms(&self) -> i64 {
        self.columns.front().map_or(i64::MAX, |column| column.t0_ms)
    }

    fn push(&mut self, column: Arc<Column>) {
        self.bytes += column.memory_bytes() + axis_bytes(&column, self.columns.back());
        self.columns.push_back(column);
        while self.columns.len() > 1
            && (self.columns.len() > self.most_columns || self.bytes > self.most_bytes)
        {
            if let Some(oldest) = self.columns.pop_front() {
                self.bytes -= oldest.memory_bytes() + axis_bytes(&oldest, self.columns.front());
            }
        }
    }

    /// Takes a column of the layer below, and returns those of this layer that it completes.
    fn roll(&mut self, column: Arc<Column>) -> Vec<Column> {
        let slot = |column: &Column| column.t0_ms.div_euclid(self.width_ms);
        let own = slot(&column);
        let is_last = column.t1_ms >= own.saturating_add(1).saturating_mul(self.width_ms);
        let mut rolled = Vec::new();
        if self.pending.first().is_some_and(|first| slot(first) != own) {
            rolled.extend(self.close());
        }
        self.pending.push(column);
        if is_last {
            rolled.extend(self.close());
        }
        rolled
    }

    fn close(&mut self) -> Option<Column> {
        let pending = std::mem::take(&mut self.pending);
        rolled_up(&pending, &mut self.grouping)
    }

    fn forget_from(&mut self, t0_ms: i64) {
        while let Some(last) = self.columns.pop_back_if(|last| last.t1_ms > t0_ms) {
            self.bytes -= last.memory_bytes() + axis_bytes(&last, self.columns.back());
        }
        self.pending.retain(|column| column.t1_ms <= t0_ms);
    }
}

/// The memory of a column's boundaries that it does not share with its neighbour.
fn axis_bytes(column: &Column, neighbour: Option<&Arc<Column>>) -> usize {
    let Some(axis) = column.axis() else { return 0 };
    let other = neighbour.and_then(|neighbour| neighbour.axis());
    if other.is_some_and(|other| axis.is_shared_with(other)) { 0 } else { Axis::memory_bytes(axis) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::{Cell, Cells, Metric};

    fn axis(regions: usize) -> Axis {
        Axis::new((1..regions).map(|n| format!("{n:040}"))).unwrap()
    }

    fn column(n: i64, axis: &Axis) -> Arc<Column> {
        let rate = if n % 6 == 0 { 50.0 } else { 5.0 };
        let cells = vec![Cell::known([rate; 3], 1); axis.cell_count()];
        let cells = Some(Cells::new(axis.clone(), [true; Metric::COUNT], &cells));
        Arc::new(Column { t0_ms: n * 10_000, t1_ms: (n + 1) * 10_000, cells })
    }

    /// Layers after many columns with the same cells: those of two minutes stand for all the days.
    fn full(axis: &Axis) -> Layers {
        let mut layers = Layers::new(10_000);
        for n in 0..12 {
            layers.push(column(n, axis));
        }
        for layer in 0..Layers::COUNT {
            let last = Arc::clone(layers.layers[layer.min(1)].columns.back().unwrap());
            for n in 1..1000 {
                let (t0_ms, t1_ms) = (last.t1_ms + n, last.t1_ms + n + 1);
                layers
                    .restore(Closed { layer, column: Arc::new(Column { t0_ms, t1_ms, ..(*last).clone() }) });
            }
        }
        layers
    }

    #[test]
    fn a_thousand_regions_with_all_layers_take_at_most_the_limit() {
        let layers = full(&axis(1000));
        let counts: Vec<usize> = (0..Layers::COUNT).map(|layer| layers.columns_of(layer).len()).collect();
        assert_eq!(counts, [360, 360, 576, 672]);
        let bytes = layers.memory_bytes();
        assert!(bytes <= Layers::MOST_BYTES && bytes > Layers::MOST_BYTES / 2, "{bytes}");
        let limits: usize = layers.layers.iter().map(|layer| layer.most_bytes).sum();
        assert_eq!(limits, Layers::MOST_BYTES);
    }

    #[test]
    fn ten_thousand_regions_shorten_only_the_finest_layer() {
        let layers = full(&axis(10_000));
        let counts: Vec<usize> = (0..Layers::COUNT).map(|layer| layers.columns_of(layer).len()).collect();
        assert!((50..360).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[1..], [360, 576, 672]);
        assert!(layers.memory_bytes() <= Layers::MOST_BYTES);
        let minute = layers.columns_of(1).next().unwrap().cells.clone().unwrap();
        assert!(minute.len() <= Layers::MOST_CELLS);
        assert_eq!(minute.region_count(), 10_000);
    }

    #[test]
    fn boundaries_that_change_all_the_time_take_bounded_memory_too() {
        let mut layers = Layers::new(10_000);
        for n in 0..100 {
            layers.push(column(n, &axis(5_000)));
        }
        let own: usize = layers.layers[0].columns.iter().map(|column| column.memory_bytes()).sum();
        assert!(layers.layers[0].bytes > own, "boundaries are counted");
        assert!(layers.layers[0].bytes <= layers.layers[0].most_bytes);
        assert!(layers.columns_of(0).len() < 100);
    }

    #[test]
    fn bytes_are_those_of_the_columns_whatever_is_pushed_and_forgotten() {
        let mut layers = Layers::new(10_000);
        let axes = [axis(10), axis(20)];
        for n in 0..800 {
            layers.push(column(n, &axes[usize::from(n % 7 == 0)]));
        }
        layers.push(column(300, &axes[0]));
        let empty = |layer: &Layer| layer.columns.iter().map(|column| column.memory_bytes()).sum::<usize>();
        for layer in &layers.layers {
            assert!(layer.columns.is_empty() || layer.bytes > empty(layer));
            assert!(layer.columns.iter().all(|column| column.t1_ms <= 3_010_000));
        }
        layers.push(column(0, &axes[0]));
        assert_eq!(layers.memory_bytes(), layers.layers[0].bytes);
        assert_eq!(layers.layers[0].bytes, empty(&layers.layers[0]) + axes[0].memory_bytes());
    }

    #[test]
    fn stored_columns_go_on_as_if_they_had_not_been_stored() {
        let mut whole = Layers::new(10_000);
        let mut stored = Layers::new(10_000);
        let axis = axis(3);
        for n in 0..234 {
            for closed in whole.push(column(n, &axis)) {
                if closed.layer > 0 {
                    stored.restore(closed);
                }
            }
        }
        stored.resume();
        assert_eq!(stored.ended_ms(), Some(2_340_000));
        for n in 234..500 {
            whole.push(column(n, &axis));
            stored.push(column(n, &axis));
        }
        for layer in 1..Layers::COUNT {
            assert!(whole.columns_of(layer).eq(stored.columns_of(layer)), "{layer}");
        }
    }

    #[test]
    fn what_a_minute_has_so_far_outlasts_the_end() {
        let (mut whole, mut stored) = (Layers::new(10_000), Layers::new(10_000));
        let axis = axis(3);
        let mut closed: Vec<Closed> = (0..8).flat_map(|n| whole.push(column(n, &axis))).collect();
        closed.extend(whole.finish());
        assert!(whole.finish().is_empty());
        closed.into_iter().filter(|closed| closed.layer > 0).for_each(|closed| stored.restore(closed));
        stored.resume();
        let times = |layers: &Layers| {
            layers.columns_of(1).map(|column| (column.t0_ms, column.t1_ms)).collect::<Vec<_>>()
        };
        assert_eq!(times(&stored), [(0, 60_000), (60_000, 80_000)]);
        stored.push(column(11, &axis));
        assert_eq!(times(&stored)[1..], [(60_000, 80_000), (110_000, 120_000)]);
    }

    #[test]
    fn a_view_of_long_ago_is_of_the_finest_layers_that_have_it() {
        let mut layers = Layers::new(10_000);
        let axis = axis(3);
        for n in 0..1000 {
            layers.push(column(n, &axis));
        }
        let widths = |from_ms| {
            let columns = layers.columns(from_ms, i64::MAX);
            assert!(columns.windows(2).all(|pair| pair[0].t1_ms == pair[1].t0_ms), "no hole and no overlap");
            (columns[0].width_ms(), columns.last().unwrap().width_ms(), columns.len())
        };
        assert_eq!(widths(9_000_000), (10_000, 10_000, 100));
        assert_eq!(widths(0), (60_000, 10_000, 166 + 4));
        assert_eq!(widths(-5), (60_000, 10_000, 166 + 4));
        // Of two hours, the first is gone from the finest layer.
        assert_eq!(widths(2_800_000), (60_000, 10_000, 61 + 358));
        assert!(layers.columns(20_000_000, i64::MAX).is_empty());
        assert!(Layers::new(10_000).columns(0, 10).is_empty());
    }
}
