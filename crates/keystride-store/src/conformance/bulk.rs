//! Bulk loads, on stores that support them.

use super::Subject;
use super::trial::{Trial, all_versions, batch_of};
use crate::{Bulk, MutationBatch, Note, StoreError, Write, Written};

async fn begin(trial: &Trial<'_>) -> Option<Box<dyn Bulk>> {
    trial.store.bulk(&trial.table).await.unwrap()
}

fn rows(from: usize, to: usize) -> MutationBatch {
    let mut batch = MutationBatch::new();
    for row in from..to {
        batch.put(format!("{row:05}").as_bytes(), b"a", b"q", 1, b"v").unwrap();
        batch.put(format!("{row:05}").as_bytes(), b"b", b"q", 1, b"w").unwrap();
    }
    batch
}

/// Nothing of a load is visible before it is finished; afterwards all of it is.
pub async fn a_finished_load_shows_all_its_rows(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "bulk_done", &["01000"]).await;
    let Some(mut bulk) = begin(&trial).await else { return };
    for batch in 0..5 {
        bulk.write(rows(batch * 500, batch * 500 + 500)).await.unwrap();
        assert!(trial.all().await.is_empty());
    }
    let notes = vec![Note { key: "load".into(), value: Some(b"done".to_vec()) }];
    let written = bulk.finish(notes).await.unwrap();
    assert_eq!((written.rows(), written.cells()), (2_500, 5_000));
    let by_region: Vec<_> = written.regions.iter().map(|region| region.rows).collect();
    assert_eq!(by_region, [1_000, 1_500]);
    let counts = subject.store.regions(&trial.table).await.unwrap();
    assert_eq!(counts.iter().map(|region| region.counts.rows_written).collect::<Vec<_>>(), [1_000, 1_500]);
    let all = trial.all().await;
    assert_eq!(all.len(), 2_500);
    assert_eq!(all[1_234], "01234 a:q@1=v b:q@1=w");
    assert_eq!(subject.store.note(&trial.table, "load").await.unwrap().unwrap(), b"done");
}

/// Rows out of order are rejected, within a batch and between batches, and the load continues without them.
pub async fn rows_out_of_order_are_refused_and_the_load_goes_on(subject: Subject<'_>) {
    let trial = Trial::new(subject, "bulk_order").await;
    let Some(mut bulk) = begin(&trial).await else { return };
    bulk.write(rows(10, 20)).await.unwrap();
    for refused in [rows(5, 6), rows(19, 21), batch_of(&["put 3 a:q 1 v", "put 2 a:q 1 v"])] {
        let refused = bulk.write(refused).await;
        assert!(matches!(refused, Err(StoreError::NotAscending { .. })), "{refused:?}");
    }
    let refused = bulk.write(batch_of(&["put 30 nope:q 1 v"])).await;
    assert!(matches!(refused, Err(StoreError::UnknownFamily { .. })));
    bulk.write(rows(20, 25)).await.unwrap();
    assert_eq!(bulk.finish(vec![]).await.unwrap().rows(), 15);
    assert_eq!(trial.all().await.len(), 15);
}

/// An abandoned load leaves the table empty, and the next one starts over.
pub async fn a_load_given_up_leaves_the_table_empty(subject: Subject<'_>) {
    let trial = Trial::new(subject, "bulk_up").await;
    let Some(mut bulk) = begin(&trial).await else { return };
    bulk.write(rows(0, 100)).await.unwrap();
    drop(bulk);
    assert!(trial.all().await.is_empty());
    let mut bulk = begin(&trial).await.unwrap();
    bulk.write(rows(50, 60)).await.unwrap();
    bulk.finish(vec![]).await.unwrap();
    assert_eq!(trial.all().await.len(), 10);
    assert_eq!(begin_again(&trial).await, "not empty");
}

/// Only an empty table can be bulk loaded.
pub async fn only_an_empty_table_can_be_loaded(subject: Subject<'_>) {
    let trial = Trial::new(subject, "bulk_empty").await;
    if begin(&trial).await.is_none() {
        return;
    }
    trial.write(&["put r a:q 1 v"]).await;
    assert_eq!(begin_again(&trial).await, "not empty");
    subject.store.truncate(&trial.table, crate::AfterTruncate::KeepSplits).await.unwrap();
    assert_eq!(begin(&trial).await.unwrap().finish(vec![]).await.unwrap(), Written::default());
}

async fn begin_again(trial: &Trial<'_>) -> &'static str {
    match trial.store.bulk(&trial.table).await {
        Err(StoreError::NotEmpty { .. }) => "not empty",
        other => panic!("{other:?}"),
    }
}

/// A load fails if something was written to the table in the meantime.
pub async fn a_load_gives_way_to_what_was_written_meanwhile(subject: Subject<'_>) {
    let trial = Trial::new(subject, "bulk_way").await;
    let Some(mut bulk) = begin(&trial).await else { return };
    bulk.write(rows(0, 10)).await.unwrap();
    let write = Write::of(batch_of(&["put r a:q 1 v"])).with_note("n", *b"x");
    subject.store.write(&trial.table, write).await.unwrap();
    let note = Note { key: "n".into(), value: Some(b"y".to_vec()) };
    assert!(matches!(bulk.finish(vec![note]).await, Err(StoreError::NotEmpty { .. })));
    assert_eq!(trial.all().await, ["r a:q@1=v"]);
    assert_eq!(subject.store.note(&trial.table, "n").await.unwrap().unwrap(), b"x");
}

/// A bulk loaded table is written and read like any other.
pub async fn a_table_loaded_in_bulk_is_written_and_read_like_any_other(subject: Subject<'_>) {
    let trial = Trial::new(subject, "bulk_after").await;
    let Some(mut bulk) = begin(&trial).await else { return };
    bulk.write(batch_of(&["put r a:q 1 one", "put r a:q 2 two", "delete r a:p 3", "put s b:q 1 s"]))
        .await
        .unwrap();
    bulk.finish(vec![]).await.unwrap();
    trial
        .write(&["put r a:q 2 again", "put r a:p 3 hidden", "put r a:p 4 shown", "delete_family s b 1"])
        .await;
    assert_eq!(trial.all().await, ["r a:p@4=shown a:q@2=again a:q@1=one"]);
    subject.store.flush(&trial.table).await.unwrap();
    assert_eq!(trial.get(&["r"], &all_versions()).await, ["r a:p@4=shown a:q@2=again a:q@1=one"]);
}
