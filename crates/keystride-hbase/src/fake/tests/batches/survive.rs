//! Batches with moving regions, lost answers and requests that are too large.

use std::time::{Duration, Instant};

use super::{assert_own, batch, gets, increments, multi, puts, thirty, value};
use crate::fake::tests::{Cluster, Fault, When, edit, ends, impatient, is_lookup, quick, table};
use crate::{ClientOptions, Get, Mutation, Operation, proto};

#[tokio::test]
async fn regions_that_went_elsewhere_take_their_operations_with_them() {
    let (cluster, rows) = thirty().await;
    let client = cluster.client();
    let table = table(&client, "t");
    for tells in [true, false] {
        assert_own(&batch(&table, gets(&rows)).await, &rows);
        {
            let mut state = cluster.state();
            state.settings.tells_where_it_moved = tells;
            state.move_to("t", "a", 1);
            state.split("t", if tells { "b2" } else { "b5" });
            state.merge("t", "c");
        }
        assert_own(&batch(&table, gets(&rows)).await, &rows);
        assert!(batch(&table, puts(&rows)).await.iter().all(Result::is_ok));
    }
}

#[tokio::test]
async fn a_moved_region_is_followed_without_a_lookup() {
    let (cluster, rows) = thirty().await;
    let table = table(&cluster.client(), "t");
    assert_own(&batch(&table, gets(&rows)).await, &rows);
    let lookups = cluster.count(is_lookup);
    cluster.state().move_to("t", "a", 1);
    assert_own(&batch(&table, gets(&rows)).await, &rows);
    assert_eq!(cluster.count(is_lookup), lookups);
}

// Bug 10.
#[tokio::test]
async fn increments_of_a_batch_count_once_however_it_is_lost() {
    for fault in [Fault::LostAnswer, Fault::CloseAfter, Fault::CutShort(50), edit::cells_end_early()] {
        let (cluster, rows) = thirty().await;
        cluster.inject(multi().times(3), fault);
        let table = table(&cluster.client_with(impatient()), "t");
        for outcome in batch(&table, increments(&rows)).await {
            assert_eq!(outcome.unwrap().value(b"f", b"n").unwrap(), 1_i64.to_be_bytes());
        }
    }
}

#[tokio::test]
async fn increments_that_are_applied_count_once_too() {
    let (cluster, rows) = thirty().await;
    cluster.inject(multi().times(3), Fault::LostAnswer);
    let table = table(&cluster.client_with(impatient()), "t");
    assert!(ends(table.apply(&increments(&rows))).await.is_empty());
    for outcome in batch(&table, gets(&rows)).await {
        assert_eq!(outcome.unwrap().value(b"f", b"n").unwrap(), 1_i64.to_be_bytes());
    }
}

#[tokio::test]
async fn a_request_that_is_too_big_is_sent_in_parts() {
    let cluster = Cluster::start(1).await;
    // More regions than a request can be halved times.
    let points: Vec<String> = (1..40).map(|number| format!("{number:02}")).collect();
    cluster.state().create("t", &points.iter().map(String::as_str).collect::<Vec<_>>());
    let rows: Vec<String> = (0..40).map(|number| format!("{number:02}")).collect();
    let table = table(&cluster.client(), "t");
    cluster.state().settings.largest_multi = 2_000;
    let outcomes = batch(&table, puts(&rows)).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    let sent = cluster.count(|seen| seen.method == "Multi");
    assert!(sent < 40, "{sent} requests for 40 rows");
}

#[tokio::test]
async fn an_operation_that_is_too_big_by_itself_is_an_error() {
    let (cluster, _) = thirty().await;
    cluster.state().settings.largest_multi = 1_000;
    let small = Mutation::put("a").value("f", "q", "v");
    let big = Mutation::put("b").value("f", "q", vec![b'x'; 2_000]);
    let mut outcomes = batch(&table(&cluster.client(), "t"), vec![small.into(), big.into()]).await;
    let error = outcomes.remove(1).unwrap_err();
    assert_eq!(error.remote().unwrap().short_class(), "RequestTooBigException");
    outcomes.remove(0).unwrap();
}

#[tokio::test]
async fn five_thousand_operations_in_any_order_reach_their_regions() {
    let cluster = Cluster::start(2).await;
    let points: Vec<String> = (1..32).map(|number| format!("{:04}", number * 156)).collect();
    cluster.state().create("t", &points.iter().map(String::as_str).collect::<Vec<_>>());
    let mut rows: Vec<String> = (0..5_000).map(|number| format!("{number:04}")).collect();
    fastrand::shuffle(&mut rows);
    let table = table(&cluster.client(), "t");
    let puts = rows.iter().map(|row| Mutation::put(row).value("f", "q", row).into()).collect();
    assert!(batch(&table, puts).await.iter().all(Result::is_ok));
    assert_own(&batch(&table, gets(&rows)).await, &rows);
    let most = cluster.calls(|seen| seen.method == "Multi").into_iter().map(|seen| {
        let request: proto::MultiRequest = seen.read();
        request.region_action.iter().map(|region| region.action.len()).sum::<usize>()
    });
    assert!(most.max().unwrap() <= 5_000);
}

#[tokio::test]
async fn a_batch_ends_in_time_though_lookups_are_never_answered() {
    let (cluster, _) = thirty().await;
    let rows: Vec<String> = (0..200).map(|number| format!("b{number}")).collect();
    cluster.inject(When::looking_up().always(), Fault::Silence);
    let options = ClientOptions { operation_timeout: Duration::from_millis(500), ..impatient() };
    let begun = Instant::now();
    let outcomes = batch(&table(&cluster.client_with(options), "t"), gets(&rows)).await;
    assert!(outcomes.iter().all(Result::is_err));
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn operations_whose_region_is_nowhere_fail_and_the_others_do_not() {
    let (cluster, rows) = thirty().await;
    drop(cluster.state().unassign("t", "b"));
    let options = ClientOptions { max_attempts: 4, ..quick() };
    let outcomes = batch(&table(&cluster.client_with(options), "t"), gets(&rows)).await;
    for (outcome, row) in outcomes.iter().zip(&rows) {
        assert_eq!(outcome.is_ok(), !row.starts_with('b'), "{row}");
    }
}

#[tokio::test]
async fn groups_are_made_whole_with_the_cells_that_are_theirs() {
    let (cluster, rows) = thirty().await;
    let table = table(&cluster.client(), "t");
    // Other operations around each group would reveal cells in the wrong order.
    let operations = rows.iter().flat_map(|row| {
        let group = vec![Mutation::put(row).value("f", "g", row), Mutation::delete(row).column("f", "q")];
        [
            Operation::from(Mutation::put(row).value("f", "w", row)),
            Operation::Row(group),
            Get::new(row).into(),
        ]
    });
    assert!(batch(&table, operations.collect()).await.iter().all(Result::is_ok));
    for (outcome, row) in batch(&table, gets(&rows)).await.into_iter().zip(&rows) {
        let found = outcome.unwrap();
        assert_eq!(
            [value(&found, "g"), value(&found, "w"), value(&found, "q")],
            [row.clone(), row.clone(), String::new()]
        );
    }
}

// Bug 9: deletes of whole rows in a batch shifted the cells of later operations.
#[tokio::test]
async fn whole_rows_are_deleted_among_other_changes() {
    let (cluster, rows) = thirty().await;
    let table = table(&cluster.client(), "t");
    let operations = rows.iter().enumerate().map(|(number, row)| match number % 2 {
        0 => Operation::from(Mutation::delete(row)),
        _ => Mutation::put(row).value("f", "q", "new").into(),
    });
    assert!(batch(&table, operations.collect()).await.iter().all(Result::is_ok));
    for (number, outcome) in batch(&table, gets(&rows)).await.into_iter().enumerate() {
        assert_eq!(value(&outcome.unwrap(), "q"), ["", "new"][number % 2]);
    }
}
