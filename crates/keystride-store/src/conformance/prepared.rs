//! A prepared batch is written like any other.

use keystride::Key;

use super::Subject;
use super::trial::{Trial, batch_of, family};
use crate::{AfterTruncate, Family, StoreError, Write};

/// A prepared write writes its rows and notes, and reports what was written to each region.
pub async fn a_prepared_write_is_one_like_any_other(subject: Subject<'_>) {
    let trial =
        Trial::with_families(subject, "prepared", ["a", "b"].map(|name| Family::new(family(name))), &["m"])
            .await;
    let lines = ["put z a:q 5 last", "put a b:q 5 first", "put a a:q 5 it", "delete_column a b:q 4"];
    let prepared = trial.store.prepare(&trial.table, batch_of(&lines)).await.unwrap();
    assert_eq!(prepared.batch().len(), 4);
    let written = trial.store.write(&trial.table, prepared.with_note("n", *b"1")).await.unwrap();
    assert_eq!((written.rows(), written.cells(), written.regions.len()), (2, 4, 2));
    assert_eq!(trial.all().await, ["a a:q@5=it b:q@5=first", "z a:q@5=last"]);
    assert_eq!(trial.store.note(&trial.table, "n").await.unwrap(), Some(b"1".to_vec()));
    // A clone can be written too.
    let prepared = trial.store.prepare(&trial.table, batch_of(&["put c a:q 5 v"])).await.unwrap();
    trial.store.write(&trial.table, prepared.clone()).await.unwrap();
    trial.store.write(&trial.table, prepared).await.unwrap();
    assert_eq!(trial.all().await.len(), 3);
}

/// Preparing a write does not write it.
pub async fn what_is_only_prepared_is_not_there(subject: Subject<'_>) {
    let trial = Trial::new(subject, "only_prepared").await;
    drop(trial.store.prepare(&trial.table, batch_of(&["put r a:q 5 v"])).await.unwrap());
    assert!(trial.all().await.is_empty());
}

/// Of two writes of the same cell the later one wins, whatever order they were prepared in.
pub async fn of_prepared_writes_the_later_written_shows(subject: Subject<'_>) {
    let trial = Trial::new(subject, "prepared_order").await;
    let first = trial.store.prepare(&trial.table, batch_of(&["put r a:q 5 first"])).await.unwrap();
    let second = trial.store.prepare(&trial.table, batch_of(&["put r a:q 5 second"])).await.unwrap();
    trial.store.write(&trial.table, second).await.unwrap();
    trial.write(&["put r a:q 5 third"]).await;
    trial.store.write(&trial.table, first).await.unwrap();
    assert_eq!(trial.all().await, ["r a:q@5=first"]);
}

/// A cell that asks for the store's time gets the time of the write, not that of its preparation.
pub async fn the_time_of_a_prepared_write_is_that_of_the_write(subject: Subject<'_>) {
    let trial = Trial::new(subject, "prepared_time").await;
    let prepared = trial.store.prepare(&trial.table, batch_of(&["put r a:q now late"])).await.unwrap();
    trial.write(&["put r a:q now early"]).await;
    trial.store.write(&trial.table, prepared).await.unwrap();
    // Versions come newest first.
    let line = trial.all().await.remove(0);
    assert!(line.split(' ').nth(1).unwrap().ends_with("=late"), "{line}");
}

/// Changes of the table between preparation and write are taken into account.
pub async fn a_prepared_write_minds_what_became_of_the_table(subject: Subject<'_>) {
    let trial = Trial::new(subject, "prepared_change").await;
    let lines = ["put a a:q 5 v", "put z a:q 5 v"];
    let [first, second] = [
        trial.store.prepare(&trial.table, batch_of(&lines)).await.unwrap(),
        trial.store.prepare(&trial.table, batch_of(&lines)).await.unwrap(),
    ];
    trial.store.split(&trial.table, &Key::new(*b"m").unwrap()).await.unwrap();
    let written = trial.store.write(&trial.table, first).await.unwrap();
    assert_eq!(written.regions.iter().map(|region| region.rows).collect::<Vec<_>>(), [1, 1]);
    trial.store.truncate(&trial.table, AfterTruncate::KeepSplits).await.unwrap();
    assert!(trial.all().await.is_empty());
    trial.store.write(&trial.table, second).await.unwrap();
    assert_eq!(trial.all().await, ["a a:q@5=v", "z a:q@5=v"]);
}

/// A write that was prepared for one table can be written to another.
pub async fn a_prepared_write_belongs_to_no_table(subject: Subject<'_>) {
    let [one, other] = [Trial::new(subject, "prepared_for").await, Trial::new(subject, "written_to").await];
    let prepared = one.store.prepare(&one.table, batch_of(&["put r a:q 5 v"])).await.unwrap();
    other.store.write(&other.table, prepared).await.unwrap();
    assert_eq!((one.all().await.len(), other.all().await.len()), (0, 1));
}

/// An unknown family is rejected, at the latest by the write.
pub async fn an_unknown_family_of_a_prepared_write_is_refused(subject: Subject<'_>) {
    let trial = Trial::new(subject, "prepared_family").await;
    let write = match trial.store.prepare(&trial.table, batch_of(&["put r x:q 5 v"])).await {
        Ok(write) => trial.store.write(&trial.table, write).await,
        Err(refused) => Err(refused),
    };
    assert!(matches!(write, Err(StoreError::UnknownFamily { .. })), "{write:?}");
    trial.store.write(&trial.table, Write::default()).await.unwrap();
}
