//! A table, inputs for it, and what is in it afterwards.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::sync::Arc;

use futures_util::TryStreamExt;
use keystride::{Design, KeyRange, SplitPoints};
use keystride_store::{EmbeddedOptions, EmbeddedStore, ManualClock, MemoryStore, Scan, Store};
use keystride_table::Table;
use keystride_table::input::{InputOptions, InputReader, Source};
use keystride_table::load::*;

/// The load's own time unless a test turns the clock.
pub(crate) const NOW_MS: i64 = 1_400_657_685_457;

pub(crate) fn design(on_same_key: &str, columns: &str) -> Design {
    design_by("bucket = 4, of = [\"plane\"]", on_same_key, columns)
}

/// The same with another bucket.
pub(crate) fn design_by(bucket: &str, on_same_key: &str, columns: &str) -> Design {
    Design::from_toml(&format!(
        r#"
        format = 1
        [table]
        name = "flights"
        families = ["f"]
        on_same_key = "{on_same_key}"
        [fields]
        plane = {{ type = "string", max_len = 6, alphabet = "0-9A-Z" }}
        day = {{ type = "time", unit = "s", min = 0, max = 9999999999 }}
        delay = {{ type = "i32" }}
        place = {{ type = "string", max_len = 64 }}
        [key]
        parts = [ {{ {bucket} }}, {{ field = "plane" }}, {{ text = "!" }}, {{ field = "day", desc = 9999999999 }} ]
        [columns]
        {columns}
        "#
    ))
    .unwrap()
}

pub(crate) fn points() -> SplitPoints {
    SplitPoints::new(["1", "2", "3"]).unwrap()
}

pub(crate) async fn table_in(store: Arc<dyn Store>, design: &Design) -> Table {
    let name = keystride_store::TableName::new("flights").unwrap();
    if store.exists(&name).await.unwrap() {
        return Table::open(store, &name).await.unwrap();
    }
    Table::create(store, design.clone(), &points()).await.unwrap()
}

pub(crate) async fn table(design: &Design) -> Table {
    table_in(Arc::new(MemoryStore::default()), design).await
}

/// A table for every home there is, with the folder that lives as long.
pub(crate) async fn tables(design: &Design) -> (Vec<Table>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let embedded = embedded(folder.path()).await;
    (vec![table(design).await, table_in(embedded, design).await], folder)
}

pub(crate) async fn embedded(folder: &Path) -> Arc<dyn Store> {
    Arc::new(EmbeddedStore::open(folder.join("store"), EmbeddedOptions::default()).await.unwrap())
}

pub(crate) fn reader(table: &Table, text: impl Into<String>) -> InputReader {
    readers(table, &[("flights.csv", text.into())])
}

pub(crate) fn readers(table: &Table, texts: &[(&str, String)]) -> InputReader {
    let source =
        |(name, text): &(&str, String)| Source::reader(*name, io::Cursor::new(text.clone().into_bytes()));
    let sources = texts.iter().map(source).collect();
    InputReader::open(Arc::new(table.design().clone()), sources, InputOptions::default()).unwrap()
}

pub(crate) fn options() -> LoadOptions {
    LoadOptions { clock: Arc::new(ManualClock::at(NOW_MS)), ..LoadOptions::of(LoadId::new("test")) }
}

/// Many small batches.
pub(crate) fn small_batches(bytes: usize) -> LoadOptions {
    LoadOptions { batch_bytes: bytes.try_into().unwrap(), ..options() }
}

/// Loads a text; the report, and what was told of rejected rows.
pub(crate) async fn load(
    table: &Table,
    options: LoadOptions,
    text: impl Into<String>,
) -> (LoadReport, Vec<String>) {
    let mut heard = Heard::default();
    let report = Load::new(table, options).run(reader(table, text), &mut heard).await.unwrap();
    (report, heard.rejects)
}

/// Every cell of a table as a line `key column@timestamp=value`.
pub(crate) async fn cells(table: &Table) -> Vec<String> {
    let mut scan = Scan::of(KeyRange::all());
    scan.selection.versions = u32::MAX.try_into().unwrap();
    let batches = table.store().scan(table.name(), scan).await.unwrap();
    let mut lines = Vec::new();
    let batches: Vec<_> = batches.try_collect().await.unwrap();
    for row in batches.iter().flat_map(keystride_store::RowBatch::rows) {
        for cell in row.cells() {
            let [key, name, value] =
                [row.key(), cell.qualifier, cell.value].map(|bytes| String::from_utf8_lossy(bytes));
            lines.push(format!("{key} {name}@{}={value}", cell.ts));
        }
    }
    lines
}

/// An observer that remembers, and may stop the load.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) rejects: Vec<String>,
    pub(crate) told: Vec<(Phase, Counts)>,
    /// What there was of an earlier run.
    pub(crate) earlier: Option<Earlier>,
    /// After so many batches.
    pub(crate) stop_after: Option<usize>,
}

impl LoadObserver for Heard {
    fn earlier(&mut self, earlier: &Earlier) {
        self.earlier = Some(earlier.clone());
    }

    fn rejected(&mut self, rejected: &Rejected) -> io::Result<()> {
        self.rejects.push(format!("{rejected} <- {}", String::from_utf8_lossy(&rejected.raw)));
        Ok(())
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        self.told.push((progress.phase, progress.counts.clone()));
        let stored = self.told.iter().filter(|(phase, _)| *phase != Phase::CatchingUp).count();
        if Some(stored) == self.stop_after { Proceed::Stop } else { Proceed::On }
    }
}

pub(crate) const HEADER: &str = "plane,day,delay,place\n";

/// Rows of which some are the same, some make the key of another, and some are no rows.
pub(crate) fn mixed_text(rows: u64) -> String {
    let mut text = HEADER.to_owned();
    let mut dice = Dice(7);
    for _ in 0..rows {
        let (plane, day, delay) = (dice.below(60), dice.below(40), dice.below(3));
        match dice.below(50) {
            0 => writeln!(text, "N{plane},soon,{delay},JFK"),
            1 => writeln!(text, ",{day},{delay},JFK"),
            2 => writeln!(text, "N{plane},{day}"),
            _ => writeln!(text, "N{plane},{day},{delay},{}", ["JFK", ""][usize::from(dice.below(2) == 1)]),
        }
        .unwrap();
    }
    text
}

/// Numbers that look random and are the same each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}
