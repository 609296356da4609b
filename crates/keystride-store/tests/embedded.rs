//! What an embedded store does beyond what every store must do: it lasts, it is locked, it lets go of old cells.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt, TryStreamExt};
use keystride::{Key, KeyRange, SplitPoints};
use keystride_store::{
    AfterTruncate, Amount, Appended, Check, Compare, Condition, Durability, EmbeddedOptions, EmbeddedStore,
    Family, FamilyName, Filter, LATEST, ManualClock, Missing, MutationBatch, RegionId, RowBatch, Scan,
    Selection, Store, StoreError, TableDescription, TableName, Write,
};

fn table(name: &str, families: &[&str]) -> TableDescription {
    let families = families.iter().map(|name| Family::new(FamilyName::new(name).unwrap()));
    TableDescription::new(TableName::new(name).unwrap(), families)
}

fn rows(rows: std::ops::Range<usize>, ts: i64) -> MutationBatch {
    let mut batch = MutationBatch::new();
    for row in rows {
        batch.put(format!("{row:05}").as_bytes(), b"a", b"q", ts, b"value").unwrap();
    }
    batch
}

fn batch(range: std::ops::Range<usize>, ts: i64) -> Write {
    Write::of(rows(range, ts))
}

async fn open(folder: &Path) -> EmbeddedStore {
    EmbeddedStore::open(folder, EmbeddedOptions::default()).await.unwrap()
}

/// A store with a table of one family.
async fn open_with_log(folder: &Path, points: &SplitPoints) -> (EmbeddedStore, TableDescription) {
    let (store, log) = (open(folder).await, table("log", &["a"]));
    store.create(&log, points).await.unwrap();
    (store, log)
}

async fn row_count(store: &dyn Store, table: &TableName) -> usize {
    let rows = store.scan(table, Scan::of(KeyRange::all())).await.unwrap();
    let batches: Vec<RowBatch> = rows.try_collect().await.unwrap();
    batches.iter().map(RowBatch::len).sum()
}

#[tokio::test]
async fn all_is_there_again_after_a_close() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("ns:log", &["a", "b"]).with_attribute("keystride.design", "[table]");
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::new(["00100"]).unwrap()).await.unwrap();
    store.split(&log.name, &Key::new(*b"00200").unwrap()).await.unwrap();
    store.write(&log.name, batch(0..300, 1).with_note("n", *b"7")).await.unwrap();
    let before = store.regions(&log.name).await.unwrap();
    store.close().await.unwrap();

    let store = open(folder.path()).await;
    assert_eq!(store.describe(&log.name).await.unwrap(), log);
    assert_eq!(store.regions(&log.name).await.unwrap(), before);
    assert_eq!(row_count(&store, &log.name).await, 300);
    assert_eq!(store.note(&log.name, "n").await.unwrap().unwrap(), b"7");
}

/// Rows, cells and bytes written to each region.
async fn writes(store: &dyn Store, table: &TableName) -> Vec<(u64, u64, u64)> {
    let regions = store.regions(table).await.unwrap();
    let counts = regions.into_iter().map(|region| region.counts);
    counts.map(|counts| (counts.rows_written, counts.cells_written, counts.bytes_written)).collect()
}

/// So many rows as [`batch`] writes them.
fn rows_of(rows: u64) -> (u64, u64, u64) {
    (rows, rows, rows * (5 + 1 + 1 + 5))
}

#[tokio::test]
async fn counts_of_writes_go_on_where_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00100", "00200"]).unwrap()).await;
    let mut expected = [0, 0, 0];
    drop(store);
    for (round, end) in [10, 150, 300, 300].into_iter().enumerate() {
        let store = open(folder.path()).await;
        assert_eq!(writes(&store, &log.name).await, expected.map(rows_of), "before round {round}");
        store.write(&log.name, batch(0..end, 1)).await.unwrap();
        row_count(&store, &log.name).await;
        for (region, rows) in (0..).zip(&mut expected) {
            *rows += (end.saturating_sub(region * 100)).min(100) as u64;
        }
        assert_eq!(writes(&store, &log.name).await, expected.map(rows_of), "round {round}");
        if round % 2 == 0 {
            store.close().await.unwrap();
        }
    }
}

/// Enough batches that their shares are summed up several times, from several tasks at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn counts_of_many_writers_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let durability = Durability::Interval(Duration::from_hours(1));
    let options = EmbeddedOptions { durability, ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::open(folder.path(), options).await.unwrap());
    store.create(&log, &SplitPoints::new(["00002"]).unwrap()).await.unwrap();
    let writers = (0..4).map(|writer| {
        let (store, log) = (Arc::clone(&store), log.name.clone());
        tokio::spawn(async move {
            for number in 0..700 {
                let rows = if number % 7 == 0 { 0..3 } else { writer..writer + 1 };
                store.write(&log, batch(rows, number)).await.unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let expected = [2 * 600 + 4 * 100 * 2, 2 * 600 + 4 * 100].map(rows_of);
    assert_eq!(writes(&*store, &log.name).await, expected);
    drop(store);
    assert_eq!(writes(&open(folder.path()).await, &log.name).await, expected);
}

#[tokio::test]
async fn regions_made_by_a_split_or_a_truncation_count_from_zero_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let [split, emptied, dropped] = ["split", "emptied", "dropped"].map(|name| table(name, &["a"]));
    let store = open(folder.path()).await;
    for table in [&split, &emptied, &dropped] {
        store.create(table, &SplitPoints::new(["00010"]).unwrap()).await.unwrap();
        store.write(&table.name, batch(0..30, 1)).await.unwrap();
    }
    store.split(&split.name, &Key::new(*b"00020").unwrap()).await.unwrap();
    store.truncate(&emptied.name, AfterTruncate::KeepSplits).await.unwrap();
    store.drop_table(&dropped.name).await.unwrap();
    store.create(&dropped, &SplitPoints::default()).await.unwrap();
    drop(store);

    let store = open(folder.path()).await;
    assert_eq!(writes(&store, &split.name).await, [10, 0, 0].map(rows_of));
    assert_eq!(writes(&store, &emptied.name).await, [0, 0].map(rows_of));
    assert_eq!(writes(&store, &dropped.name).await, [0].map(rows_of));
    for table in [&split, &emptied, &dropped] {
        store.write(&table.name, batch(5..25, 2)).await.unwrap();
    }
    drop(store);
    let store = open(folder.path()).await;
    assert_eq!(writes(&store, &split.name).await, [15, 10, 5].map(rows_of));
    assert_eq!(writes(&store, &emptied.name).await, [5, 15].map(rows_of));
    assert_eq!(writes(&store, &dropped.name).await, [20].map(rows_of));
}

#[tokio::test]
async fn regions_made_by_splits_one_after_another_have_names_of_their_own_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let (mut store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    let mut names: BTreeSet<RegionId> = BTreeSet::new();
    for (point, made) in [(b"00100", 2), (b"00200", 4), (b"00050", 6), (b"00300", 8)] {
        store.split(&log.name, &Key::new(*point).unwrap()).await.unwrap();
        let regions = store.regions(&log.name).await.unwrap();
        names.extend(regions.iter().map(|region| region.id.clone()));
        assert_eq!(names.len(), made);
        if made == 4 {
            drop(store);
            store = open(folder.path()).await;
            assert_eq!(store.regions(&log.name).await.unwrap(), regions);
        }
    }
}

#[tokio::test]
async fn what_follows_a_truncation_starts_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00010"]).unwrap()).await;
    store.write(&log.name, batch(0..30, 1)).await.unwrap();
    store.truncate(&log.name, AfterTruncate::OneRegion).await.unwrap();
    store.truncate(&log.name, AfterTruncate::KeepSplits).await.unwrap();
    assert_eq!(store.regions(&log.name).await.unwrap().len(), 1);
    store.write(&log.name, batch(0..20, 2)).await.unwrap();
    drop(store);
    assert_eq!(writes(&open(folder.path()).await, &log.name).await, [rows_of(20)]);
}

#[tokio::test]
async fn counts_of_a_bulk_load_last_and_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00100", "00900"]).unwrap()).await;
    let mut bulk = store.bulk(&log.name).await.unwrap().unwrap();
    for start in (0..500).step_by(50) {
        bulk.write(rows(start..start + 50, 1)).await.unwrap();
    }
    bulk.finish(vec![]).await.unwrap();
    assert_eq!(writes(&store, &log.name).await, [100, 400, 0].map(rows_of));
    store.write(&log.name, batch(0..1, 2)).await.unwrap();
    drop(store);
    let store = open(folder.path()).await;
    assert_eq!(writes(&store, &log.name).await, [101, 400, 0].map(rows_of));
    store.write(&log.name, batch(0..1, 3)).await.unwrap();
    drop(store);
    assert_eq!(writes(&open(folder.path()).await, &log.name).await, [102, 400, 0].map(rows_of));
}

/// What was loaded before a split went to a region that is no more.
#[tokio::test]
async fn a_region_split_during_a_bulk_load_takes_its_counts_along() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::new(["00100"]).unwrap()).await;
    let bulk = store.bulk(&log.name).await.unwrap().unwrap();
    store.split(&log.name, &Key::new(*b"00200").unwrap()).await.unwrap();
    let mut bulk = bulk;
    bulk.write(rows(0..250, 1)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    let before = writes(&store, &log.name).await;
    assert_eq!(before, [100, 100, 50].map(rows_of));
    drop(store);
    assert_eq!(writes(&open(folder.path()).await, &log.name).await, before);
}

#[tokio::test]
async fn all_is_there_again_without_a_close() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    store.write(&log.name, batch(0..50, 1)).await.unwrap();
    drop(store);
    assert_eq!(row_count(&open(folder.path()).await, &log.name).await, 50);
}

#[tokio::test]
async fn what_was_removed_stays_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (dropped, emptied) = (table("dropped", &["a"]), table("emptied", &["a"]));
    let store = open(folder.path()).await;
    for table in [&dropped, &emptied] {
        store.create(table, &SplitPoints::new(["m"]).unwrap()).await.unwrap();
        store.write(&table.name, batch(0..10, 1).with_note("n", *b"x")).await.unwrap();
    }
    store.drop_table(&dropped.name).await.unwrap();
    store.truncate(&emptied.name, AfterTruncate::OneRegion).await.unwrap();
    drop(store);
    let store = open(folder.path()).await;
    assert_eq!(store.list().await.unwrap(), std::slice::from_ref(&emptied.name));
    assert_eq!(row_count(&store, &emptied.name).await, 0);
    assert_eq!(store.regions(&emptied.name).await.unwrap().len(), 1);
    assert_eq!(store.note(&emptied.name, "n").await.unwrap(), None);
    store.create(&dropped, &SplitPoints::default()).await.unwrap();
    assert_eq!(row_count(&store, &dropped.name).await, 0);
    assert_eq!(store.note(&dropped.name, "n").await.unwrap(), None);
}

#[tokio::test]
async fn a_later_write_wins_over_one_from_before_the_store_was_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    for (round, value) in [b"first".as_slice(), b"second", b"third"].into_iter().enumerate() {
        let store = open(folder.path()).await;
        if round == 0 {
            store.create(&log, &SplitPoints::default()).await.unwrap();
        }
        let mut batch = MutationBatch::new();
        batch.put(b"r", b"a", b"q", 5, value).unwrap();
        store.write(&log.name, Write::of(batch)).await.unwrap();
        store.flush(&log.name).await.unwrap();
        let row = store.get(&log.name, &[b"r"], &Selection::default()).await.unwrap();
        assert_eq!(row.row(0).cell(b"a", b"q").unwrap().value, value);
    }
}

#[tokio::test]
async fn a_bulk_load_that_was_finished_lasts_and_one_that_was_not_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let [finished, begun] = ["finished", "begun"].map(|name| table(name, &["a", "b"]));
    let store = open(folder.path()).await;
    for table in [&finished, &begun] {
        store.create(table, &SplitPoints::default()).await.unwrap();
    }
    let mut bulk = store.bulk(&finished.name).await.unwrap().unwrap();
    bulk.write(rows(0..100, 1)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    let mut bulk = store.bulk(&begun.name).await.unwrap().unwrap();
    bulk.write(rows(0..100, 1)).await.unwrap();
    // Neither is the load finished nor its work undone, as if the program had been killed.
    std::mem::forget(bulk);
    store.sync().await.unwrap();
    let copy = tempfile::tempdir().unwrap();
    copy_folder(folder.path(), copy.path());

    let store = open(copy.path()).await;
    assert_eq!(row_count(&store, &finished.name).await, 100);
    assert_eq!(row_count(&store, &begun.name).await, 0);
    let mut bulk = store.bulk(&begun.name).await.unwrap().unwrap();
    bulk.write(rows(0..30, 1)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    assert_eq!(row_count(&store, &begun.name).await, 30);
}

#[tokio::test]
async fn a_bulk_load_does_not_bring_back_a_dropped_table() {
    for count in [0, 10] {
        let folder = tempfile::tempdir().unwrap();
        let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
        let mut bulk = store.bulk(&log.name).await.unwrap().unwrap();
        store.drop_table(&log.name).await.unwrap();
        if count > 0 {
            bulk.write(rows(0..count, 1)).await.unwrap();
        }
        let refused = bulk.finish(vec![]).await;
        assert!(matches!(refused, Err(StoreError::UnknownTable { .. })), "{refused:?}");
        drop(store);
        assert!(open(folder.path()).await.list().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn cells_of_a_bulk_load_without_a_time_get_the_stores() {
    let folder = tempfile::tempdir().unwrap();
    let options = EmbeddedOptions { clock: Arc::new(ManualClock::at(1_000)), ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder.path(), options).await.unwrap();
    let log = table("log", &["a"]);
    store.create(&log, &SplitPoints::default()).await.unwrap();
    let mut bulk = store.bulk(&log.name).await.unwrap().unwrap();
    bulk.write(rows(0..1, LATEST)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    let got = store.get(&log.name, &[b"00000"], &Selection::default()).await.unwrap();
    assert_eq!(got.row(0).cell(b"a", b"q").unwrap().ts, 1_000);
}

/// fjall gives a new keyspace the number of a deleted one, and what it writes about the new one may then count as
/// older than the deletion: opened again, it knows nothing of the new one, or does not open at all.
#[tokio::test]
async fn a_table_made_after_another_was_dropped_is_there_when_the_store_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let families = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let (old, new) = (table("old", &families), table("new", &families));
    open(folder.path()).await.create(&old, &SplitPoints::default()).await.unwrap();
    open(folder.path()).await.drop_table(&old.name).await.unwrap();
    let store = open(folder.path()).await;
    store.create(&new, &SplitPoints::default()).await.unwrap();
    let mut rows = MutationBatch::new();
    for family in families {
        rows.put(b"r", family.as_bytes(), b"q", 1, b"v").unwrap();
    }
    store.write(&new.name, Write::of(rows)).await.unwrap();
    drop(store);
    let store = open(folder.path()).await;
    let rows = store.get(&new.name, &[b"r"], &Selection::default()).await.unwrap();
    assert_eq!(rows.cell_count(), families.len());
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), &to).unwrap();
        }
    }
}

#[tokio::test]
async fn a_store_is_opened_once_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path()).await;
    let refused = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap_err();
    assert!(matches!(&refused, StoreError::Locked { folder: named } if named == folder.path()), "{refused}");
    first.close().await.unwrap();
    open(folder.path()).await;
}

#[tokio::test]
async fn a_closed_store_refuses_everything_but_another_close() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    store.write(&log.name, batch(0..500, 1)).await.unwrap();
    let mut under_way = store.scan(&log.name, Scan::of(KeyRange::all())).await.unwrap();
    let mut rows = under_way.next().await.unwrap().unwrap().len();
    store.close().await.unwrap();
    store.close().await.unwrap();
    assert!(matches!(store.list().await, Err(StoreError::Closed)));
    assert!(matches!(store.write(&log.name, batch(0..1, 1)).await, Err(StoreError::Closed)));
    assert!(matches!(store.sync().await, Err(StoreError::Closed)));
    while let Some(batch) = under_way.next().await {
        rows += batch.unwrap().len();
    }
    assert_eq!(rows, 500, "a scan under way goes on");
}

#[tokio::test]
async fn a_store_of_a_newer_format_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).await.close().await.unwrap();
    let marker = folder.path().join("keystride-store");
    std::fs::write(&marker, "keystride store format 2\n").unwrap();
    let refused = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap_err();
    assert!(matches!(refused, StoreError::NewerFormat { found: 2, newest: 1, .. }));
    std::fs::write(&marker, "keystride store format 1\n").unwrap();
    open(folder.path()).await;
}

#[tokio::test]
async fn a_file_cut_short_is_told_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    store.write(&log.name, batch(0..3, 1)).await.unwrap();
    store.close().await.unwrap();
    let keyspaces = folder.path().join("engine/keyspaces");
    for keyspace in std::fs::read_dir(keyspaces).unwrap() {
        std::fs::write(keyspace.unwrap().path().join("current"), "").unwrap();
    }
    let refused = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap_err();
    let StoreError::Engine { source, .. } = refused else { panic!("{refused}") };
    assert_eq!(source.to_string(), "the store is damaged: a file is cut short");
    assert!(source.source().is_some(), "what the operating system says");
}

#[tokio::test]
async fn a_store_without_its_journal_is_refused_until_that_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    store.write(&log.name, batch(0..3, 1)).await.unwrap();
    store.close().await.unwrap();
    let (engine, aside) = (folder.path().join("engine"), folder.path().join("aside"));
    let is_journal = |path: &Path| path.extension().is_some_and(|ending| ending == "jnl");
    let entries = std::fs::read_dir(&engine).unwrap().map(|entry| entry.unwrap().path());
    let journals: Vec<_> = entries.filter(|path| is_journal(path)).collect();
    std::fs::create_dir(&aside).unwrap();
    for journal in &journals {
        std::fs::rename(journal, aside.join(journal.file_name().unwrap())).unwrap();
    }
    std::fs::write(engine.join("no.journal"), "").unwrap();
    let refused = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap_err();
    std::fs::remove_file(engine.join("no.journal")).unwrap();
    assert!(matches!(&refused, StoreError::NoJournal { folder } if *folder == engine), "{refused}");
    for journal in &journals {
        std::fs::rename(aside.join(journal.file_name().unwrap()), journal).unwrap();
    }
    assert_eq!(row_count(&open(folder.path()).await, &log.name).await, 3);
}

#[tokio::test]
async fn a_table_may_have_65_536_regions() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let points: Vec<[u8; 2]> = (1..=u16::MAX).map(u16::to_be_bytes).collect();
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::new(&points).unwrap()).await.unwrap();
    let mut batch = MutationBatch::new();
    for point in points.iter().step_by(7) {
        batch.put(point, b"a", b"q", 1, b"").unwrap();
    }
    let written = store.write(&log.name, Write::of(batch)).await.unwrap();
    assert_eq!(written.regions.len(), points.len().div_ceil(7));
    assert_eq!(row_count(&store, &log.name).await, points.len().div_ceil(7));
    drop(store);
    let regions = open(folder.path()).await.regions(&log.name).await.unwrap();
    assert_eq!(regions.len(), 65_536);
}

#[tokio::test]
async fn writes_acknowledged_at_intervals_are_brought_to_disk_on_request_and_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let durability = Durability::Interval(Duration::from_millis(5));
    let options = EmbeddedOptions { durability, ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder.path(), options).await.unwrap();
    store.create(&log, &SplitPoints::default()).await.unwrap();
    store.write(&log.name, batch(0..100, 1)).await.unwrap();
    store.sync().await.unwrap();
    store.write(&log.name, batch(100..200, 1)).await.unwrap();
    drop(store);
    assert_eq!(row_count(&open(folder.path()).await, &log.name).await, 200);
}

#[tokio::test]
async fn cells_vanish_when_the_clock_passes_their_time() {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::at(1_000_000);
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder.path(), options).await.unwrap();
    let mut log = table("log", &["a"]);
    log.families[0].ttl_seconds = Some(10);
    store.create(&log, &SplitPoints::default()).await.unwrap();
    store.write(&log.name, batch(0..5, 1_000_000)).await.unwrap();
    store.write(&log.name, batch(5..8, 1_000_001)).await.unwrap();
    for (now_ms, visible) in [(1_010_000, 8), (1_010_001, 3), (1_010_002, 0)] {
        clock.set(now_ms);
        assert_eq!(row_count(&store, &log.name).await, visible, "at {now_ms}");
    }
}

#[tokio::test]
async fn what_lies_in_many_files_reads_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = table("log", &["a"]);
    log.families[0].versions = 3;
    let store = open(folder.path()).await;
    store.create(&log, &SplitPoints::default()).await.unwrap();
    for round in 0..12_i64 {
        let start = usize::try_from(round).unwrap() * 10;
        store.write(&log.name, batch(start..start + 100, round)).await.unwrap();
        store.flush(&log.name).await.unwrap();
    }
    let selection = Selection { versions: 9.try_into().unwrap(), ..Selection::default() };
    let scan = Scan { selection, ..Scan::of(KeyRange::all()) };
    let batches: Vec<RowBatch> = store.scan(&log.name, scan).await.unwrap().try_collect().await.unwrap();
    let times: Vec<Vec<i64>> = batches
        .iter()
        .flat_map(RowBatch::rows)
        .map(|row| row.cells().map(|cell| cell.ts).collect())
        .collect();
    assert_eq!(times.len(), 210);
    assert_eq!(times[0], [0]);
    assert_eq!(times[15], [1, 0]);
    assert_eq!(times[105], [10, 9, 8]);
    assert_eq!(times[209], [11]);
}

#[tokio::test]
async fn what_is_read_in_place_is_there_at_once_and_nothing_ahead_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    let mut rows = MutationBatch::new();
    for row in 0..1_000 {
        rows.put(format!("{row:05}").as_bytes(), b"a", b"q", 1, &[b'v'; 1_000]).unwrap();
    }
    store.write(&log.name, Write::of(rows)).await.unwrap();
    let in_place = Scan { in_place: true, ..Scan::of(KeyRange::all()) };
    let mut scan = store.scan(&log.name, in_place).await.unwrap();
    let mut given = 0;
    for _ in 0..8 {
        let batch = scan.next().now_or_never().expect("it is read by whoever asks").unwrap().unwrap();
        assert!(batch.byte_count() < 70_000, "{} bytes", batch.byte_count());
        given += batch.len() as u64;
        assert_eq!(store.rows_read(), given);
    }
    assert!(given > 250, "{given} rows");
    let nothing = Scan { in_place: true, ..Scan::of(KeyRange::prefix(b"x")) };
    let mut scan = store.scan(&log.name, nothing).await.unwrap();
    assert!(scan.next().now_or_never().expect("its end is known at once").is_none());
}

#[tokio::test]
async fn a_scan_in_place_that_finds_nothing_takes_breaks() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    store.write(&log.name, batch(0..40_000, 1)).await.unwrap();
    let filter = Some(Filter::Any(Vec::new()));
    let selection = Selection { filter, ..Selection::default() };
    let in_place = Scan { in_place: true, selection, ..Scan::of(KeyRange::all()) };
    let mut scan = store.scan(&log.name, in_place).await.unwrap();
    assert!(scan.next().now_or_never().is_none(), "who asks may do something else");
    assert!(store.rows_read() < 40_000);
    assert!(scan.next().await.is_none());
    assert_eq!(store.rows_read(), 40_000);
}

#[tokio::test]
async fn the_only_row_asked_for_is_found_far_behind_others() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    store.write(&log.name, batch(0..20_000, 1)).await.unwrap();
    let mut last = MutationBatch::new();
    last.put(b"z", b"a", b"q", 1, b"another").unwrap();
    store.write(&log.name, Write::of(last)).await.unwrap();
    let filter = Filter::Column {
        family: FamilyName::new("a").unwrap(),
        qualifier: b"q".to_vec(),
        comparison: Compare::Equal,
        value: b"another".to_vec(),
        missing: Missing::Fails,
    };
    for in_place in [false, true] {
        let selection = Selection { filter: Some(filter.clone()), ..Selection::default() };
        let scan = Scan { in_place, selection, limit: Some(1), ..Scan::of(KeyRange::all()) };
        let batches: Vec<RowBatch> = store.scan(&log.name, scan).await.unwrap().try_collect().await.unwrap();
        assert_eq!(batches.iter().map(RowBatch::len).collect::<Vec<_>>(), [1]);
    }
}

#[tokio::test]
async fn a_merge_of_sixteen_scans_with_a_limit_reads_little() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    let mut rows = MutationBatch::new();
    for bucket in 0..16 {
        for row in 0..200 {
            rows.put(format!("{bucket:02}|{row:05}").as_bytes(), b"a", b"q", 1, b"").unwrap();
        }
    }
    store.write(&log.name, Write::of(rows)).await.unwrap();
    for bucket in 0..16 {
        let prefix = KeyRange::prefix(format!("{bucket:02}|").as_bytes());
        let scan = Scan { limit: Some(6), ..Scan::of(prefix) };
        let mut rows = store.scan(&log.name, scan).await.unwrap();
        assert_eq!(rows.next().await.unwrap().unwrap().len(), 6);
    }
    assert_eq!(store.rows_read(), 96);
}

#[tokio::test]
async fn what_depends_on_a_row_lasts_without_a_close() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    let row = Key::new(*b"r").unwrap();
    let hit = Amount { family: b"a", qualifier: b"hits", amount: 1 };
    for _ in 0..3 {
        store.increment(&log.name, &row, &[hit]).await.unwrap();
    }
    let word = Appended { family: b"a", qualifier: b"words", value: b"one " };
    store.append(&log.name, &row, &[word]).await.unwrap();
    let is_first = Check::of(row.clone(), Condition::absent(FamilyName::new("a").unwrap(), "q"));
    let mut put = MutationBatch::new();
    put.put(b"r", b"a", b"q", 1, b"value").unwrap();
    assert!(store.check_and_mutate(&log.name, &is_first, put.clone()).await.unwrap());
    let before = writes(&store, &log.name).await;
    drop(store);

    let store = open(folder.path()).await;
    assert_eq!(writes(&store, &log.name).await, before);
    assert!(!store.check_and_mutate(&log.name, &is_first, put).await.unwrap());
    store.append(&log.name, &row, &[Appended { value: b"two", ..word }]).await.unwrap();
    store.increment(&log.name, &row, &[hit]).await.unwrap();
    let rows = store.get(&log.name, &[b"r"], &Selection::default()).await.unwrap();
    let values: Vec<_> = rows.row(0).cells().map(|cell| cell.value.to_vec()).collect();
    assert_eq!(values, [4_i64.to_be_bytes().to_vec(), b"value".to_vec(), b"one two".to_vec()]);
}

/// A write has its time and its number before it is written. If an increment came in between, it would hide the write
/// without having seen it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_write_gets_lost_beside_an_increment() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let (clock, durability) =
        (Arc::new(ManualClock::at(1_000)), Durability::Interval(Duration::from_hours(1)));
    let options = EmbeddedOptions { clock, durability, ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::open(folder.path(), options).await.unwrap());
    store.create(&log, &SplitPoints::default()).await.unwrap();
    for row in 0..2_000 {
        let key = Key::new(format!("{row:05}").into_bytes()).unwrap();
        let mut put = MutationBatch::new();
        put.put(key.as_bytes(), b"a", b"n", LATEST, &100_i64.to_be_bytes()).unwrap();
        let (writer, name) = (Arc::clone(&store), log.name.clone());
        let write = tokio::spawn(async move { writer.write(&name, Write::of(put)).await.unwrap() });
        let (counter, name, row_key) = (Arc::clone(&store), log.name.clone(), key.clone());
        let increment = tokio::spawn(async move {
            let one = Amount { family: b"a", qualifier: b"n", amount: 1 };
            number(&counter.increment(&name, &row_key, &[one]).await.unwrap())
        });
        let given = increment.await.unwrap();
        write.await.unwrap();
        let left = number(&store.get(&log.name, &[key.as_bytes()], &Selection::default()).await.unwrap());
        assert!(matches!((given, left), (1, 100) | (101, 101)), "{left} is left, {given} was given");
    }
}

fn number(rows: &RowBatch) -> i64 {
    i64::from_be_bytes(rows.row(0).cell(b"a", b"n").unwrap().value.try_into().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn increments_of_many_tasks_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let log = table("log", &["a"]);
    let durability = Durability::Interval(Duration::from_hours(1));
    let options = EmbeddedOptions { durability, ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::open(folder.path(), options).await.unwrap());
    store.create(&log, &SplitPoints::default()).await.unwrap();
    let tasks = (0..8).map(|_| {
        let (store, name) = (Arc::clone(&store), log.name.clone());
        tokio::spawn(async move {
            let (row, one) = (Key::new(*b"r").unwrap(), Amount { family: b"a", qualifier: b"n", amount: 1 });
            for _ in 0..100 {
                store.increment(&name, &row, &[one]).await.unwrap();
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(number(&store.get(&log.name, &[b"r"], &Selection::default()).await.unwrap()), 800);
}
