//! Gets, and which parts of a row a read returns.

use std::collections::BTreeMap;

use super::Subject;
use super::trial::{Trial, all_versions, columns, family};
use crate::{Columns, Detail, FamilyColumns, Scan, Selection, StoreError};

/// A get returns one row per key, in the order of the keys, empty if nothing is visible.
pub async fn answers_come_in_the_order_of_the_keys(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "answers", &["m"]).await;
    trial.write(&["put x a:q 1 x", "put b a:q 1 b"]).await;
    let keys = ["x", "nothing", "b", "x"];
    assert_eq!(trial.get(&keys, &all_versions()).await, ["x a:q@1=x", "nothing", "b a:q@1=b", "x a:q@1=x"]);
    assert!(trial.get(&[], &all_versions()).await.is_empty());
}

/// Columns and families can be selected; a row that has none of them is skipped.
pub async fn columns_can_be_chosen(subject: Subject<'_>) {
    let trial = Trial::new(subject, "chosen").await;
    trial.write(&["put r a:x 2 1", "put r a:x 1 2", "put r a:y 1 3", "put r b:x 1 4", "put s b:y 1 5"]).await;
    let selected = |columns| Selection { columns, ..all_versions() };
    assert_eq!(trial.visible(selected(columns(&["a:x"]))).await, ["r a:x@2=1 a:x@1=2"]);
    assert_eq!(trial.visible(selected(columns(&["a:y", "a:nope"]))).await, ["r a:y@1=3"]);
    assert_eq!(trial.visible(selected(Columns::family(family("b")))).await, ["r b:x@1=4", "s b:y@1=5"]);
    let of_both = Columns::Of(BTreeMap::from([
        (family("a"), FamilyColumns::Named([b"y".to_vec()].into())),
        (family("b"), FamilyColumns::All),
    ]));
    assert_eq!(trial.visible(selected(of_both)).await, ["r a:y@1=3 b:x@1=4", "s b:y@1=5"]);
    assert_eq!(trial.get(&["s"], &selected(columns(&["a:x"]))).await, ["s"]);
}

/// Cells can be read without values: all cells, or the first one of each row.
pub async fn names_can_be_read_without_values(subject: Subject<'_>) {
    let trial = Trial::new(subject, "names").await;
    trial.write(&["put r a:x 1 1", "put r a:y 1 2", "put s b:x 1 3"]).await;
    let names = |detail| Selection { detail, ..all_versions() };
    assert_eq!(trial.visible(names(Detail::Keys)).await, ["r a:x@1= a:y@1=", "s b:x@1="]);
    assert_eq!(trial.visible(names(Detail::FirstKey)).await, ["r a:x@1=", "s b:x@1="]);
    let first_y = Selection { columns: columns(&["a:y"]), ..names(Detail::FirstKey) };
    assert_eq!(trial.visible(first_y).await, ["r a:y@1="]);
}

/// Bytes that are not a valid row key are rejected.
pub async fn bytes_that_are_no_key_are_refused(subject: Subject<'_>) {
    let trial = Trial::new(subject, "no_key").await;
    let too_long = vec![b'x'; keystride::MAX_KEY_LEN + 1];
    for key in [&b""[..], &too_long] {
        let refused = subject.store.get(&trial.table, &[key], &Selection::default()).await;
        assert!(matches!(refused, Err(StoreError::Key(_))));
    }
}

/// A family that the table does not have can't be selected or used in a filter.
pub async fn an_unknown_family_is_refused(subject: Subject<'_>) {
    let trial = Trial::new(subject, "no_family").await;
    let columns = Columns::family(family("nope"));
    let selected = Selection { columns, ..Selection::default() };
    let filter = crate::Filter::Column {
        family: family("nope"),
        qualifier: vec![],
        comparison: crate::Compare::Equal,
        value: vec![],
        missing: crate::Missing::Passes,
    };
    let filtered = Selection { filter: Some(filter), ..Selection::default() };
    for selection in [selected, filtered] {
        let get = subject.store.get(&trial.table, &[b"r"], &selection).await;
        assert!(matches!(get, Err(StoreError::UnknownFamily { .. })));
        let scan = Scan { selection, ..Scan::of(keystride::KeyRange::all()) };
        let scan = subject.store.scan(&trial.table, scan).await;
        assert!(matches!(scan.map(drop), Err(StoreError::UnknownFamily { .. })));
    }
}
