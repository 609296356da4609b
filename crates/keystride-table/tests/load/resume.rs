//! Loads that were broken or are done again.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

use async_trait::async_trait;
use keystride::Predicate;
use keystride_store::{
    Layer, Layered, ManualClock, MemoryStore, MutationBatch, Store, StoreError, TableName, Write, Written,
};
use keystride_table::load::*;
use tokio::sync::watch;

use crate::fixture::*;

fn later(options: LoadOptions) -> LoadOptions {
    LoadOptions { clock: Arc::new(ManualClock::at(NOW_MS + 99_999)), ..options }
}

#[tokio::test]
async fn a_load_stopped_anywhere_and_resumed_is_as_if_it_had_not_been() {
    for rule in ["error", "replace"] {
        let text = mixed_text(2000);
        let unbroken = table(&design(rule, "")).await;
        let (whole, rejects) = load(&unbroken, small_batches(4000), text.clone()).await;
        let expected = cells(&unbroken).await;
        for stop_after in [1, 2, 5, 9] {
            let table = table(&design(rule, "")).await;
            let mut resumes = 0;
            let (report, heard) = loop {
                let start = if resumes == 0 { Start::Anew } else { Start::Resume };
                let options = later(LoadOptions { start, ..small_batches(4000) });
                let options = if resumes == 0 {
                    LoadOptions { clock: small_batches(1).clock, ..options }
                } else {
                    options
                };
                let mut heard = Heard { stop_after: Some(stop_after), ..Heard::default() };
                let report =
                    Load::new(&table, options).run(reader(&table, text.clone()), &mut heard).await.unwrap();
                if report.ending == Ending::Complete {
                    break (report, heard);
                }
                resumes += 1;
            };
            assert!(resumes > 1, "{resumes}");
            assert_eq!(cells(&table).await, expected);
            assert_eq!(heard.rejects, rejects);
            assert_eq!(report.counts, whole.counts);
            assert_eq!((report.regions.len(), report.balance, report.stamp_ms), (4, whole.balance, NOW_MS));
            assert!(report.resumed_from.unwrap() > 0);
        }
    }
}

/// Closes the store at the first batch that is told, and goes on only when it is closed.
struct Closing {
    store: Arc<dyn Store>,
    records: u64,
    is_closed: bool,
}

impl LoadObserver for Closing {
    fn rejected(&mut self, _: &Rejected) -> io::Result<()> {
        Ok(())
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        self.records = progress.counts.records;
        if !std::mem::replace(&mut self.is_closed, true) {
            let (store, (told, closed)) = (Arc::clone(&self.store), mpsc::channel());
            tokio::spawn(async move { told.send(store.close().await) });
            closed.recv().unwrap().unwrap();
        }
        Proceed::On
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_load_whose_store_is_closed_has_stored_what_it_told_and_can_be_resumed() {
    let (design, text) = (design("error", ""), mixed_text(2000));
    let unbroken = table(&design).await;
    load(&unbroken, small_batches(4000), text.clone()).await;
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design).await;
    let mut closing = Closing { store: Arc::clone(table.store()), records: 0, is_closed: false };
    let run = Load::new(&table, small_batches(4000)).run(reader(&table, text.clone()), &mut closing);
    let error = run.await.unwrap_err();
    assert!(matches!(error, LoadError::Store(StoreError::Closed)), "{error}");
    let records = closing.records;
    drop((table, closing));

    let table = table_in(embedded(folder.path()).await, &design).await;
    let options = LoadOptions { start: Start::Resume, ..small_batches(4000) };
    let (report, _) = load(&table, options, text).await;
    assert_eq!((report.ending, report.resumed_from), (Ending::Complete, Some(records)));
    assert!((1..1000).contains(&records), "{records}");
    assert_eq!(cells(&table).await, cells(&unbroken).await);
}

/// Fails the second write of rows, but only once the batch after it is ready.
#[derive(Debug, Default)]
struct FailsBesideAReadyBatch {
    prepared: watch::Sender<u32>,
    /// How often rows were to be written.
    asked: Arc<AtomicU32>,
}

#[async_trait]
impl Layer for FailsBesideAReadyBatch {
    async fn write(&self, store: &dyn Store, table: &TableName, write: Write) -> Result<Written, StoreError> {
        if write.batch().rows().len() > 0 && self.asked.fetch_add(1, Ordering::Relaxed) == 1 {
            assert!(*self.prepared.borrow() > 0, "a load that makes nothing ready");
            self.prepared.subscribe().wait_for(|prepared| *prepared >= 3).await.unwrap();
            return Err(StoreError::Closed);
        }
        store.write(table, write).await
    }

    async fn prepare(
        &self,
        store: &dyn Store,
        table: &TableName,
        batch: MutationBatch,
    ) -> Result<Write, StoreError> {
        let write = store.prepare(table, batch).await;
        self.prepared.send_modify(|prepared| *prepared += 1);
        write
    }
}

#[tokio::test]
async fn a_batch_that_was_ready_when_the_one_before_failed_is_not_written() {
    let (design, text) = (design("error", ""), mixed_text(2000));
    let unbroken = table(&design).await;
    load(&unbroken, small_batches(4000), text.clone()).await;
    let folder = tempfile::tempdir().unwrap();
    let store = embedded(folder.path()).await;
    let instead = FailsBesideAReadyBatch::default();
    let asked = Arc::clone(&instead.asked);
    let table = table_in(Arc::new(Layered { store: Arc::clone(&store), layer: instead }), &design).await;
    let mut heard = Heard::default();
    let run = Load::new(&table, small_batches(4000)).run(reader(&table, text.clone()), &mut heard);
    let error = run.await.unwrap_err();
    assert!(matches!(error, LoadError::Store(StoreError::Closed)), "{error}");

    assert_eq!(asked.load(Ordering::Relaxed), 2);
    let [(_, told)] = heard.told.as_slice() else { panic!("one batch was written: {:?}", heard.told) };
    let table = table_in(store, &design).await;
    assert_eq!(table.count(None).await.unwrap(), told.rows);
    let options = LoadOptions { start: Start::Resume, ..small_batches(4000) };
    let (report, _) = load(&table, options, text).await;
    assert_eq!((report.ending, report.resumed_from), (Ending::Complete, Some(told.records)));
    assert_eq!(cells(&table).await, cells(&unbroken).await);
}

#[tokio::test]
async fn a_load_done_again_stamps_as_the_first_did() {
    let (tables, _folder) = tables(&design("error", "")).await;
    for table in tables {
        let text = mixed_text(500);
        let (first, _) = load(&table, options(), text.clone()).await;
        let before = cells(&table).await;
        let (again, _) = load(&table, later(options()), text.clone()).await;
        assert_eq!((again.stamp_ms, again.counts), (first.stamp_ms, first.counts));
        assert_eq!(cells(&table).await, before);
        let other = LoadOptions { id: LoadId::new("other"), ..later(options()) };
        assert_eq!(load(&table, other, text).await.0.stamp_ms, NOW_MS + 99_999);
    }
}

#[tokio::test]
async fn rows_deleted_since_stay_hidden_and_that_is_told_unless_the_load_has_another_id() {
    let clock = ManualClock::at(NOW_MS);
    let store = Arc::new(MemoryStore::new(Arc::new(clock.clone())));
    let table = table_in(store, &design("error", "")).await;
    let options = |id| LoadOptions { id: LoadId::new(id), clock: Arc::new(clock.clone()), ..options() };
    load(&table, options("first"), mixed_text(300)).await;
    let all = table.count(None).await.unwrap();
    clock.set(NOW_MS + 10);
    let predicate = Predicate::parse("delay <= 1", table.design()).unwrap();
    let deleted = AtomicU64::new(0);
    table.delete_rows(&predicate, &deleted).await.unwrap();
    assert!(deleted.into_inner() > 50);
    let left = table.count(None).await.unwrap();
    clock.set(NOW_MS + 20);
    for (id, told, count) in [
        ("first", Some(Earlier::Repeated { stamp_ms: NOW_MS, cell_time: None }), left),
        ("second", None, all),
    ] {
        let mut heard = Heard::default();
        let text = reader(&table, mixed_text(300));
        Load::new(&table, options(id)).run(text, &mut heard).await.unwrap();
        assert_eq!((heard.earlier, table.count(None).await.unwrap()), (told, count));
    }
}

#[tokio::test]
async fn a_load_that_was_broken_and_is_begun_anew_stores_no_row_twice() {
    for rule in ["error", "replace"] {
        for check in [Check::Exact, Check::Stored] {
            let (table, unbroken) = (table(&design(rule, "")).await, table(&design(rule, "")).await);
            let text = mixed_text(1000);
            load(&unbroken, options(), text.clone()).await;
            let mut heard = Heard { stop_after: Some(3), ..Heard::default() };
            Load::new(&table, small_batches(4000))
                .run(reader(&table, text.clone()), &mut heard)
                .await
                .unwrap();
            let (anew, _) = load(&table, later(LoadOptions { check, ..options() }), text).await;
            assert_eq!((anew.resumed_from, anew.counts.records), (None, 1000));
            assert_eq!(cells(&table).await, cells(&unbroken).await, "{rule} {check:?}");
        }
    }
}

#[tokio::test]
async fn a_complete_load_that_is_resumed_reads_and_writes_nothing_new() {
    let table = table(&design("error", "")).await;
    let text = mixed_text(500);
    let (first, rejects) = load(&table, options(), text.clone()).await;
    let written = |regions: Vec<keystride_store::Region>| {
        regions.iter().map(|region| region.counts.rows_written).sum::<u64>()
    };
    let before = written(table.store().regions(table.name()).await.unwrap());
    let resume = LoadOptions { start: Start::Resume, ..options() };
    let (again, rejects_again) = load(&table, resume.clone(), text.clone()).await;
    assert_eq!((again.counts, rejects_again), (first.counts.clone(), rejects));
    assert_eq!(written(table.store().regions(table.name()).await.unwrap()), before);

    let longer = text + "N99999,1,1,JFK\n";
    let (longer, _) = load(&table, resume, longer).await;
    assert_eq!(longer.counts.rows, first.counts.rows + 1);
    assert_eq!(written(table.store().regions(table.name()).await.unwrap()), before + 1);
}

#[tokio::test]
async fn an_input_that_is_not_what_it_was_cannot_be_resumed() {
    let text = mixed_text(500);
    let of_value = text.replacen(",JFK\n", ",LGA\n", 1);
    for changed in [text.replacen("N5", "N6", 1), of_value, HEADER.to_owned()] {
        let table = table(&design("error", "")).await;
        load(&table, options(), text.clone()).await;
        let resume = LoadOptions { start: Start::Resume, ..options() };
        let error = Load::new(&table, resume).run(reader(&table, changed), &mut ()).await.unwrap_err();
        assert!(matches!(error, LoadError::InputChanged { records: 500, .. }), "{error}");
    }
}

#[tokio::test]
async fn an_id_belongs_to_one_design_and_a_resumed_load_to_one_check() {
    let table = table(&design("error", "")).await;
    load(&table, options(), mixed_text(10)).await;
    let check = LoadOptions { check: Check::None, start: Start::Resume, ..options() };
    let error = Load::new(&table, check).run(reader(&table, mixed_text(10)), &mut ()).await.unwrap_err();
    assert!(matches!(error, LoadError::OtherCheck { asked: "none", .. }), "{error}");

    let other = design("replace", "");
    let text = other.to_toml(None);
    assert_ne!(text, table.design().to_toml(None));
    let key = "load/test";
    let note = table.store().note(table.name(), key).await.unwrap().unwrap();
    let twin = crate::fixture::table(&other).await;
    let write = Write::default().with_note(key, note);
    twin.store().write(twin.name(), write).await.unwrap();
    let error = Load::new(&twin, options()).run(reader(&twin, mixed_text(10)), &mut ()).await.unwrap_err();
    assert!(matches!(error, LoadError::OtherDesign { .. }), "{error}");
    let write = Write::default().with_note(key, *b"{}");
    twin.store().write(twin.name(), write).await.unwrap();
    let error = Load::new(&twin, options()).run(reader(&twin, mixed_text(10)), &mut ()).await.unwrap_err();
    assert!(matches!(error, LoadError::Note { .. }), "{error}");
}

#[tokio::test]
async fn a_resume_without_an_earlier_run_is_a_load_that_says_so() {
    let table = table(&design("error", "")).await;
    let resume = LoadOptions { start: Start::Resume, ..options() };
    let mut heard = Heard::default();
    let run = Load::new(&table, resume.clone()).run(reader(&table, mixed_text(100)), &mut heard);
    let report = run.await.unwrap();
    assert_eq!((report.resumed_from, report.counts.records), (None, 100));
    assert_eq!(heard.earlier, Some(Earlier::Nothing));

    Load::new(&table, resume).run(reader(&table, mixed_text(100)), &mut heard).await.unwrap();
    assert_eq!(heard.earlier, Some(Earlier::Complete(report.counts)));

    let mut heard = Heard::default();
    Load::new(&table, options()).run(reader(&table, mixed_text(100)), &mut heard).await.unwrap();
    assert_eq!(heard.earlier, Some(Earlier::Repeated { stamp_ms: report.stamp_ms, cell_time: None }));
}

/// Stores the first rows, but neither their note nor that they are stored.
#[derive(Debug)]
struct LosesTheNote(AtomicU32);

#[async_trait]
impl Layer for LosesTheNote {
    async fn write(&self, store: &dyn Store, table: &TableName, write: Write) -> Result<Written, StoreError> {
        if write.batch().rows().len() == 0 || self.0.fetch_add(1, Ordering::Relaxed) > 0 {
            return store.write(table, write).await;
        }
        store.write(table, Write::of(write.batch().clone())).await?;
        Err(StoreError::Closed)
    }
}

#[tokio::test]
async fn rows_stored_without_a_note_are_stamped_the_same_when_the_load_is_done_again() {
    let text = mixed_text(300);
    let unbroken = table(&design("error", "")).await;
    load(&unbroken, options(), text.clone()).await;
    let instead = LosesTheNote(AtomicU32::new(0));
    let store = Layered { store: Arc::new(MemoryStore::default()), layer: instead };
    let table = table_in(Arc::new(store), &design("error", "")).await;
    let error = Load::new(&table, options()).run(reader(&table, text.clone()), &mut ()).await.unwrap_err();
    assert!(matches!(error, LoadError::Store(StoreError::Closed)), "{error}");
    assert!(!cells(&table).await.is_empty());
    assert_eq!(load(&table, later(options()), text).await.0.stamp_ms, NOW_MS);
    assert_eq!(cells(&table).await, cells(&unbroken).await);
}
