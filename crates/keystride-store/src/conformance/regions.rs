//! Regions: their ranges, splits and counts.

use keystride::{Key, KeyRange};

use super::Subject;
use super::trial::{Trial, range, scan_of};
use crate::{Region, Scan, Selection, StoreError};

async fn regions(trial: &Trial<'_>) -> Vec<Region> {
    trial.store.regions(&trial.table).await.unwrap()
}

/// Regions lie between the split points, cover all keys and have different names.
pub async fn regions_lie_between_the_splits(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "between", &["g", "p"]).await;
    let regions = regions(&trial).await;
    let ranges: Vec<KeyRange> = regions.iter().map(|region| region.range.clone()).collect();
    assert_eq!(ranges, [range("", "g"), range("g", "p"), KeyRange::new("p", None)]);
    assert_ne!(regions[0].id, regions[1].id);
    assert_ne!(regions[1].id, regions[2].id);
    assert!(regions.iter().all(|region| region.load.is_some() == region.server.is_some()));
    let single = Trial::new(subject, "single").await;
    let whole = self::regions(&single).await;
    assert_eq!(whole.iter().map(|region| region.range.clone()).collect::<Vec<_>>(), [KeyRange::all()]);
}

/// A split cuts one region in two and loses no row.
pub async fn a_split_cuts_one_region_and_loses_no_row(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "split", &["0050"]).await;
    trial.write_rows(100).await;
    let before = regions(&trial).await;
    subject.store.split(&trial.table, &Key::new(*b"0070").unwrap()).await.unwrap();
    let after = regions(&trial).await;
    let ranges: Vec<KeyRange> = after.iter().map(|region| region.range.clone()).collect();
    assert_eq!(ranges, [range("", "0050"), range("0050", "0070"), KeyRange::new("0070", None)]);
    assert_eq!(after[0].id, before[0].id);
    assert!(after[1..].iter().all(|region| region.id != before[1].id));
    assert_eq!(trial.keys(scan_of(Selection::default())).await.len(), 100);
    if after.iter().all(|region| region.load.is_none()) {
        // A cluster counts the halves from the split on.
        let rows: Vec<_> = after.iter().map(|region| region.counts.rows_written).collect();
        assert_eq!(rows, [50, 20, 30]);
    }
    let written = trial.write(&["put 0060 a:q 2 v", "put 0080 a:q 2 v"]).await;
    let into: Vec<_> = written.regions.iter().map(|region| region.region.clone()).collect();
    assert_eq!(into, [after[1].id.clone(), after[2].id.clone()]);
}

/// A split at a key where a region already starts is rejected.
pub async fn a_split_where_a_region_starts_is_refused(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "starts", &["m"]).await;
    let refused = subject.store.split(&trial.table, &Key::new(*b"m").unwrap()).await;
    assert!(matches!(refused, Err(StoreError::SplitExists { .. })));
    assert_eq!(regions(&trial).await.len(), 2);
}

/// A write reports what was written to each region: rows, cells and bytes, in key order.
pub async fn a_write_says_what_each_region_got(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "got", &["g", "p"]).await;
    let written = trial
        .write(&["put z a:q 1 v", "put a a:q 1 vv", "put z b:qq 1 v", "put b a:q 1 v", "delete_family a b 1"])
        .await;
    let regions = regions(&trial).await;
    let got: Vec<_> = written
        .regions
        .iter()
        .map(|region| (region.region.clone(), region.rows, region.cells, region.bytes))
        .collect();
    assert_eq!(got, [(regions[0].id.clone(), 2, 3, 5 + 2 + 4), (regions[2].id.clone(), 1, 2, 4 + 5)]);
    assert_eq!((written.rows(), written.cells()), (3, 5));
}

/// Regions count what is written to them and the rows read from them.
pub async fn what_passes_through_a_region_is_counted(subject: Subject<'_>) {
    let trial = Trial::with_splits(subject, "counted", &["0050"]).await;
    trial.write_rows(60).await;
    trial.write(&["put 0000 a:other 1 v"]).await;
    let before = subject.store.rows_read();
    trial.keys(Scan::of(range("0045", "0052"))).await;
    trial.get(&["0000", "0099"], &Selection::default()).await;
    let counts: Vec<_> = regions(&trial).await.into_iter().map(|region| region.counts).collect();
    let written: Vec<_> = counts.iter().map(|counts| (counts.rows_written, counts.cells_written)).collect();
    assert_eq!(written, [(51, 51), (10, 10)]);
    assert_eq!(counts[1].bytes_written, 10 * (4 + 1 + 1 + 1));
    assert_eq!(counts.iter().map(|counts| counts.rows_read).collect::<Vec<_>>(), [6, 3]);
    assert_eq!(subject.store.rows_read() - before, 9);
}
