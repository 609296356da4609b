//! Files that were there before: refused, replaced, kept or found changed.

use std::fs;

use keystride_table::extract::{Existing, Extract, ExtractError, Partition};

use super::{files, hidden, of_day, on_the_ninth, read_back, stored_flights, told, told_rows};

#[tokio::test]
async fn files_that_are_there_are_refused_or_replaced() {
    let table = stored_flights().await;
    let folder = tempfile::tempdir().unwrap();
    let partition = folder.path().join("dt=2013-03-09");
    fs::create_dir(&partition).unwrap();
    fs::write(partition.join("part-old.parquet"), "old").unwrap();
    fs::write(partition.join("_SUCCESS"), "").unwrap();
    let extract = of_day(&table, "2013-03-09");
    for existing in [Existing::Refuse, Existing::Resume] {
        let refused = table.extract(&Extract { existing, ..extract.clone() }, folder.path()).await;
        assert!(matches!(refused, Err(ExtractError::NotEmpty { folder }) if folder == partition));
        assert_eq!(files(&partition), ["_SUCCESS", "part-old.parquet"]);
    }
    let by_day = Extract { partition: Partition::ByDay { field: 0 }, ..Extract::default() };
    assert!(matches!(table.extract(&by_day, folder.path()).await, Err(ExtractError::NotEmpty { .. })));
    assert_eq!(files(folder.path()), ["dt=2013-03-09/_SUCCESS", "dt=2013-03-09/part-old.parquet"]);

    let overwrite = Extract { existing: Existing::Overwrite, ..extract };
    for _ in 0..2 {
        table.extract(&overwrite, folder.path()).await.unwrap();
        assert!(!files(&partition).contains(&"part-old.parquet".to_owned()));
        assert_eq!(told(&read_back(&partition)), told_rows(&on_the_ninth(&table)));
    }

    let all = Extract { existing: Existing::Overwrite, ..by_day };
    for extract in [&overwrite, &all] {
        fs::write(partition.join("notes.txt"), "not ours").unwrap();
        let before = files(folder.path());
        let refused = table.extract(extract, folder.path()).await;
        assert!(
            matches!(refused, Err(ExtractError::OtherFile { path }) if path == partition.join("notes.txt"))
        );
        assert_eq!(files(folder.path()), before);
    }
}

#[tokio::test]
async fn a_folder_has_partitions_or_files_of_its_own() {
    let table = stored_flights().await;
    let whole = Extract::default();
    let by_day = Extract { partition: Partition::ByDay { field: 0 }, ..Extract::default() };
    let by_other = Extract { partition_column: "day".to_owned(), ..by_day.clone() };
    let of_day = of_day(&table, "2013-03-09");
    for (first, second) in
        [(&whole, &by_day), (&whole, &of_day), (&by_day, &whole), (&of_day, &whole), (&by_day, &by_other)]
    {
        let folder = tempfile::tempdir().unwrap();
        table.extract(first, folder.path()).await.unwrap();
        let before = files(folder.path());
        for existing in [Existing::Refuse, Existing::Overwrite, Existing::Resume] {
            let refused = table.extract(&Extract { existing, ..second.clone() }, folder.path()).await;
            let refused = refused.unwrap_err();
            match first.partition {
                Partition::Whole => assert!(matches!(refused, ExtractError::Unpartitioned { .. })),
                _ => assert!(
                    matches!(refused, ExtractError::Partitioned { partition, .. } if partition.starts_with("dt="))
                ),
            }
            assert_eq!(files(folder.path()), before);
        }
    }
}

#[tokio::test]
async fn a_file_of_another_size_is_not_taken_for_that_of_an_earlier_run() {
    let table = stored_flights().await;
    let folder = tempfile::tempdir().unwrap();
    let extract = Extract { existing: Existing::Resume, ..of_day(&table, "2013-03-09") };
    table.extract(&extract, folder.path()).await.unwrap();
    let partition = folder.path().join("dt=2013-03-09");
    let part = partition.join("part-00000.parquet");
    fs::write(&part, "old").unwrap();
    let gone = |refused| matches!(refused, Err(ExtractError::PartGone { path }) if path == part);
    assert!(gone(table.extract(&extract, folder.path()).await), "it is complete");
    let manifest = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let manifest =
        manifest.into_iter().find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    let publishing = fs::read_to_string(&manifest).unwrap().replace("\"done\",", "\"publishing\",");
    assert!(publishing.contains("publishing"));
    fs::write(&manifest, publishing).unwrap();
    assert!(gone(table.extract(&extract, folder.path()).await), "it is being published");
}

#[tokio::test]
async fn files_that_are_no_manifests_of_other_extracts_stay() {
    let table = stored_flights().await;
    let folder = tempfile::tempdir().unwrap();
    table.extract(&of_day(&table, "2013-03-09"), folder.path()).await.unwrap();
    let manifest = hidden(folder.path()).pop().unwrap();
    let copies = ["kept.json", ".keystride-extract-kept.txt", ".kept.json"];
    for copy in copies {
        fs::copy(folder.path().join(&manifest), folder.path().join(copy)).unwrap();
    }
    table.extract(&of_day(&table, "2013-03-08"), folder.path()).await.unwrap();
    assert!(copies.iter().all(|copy| folder.path().join(copy).exists()));
    assert!(!folder.path().join(manifest).exists());
}
