//! Changes that depend on what is stored.

use std::sync::Arc;
use std::time::Duration;

use keystride::{Key, SplitPoints};
use keystride_store::{
    Amount, Appended, Check, Condition, Durability, EmbeddedOptions, EmbeddedStore, FamilyName, LATEST,
    ManualClock, MutationBatch, RowBatch, Selection, Store, TableReader, Write,
};

use crate::home::{open, open_with_log, table, writes};

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
