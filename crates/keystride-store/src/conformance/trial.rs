//! A test table, and a short notation for what is written and read.

use std::fmt::Write as _;

use futures_util::TryStreamExt;
use keystride::{KeyRange, SplitPoints, escape};

use super::Subject;
use crate::{
    Cell, CellKind, Columns, Family, FamilyName, LATEST, MutationBatch, Row, RowBatch, Scan, Selection,
    Store, StoreError, TableDescription, TableName, Write, Written,
};

/// A test table. By default it has the families `a` and `b`, which keep ten versions.
pub(super) struct Trial<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) now_ms: i64,
    pub(super) table: TableName,
}

pub(super) fn family(name: &str) -> FamilyName {
    FamilyName::new(name).unwrap()
}

/// Selects all versions, up to ten.
pub(super) fn all_versions() -> Selection {
    Selection { versions: 10.try_into().unwrap(), ..Selection::default() }
}

/// Selects columns given as `family:qualifier`, all of one family.
pub(super) fn columns(names: &[&str]) -> Columns {
    let (of, _) = names[0].split_once(':').unwrap();
    Columns::named(family(of), names.iter().map(|name| name.split_once(':').unwrap().1))
}

/// Scans the whole table with a selection.
pub(super) fn scan_of(selection: Selection) -> Scan {
    Scan { selection, ..Scan::of(KeyRange::all()) }
}

/// Returns the range between two keys given as text.
pub(super) fn range(start: &str, stop: &str) -> KeyRange {
    KeyRange::new(start, Some(stop.into()))
}

/// Parses mutations from lines: `put row family:qualifier ts value`, `delete row family:qualifier ts`,
/// `delete_column …`, `delete_family row family ts` and `delete_family_version …`. A timestamp of `now` is the
/// store's time.
pub(super) fn batch_of(lines: &[&str]) -> MutationBatch {
    let mut batch = MutationBatch::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let [kind, row, column, ts] = *words.first_chunk().unwrap();
        let (family, qualifier) = column.split_once(':').unwrap_or((column, ""));
        let cell = Cell {
            family: family.as_bytes(),
            qualifier: qualifier.as_bytes(),
            ts: if ts == "now" { LATEST } else { ts.parse().unwrap() },
            kind: kind_of(kind),
            value: words.get(4).copied().unwrap_or("").as_bytes(),
        };
        batch.push(row.as_bytes(), &cell).unwrap();
    }
    batch
}

fn kind_of(word: &str) -> CellKind {
    match word {
        "put" => CellKind::Put,
        "delete" => CellKind::Delete,
        "delete_column" => CellKind::DeleteColumn,
        "delete_family" => CellKind::DeleteFamily,
        "delete_family_version" => CellKind::DeleteFamilyVersion,
        other => panic!("no kind of mutation is called {other:?}"),
    }
}

/// Formats a row as `row family:qualifier@ts=value …`.
pub(super) fn line_of(row: Row<'_>) -> String {
    let mut line = escape::to_escaped(row.key());
    for cell in row.cells() {
        assert_eq!(cell.kind, CellKind::Put, "only values come back");
        let [family, qualifier, value] = [cell.family, cell.qualifier, cell.value].map(escape::to_escaped);
        write!(line, " {family}:{qualifier}@{}={value}", cell.ts).unwrap();
    }
    line
}

pub(super) fn lines_of(batch: &RowBatch) -> Vec<String> {
    batch.rows().map(line_of).collect()
}

impl<'a> Trial<'a> {
    pub(super) async fn new(subject: Subject<'a>, name: &str) -> Self {
        Self::with_splits(subject, name, &[]).await
    }

    pub(super) async fn with_splits(subject: Subject<'a>, name: &str, splits: &[&str]) -> Self {
        let families = ["a", "b"].map(|name| Family { versions: 10, ..Family::new(family(name)) });
        Self::with_families(subject, name, families, splits).await
    }

    pub(super) async fn with_families(
        subject: Subject<'a>,
        name: &str,
        families: impl IntoIterator<Item = Family>,
        splits: &[&str],
    ) -> Self {
        let table = Self::vacant(subject, name).await;
        let description = TableDescription::new(table.clone(), families);
        subject.store.create(&description, &SplitPoints::new(splits).unwrap()).await.unwrap();
        Self { store: subject.store, now_ms: subject.now_ms, table }
    }

    /// Returns the name of a table that does not exist, dropping an existing one.
    pub(super) async fn vacant(subject: Subject<'a>, name: &str) -> TableName {
        let table = TableName::new(&format!("conformance_{name}")).unwrap();
        if subject.store.exists(&table).await.unwrap() {
            subject.store.drop_table(&table).await.unwrap();
        }
        table
    }

    pub(super) async fn write(&self, lines: &[&str]) -> Written {
        self.try_write(batch_of(lines)).await.unwrap()
    }

    pub(super) async fn try_write(&self, batch: MutationBatch) -> Result<Written, StoreError> {
        self.store.write(&self.table, Write::of(batch)).await
    }

    /// Writes a value with timestamp 1 to `a:q` of `count` rows, starting at row `0000`.
    pub(super) async fn write_rows(&self, count: usize) {
        let mut batch = MutationBatch::new();
        for row in 0..count {
            batch.put(format!("{row:04}").as_bytes(), b"a", b"q", 1, b"v").unwrap();
        }
        self.try_write(batch).await.unwrap();
    }

    pub(super) async fn get(&self, keys: &[&str], selection: &Selection) -> Vec<String> {
        let keys: Vec<&[u8]> = keys.iter().map(|key| key.as_bytes()).collect();
        lines_of(&self.store.get(&self.table, &keys, selection).await.unwrap())
    }

    pub(super) async fn scan(&self, scan: Scan) -> Vec<String> {
        self.batches(scan).await.iter().flat_map(lines_of).collect()
    }

    /// Returns the keys of a scan's rows.
    pub(super) async fn keys(&self, scan: Scan) -> Vec<String> {
        let batches = self.batches(scan).await;
        batches.iter().flat_map(RowBatch::rows).map(|row| escape::to_escaped(row.key())).collect()
    }

    async fn batches(&self, scan: Scan) -> Vec<RowBatch> {
        let batches = self.store.scan(&self.table, scan).await.unwrap();
        let batches: Vec<RowBatch> = batches.try_collect().await.unwrap();
        assert!(batches.iter().all(|batch| !batch.is_empty()), "no batch is empty");
        batches
    }

    /// Returns all visible versions, checking that scan and get agree.
    pub(super) async fn all(&self) -> Vec<String> {
        self.visible(all_versions()).await
    }

    /// Returns what a selection shows, checking that scans in both orders and get agree.
    pub(super) async fn visible(&self, selection: Selection) -> Vec<String> {
        let lines = self.scan(scan_of(selection.clone())).await;
        let descending = Scan { order: crate::Order::Descending, ..scan_of(selection.clone()) };
        let mut backwards = self.scan(descending).await;
        backwards.reverse();
        assert_eq!(lines, backwards, "both orders show the same");
        let keys: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
        if keys.iter().all(|key| !key.contains('\\')) {
            assert_eq!(lines, self.get(&keys, &selection).await, "scan and get show the same");
        }
        lines
    }
}
