//! Rows that were stored before the load.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use keystride_store::{
    Layer, Layered, ManualClock, MemoryStore, MutationBatch, RowBatch, Selection, Store, StoreError,
    TableName, Write,
};
use keystride_table::load::*;

use crate::fixture::*;

fn second() -> LoadOptions {
    let clock = Arc::new(ManualClock::at(NOW_MS + 1000));
    LoadOptions { check: Check::Stored, id: LoadId::new("second"), clock, ..options() }
}

const FIRST: &str = "plane,day,delay,place\nN1,1,1,JFK\nN1,2,1,JFK\nN1,3,1,\n";
/// The same, other values, the same with less, new, other values than the row rejected before it.
const SECOND: &str =
    "plane,day,delay,place\nN1,1,1,JFK\nN1,2,2,JFK\nN1,3,1,LGA\nN1,4,1,JFK\nN1,2,3,JFK\nN1,4,2,JFK\n";

#[tokio::test]
async fn rows_stored_before_are_looked_at_when_asked() {
    let (tables, _folder) = tables(&design("error", "")).await;
    for table in tables {
        load(&table, options(), FIRST).await;
        let (report, rejects) = load(&table, second(), SECOND).await;
        assert_eq!((report.counts.rows, report.counts.repeats), (1, 1));
        let words: Vec<_> =
            rejects.iter().map(|reject| (&reject[..14], reject.contains("stored before"))).collect();
        assert_eq!(
            words,
            [
                ("flights.csv:3:", true),
                ("flights.csv:4:", true),
                ("flights.csv:6:", true),
                ("flights.csv:7:", false)
            ]
        );
        assert!(rejects[0].ends_with("<- N1,2,2,JFK"));
        assert_eq!(report.counts.rejected[&RejectKind::StoredKey], 3);
        assert_eq!(cells(&table).await.len(), 7);
    }
}

#[tokio::test]
async fn rows_stored_before_are_replaced_where_the_design_says_so() {
    let table = table(&design("replace", "")).await;
    load(&table, options(), FIRST).await;
    let (report, rejects) = load(&table, second(), SECOND).await;
    assert!(rejects.is_empty());
    assert_eq!((report.counts.rows, report.counts.repeats, report.counts.replaced), (5, 1, 4));
    assert_eq!((report.counts.overwritten, report.counts.hidden), (2, 0));
    // The same rows again, with the time of the first load.
    let late = LoadOptions { check: Check::Stored, id: LoadId::new("third"), ..options() };
    let (report, _) = load(&table, late, FIRST).await;
    assert_eq!((report.counts.rows, report.counts.overwritten, report.counts.hidden), (3, 0, 2));
}

#[tokio::test]
async fn without_asking_they_are_not_looked_at() {
    let table = table(&design("error", "")).await;
    load(&table, options(), FIRST).await;
    let before = table.store().rows_read();
    let (report, _) = load(&table, LoadOptions { check: Check::Exact, ..second() }, SECOND).await;
    assert_eq!((report.counts.rows, report.counts.rejected_count()), (4, 2));
    assert_eq!(table.store().rows_read(), before);
}

#[tokio::test]
async fn an_empty_table_is_not_read() {
    let table = table(&design("error", "")).await;
    let (report, _) = load(&table, second(), mixed_text(1000)).await;
    assert!(report.counts.rows > 500);
    assert_eq!(table.store().rows_read(), 0);
}

#[tokio::test]
async fn the_rows_of_an_earlier_run_of_the_same_load_are_its_own() {
    for rule in ["error", "replace"] {
        let text = mixed_text(2000);
        let small = LoadOptions { batch_bytes: 4000.try_into().unwrap(), ..second() };
        let unbroken = table(&design(rule, "")).await;
        load(&unbroken, options(), FIRST).await;
        let (whole, rejects) = load(&unbroken, small.clone(), text.clone()).await;

        let broken = table(&design(rule, "")).await;
        load(&broken, options(), FIRST).await;
        let mut heard = Heard { stop_after: Some(4), ..Heard::default() };
        let report =
            Load::new(&broken, small.clone()).run(reader(&broken, text.clone()), &mut heard).await.unwrap();
        assert_eq!(report.ending, Ending::Stopped);
        let (resumed, again) = load(&broken, LoadOptions { start: Start::Resume, ..small }, text).await;
        assert_eq!(cells(&broken).await, cells(&unbroken).await);
        assert_eq!((resumed.counts, again), (whole.counts, rejects));
    }
}

/// Remembers for how many rows at a time it was asked at most.
#[derive(Debug, Default)]
struct MostAtOnce(Arc<AtomicUsize>);

#[async_trait]
impl Layer for MostAtOnce {
    async fn get(
        &self,
        store: &dyn Store,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        self.0.fetch_max(keys.len(), Ordering::Relaxed);
        store.get(table, keys, selection).await
    }
}

#[tokio::test]
async fn no_more_large_rows_are_read_ahead_than_fit_a_batch() {
    let most = Arc::new(AtomicUsize::new(0));
    let store = Layered { store: Arc::new(MemoryStore::default()), layer: MostAtOnce(Arc::clone(&most)) };
    let table = table_in(Arc::new(store), &design("error", "other = \"f\"")).await;
    load(&table, options(), FIRST).await;
    let batch = LoadOptions { batch_bytes: 400_000.try_into().unwrap(), ..second() };
    let rows = |len: usize| {
        let rows = (0..600).map(|day| format!("N2,{day},1,JFK,{}\n", "x".repeat(len)));
        format!("plane,day,delay,place,note\n{}", rows.collect::<String>())
    };
    let (report, _) = load(&table, batch.clone(), rows(20_000)).await;
    assert_eq!(report.counts.rows, 600);
    assert!(most.swap(0, Ordering::Relaxed) <= 5, "100,000 bytes, a quarter of a batch");
    let clock = Arc::new(ManualClock::at(NOW_MS + 2000));
    let third = LoadOptions { id: LoadId::new("third"), clock, ..batch };
    let (report, _) = load(&table, third, rows(10)).await;
    assert_eq!(report.counts.rejected[&RejectKind::StoredKey], 600);
    assert_eq!(most.load(Ordering::Relaxed), 512);
}

#[tokio::test]
async fn repeats_are_progress() {
    let table = table(&design("error", "")).await;
    let rows: Vec<_> = (0..2_000).map(|day| format!("N2,{day},1,JFK\n")).collect();
    let text = format!("{HEADER}{}", rows.concat());
    load(&table, options(), text.clone()).await;
    let mut heard = Heard { stop_after: Some(3), ..Heard::default() };
    let small = LoadOptions { batch_bytes: 4_000.try_into().unwrap(), ..second() };
    let report = Load::new(&table, small).run(reader(&table, text), &mut heard).await.unwrap();
    assert_eq!((report.ending, report.counts.rows), (Ending::Stopped, 0));
    assert!(report.counts.repeats < 2_000, "{:?}", report.counts);
}

#[tokio::test]
async fn the_regions_of_all_rows_are_told_after_a_resume() {
    let table = table(&design("error", "cell_time = \"day\"")).await;
    load(&table, options(), FIRST).await;
    let rows: Vec<_> = (0..2_000).map(|day| format!("N{},{day},1,JFK\n", day % 90 + 2)).collect();
    let text = format!("{HEADER}{}", rows.concat());
    let small = LoadOptions { batch_bytes: 4_000.try_into().unwrap(), ..second() };
    let mut heard = Heard { stop_after: Some(4), ..Heard::default() };
    let broken = Load::new(&table, small.clone()).run(reader(&table, text.clone()), &mut heard).await;
    assert_eq!(broken.unwrap().ending, Ending::Stopped);
    let (report, _) = load(&table, LoadOptions { start: Start::Resume, ..small }, text).await;
    assert_eq!(report.counts.rows, 2_000);
    assert_eq!(report.regions.iter().map(|region| region.rows).sum::<u64>(), 2_000);
}

#[tokio::test]
async fn marks_of_rows_without_cells_say_nothing_beside_other_cells() {
    let table = table(&design("replace", "")).await;
    let mut clock = NOW_MS;
    for (text, rows, repeats, replaced) in [
        ("N1,1,,\nN1,2,,\n", 2, 0, 0),
        ("N1,1,,\nN1,2,1,\n", 1, 1, 1),
        ("N1,1,,\nN1,2,1,\n", 0, 2, 0),
        ("N1,1,,JFK\nN1,2,1,JFK\n", 2, 0, 2),
    ] {
        clock += 1000;
        let id = LoadId::new(clock.to_string());
        let options = LoadOptions { id, clock: Arc::new(ManualClock::at(clock)), ..second() };
        let (report, _) = load(&table, options, format!("{HEADER}{text}")).await;
        let counts = report.counts;
        assert_eq!((counts.rows, counts.repeats, counts.replaced), (rows, repeats, replaced), "{text}");
    }
}

#[tokio::test]
async fn cells_of_another_time_are_others_where_a_field_stamps_them() {
    let table = table(&design("error", "cell_time = \"day\"")).await;
    load(&table, options(), format!("{HEADER}N1,1,1,JFK\nN1,2,1,\n")).await;
    let of_second = cells(&table).await.into_iter().find(|cell| cell.contains("@2000=")).unwrap();
    let key = of_second.split(' ').next().unwrap();
    let mut batch = MutationBatch::new();
    batch.put(key.as_bytes(), b"f", b"delay", 2001, b"1").unwrap();
    table.store().write(table.name(), Write::of(batch)).await.unwrap();
    let (report, rejects) = load(&table, second(), format!("{HEADER}N1,1,1,JFK\nN1,2,1,\n")).await;
    assert_eq!((report.counts.rows, report.counts.repeats, rejects.len()), (0, 1, 1));
    assert!(rejects[0].starts_with("flights.csv:3:"), "{}", rejects[0]);
}

#[tokio::test]
async fn rows_that_were_stored_before_are_counted_after_a_resume_as_before_it() {
    let rows: Vec<_> = (4..400).map(|day| format!("N1,{day},1,JFK\n")).collect();
    let text = format!("{SECOND}{}", rows.concat());
    let small = LoadOptions { batch_bytes: 4_000.try_into().unwrap(), ..second() };
    let mut counts = Vec::new();
    for stop_after in [None, Some(2)] {
        let table = table(&design("replace", "")).await;
        load(&table, options(), FIRST).await;
        let mut heard = Heard { stop_after, ..Heard::default() };
        Load::new(&table, small.clone()).run(reader(&table, text.clone()), &mut heard).await.unwrap();
        let resume = LoadOptions { start: Start::Resume, ..small.clone() };
        counts.push(load(&table, resume, text.clone()).await.0.counts);
    }
    assert_eq!((counts[0].repeats, counts[0].records), (1, 402));
    assert_eq!(counts[1], counts[0]);
}
