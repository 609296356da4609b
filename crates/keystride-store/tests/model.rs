//! Random operations give what a plain map of cells gives, in every home.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use futures_util::TryStreamExt;
use keystride::{KeyRange, SplitPoints};
use keystride_store::{
    Cell, CellKind, Columns, Comparison, EmbeddedOptions, EmbeddedStore, Family, FamilyName, Filter,
    ManualClock, MemoryStore, Missing, MutationBatch, Order, RowBatch, Scan, Selection, Store,
    TableDescription, TableName, TimeRange, Write,
};
use proptest::prelude::*;

/// `a` keeps all, `b` keeps all for 30 seconds, `c` keeps two versions and the newest for ever, and is only put to:
/// what HBase may drop before it is asked can't be seen.
const FAMILIES: [&str; 3] = ["a", "b", "c"];
const ROWS: [&[u8]; 9] = [b"\0", b"\0\0", b"a", b"a\0", b"a\0\0", b"a\0b", b"ab", b"b", b"\xff\xff"];
const QUALIFIERS: [&[u8]; 3] = [b"", b"p", b"q"];
const TTL_MS: i64 = 30_000;

#[derive(Debug, Clone)]
enum Operation {
    Write(Vec<Mutation>),
    Turn { clock_ms: i64 },
    Flush,
    Reopen,
    Get { rows: Vec<usize>, selection: Question },
    Scan { cuts: BTreeSet<Vec<u8>>, order: Order, limit: Option<u64>, selection: Question },
}

#[derive(Debug, Clone)]
struct Mutation {
    row: usize,
    family: usize,
    qualifier: usize,
    ts: i64,
    kind: CellKind,
    value: u8,
}

/// What of rows to ask for.
#[derive(Debug, Clone)]
struct Question {
    family: Option<usize>,
    versions: u32,
    times: Option<(i64, i64)>,
    filter: Option<(usize, Comparison, u8, Missing)>,
}

type Visible = (String, Vec<u8>, i64, Vec<u8>);
type Answer = Vec<(Vec<u8>, Vec<Visible>)>;

/// What makes cells alike: row, family, qualifier, time and kind, in the order cells have.
type CellKey = (Vec<u8>, usize, Vec<u8>, Reverse<i64>, Reverse<CellKind>);

/// All cells ever written.
#[derive(Debug, Default)]
struct Model {
    cells: BTreeMap<CellKey, Vec<u8>>,
    now_ms: i64,
}

impl Model {
    fn write(&mut self, mutations: &[Mutation]) {
        for mutation in mutations {
            let qualifier = if mutation.kind.is_of_family() { b"" } else { QUALIFIERS[mutation.qualifier] };
            let row = ROWS[mutation.row].to_vec();
            let key =
                (row, mutation.family, qualifier.to_vec(), Reverse(mutation.ts), Reverse(mutation.kind));
            self.cells.insert(key, mutation.bytes());
        }
    }

    /// The visible cells of a row that are asked for, if the row passes.
    fn row(&self, row: &[u8], question: &Question) -> Vec<Visible> {
        let all: Vec<Visible> =
            (0..FAMILIES.len()).flat_map(|family| self.family(row, family, question)).collect();
        if !question.passes(&all) {
            return vec![];
        }
        let asked = |family: &str| question.family.is_none_or(|asked| FAMILIES[asked] == family);
        all.into_iter().filter(|cell| asked(&cell.0)).collect()
    }

    fn family(&self, row: &[u8], family: usize, question: &Question) -> Vec<Visible> {
        let (min, max) = question.times.unwrap_or((0, i64::MAX));
        let kept = if family == 2 { 2 } else { 100 };
        let mut visible = Vec::new();
        for qualifier in QUALIFIERS {
            let puts = self.cells.iter().filter(|((of, in_family, name, _, kind), _)| {
                of == row && *in_family == family && name == qualifier && kind.0 == CellKind::Put
            });
            let shown = puts
                .filter(|((.., ts, _), _)| !self.hidden(row, family, qualifier, ts.0))
                .filter(|((.., ts, _), _)| (min..max).contains(&ts.0))
                .take(kept.min(question.versions as usize))
                .enumerate()
                .filter(|(version, ((.., ts, _), _))| self.lives(family, *version, ts.0));
            visible.extend(shown.map(|(_, ((.., ts, _), value))| {
                (FAMILIES[family].to_owned(), qualifier.to_vec(), ts.0, value.clone())
            }));
        }
        visible
    }

    fn hidden(&self, row: &[u8], family: usize, qualifier: &[u8], ts: i64) -> bool {
        self.cells.keys().any(|(of, in_family, name, at, kind)| {
            of == row
                && *in_family == family
                && match kind.0 {
                    CellKind::Put => false,
                    CellKind::Delete => name == qualifier && at.0 == ts,
                    CellKind::DeleteColumn => name == qualifier && at.0 >= ts,
                    CellKind::DeleteFamily => at.0 >= ts,
                    CellKind::DeleteFamilyVersion => at.0 == ts,
                }
        })
    }

    fn lives(&self, family: usize, version: usize, ts: i64) -> bool {
        family == 0 || (family == 2 && version == 0) || ts >= self.now_ms - TTL_MS
    }

    fn get(&self, rows: &[usize], question: &Question) -> Answer {
        rows.iter().map(|&row| (ROWS[row].to_vec(), self.row(ROWS[row], question))).collect()
    }

    fn scan(&self, ranges: &[KeyRange], order: Order, limit: Option<u64>, question: &Question) -> Answer {
        let mut rows: Vec<&[u8]> =
            ROWS.into_iter().filter(|row| ranges.iter().any(|r| r.contains(row))).collect();
        rows.sort_unstable();
        if order == Order::Descending {
            rows.reverse();
        }
        let found = rows.into_iter().map(|row| (row.to_vec(), self.row(row, question)));
        let limit = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap());
        found.filter(|(_, cells)| !cells.is_empty()).take(limit).collect()
    }
}

impl Mutation {
    fn bytes(&self) -> Vec<u8> {
        if self.kind.is_delete() { vec![] } else { vec![self.value] }
    }
}

impl Question {
    fn passes(&self, cells: &[Visible]) -> bool {
        let Some((qualifier, comparison, value, missing)) = &self.filter else { return true };
        let stored = cells.iter().find(|cell| cell.0 == "a" && cell.1 == QUALIFIERS[*qualifier]);
        match (stored, comparison) {
            (None, _) => *missing == Missing::Passes,
            (Some(stored), Comparison::Less) => stored.3 < vec![*value],
            (Some(stored), _) => stored.3 == vec![*value],
        }
    }

    fn selection(&self) -> Selection {
        let name = |family: usize| FamilyName::new(FAMILIES[family]).unwrap();
        let (min_ms, max_ms) = self.times.unwrap_or((0, i64::MAX));
        let filter = self.filter.map(|(qualifier, comparison, value, missing)| Filter::Column {
            family: name(0),
            qualifier: QUALIFIERS[qualifier].to_vec(),
            comparison,
            value: vec![value],
            missing,
        });
        Selection {
            columns: self.family.map_or(Columns::All, |family| Columns::family(name(family))),
            versions: NonZeroU32::new(self.versions).unwrap(),
            times: TimeRange { min_ms, max_ms },
            filter,
            ..Selection::default()
        }
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let kinds = prop_oneof![
        8 => Just(CellKind::Put),
        1 => Just(CellKind::Delete),
        1 => Just(CellKind::DeleteColumn),
        1 => Just(CellKind::DeleteFamily),
        1 => Just(CellKind::DeleteFamilyVersion),
    ];
    let place = (0..ROWS.len(), 0..FAMILIES.len(), 0..QUALIFIERS.len());
    (place, 0_i64..12, kinds, any::<u8>()).prop_map(|((row, family, qualifier), at, kind, value)| {
        let kind = if family == 2 { CellKind::Put } else { kind };
        Mutation { row, family, qualifier, ts: at * 5_000, kind, value }
    })
}

fn question() -> impl Strategy<Value = Question> {
    let times =
        prop::option::of((0_i64..12, 0_i64..12).prop_map(|(a, b)| (a.min(b) * 5_000, a.max(b) * 5_000)));
    let comparison = prop_oneof![Just(Comparison::Less), Just(Comparison::Equal)];
    let missing = prop_oneof![Just(Missing::Passes), Just(Missing::Fails)];
    let filter = prop::option::weighted(0.3, (0..QUALIFIERS.len(), comparison, any::<u8>(), missing));
    (prop::option::of(0..FAMILIES.len()), 1_u32..5, times, filter).prop_map(
        |(family, versions, times, filter)| {
            // Of `c`, versions outside of a time range may be gone.
            let times = times.filter(|_| matches!(family, Some(0 | 1)));
            Question { family, versions, times, filter }
        },
    )
}

fn operation() -> impl Strategy<Value = Operation> {
    let order = prop_oneof![Just(Order::Ascending), Just(Order::Descending)];
    let cut = prop_oneof![
        prop::sample::select(ROWS.to_vec()).prop_map(<[u8]>::to_vec),
        prop::collection::vec(prop_oneof![Just(0), Just(b'a'), Just(b'b')], 0..3),
    ];
    let scan = (prop::collection::btree_set(cut, 0..5), order, prop::option::of(0_u64..6), question());
    prop_oneof![
        6 => prop::collection::vec(mutation(), 1..8).prop_map(Operation::Write),
        1 => (0_i64..90_000).prop_map(|clock_ms| Operation::Turn { clock_ms }),
        1 => Just(Operation::Flush),
        1 => Just(Operation::Reopen),
        2 => (prop::collection::vec(0..ROWS.len(), 0..5), question())
            .prop_map(|(rows, selection)| Operation::Get { rows, selection }),
        4 => scan.prop_map(|(cuts, order, limit, selection)| Operation::Scan { cuts, order, limit, selection }),
    ]
}

/// Every other stretch between the cuts.
fn ranges(cuts: &BTreeSet<Vec<u8>>) -> Vec<KeyRange> {
    let cuts: Vec<&Vec<u8>> = cuts.iter().collect();
    let range = |pair: &[&Vec<u8>]| KeyRange::new(pair[0].clone(), pair.get(1).map(|stop| (*stop).clone()));
    if cuts.is_empty() { vec![KeyRange::all()] } else { cuts.chunks(2).map(range).collect() }
}

fn answer_of(batches: &[RowBatch]) -> Answer {
    let rows = batches.iter().flat_map(RowBatch::rows);
    let cells = |cell: Cell<'_>| {
        let family = String::from_utf8(cell.family.to_vec()).unwrap();
        (family, cell.qualifier.to_vec(), cell.ts, cell.value.to_vec())
    };
    rows.map(|row| (row.key().to_vec(), row.cells().map(cells).collect())).collect()
}

fn table() -> TableDescription {
    let family = |name: &str| Family { versions: 100, ..Family::new(FamilyName::new(name).unwrap()) };
    let b = Family { ttl_seconds: Some(30), ..family("b") };
    let c = Family { ttl_seconds: Some(30), versions: 2, min_versions: 1, ..family("c") };
    TableDescription::new(TableName::new("t").unwrap(), [family("a"), b, c])
}

/// A store that can be opened again, if it is of the kind that lasts.
struct Home {
    store: Box<dyn Store>,
    clock: ManualClock,
    folder: Option<tempfile::TempDir>,
}

impl Home {
    fn in_memory() -> Self {
        let clock = ManualClock::default();
        Self { store: Box::new(MemoryStore::new(Arc::new(clock.clone()))), clock, folder: None }
    }

    async fn embedded() -> Self {
        let mut home = Self::in_memory();
        home.folder = Some(tempfile::tempdir().unwrap());
        home.reopen().await;
        home
    }

    async fn reopen(&mut self) {
        let Some(folder) = &self.folder else { return };
        self.store.close().await.unwrap();
        let options = EmbeddedOptions { clock: Arc::new(self.clock.clone()), ..EmbeddedOptions::default() };
        self.store = Box::new(EmbeddedStore::open(folder.path(), options).await.unwrap());
    }

    /// Rows, cells and bytes written to each region.
    async fn writes(&self) -> Vec<[u64; 3]> {
        let regions = self.store.regions(&table().name).await.unwrap();
        let counts = regions.into_iter().map(|region| region.counts);
        counts.map(|counts| [counts.rows_written, counts.cells_written, counts.bytes_written]).collect()
    }

    async fn follows_the_model(mut self, operations: Vec<Operation>) -> Result<(), TestCaseError> {
        let name = table().name;
        self.store.create(&table(), &SplitPoints::new([b"a\0", b"ab"]).unwrap()).await.unwrap();
        let mut model = Model::default();
        for operation in operations {
            match operation {
                Operation::Write(mutations) => {
                    model.write(&mutations);
                    let batch = batch_of(&mutations);
                    self.store.write(&name, Write::of(batch)).await.unwrap();
                }
                // Backwards it could not go: what outlived its time may be gone for good.
                Operation::Turn { clock_ms } => {
                    model.now_ms = model.now_ms.max(clock_ms);
                    self.clock.set(model.now_ms);
                }
                Operation::Flush => self.store.flush(&name).await.unwrap(),
                Operation::Reopen => {
                    let before = self.writes().await;
                    self.reopen().await;
                    prop_assert_eq!(self.writes().await, before);
                }
                Operation::Get { rows, selection } => {
                    let keys: Vec<&[u8]> = rows.iter().map(|&row| ROWS[row]).collect();
                    let got = self.store.get(&name, &keys, &selection.selection()).await.unwrap();
                    prop_assert_eq!(answer_of(&[got]), model.get(&rows, &selection));
                }
                Operation::Scan { cuts, order, limit, selection } => {
                    let ranges = ranges(&cuts);
                    let scan = Scan {
                        order,
                        limit,
                        selection: selection.selection(),
                        ..Scan::of_ranges(ranges.clone())
                    };
                    let batches = self.store.scan(&name, scan).await.unwrap();
                    let batches: Vec<RowBatch> = batches.try_collect().await.unwrap();
                    prop_assert_eq!(answer_of(&batches), model.scan(&ranges, order, limit, &selection));
                }
            }
        }
        Ok(())
    }
}

fn batch_of(mutations: &[Mutation]) -> MutationBatch {
    let mut batch = MutationBatch::new();
    for mutation in mutations {
        let cell = Cell {
            family: FAMILIES[mutation.family].as_bytes(),
            qualifier: QUALIFIERS[mutation.qualifier],
            ts: mutation.ts,
            kind: mutation.kind,
            value: &mutation.bytes(),
        };
        batch.push(ROWS[mutation.row], &cell).unwrap();
    }
    batch
}

fn in_a_runtime(test: impl Future<Output = Result<(), TestCaseError>>) -> Result<(), TestCaseError> {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(test)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn memory_follows_the_model(operations in prop::collection::vec(operation(), 1..40)) {
        in_a_runtime(Home::in_memory().follows_the_model(operations))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn the_embedded_store_follows_the_model(operations in prop::collection::vec(operation(), 1..60)) {
        in_a_runtime(async { Home::embedded().await.follows_the_model(operations).await })?;
    }
}
