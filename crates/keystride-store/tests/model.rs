//! Random operations give what a plain map of cells gives, in every home.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use futures_util::TryStreamExt;
use keystride::{Key, KeyRange, SplitPoints};
use keystride_store::{
    Amount, Appended, Cell, CellKind, Check, Columns, Compare, Condition, EmbeddedOptions, EmbeddedStore,
    Family, FamilyName, Filter, ManualClock, MemoryStore, Missing, MutationBatch, Order, RowBatch, Scan,
    Selection, Store, StoreError, TableDescription, TableName, TimeRange, Write,
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
    Increment { row: usize, columns: BTreeSet<(usize, usize)>, amount: i64 },
    Append { row: usize, columns: BTreeSet<(usize, usize)>, value: u8 },
    Check { row: usize, test: Test, mutations: Vec<Mutation> },
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
    filter: Option<(usize, Compare, u8, Missing)>,
}

/// What a change depends on.
#[derive(Debug, Clone)]
enum Test {
    Column { family: usize, qualifier: usize, comparison: Compare, value: Vec<u8>, times: Option<(i64, i64)> },
    Filter { qualifier: usize, comparison: Compare, value: u8, missing: Missing },
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

    /// Makes new values of the newest ones of some columns, unless `make` refuses one of them.
    fn add(
        &mut self,
        row: usize,
        columns: &BTreeSet<(usize, usize)>,
        make: impl Fn(Option<&[u8]>) -> Option<Vec<u8>>,
    ) -> Option<Vec<Visible>> {
        let stored = self.row(ROWS[row], &Question::of_newest(None));
        let new = columns.iter().map(|&(family, qualifier)| {
            let (family, qualifier) = (FAMILIES[family], QUALIFIERS[qualifier]);
            let old = stored.iter().find(|cell| cell.0 == family && cell.1 == qualifier);
            let ts = old.map_or(self.now_ms, |old| self.now_ms.max(old.2 + 1));
            let value = make(old.map(|old| old.3.as_slice()))?;
            Some((family.to_owned(), qualifier.to_vec(), ts, value))
        });
        let new: Vec<Visible> = new.collect::<Option<_>>()?;
        for ((_, qualifier, ts, value), (family, _)) in new.iter().zip(columns) {
            let key = (ROWS[row].to_vec(), *family, qualifier.clone(), Reverse(*ts), Reverse(CellKind::Put));
            self.cells.insert(key, value.clone());
        }
        Some(new)
    }

    fn holds(&self, row: usize, test: &Test) -> bool {
        match test {
            Test::Column { family, qualifier, comparison, value, times } => {
                let question = Question::of_newest(*times);
                let cells = self.family(ROWS[row], *family, &question);
                let stored =
                    cells.into_iter().find(|cell| cell.1 == QUALIFIERS[*qualifier]).map(|cell| cell.3);
                match stored {
                    _ if value.is_empty() => {
                        stored.unwrap_or_default().is_empty() != (*comparison == Compare::NotEqual)
                    }
                    None => false,
                    Some(stored) => match comparison {
                        Compare::Less => stored < *value,
                        Compare::LessOrEqual => stored <= *value,
                        Compare::Equal => stored == *value,
                        Compare::NotEqual => stored != *value,
                        Compare::GreaterOrEqual => stored >= *value,
                        Compare::Greater => stored > *value,
                    },
                }
            }
            Test::Filter { qualifier, comparison, value, missing } => {
                let filter = Some((*qualifier, *comparison, *value, *missing));
                !self.row(ROWS[row], &Question { filter, ..Question::of_newest(None) }).is_empty()
            }
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

impl Test {
    fn check(&self, row: usize) -> Check {
        let name = |family: usize| FamilyName::new(FAMILIES[family]).unwrap();
        let row = Key::new(ROWS[row]).unwrap();
        match self {
            Self::Column { family, qualifier, comparison, value, times } => {
                let (qualifier, value) = (QUALIFIERS[*qualifier], value.clone());
                let (min_ms, max_ms) = times.unwrap_or((0, i64::MAX));
                let condition = Condition::column(name(*family), qualifier, *comparison, value);
                Check { times: TimeRange { min_ms, max_ms }, ..Check::of(row, condition) }
            }
            Self::Filter { qualifier, comparison, value, missing } => {
                let filter = Some((*qualifier, *comparison, *value, *missing));
                let selection = Question { filter, ..Question::of_newest(None) }.selection();
                Check::of(row, Condition::Filter(selection.filter.unwrap()))
            }
        }
    }
}

impl Question {
    /// The newest versions of all there is.
    fn of_newest(times: Option<(i64, i64)>) -> Self {
        Self { family: None, versions: 1, times, filter: None }
    }

    fn passes(&self, cells: &[Visible]) -> bool {
        let Some((qualifier, comparison, value, missing)) = &self.filter else { return true };
        let stored = cells.iter().find(|cell| cell.0 == "a" && cell.1 == QUALIFIERS[*qualifier]);
        match (stored, comparison) {
            (None, _) => *missing == Missing::Passes,
            (Some(stored), Compare::Less) => stored.3 < vec![*value],
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
    let comparison = prop_oneof![Just(Compare::Less), Just(Compare::Equal)];
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

fn test() -> impl Strategy<Value = Test> {
    let comparison = || prop::sample::select(&Compare::ALL[..]);
    let times =
        prop::option::of((0_i64..12, 0_i64..12).prop_map(|(a, b)| (a.min(b) * 5_000, a.max(b) * 5_000)));
    let value = prop::collection::vec(any::<u8>(), 0..2);
    let column = (0..FAMILIES.len(), 0..QUALIFIERS.len(), comparison(), value, times);
    let missing = prop_oneof![Just(Missing::Passes), Just(Missing::Fails)];
    let filter_comparison = prop_oneof![Just(Compare::Less), Just(Compare::Equal)];
    let filter = (0..QUALIFIERS.len(), filter_comparison, any::<u8>(), missing);
    prop_oneof![
        3 => column.prop_map(|(family, qualifier, comparison, value, times)| {
            // Of `c`, versions outside of a time range may be gone.
            let times = times.filter(|_| family != 2);
            Test::Column { family, qualifier, comparison, value, times }
        }),
        1 => filter.prop_map(|(qualifier, comparison, value, missing)| {
            Test::Filter { qualifier, comparison, value, missing }
        }),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    let order = prop_oneof![Just(Order::Ascending), Just(Order::Descending)];
    let cut = prop_oneof![
        prop::sample::select(ROWS.to_vec()).prop_map(<[u8]>::to_vec),
        prop::collection::vec(prop_oneof![Just(0), Just(b'a'), Just(b'b')], 0..3),
    ];
    let scan = (prop::collection::btree_set(cut, 0..5), order, prop::option::of(0_u64..6), question());
    let columns = || prop::collection::btree_set((0..FAMILIES.len(), 0..QUALIFIERS.len()), 1..4);
    prop_oneof![
        6 => prop::collection::vec(mutation(), 1..8).prop_map(Operation::Write),
        2 => (0..ROWS.len(), columns(), -9_i64..99)
            .prop_map(|(row, columns, amount)| Operation::Increment { row, columns, amount }),
        1 => (0..ROWS.len(), columns(), any::<u8>())
            .prop_map(|(row, columns, value)| Operation::Append { row, columns, value }),
        2 => (0..ROWS.len(), test(), prop::collection::vec(mutation(), 1..4)).prop_map(
            |(row, test, mutations)| {
                let mutations = mutations.into_iter().map(|mutation| Mutation { row, ..mutation });
                Operation::Check { row, test, mutations: mutations.collect() }
            }
        ),
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
                Operation::Increment { row, columns, amount } => {
                    let expected = model.add(row, &columns, |old| sum(old, amount));
                    let amounts = columns.iter().map(|&(family, qualifier)| Amount {
                        family: FAMILIES[family].as_bytes(),
                        qualifier: QUALIFIERS[qualifier],
                        amount,
                    });
                    let row = Key::new(ROWS[row]).unwrap();
                    let given = self.store.increment(&name, &row, &amounts.collect::<Vec<_>>()).await;
                    match (given, expected) {
                        (Ok(given), Some(new)) => {
                            prop_assert_eq!(answer_of(&[given]), [(row.into_bytes(), new)]);
                        }
                        (Err(StoreError::NotANumber { .. }), None) => {}
                        (given, expected) => prop_assert!(false, "{given:?} instead of {expected:?}"),
                    }
                }
                Operation::Append { row, columns, value } => {
                    let append = |old: Option<&[u8]>| Some([old.unwrap_or_default(), &[value]].concat());
                    let expected = model.add(row, &columns, append).unwrap();
                    let values = columns.iter().map(|&(family, qualifier)| Appended {
                        family: FAMILIES[family].as_bytes(),
                        qualifier: QUALIFIERS[qualifier],
                        value: std::slice::from_ref(&value),
                    });
                    let row = Key::new(ROWS[row]).unwrap();
                    let given = self.store.append(&name, &row, &values.collect::<Vec<_>>()).await.unwrap();
                    prop_assert_eq!(answer_of(&[given]), [(row.into_bytes(), expected)]);
                }
                Operation::Check { row, test, mutations } => {
                    let expected = model.holds(row, &test);
                    if expected {
                        model.write(&mutations);
                    }
                    let (check, batch) = (test.check(row), batch_of(&mutations));
                    let is_applied = self.store.check_and_mutate(&name, &check, batch).await.unwrap();
                    prop_assert_eq!(is_applied, expected, "{:?}", check);
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

/// A number that grew; `None` for what is no number.
fn sum(old: Option<&[u8]>, amount: i64) -> Option<Vec<u8>> {
    let old = old.map_or(Some(0), |old| old.try_into().ok().map(i64::from_be_bytes))?;
    Some(old.wrapping_add(amount).to_be_bytes().into())
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
