//! Which cells of a family a read sees in one row: HBase's rules for delete markers, versions and time to live.

use crate::cell::Cell;
use crate::{CellKind, Family, Selection, TimeRange};

/// The visibility rules for one family in one read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    max_versions: u32,
    min_versions: u32,
    oldest_live: i64,
    times: TimeRange,
}

/// State of a pass over the sorted cells of a family, as in HBase's `ScanDeleteTracker` and
/// `ScanWildcardColumnTracker`.
#[derive(Debug, Default)]
struct Walk<'a> {
    family_hidden_until: Option<i64>,
    family_hidden_at: Vec<i64>,
    column: Option<Column<'a>>,
}

#[derive(Debug)]
struct Column<'a> {
    qualifier: &'a [u8],
    hidden_until: Option<i64>,
    hidden_at: Option<i64>,
    last_ts: Option<i64>,
    versions: u32,
}

impl View {
    pub(crate) fn new(family: &Family, selection: &Selection, now_ms: i64) -> Self {
        let oldest_live = match family.ttl_seconds {
            Some(seconds) => now_ms.saturating_sub(i64::from(seconds) * 1_000),
            None => i64::MIN,
        };
        Self {
            max_versions: family.versions.min(selection.versions.get()),
            min_versions: family.min_versions,
            oldest_live,
            times: selection.times,
        }
    }

    /// Whether a value at `ts` is visible if there are no delete markers and no other versions.
    pub(crate) fn shows_alone(&self, ts: i64) -> bool {
        self.times.contains(ts) && self.outlives(ts, 1)
    }

    /// Retains the visible ones among a family's cells, which must be sorted, with equal cells ordered latest written
    /// first.
    pub(crate) fn keep_visible(&self, cells: &mut Vec<Cell<'_>>) {
        let mut walk = Walk::default();
        cells.retain(|cell| {
            walk.mark(cell);
            cell.kind == CellKind::Put && !walk.hides(cell) && self.counts(&mut walk, cell)
        });
    }

    /// Counts a version that no marker hides, and returns whether it is to be shown.
    fn counts<'a>(&self, walk: &mut Walk<'a>, cell: &Cell<'a>) -> bool {
        if !self.times.contains(cell.ts) {
            return false;
        }
        let column = walk.column(cell.qualifier);
        if column.last_ts.replace(cell.ts) == Some(cell.ts) {
            return false;
        }
        column.versions += 1;
        column.versions <= self.max_versions && self.outlives(cell.ts, column.versions)
    }

    fn outlives(&self, ts: i64, version: u32) -> bool {
        version <= self.min_versions || ts >= self.oldest_live
    }
}

impl<'a> Walk<'a> {
    fn column(&mut self, qualifier: &'a [u8]) -> &mut Column<'a> {
        if self.column.as_ref().is_some_and(|column| column.qualifier != qualifier) {
            self.column = None;
        }
        self.column.get_or_insert(Column {
            qualifier,
            hidden_until: None,
            hidden_at: None,
            last_ts: None,
            versions: 0,
        })
    }

    /// Records a delete marker. Markers come before the values they hide, newest first.
    fn mark(&mut self, cell: &Cell<'a>) {
        match cell.kind {
            CellKind::Put => {}
            CellKind::DeleteFamily => {
                self.family_hidden_until = self.family_hidden_until.max(Some(cell.ts));
            }
            CellKind::DeleteFamilyVersion => self.family_hidden_at.push(cell.ts),
            CellKind::DeleteColumn => {
                let column = self.column(cell.qualifier);
                column.hidden_until = column.hidden_until.max(Some(cell.ts));
            }
            CellKind::Delete => self.column(cell.qualifier).hidden_at = Some(cell.ts),
        }
    }

    fn hides(&mut self, cell: &Cell<'a>) -> bool {
        let ts = Some(cell.ts);
        self.family_hidden_until >= ts || self.family_hidden_at.contains(&cell.ts) || {
            let column = self.column(cell.qualifier);
            column.hidden_until >= ts || column.hidden_at == ts
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(qualifier: &'static [u8], ts: i64) -> Cell<'static> {
        mark(CellKind::Put, qualifier, ts)
    }

    fn mark(kind: CellKind, qualifier: &'static [u8], ts: i64) -> Cell<'static> {
        Cell { family: b"f", qualifier, ts, kind, value: b"" }
    }

    fn seen(view: View, mut cells: Vec<Cell<'static>>) -> Vec<i64> {
        cells.sort_by(Cell::cmp_in_family);
        view.keep_visible(&mut cells);
        cells.iter().map(|cell| cell.ts).collect()
    }

    fn view(max_versions: u32, min_versions: u32, oldest_live: i64) -> View {
        View { max_versions, min_versions, oldest_live, times: TimeRange::ALL }
    }

    #[test]
    fn each_mark_hides_what_it_covers() {
        let puts = || (1..=5).map(|ts| put(b"q", ts)).chain([put(b"p", 3)]).collect::<Vec<_>>();
        let with = |kind, qualifier, ts| {
            let mut cells = puts();
            cells.push(mark(kind, qualifier, ts));
            seen(view(9, 0, 0), cells)
        };
        assert_eq!(with(CellKind::Delete, b"q", 4), [3, 5, 3, 2, 1]);
        assert_eq!(with(CellKind::DeleteColumn, b"q", 4), [3, 5]);
        assert_eq!(with(CellKind::DeleteFamily, b"", 3), [5, 4]);
        assert_eq!(with(CellKind::DeleteFamilyVersion, b"", 3), [5, 4, 2, 1]);
    }

    #[test]
    fn a_mark_of_the_column_without_name_stays_in_that_column() {
        let cells = vec![mark(CellKind::DeleteColumn, b"", 9), put(b"", 1), put(b"q", 2)];
        assert_eq!(seen(view(9, 0, 0), cells), [2]);
    }

    #[test]
    fn the_newest_versions_outlive_their_time() {
        let cells = || (1..=5).map(|ts| put(b"q", ts)).collect::<Vec<_>>();
        assert_eq!(seen(view(9, 0, 4), cells()), [5, 4]);
        assert_eq!(seen(view(9, 3, 4), cells()), [5, 4, 3]);
        assert_eq!(seen(view(2, 3, 9), cells()), [5, 4]);
    }

    #[test]
    fn versions_are_counted_inside_the_time_range() {
        let view = View { times: TimeRange { min_ms: 2, max_ms: 4 }, ..view(1, 0, 0) };
        assert_eq!(seen(view, (1..=5).map(|ts| put(b"q", ts)).collect()), [3]);
    }
}
