//! Rows that were stored before the load.

use std::sync::Arc;

use keystride_store::ManualClock;
use keystride_table::load::*;

use crate::fixture::*;

fn second() -> LoadOptions {
    let clock = Arc::new(ManualClock::at(NOW_MS + 1000));
    LoadOptions { check: Check::Stored, id: LoadId::new("second"), clock, ..options() }
}

const FIRST: &str = "plane,day,delay,place\nN1,1,1,JFK\nN1,2,1,JFK\nN1,3,1,\n";
/// The same, other values, the same with less, new, other values than the row rejected before it.
const SECOND: &str =
    "plane,day,delay,place\nN1,1,1,JFK\nN1,2,2,JFK\nN1,3,1,LGA\nN1,4,1,JFK\nN1,2,3,JFK\nN1,4,2,JFK\n";

#[tokio::test]
async fn rows_stored_before_are_looked_at_when_asked() {
    let (tables, _folder) = tables(&design("error", "")).await;
    for table in tables {
        load(&table, options(), FIRST).await;
        let (report, rejects) = load(&table, second(), SECOND).await;
        assert_eq!((report.counts.rows, report.counts.repeats), (1, 1));
        let words: Vec<_> =
            rejects.iter().map(|reject| (&reject[..14], reject.contains("stored before"))).collect();
        assert_eq!(
            words,
            [
                ("flights.csv:3:", true),
                ("flights.csv:4:", true),
                ("flights.csv:6:", true),
                ("flights.csv:7:", false)
            ]
        );
        assert!(rejects[0].ends_with("<- N1,2,2,JFK"));
        assert_eq!(report.counts.rejected[&RejectKind::StoredKey], 3);
        assert_eq!(cells(&table).await.len(), 7);
    }
}

#[tokio::test]
async fn rows_stored_before_are_replaced_where_the_design_says_so() {
    let table = table(&design("replace", "")).await;
    load(&table, options(), FIRST).await;
    let (report, rejects) = load(&table, second(), SECOND).await;
    assert!(rejects.is_empty());
    assert_eq!((report.counts.rows, report.counts.repeats, report.counts.replaced), (5, 1, 4));
}

#[tokio::test]
async fn without_asking_they_are_not_looked_at() {
    let table = table(&design("error", "")).await;
    load(&table, options(), FIRST).await;
    let before = table.store().rows_read();
    let (report, _) = load(&table, LoadOptions { check: Check::Exact, ..second() }, SECOND).await;
    assert_eq!((report.counts.rows, report.counts.rejected_count()), (4, 2));
    assert_eq!(table.store().rows_read(), before);
}

#[tokio::test]
async fn an_empty_table_is_not_read() {
    let table = table(&design("error", "")).await;
    let (report, _) = load(&table, second(), mixed_text(1000)).await;
    assert!(report.counts.rows > 500);
    assert_eq!(table.store().rows_read(), 0);
}

#[tokio::test]
async fn the_rows_of_an_earlier_run_of_the_same_load_are_its_own() {
    for rule in ["error", "replace"] {
        let text = mixed_text(2000);
        let small = LoadOptions { batch_bytes: 4000.try_into().unwrap(), ..second() };
        let unbroken = table(&design(rule, "")).await;
        load(&unbroken, options(), FIRST).await;
        let (whole, rejects) = load(&unbroken, small.clone(), text.clone()).await;

        let broken = table(&design(rule, "")).await;
        load(&broken, options(), FIRST).await;
        let mut heard = Heard { stop_after: Some(4), ..Heard::default() };
        let report =
            Load::new(&broken, small.clone()).run(reader(&broken, text.clone()), &mut heard).await.unwrap();
        assert_eq!(report.ending, Ending::Stopped);
        let (resumed, again) = load(&broken, LoadOptions { start: Start::Resume, ..small }, text).await;
        assert_eq!(cells(&broken).await, cells(&unbroken).await);
        assert_eq!((resumed.counts, again), (whole.counts, rejects));
    }
}
