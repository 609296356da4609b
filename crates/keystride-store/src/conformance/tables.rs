//! Tables: creation, description, truncation and removal.

use keystride::{Key, SplitPoints};

use super::Subject;
use super::trial::{Trial, batch_of, family};
use crate::{
    AfterTruncate, BlockEncoding, Bloom, Compression, Family, KeepDeletedCells, Scan, Selection, StoreError,
    TableDescription, Write,
};

/// Tables can be created, described, listed and dropped.
pub async fn a_table_is_made_described_listed_and_dropped(subject: Subject<'_>) {
    let table = Trial::vacant(subject, "made").await;
    let store = subject.store;
    let special = Family {
        versions: 5,
        min_versions: 2,
        ttl_seconds: Some(86_400),
        compression: Compression::Gz,
        bloom: Bloom::RowCol,
        block_encoding: BlockEncoding::FastDiff,
        block_bytes: 16_384,
        in_memory: true,
        keep_deleted_cells: KeepDeletedCells::True,
        ..Family::new(family("z"))
    };
    let description = TableDescription::new(table.clone(), [special, Family::new(family("y"))])
        .with_attribute("keystride.design", "[table]\nname = \"größe\"\n");
    store.create(&description, &SplitPoints::new(["m"]).unwrap()).await.unwrap();
    assert!(store.exists(&table).await.unwrap());
    assert!(store.list().await.unwrap().contains(&table));

    let described = store.describe(&table).await.unwrap();
    let sorted: Vec<_> = description.families.iter().rev().cloned().collect();
    assert_eq!(described.families, sorted);
    assert_eq!(described.attributes["keystride.design"], "[table]\nname = \"größe\"\n");

    store.drop_table(&table).await.unwrap();
    assert!(!store.exists(&table).await.unwrap());
    assert!(!store.list().await.unwrap().contains(&table));
}

/// An attribute can be set and replaced, and nothing else changes.
pub async fn an_attribute_is_set(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "attribute", &["m"]).await;
    let store = subject.store;
    trial.write(&["put r a:q 1 v"]).await;
    let before = store.describe(&trial.table).await.unwrap();
    for value in ["one", "größe\n"] {
        let change = TableDescription::new(trial.table.clone(), []).with_attribute("keystride.design", value);
        store.alter(&change).await.unwrap();
        let expected = before.clone().with_attribute("keystride.design", value);
        assert_eq!(store.describe(&trial.table).await.unwrap(), expected);
    }
    assert_eq!(store.regions(&trial.table).await.unwrap().len(), 2);
    assert_eq!(trial.all().await, ["r a:q@1=v"]);
    store.truncate(&trial.table, AfterTruncate::KeepSplits).await.unwrap();
    let described = store.describe(&trial.table).await.unwrap();
    assert_eq!(described.attributes["keystride.design"], "größe\n");
}

/// A family can be added before and after others and given other settings, and stored rows stay in theirs.
pub async fn families_are_added_and_changed(subject: Subject<'_>) {
    let trial = Trial::new(subject, "altered").await;
    let store = subject.store;
    trial.write(&["put r a:q 1 v", "put r b:q 1 w"]).await;
    let before = store.describe(&trial.table).await.unwrap();
    let (first, last) = (Family::new(family("0")), Family::new(family("z")));
    let kept = Family { versions: 3, ..Family::new(family("b")) };
    let change = TableDescription::new(trial.table.clone(), [last.clone(), kept.clone(), first.clone()]);
    store.alter(&change).await.unwrap();
    let described = store.describe(&trial.table).await.unwrap();
    assert_eq!(described.family(&kept.name).unwrap().versions, 3);
    assert_eq!(described.families.len(), before.families.len() + 2);
    assert_eq!(described.attributes, before.attributes);
    trial.write(&["put r 0:q 1 x", "put r z:q 1 y", "put r b:q 2 w2"]).await;
    assert_eq!(trial.all().await, ["r 0:q@1=x a:q@1=v b:q@2=w2 b:q@1=w z:q@1=y"]);
}

/// A table can't be created twice.
pub async fn a_table_can_not_be_made_twice(subject: Subject<'_>) {
    let trial = Trial::new(subject, "twice").await;
    trial.write(&["put r a:q 1 v"]).await;
    let again = TableDescription::new(trial.table.clone(), [Family::new(family("c"))]);
    let refused = subject.store.create(&again, &SplitPoints::default()).await;
    assert!(matches!(refused, Err(StoreError::TableExists { .. })));
    assert_eq!(trial.all().await, ["r a:q@1=v"]);
}

/// An invalid table description is rejected.
pub async fn a_table_that_can_not_be_is_refused(subject: Subject<'_>) {
    let table = Trial::vacant(subject, "refused").await;
    let create = async |families: Vec<Family>| {
        subject.store.create(&TableDescription::new(table.clone(), families), &SplitPoints::default()).await
    };
    let plain = || Family::new(family("a"));
    assert!(matches!(create(vec![]).await, Err(StoreError::NoFamily { .. })));
    assert!(matches!(create(vec![plain(), plain()]).await, Err(StoreError::FamilyTwice { .. })));
    let none_kept = Family { versions: 0, ..plain() };
    assert!(matches!(create(vec![none_kept]).await, Err(StoreError::FamilyAttribute { .. })));
    assert!(!subject.store.exists(&table).await.unwrap());
}

/// An unknown table is rejected by every operation on a table.
pub async fn an_unknown_table_is_refused(subject: Subject<'_>) {
    let table = Trial::vacant(subject, "unknown").await;
    let store = subject.store;
    let key = Key::new(*b"k").unwrap();
    let write = Write::of(batch_of(&["put r a:q 1 v"]));
    let refusals = [
        store.describe(&table).await.map(drop),
        store.regions(&table).await.map(drop),
        store.alter(&TableDescription::new(table.clone(), [])).await,
        store.split(&table, &key).await,
        store.truncate(&table, AfterTruncate::KeepSplits).await,
        store.drop_table(&table).await,
        store.write(&table, write).await.map(drop),
        store.get(&table, &[b"r"], &Selection::default()).await.map(drop),
        store.scan(&table, Scan::of_ranges(vec![])).await.map(drop),
        store.note(&table, "n").await.map(drop),
        store.flush(&table).await,
        store.compact(&table).await,
    ];
    for (place, refusal) in refusals.into_iter().enumerate() {
        assert!(matches!(refusal, Err(StoreError::UnknownTable { .. })), "call {place}: {refusal:?}");
    }
}

/// Truncating removes all rows and notes, and keeps the splits if requested.
pub async fn truncating_leaves_no_row_and_no_note(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "truncated", &["g", "p"]).await;
    let cases = [(AfterTruncate::KeepSplits, 3), (AfterTruncate::OneRegion, 1)];
    for (after, regions) in cases {
        let write = Write::of(batch_of(&["put a a:q 1 v", "put z b:q 1 v", "delete_family h a 5"]));
        subject.store.write(&trial.table, write.with_note("progress", *b"7")).await.unwrap();
        subject.store.truncate(&trial.table, after).await.unwrap();
        assert!(trial.all().await.is_empty());
        assert_eq!(subject.store.note(&trial.table, "progress").await.unwrap(), None);
        assert_eq!(subject.store.regions(&trial.table).await.unwrap().len(), regions);
        trial.write(&["put h a:q 1 new"]).await;
        assert_eq!(trial.all().await, ["h a:q@1=new"], "marks are gone too");
    }
}

/// A table recreated under the name of a dropped one is empty.
pub async fn a_table_made_anew_is_empty(subject: Subject<'_>) {
    let trial = Trial::new(subject, "anew").await;
    let write = Write::of(batch_of(&["put r a:q 1 v"])).with_note("n", *b"x");
    subject.store.write(&trial.table, write).await.unwrap();
    let trial = Trial::new(subject, "anew").await;
    assert!(trial.all().await.is_empty());
    assert_eq!(subject.store.note(&trial.table, "n").await.unwrap(), None);
}
