//! Questions and answers.

use keystride_hbase::{
    ColumnTest, Comparator, Error, Filter as WireFilter, RegionInfo, Row as WireRow,
    Selection as WireSelection, Sink, TimeRange as WireTimes,
};

use super::counts::Counts;
use crate::cell::Cell;
use crate::sink::Sink as Batcher;
use crate::{Columns, Detail, FamilyColumns, Filter, Missing, RowBatch, Selection, StoreError, TimeRange};

/// A selection in HBase's words. Servers get the columns that a filter looks at too, and those it leaves out are left
/// out here.
pub(super) fn wire_selection(selection: &Selection) -> WireSelection {
    let mut asked = WireSelection::all().versions(selection.versions.get());
    if let Columns::Of(families) = &selection.columns {
        for (family, columns) in families {
            asked = match columns {
                FamilyColumns::All => asked.family(family.as_bytes()),
                FamilyColumns::Named(names) => {
                    names.iter().fold(asked, |asked, name| asked.column(family.as_bytes(), name))
                }
            };
        }
        for (family, qualifier) in selection.filter.iter().flat_map(columns_of) {
            asked = asked.column(family, qualifier);
        }
    }
    if selection.times != TimeRange::ALL {
        let TimeRange { min_ms, max_ms } = selection.times;
        // One that is empty or backwards holds nothing, and is answered without asking.
        if let Ok(times) = WireTimes::new(min_ms, max_ms) {
            asked = asked.time_range(times);
        }
    }
    match filters(selection) {
        Some(filter) => asked.filter(filter),
        None => asked,
    }
}

fn filters(selection: &Selection) -> Option<WireFilter> {
    let rows = selection.filter.as_ref().map(wire_filter);
    let cells = match selection.detail {
        Detail::Values => None,
        Detail::Keys => Some(WireFilter::key_only()),
        // It would keep a filter of rows from seeing the columns behind the first.
        Detail::FirstKey if rows.is_some() => Some(WireFilter::key_only()),
        Detail::FirstKey => Some(WireFilter::all([WireFilter::first_key_only(), WireFilter::key_only()])),
    };
    match (rows, cells) {
        (Some(rows), Some(cells)) => Some(WireFilter::all([rows, cells])),
        (rows, cells) => rows.or(cells),
    }
}

pub(super) fn wire_filter(filter: &Filter) -> WireFilter {
    match filter {
        Filter::All(filters) => WireFilter::all(filters.iter().map(wire_filter)),
        Filter::Any(filters) => WireFilter::any(filters.iter().map(wire_filter)),
        Filter::Column { family, qualifier, comparison, value, missing } => {
            let comparator = Comparator::binary(value);
            WireFilter::single_column_value(ColumnTest {
                keep_if_missing: *missing == Missing::Passes,
                ..ColumnTest::new(family.as_bytes(), qualifier, *comparison, comparator)
            })
        }
    }
}

fn columns_of(filter: &Filter) -> Vec<(&[u8], &[u8])> {
    match filter {
        Filter::All(filters) | Filter::Any(filters) => filters.iter().flat_map(columns_of).collect(),
        Filter::Column { family, qualifier, .. } => vec![(family.as_bytes(), qualifier)],
    }
}

/// The cells of a row that came over the wire.
pub(super) fn cells(row: &WireRow) -> impl Iterator<Item = Cell<'_>> + Clone {
    row.cells().map(|cell| {
        let keystride_hbase::Cell { family, qualifier, ts, kind, value, .. } = cell;
        Cell { family, qualifier, ts, kind, value }
    })
}

/// One row for each key, without cells where nothing is visible.
pub(super) fn answer(
    keys: &[&[u8]],
    rows: &[WireRow],
    selection: &Selection,
) -> Result<RowBatch, StoreError> {
    let mut sink = Batcher::new(selection);
    for (key, row) in keys.iter().zip(rows) {
        sink.add_selected(key, selection.project(cells(row)))?;
    }
    Ok(sink.into_batch())
}

/// Rows in the order they were asked for.
#[derive(Debug)]
pub(super) struct Reads {
    rows: Vec<WireRow>,
    regions: Vec<(RegionInfo, u64)>,
    failed: Option<Error>,
}

impl Reads {
    pub(super) fn new(count: usize) -> Self {
        Self { rows: vec![WireRow::default(); count], regions: Vec::new(), failed: None }
    }

    pub(super) fn finish(self, counts: &Counts) -> Result<Vec<WireRow>, Error> {
        for (region, rows) in &self.regions {
            counts.read(region.encoded_name(), *rows);
        }
        self.failed.map_or(Ok(self.rows), Err)
    }
}

impl Sink for Reads {
    fn done(&mut self, region: &RegionInfo, place: usize, row: WireRow) {
        self.rows[place] = row;
        match self.regions.last_mut().filter(|(last, _)| last == region) {
            Some((_, rows)) => *rows += 1,
            None => self.regions.push((region.clone(), 1)),
        }
    }

    fn failed(&mut self, _: usize, error: Error) {
        self.failed.get_or_insert(error);
    }
}
