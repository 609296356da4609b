//! Extracts that fail midway or are killed, and those that come after them.

use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};

use keystride_table::extract::{Existing, Extract, ExtractError, Partition};

use super::{check_whole, files, hidden, of_day, stored_flights, stumbling_block};

/// An extract of all days in small parts, one after the other.
fn by_day_in_turn(existing: Existing) -> Extract {
    Extract {
        partition: Partition::ByDay { field: 0 },
        workers: NonZeroUsize::MIN,
        part_rows: NonZeroU64::MIN,
        existing,
        ..Extract::default()
    }
}

#[tokio::test]
async fn an_extract_that_was_cut_off_shows_nothing_and_goes_on() {
    for existing in [Existing::Refuse, Existing::Overwrite] {
        let table = stored_flights().await;
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("dt=2013-03-09");
        if existing == Existing::Overwrite {
            fs::create_dir(&old).unwrap();
            fs::write(old.join("part-old.parquet"), "old").unwrap();
        }
        let before = files(folder.path());
        let by_day = by_day_in_turn(existing);
        let clear = stumbling_block(&table).await;
        let failed = table.extract(&by_day, folder.path()).await;
        assert!(matches!(failed, Err(ExtractError::Read(_))), "{failed:?}");
        assert_eq!(files(folder.path()), before);

        clear(&table).await;
        if existing == Existing::Overwrite {
            let refusing = Extract { existing: Existing::Refuse, ..by_day.clone() };
            let refused = table.extract(&refusing, folder.path()).await;
            assert!(matches!(refused, Err(ExtractError::NotEmpty { .. })), "{refused:?}");
        }
        let resume = Extract { existing: Existing::Resume, ..by_day.clone() };
        let resumed = table.extract(&resume, folder.path()).await.unwrap();
        assert!(resumed.parts_kept >= 7, "{resumed:?}");
        assert_eq!(resumed.total.rows, 200);
        assert!(!old.join("part-old.parquet").exists());
        check_whole(&table, folder.path(), &resumed);

        // Once more there is nothing left to do.
        let again = table.extract(&resume, folder.path()).await.unwrap();
        assert_eq!((again.total, again.partitions.clone()), (resumed.total, resumed.partitions));
        check_whole(&table, folder.path(), &again);
    }
}

#[tokio::test]
async fn an_extract_that_goes_on_leaves_what_another_one_has_published_meanwhile() {
    for existing in [Existing::Refuse, Existing::Overwrite] {
        let table = stored_flights().await;
        let folder = tempfile::tempdir().unwrap();
        let by_day = by_day_in_turn(existing);
        let clear = stumbling_block(&table).await;
        table.extract(&by_day, folder.path()).await.unwrap_err();
        clear(&table).await;
        let of_ninth = Extract { existing, ..of_day(&table, "2013-03-09") };
        table.extract(&of_ninth, folder.path()).await.unwrap();
        let published = files(folder.path());

        let resumed = table.extract(&Extract { existing: Existing::Resume, ..by_day }, folder.path()).await;
        match existing {
            Existing::Overwrite => {
                assert!(matches!(resumed, Err(ExtractError::PartGone { .. })), "{resumed:?}");
            }
            _ => assert!(matches!(resumed, Err(ExtractError::NotEmpty { .. })), "{resumed:?}"),
        }
        assert_eq!(files(folder.path()), published);
    }
}

#[tokio::test]
async fn a_new_run_after_a_failed_one_begins_anew() {
    let table = stored_flights().await;
    let folder = tempfile::tempdir().unwrap();
    let extract = Extract { partition: Partition::ByDay { field: 0 }, ..Extract::default() };
    let clear = stumbling_block(&table).await;
    table.extract(&extract, folder.path()).await.unwrap_err();
    clear(&table).await;
    let extracted = table.extract(&extract, folder.path()).await.unwrap();
    assert_eq!((extracted.parts_kept, extracted.total.rows), (0, 200));
    check_whole(&table, folder.path(), &extracted);
}

#[tokio::test]
async fn hidden_files_of_killed_extracts_go_with_the_next_one_and_one_manifest_is_kept() {
    let table = stored_flights().await;
    let folder = tempfile::tempdir().unwrap();
    let clear = stumbling_block(&table).await;
    let by_day = Extract {
        partition: Partition::ByDay { field: 0 },
        fields: Some(vec![0, 1]),
        workers: NonZeroUsize::MIN,
        part_rows: NonZeroU64::MIN,
        ..Extract::default()
    };
    table.extract(&by_day, folder.path()).await.unwrap_err();
    // A part that was being written when its extract was killed is in no manifest.
    let mut parts = hidden(folder.path());
    parts.retain(|name| name.contains("-part-"));
    let old = folder.path().join("dt=1999-01-01");
    fs::create_dir(&old).unwrap();
    fs::write(old.join(parts[0].replace("-part-", "-part-9")), "cut off").unwrap();
    let other = Extract { fields: None, existing: Existing::Overwrite, ..by_day.clone() };
    table.extract(&other, folder.path()).await.unwrap_err();
    clear(&table).await;

    for (extract, manifests) in [(&by_day, 2), (&other, 1)] {
        table.extract(extract, folder.path()).await.unwrap();
        let left = hidden(folder.path());
        let is_manifest = |name: &String| name.starts_with(".keystride-extract-");
        assert_eq!((left.len(), left.iter().all(is_manifest)), (manifests, true), "{left:?}");
    }
}
