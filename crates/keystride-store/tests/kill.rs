//! A process that loads an embedded store is killed at random moments; what it acknowledged is there.
//!
//! `KEYSTRIDE_KILLS` says how often, 100 times unless told otherwise.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use futures_util::TryStreamExt;
use keystride::{KeyRange, SplitPoints};
use keystride_store::{
    Detail, Durability, EmbeddedOptions, EmbeddedStore, Family, FamilyName, MutationBatch, Row, RowBatch,
    Scan, Selection, Store, TableDescription, TableName, TableReader, Write,
};

const ROWS_PER_BATCH: u64 = 20;
const COLUMNS: [(&str, &str); 5] = [("a", "x"), ("a", "y"), ("a", "z"), ("b", "x"), ("b", "y")];
/// So that what is checked stays small however often is killed.
const KILLS_PER_STORE: u64 = 100;
/// So little that files are written and merged all the time.
const WRITE_BUFFER_BYTES: u64 = 1 << 20;
const FOLDER: &str = "KEYSTRIDE_KILL_FOLDER";
const DURABILITY: &str = "KEYSTRIDE_KILL_DURABILITY";
const NEXT: &str = "next batch";
/// Rows of the table that is made, loaded in bulk and dropped over and over.
const BULK_ROWS: usize = 50;

fn table() -> TableDescription {
    let families = ["a", "b"].map(|name| Family::new(FamilyName::new(name).unwrap()));
    TableDescription::new(TableName::new("t").unwrap(), families)
}

/// The rows of a batch lie all over the table.
fn row_key(batch: u64, row: u64) -> String {
    format!("{:02}|{batch:08}|{row:02}", (batch * 31 + row * 7) % 16)
}

fn value(batch: u64, row: u64, column: &str) -> String {
    format!("{batch}:{row}:{column}:{}", "v".repeat(100))
}

fn batch_of(number: u64) -> Write {
    let mut batch = MutationBatch::new();
    for row in 0..ROWS_PER_BATCH {
        for (family, column) in COLUMNS {
            let (key, value) = (row_key(number, row), value(number, row, column));
            batch.put(key.as_bytes(), family.as_bytes(), column.as_bytes(), 1, value.as_bytes()).unwrap();
        }
    }
    Write::of(batch).with_note(NEXT, (number + 1).to_be_bytes())
}

async fn next_batch(store: &dyn Store) -> u64 {
    let note = store.note(&table().name, NEXT).await.unwrap();
    note.map_or(0, |bytes| u64::from_be_bytes(bytes.try_into().unwrap()))
}

/// What the process that is killed does: it writes batch after batch, each with a note, says so, makes another table
/// now and then, and never ends.
#[tokio::test]
#[ignore = "the other test starts it, to kill it"]
async fn load_until_killed() {
    let folder = std::env::var(FOLDER).unwrap();
    let durability = match std::env::var(DURABILITY).unwrap().as_str() {
        "batch" => Durability::Batch,
        _ => Durability::Interval(Duration::from_hours(1)),
    };
    let options =
        EmbeddedOptions { durability, write_buffer_bytes: WRITE_BUFFER_BYTES, ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder, options).await.unwrap();
    let table = table();
    if !store.exists(&table.name).await.unwrap() {
        store.create(&table, &SplitPoints::new(["04|", "08|", "12|"]).unwrap()).await.unwrap();
    }
    for number in next_batch(&store).await.. {
        store.write(&table.name, batch_of(number)).await.unwrap();
        let mut line = String::new();
        writeln!(line, "acknowledged {number}").unwrap();
        std::io::stdout().write_all(line.as_bytes()).unwrap();
        if number % 40 == 39 {
            store.flush(&table.name).await.unwrap();
        }
        if number % 10 == 9 {
            make_anew(&store).await;
        }
    }
}

fn other_table() -> TableDescription {
    TableDescription { name: TableName::new("other").unwrap(), ..table() }
}

/// Drops the other table, makes it again and loads it in bulk.
async fn make_anew(store: &dyn Store) {
    let table = other_table();
    if store.exists(&table.name).await.unwrap() {
        store.drop_table(&table.name).await.unwrap();
    }
    store.create(&table, &SplitPoints::default()).await.unwrap();
    let mut rows = MutationBatch::new();
    for row in 0..BULK_ROWS {
        for family in [b"a", b"b"] {
            rows.put(format!("{row:05}").as_bytes(), family, b"q", 1, b"v").unwrap();
        }
    }
    let mut bulk = store.bulk(&table.name).await.unwrap().unwrap();
    bulk.write(rows).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
}

/// The other table is not there, empty, or loaded whole.
async fn check_other(store: &dyn Store) {
    let table = other_table().name;
    if store.exists(&table).await.unwrap() {
        let rows: Vec<RowBatch> =
            store.scan(&table, Scan::of(KeyRange::all())).await.unwrap().try_collect().await.unwrap();
        let rows: Vec<Row<'_>> = rows.iter().flat_map(RowBatch::rows).collect();
        assert!(rows.is_empty() || rows.len() == BULK_ROWS, "{} rows of a bulk load", rows.len());
        assert!(rows.iter().all(|row| row.cell_count() == 2), "half a row of a bulk load");
        let counts = store.regions(&table).await.unwrap()[0].counts;
        assert_eq!(counts.rows_written, rows.len() as u64, "rows counted of a bulk load");
    }
}

fn start_loading(folder: &Path, durability: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "load_until_killed", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(DURABILITY, durability)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn acknowledged(line: &str) -> Option<u64> {
    line.strip_prefix("acknowledged ").map(|number| number.parse().unwrap())
}

/// Lets a process acknowledge so many batches, waits a moment measured in work, kills it, and hears it out.
fn kill_after(mut child: Child, batches: u64, spins: u64) -> Option<u64> {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut last = None;
    for _ in 0..batches {
        last = next_acknowledged(&mut lines).or(last);
    }
    for spin in 0..spins {
        std::hint::black_box(spin);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    while let Some(number) = next_acknowledged(&mut lines) {
        last = Some(number);
    }
    last
}

fn next_acknowledged(lines: &mut std::io::Lines<BufReader<ChildStdout>>) -> Option<u64> {
    // The last line may have been cut off with the process.
    lines.map_while(Result::ok).find_map(|line| acknowledged(&line))
}

fn assert_whole(batch: u64, row: u64, found: Row<'_>) {
    let cells: Vec<_> = found
        .cells()
        .map(|cell| {
            [cell.family, cell.qualifier, cell.value].map(|part| String::from_utf8(part.to_vec()).unwrap())
        })
        .collect();
    let expected = COLUMNS.map(|(family, column)| [family.into(), column.into(), value(batch, row, column)]);
    assert_eq!(cells, expected, "row {row} of batch {batch} is not whole");
}

/// All batches from `first` on are there up to `last`, and those after it are there whole or not at all; how many
/// there are in all.
async fn check(store: &dyn Store, first: u64, last: Option<u64>) -> u64 {
    let next = next_batch(store).await;
    assert!(last.is_none_or(|last| last < next), "batch {last:?} was acknowledged, the note says {next}");
    for batch in first..next + 2 {
        let keys: Vec<String> = (0..ROWS_PER_BATCH).map(|row| row_key(batch, row)).collect();
        let keys: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
        let rows = store.get(&table().name, &keys, &Selection::default()).await.unwrap();
        for (row, found) in (0..).zip(rows.rows()) {
            if batch < next {
                assert_whole(batch, row, found);
            } else {
                assert!(found.is_empty(), "a row of batch {batch} is there, but not the batch's note");
            }
        }
    }
    next
}

/// The regions say how many rows they got: those of so many batches, whatever moment was the last.
async fn check_region_counts(store: &dyn Store, batches: u64) {
    let regions = store.regions(&table().name).await.unwrap();
    let mut expected = vec![0; regions.len()];
    for row in (0..batches).flat_map(|batch| (0..ROWS_PER_BATCH).map(move |row| row_key(batch, row))) {
        let region = regions.iter().position(|region| region.range.contains(row.as_bytes()));
        expected[region.unwrap()] += 1;
    }
    let rows: Vec<u64> = regions.iter().map(|region| region.counts.rows_written).collect();
    assert_eq!(rows, expected, "after {batches} batches");
    let cells: u64 = regions.iter().map(|region| region.counts.cells_written).sum();
    assert_eq!(cells, batches * ROWS_PER_BATCH * COLUMNS.len() as u64);
}

async fn check_count(store: &dyn Store, batches: u64) {
    let selection = Selection { detail: Detail::FirstKey, ..Selection::default() };
    let rows = store.scan(&table().name, Scan { selection, ..Scan::of(KeyRange::all()) }).await.unwrap();
    let rows: Vec<RowBatch> = rows.try_collect().await.unwrap();
    let count: usize = rows.iter().map(RowBatch::len).sum();
    assert_eq!(count as u64, batches * ROWS_PER_BATCH);
}

/// Kills that came while the store was being loaded.
async fn kill_again_and_again(kills: u64, dice: &mut Dice) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let (mut checked, mut mid_load) = (0, 0);
    for kill in 0..kills {
        let durability = if kill % 2 == 0 { "batch" } else { "interval" };
        let child = start_loading(folder.path(), durability);
        let last = kill_after(child, dice.below(20), dice.below(3_000_000));
        let store = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap();
        check_other(&store).await;
        if last.is_some() {
            mid_load += 1;
            checked = check(&store, checked, last).await;
            check_region_counts(&store, checked).await;
        }
        if kill % 3 == 0 {
            store.close().await.unwrap();
        }
    }
    let store = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap();
    check(&store, 0, checked.checked_sub(1)).await;
    check_count(&store, checked).await;
    mid_load
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_and_no_row_is_half_there() {
    let kills: u64 = std::env::var("KEYSTRIDE_KILLS").map_or(100, |kills| kills.parse().unwrap());
    let mut dice = Dice(20_140_521);
    let (mut done, mut mid_load) = (0, 0);
    while done < kills {
        let round = KILLS_PER_STORE.min(kills - done);
        mid_load += kill_again_and_again(round, &mut dice).await;
        done += round;
    }
    println!("{mid_load} of {kills} kills came in the middle of a load");
    assert!(mid_load * 10 >= kills * 9, "only {mid_load} of {kills} kills came in the middle of a load");
}
