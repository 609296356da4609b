//! Notes stored with a table.

use super::Subject;
use super::trial::{Trial, batch_of};
use crate::{Note, Write};

/// Notes are stored together with a batch, or without one.
pub async fn notes_are_kept_with_their_batch(subject: Subject<'_>) {
    let trial = Trial::new(subject, "kept_notes").await;
    let store = subject.store;
    assert_eq!(store.note(&trial.table, "load 7").await.unwrap(), None);
    let write = Write::of(batch_of(&["put r a:q 1 v"])).with_note("load 7", *b"row 1").with_note("", *b"");
    store.write(&trial.table, write).await.unwrap();
    assert_eq!(store.note(&trial.table, "load 7").await.unwrap().unwrap(), b"row 1");
    assert_eq!(store.note(&trial.table, "").await.unwrap().unwrap(), b"");
    store.write(&trial.table, Write::default().with_note("alone", [0, 255])).await.unwrap();
    assert_eq!(store.note(&trial.table, "alone").await.unwrap().unwrap(), [0, 255]);
    assert_eq!(trial.all().await, ["r a:q@1=v"], "a note is no row");
}

/// A note can be replaced and removed.
pub async fn a_note_is_replaced_and_forgotten(subject: Subject<'_>) {
    let trial = Trial::new(subject, "replaced").await;
    let store = subject.store;
    for value in ["one", "two"] {
        store.write(&trial.table, Write::default().with_note("n", value)).await.unwrap();
        assert_eq!(store.note(&trial.table, "n").await.unwrap().unwrap(), value.as_bytes());
    }
    let forget = Write::of_notes(vec![Note { key: "n".into(), value: None }]);
    store.write(&trial.table, forget).await.unwrap();
    assert_eq!(store.note(&trial.table, "n").await.unwrap(), None);
}

/// A note belongs to its table.
pub async fn notes_belong_to_their_table(subject: Subject<'_>) {
    let [one, other] = [Trial::new(subject, "one").await, Trial::new(subject, "other").await];
    subject.store.write(&one.table, Write::default().with_note("n", *b"one")).await.unwrap();
    assert_eq!(subject.store.note(&other.table, "n").await.unwrap(), None);
}
