//! Rows are read some at a time before they are decided about, and their keys may be hashed side by side.

use keystride::hash::md5;
use keystride_table::load::*;

use crate::fixture::*;

const BY_MD5: &str = "bucket = 4, hash = \"md5\", of = [\"rest\"]";

/// What follows the bucket, in cells and in what is told of keys.
fn without_bucket(line: &str) -> String {
    match line.split_once("with other values: ") {
        Some((before, key)) => format!("{before}{}", &key[1..]),
        None => line.to_owned(),
    }
}

#[tokio::test]
async fn keys_hashed_side_by_side_are_stored_and_rejected_as_others() {
    let text = mixed_text(2000);
    for way in [Way::Batches, Way::Sorted] {
        let options = || LoadOptions { way, ..small_batches(4000) };
        let (others, at_once) =
            (table(&design("error", "")).await, table(&design_by(BY_MD5, "error", "")).await);
        let (expected, expected_rejects) = load(&others, options(), text.clone()).await;
        let (report, rejects) = load(&at_once, options(), text.clone()).await;
        assert_eq!(report.counts, expected.counts);
        let told = |rejects: &[String]| rejects.iter().map(|line| without_bucket(line)).collect::<Vec<_>>();
        assert_eq!(told(&rejects), told(&expected_rejects));
        assert!(rejects.len() > 16, "{}", rejects.len());
        let sorted = |cells: &[String]| {
            let mut cells: Vec<String> = cells.iter().map(|cell| cell[1..].to_owned()).collect();
            cells.sort();
            cells
        };
        let cells_at_once = cells(&at_once).await;
        assert_eq!(sorted(&cells_at_once), sorted(&cells(&others).await));
        for cell in cells_at_once {
            let (key, _) = cell.split_once(' ').unwrap();
            let bucket = u64::from_be_bytes(*md5(&key.as_bytes()[1..]).first_chunk().unwrap()) % 4;
            assert_eq!(key[..1], bucket.to_string());
        }
    }
}

#[tokio::test]
async fn one_that_ends_the_load_leaves_those_read_after_it() {
    let table = table(&design_by(BY_MD5, "error", "")).await;
    let options = LoadOptions { on_error: OnError::Stop, way: Way::Batches, ..options() };
    // The rows of days 0 to 20 come once more, with other delays.
    let rows: Vec<String> = (0..40).map(|number| format!("N1,{},{number},JFK\n", number % 21)).collect();
    let text = format!("{HEADER}{}", rows.concat());
    let (report, rejects) = load(&table, options.clone(), text.clone()).await;
    assert_eq!((report.ending, report.counts.records, report.counts.rows), (Ending::Rejected, 22, 21));
    assert!(rejects[0].ends_with("<- N1,0,21,JFK"), "{}", rejects[0]);
    // A load that goes on tells of earlier rejects once more.
    let resumed = LoadOptions { start: Start::Resume, on_error: OnError::Reject, ..options };
    let (report, rejects) = load(&table, resumed, text).await;
    assert_eq!((report.resumed_from, rejects.len(), report.counts.rows), (Some(22), 19, 21));
}

#[tokio::test]
async fn one_that_ends_the_load_is_told_though_the_next_file_cant_be_read() {
    let table = table(&design("error", "")).await;
    let options = LoadOptions { on_error: OnError::Stop, way: Way::Batches, ..options() };
    let rows = format!("{HEADER}N1,1,5,JFK\nN1,soon,5,JFK\nN1,2,5,JFK\n");
    let files = [("a.csv", rows), ("b.csv", "no such columns\n".to_owned())];
    let mut heard = Heard::default();
    let report = Load::new(&table, options).run(readers(&table, &files), &mut heard).await.unwrap();
    assert_eq!((report.ending, report.counts.records, report.counts.rows), (Ending::Rejected, 2, 1));
    assert_eq!((heard.rejects.len(), cells(&table).await.is_empty()), (1, false));
}
