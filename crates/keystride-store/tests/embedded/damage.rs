//! Stores with damaged files: nothing is lost in silence, and nothing of what is left is removed.

use std::fs;
use std::path::{Path, PathBuf};

use keystride::SplitPoints;
use keystride_store::{
    AfterTruncate, EmbeddedOptions, EmbeddedStore, Purpose, Store, StoreError, TableName, TableReader,
};

use crate::home::{batch, open, open_with_log, row_count};

async fn refused(folder: &Path) -> StoreError {
    EmbeddedStore::open(folder, EmbeddedOptions::default()).await.unwrap_err()
}

/// Makes a store with 3 rows and closes it.
async fn closed_store(folder: &Path) -> TableName {
    let (store, log) = open_with_log(folder, &SplitPoints::default()).await;
    store.write(&log.name, batch(0..3, 1)).await.unwrap();
    store.close().await.unwrap();
    log.name
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}

fn journal_of(folder: &Path) -> PathBuf {
    folder.join("engine/0.jnl")
}

#[tokio::test]
async fn a_file_that_is_missing_or_changed_is_named_and_nothing_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let log = closed_store(folder.path()).await;
    let is_in_force = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let number = name.strip_prefix('v').and_then(|number| number.parse::<u64>().ok());
        let is_earlier =
            number.is_some_and(|number| path.with_file_name(format!("v{}", number + 1)).exists());
        !is_earlier && name != "lock" && path.extension().is_none()
    };
    let files: Vec<_> = files_in(&folder.path().join("engine")).into_iter().filter(is_in_force).collect();
    assert!(files.len() > 8, "{files:?}");
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        *changed.last_mut().unwrap() ^= 1;
        for damage in [None, Some(&[][..]), Some(&bytes[..bytes.len() / 2]), Some(changed.as_slice())] {
            fs::remove_file(&path).unwrap();
            if let Some(bytes) = damage {
                fs::write(&path, bytes).unwrap();
            }
            let refused = refused(folder.path()).await;
            let StoreError::DamagedFile { path: named, .. } = refused else { panic!("{refused}") };
            // Where `current` is changed, it names a version that is not there, or another checksum.
            assert!(named == path || path.ends_with("current"), "{} {}", named.display(), path.display());
            fs::write(&path, &bytes).unwrap();
        }
    }
    assert_eq!(row_count(&open(folder.path()).await, &log).await, 3);
}

#[tokio::test]
async fn a_lost_lock_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = closed_store(folder.path()).await;
    for lock in ["lock", "engine/lock"] {
        fs::remove_file(folder.path().join(lock)).unwrap();
    }
    assert_eq!(row_count(&open(folder.path()).await, &log).await, 3);
}

#[tokio::test]
async fn a_close_leaves_no_journal_that_could_be_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let log = closed_store(folder.path()).await;
    assert_eq!(fs::metadata(journal_of(folder.path())).unwrap().len(), 0);
    assert_eq!(row_count(&open(folder.path()).await, &log).await, 3);
}

#[tokio::test]
async fn a_damaged_journal_is_refused_until_it_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    for first in [0, 10, 20, 30] {
        store.write(&log.name, batch(first..first + 10, 1)).await.unwrap();
    }
    drop(store);
    assert_eq!(EmbeddedStore::repair(folder.path()).await.unwrap(), None);
    let journal = journal_of(folder.path());
    let mut bytes = fs::read(&journal).unwrap();
    let row = bytes.windows(5).position(|bytes| bytes == b"00013").unwrap();
    bytes[row] = b'1';
    fs::write(&journal, &bytes).unwrap();

    let refused = refused(folder.path()).await;
    assert_eq!(fs::read(&journal).unwrap(), bytes, "nothing was changed");
    let StoreError::DamagedJournal { path, from, to, following: 2 } = &refused else { panic!("{refused}") };
    assert!(*path == journal && (*from..*to).contains(&(row as u64)), "{refused}");

    let repair = EmbeddedStore::repair(folder.path()).await.unwrap().unwrap();
    assert_eq!((repair.from, repair.to, repair.following), (*from, *to, 2));
    assert_eq!(fs::read(repair.aside.join("0.jnl")).unwrap(), bytes);
    assert_eq!(row_count(&open(folder.path()).await, &log.name).await, 10);
}

#[tokio::test]
async fn a_torn_end_of_the_journal_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    for first in [0, 10] {
        store.write(&log.name, batch(first..first + 10, 1)).await.unwrap();
    }
    drop(store);
    let journal = journal_of(folder.path());
    let bytes = fs::read(&journal).unwrap();
    let row = bytes.windows(5).position(|bytes| bytes == b"00013").unwrap();
    fs::write(&journal, &bytes[..row]).unwrap();
    assert_eq!(row_count(&open(folder.path()).await, &log.name).await, 10);
}

#[tokio::test]
async fn a_removal_gets_the_room_that_is_kept_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = closed_store(folder.path()).await;
    let spare = folder.path().join("spare");
    assert!(fs::metadata(&spare).unwrap().len() > 0);
    let options = EmbeddedOptions { purpose: Purpose::Removal, ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder.path(), options).await.unwrap();
    assert!(!spare.exists());
    store.drop_table(&log).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    assert!(spare.exists());
    assert_eq!(fs::metadata(journal_of(folder.path())).unwrap().len(), 0);
    assert!(open(folder.path()).await.list().await.unwrap().is_empty());
}

#[tokio::test]
async fn tables_are_removed_one_opening_after_another() {
    let folder = tempfile::tempdir().unwrap();
    let name = closed_store(folder.path()).await;
    let options = EmbeddedOptions { purpose: Purpose::Removal, ..EmbeddedOptions::default() };
    for _ in 0..70 {
        let store = EmbeddedStore::open(folder.path(), options.clone()).await.unwrap();
        store.truncate(&name, AfterTruncate::OneRegion).await.unwrap();
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_store_without_its_journal_is_refused_until_that_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = open_with_log(folder.path(), &SplitPoints::default()).await;
    store.write(&log.name, batch(0..3, 1)).await.unwrap();
    store.close().await.unwrap();
    let (engine, aside) = (folder.path().join("engine"), folder.path().join("aside"));
    let is_journal = |path: &Path| path.extension().is_some_and(|ending| ending == "jnl");
    let entries = fs::read_dir(&engine).unwrap().map(|entry| entry.unwrap().path());
    let journals: Vec<_> = entries.filter(|path| is_journal(path)).collect();
    fs::create_dir(&aside).unwrap();
    for journal in &journals {
        fs::rename(journal, aside.join(journal.file_name().unwrap())).unwrap();
    }
    fs::write(engine.join("no.journal"), "").unwrap();
    let refused = EmbeddedStore::open(folder.path(), EmbeddedOptions::default()).await.unwrap_err();
    fs::remove_file(engine.join("no.journal")).unwrap();
    assert!(matches!(&refused, StoreError::NoJournal { folder } if *folder == engine), "{refused}");
    for journal in &journals {
        fs::rename(aside.join(journal.file_name().unwrap()), journal).unwrap();
    }
    assert_eq!(row_count(&open(folder.path()).await, &log.name).await, 3);
}
