//! What is written can be read back, in HBase's order and within its limits.

use super::Subject;
use super::trial::{Trial, batch_of, scan_of};
use crate::{MAX_QUALIFIER_LEN, MutationBatch, Selection, StoreError, Write, Writers, Written};

/// What is written can be read by scan and by get.
pub async fn what_is_written_is_read(subject: Subject<'_>) {
    let trial = Trial::new(subject, "written").await;
    trial.write(&["put r2 a:q 5 two", "put r1 b:x 7 one"]).await;
    assert_eq!(trial.all().await, ["r1 b:x@7=one", "r2 a:q@5=two"]);
}

/// Cells of a row are sorted by family, qualifier and timestamp, newest first.
pub async fn cells_of_a_row_come_sorted(subject: Subject<'_>) {
    let trial = Trial::new(subject, "sorted").await;
    trial
        .write(&[
            "put r b:a 1 1",
            "put r a:zz 1 2",
            "put r a:z 1 3",
            "put r a:z 3 4",
            "put r a: 1 5",
            "put r a:z 2 6",
        ])
        .await;
    assert_eq!(trial.all().await, ["r a:@1=5 a:z@3=4 a:z@2=6 a:z@1=3 a:zz@1=2 b:a@1=1"]);
}

/// Of two writes of the same cell the later one wins, within a batch and between batches.
pub async fn of_two_writes_alike_the_later_shows(subject: Subject<'_>) {
    let trial = Trial::new(subject, "later").await;
    trial.write(&["put r a:q 5 first", "put r a:q 5 second"]).await;
    assert_eq!(trial.all().await, ["r a:q@5=second"]);
    trial.write(&["put r a:q 5 third"]).await;
    assert_eq!(trial.all().await, ["r a:q@5=third"]);
    trial.write(&["put r a:q 5 fourth", "put r a:p 5 new"]).await;
    assert_eq!(trial.all().await, ["r a:p@5=new a:q@5=fourth"]);
}

/// Cells with the same row and timestamp that were written separately are returned together.
pub async fn cells_written_one_after_another_come_together(subject: Subject<'_>) {
    let trial = Trial::new(subject, "together").await;
    for line in ["put r a:x 5 1", "put r a:z 5 2", "put r a:y 5 3", "put r b:x 5 4"] {
        trial.write(&[line]).await;
    }
    assert_eq!(trial.all().await, ["r a:x@5=1 a:y@5=3 a:z@5=2 b:x@5=4"]);
}

/// Empty values and empty qualifiers are valid.
pub async fn an_empty_value_is_a_value(subject: Subject<'_>) {
    let trial = Trial::new(subject, "empty").await;
    trial.write(&["put r a: 1", "put r a:q 1", "put s a: 1 v"]).await;
    assert_eq!(trial.all().await, ["r a:@1= a:q@1=", "s a:@1=v"]);
}

/// Rows whose keys are prefixes of other keys stay separate and in order.
pub async fn rows_that_begin_others_stay_apart(subject: Subject<'_>) {
    let trial = Trial::new(subject, "prefixes").await;
    let rows: [&[u8]; 9] = [b"\0", b"\0\0", b"\0\0a", b"\0a", b"a", b"a\0", b"a\0\0", b"a\0b", b"ab"];
    let mut batch = MutationBatch::new();
    for row in rows.iter().rev() {
        batch.put(row, b"a", b"", 1, row).unwrap();
    }
    trial.try_write(batch).await.unwrap();
    let expected: Vec<String> = rows.map(keystride::escape::to_escaped).into();
    assert_eq!(trial.keys(scan_of(Selection::default())).await, expected);
    for row in rows {
        let got = subject.store.get(&trial.table, &[row], &Selection::default()).await.unwrap();
        assert_eq!(got.row(0).cell(b"a", b"").unwrap().value, row);
    }
}

/// The longest row key and the longest qualifier can be combined, whatever bytes they contain.
pub async fn the_longest_row_and_qualifier_fit(subject: Subject<'_>) {
    let trial = Trial::new(subject, "longest").await;
    let zeros = vec![0; keystride::MAX_KEY_LEN];
    let every_other: Vec<u8> = (0..keystride::MAX_KEY_LEN).map(|at| u8::from(at % 2 == 1)).collect();
    let high = vec![0xff; keystride::MAX_KEY_LEN];
    let qualifier = vec![0; MAX_QUALIFIER_LEN];
    let rows = [&zeros, &every_other, &high].map(Vec::as_slice);
    let mut batch = MutationBatch::new();
    for row in rows {
        batch.put(row, b"a", &qualifier, 1, b"long").unwrap();
        batch.put(row, b"a", &qualifier[1..], 1, b"shorter").unwrap();
    }
    trial.try_write(batch).await.unwrap();
    let got = subject.store.get(&trial.table, &rows, &Selection::default()).await.unwrap();
    for (row, key) in got.rows().zip(rows) {
        assert_eq!(row.key(), key);
        let values: Vec<_> = row.cells().map(|cell| cell.value).collect();
        assert_eq!(values, [&b"shorter"[..], b"long"]);
    }
    assert_eq!(trial.keys(scan_of(Selection::default())).await.len(), 3);
}

/// Keys, qualifiers and values can contain any byte.
pub async fn any_byte_can_be_in_a_key_a_name_or_a_value(subject: Subject<'_>) {
    let trial = Trial::new(subject, "bytes").await;
    let mut batch = MutationBatch::new();
    for byte in 0..=u8::MAX {
        batch.put(&[byte], b"a", &[byte], 1, &[byte]).unwrap();
    }
    trial.try_write(batch).await.unwrap();
    let keys: Vec<[u8; 1]> = (0..=u8::MAX).map(|byte| [byte]).collect();
    let keys: Vec<&[u8]> = keys.iter().map(<[u8; 1]>::as_slice).collect();
    let got = subject.store.get(&trial.table, &keys, &Selection::default()).await.unwrap();
    for (row, byte) in got.rows().zip(0..=u8::MAX) {
        assert_eq!(row.cell(b"a", &[byte]).unwrap().value, [byte]);
    }
    let escaped: Vec<String> = keys.iter().map(|key| keystride::escape::to_escaped(key)).collect();
    assert_eq!(trial.keys(scan_of(Selection::default())).await, escaped);
}

/// A batch with an unknown family is refused; of its other rows a cluster may have written some.
pub async fn an_unknown_family_spoils_a_batch(subject: Subject<'_>) {
    let trial = Trial::new(subject, "spoiled").await;
    let refused = trial.try_write(batch_of(&["put r a:q 1 v", "put s nope:q 1 v"])).await;
    assert!(
        matches!(&refused, Err(StoreError::UnknownFamily { family, .. }) if family == "nope"),
        "{refused:?}"
    );
    assert!(trial.all().await.is_empty() || subject.store.writers() == Writers::Others);
}

/// Cells written without a timestamp get the store's time.
pub async fn cells_without_a_time_get_the_stores(subject: Subject<'_>) {
    let trial = Trial::new(subject, "stamped").await;
    trial.write(&["put r a:q now v"]).await;
    let got = subject.store.get(&trial.table, &[b"r"], &Selection::default()).await.unwrap();
    let ts = got.row(0).cell(b"a", b"q").unwrap().ts;
    assert!(ts.abs_diff(trial.now_ms) < 600_000, "{ts} is not near {}", trial.now_ms);
}

/// An empty batch writes nothing.
pub async fn an_empty_batch_writes_nothing(subject: Subject<'_>) {
    let trial = Trial::new(subject, "nothing").await;
    let written = subject.store.write(&trial.table, Write::default()).await.unwrap();
    assert_eq!(written, Written::default());
    assert!(trial.all().await.is_empty());
}
