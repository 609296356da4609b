//! Answers out of order, incomplete, or malformed.

use super::{assert_own, batch, gets, increments, multi, thirty, value};
use crate::fake::tests::{Exception, Fault, edit, is_lookup, table};
use crate::{Error, Get, Mutation, Operation, proto};

// Bug 8: outcomes were matched by their order instead of their index.
#[tokio::test]
async fn outcomes_in_any_order_find_their_operations() {
    let (cluster, rows) = thirty().await;
    cluster.inject(multi().always(), edit::outcomes(|outcomes| fastrand::shuffle(outcomes)));
    let table = table(&cluster.client(), "t");
    assert_own(&batch(&table, gets(&rows)).await, &rows);
    let mixed = rows.iter().enumerate().map(|(number, row)| match number % 3 {
        0 => Operation::from(Get::new(row).column("f", "q")),
        1 => Mutation::append(row).value("f", "q", "!").into(),
        _ => Mutation::put(row).value("f", "q", "new").into(),
    });
    for (number, outcome) in batch(&table, mixed.collect()).await.into_iter().enumerate() {
        let found = value(&outcome.unwrap(), "q");
        assert_eq!(found, [rows[number].clone(), format!("{}!", rows[number]), String::new()][number % 3]);
    }
}

#[tokio::test]
async fn an_operation_without_an_outcome_is_sent_again() {
    let (cluster, rows) = thirty().await;
    cluster.inject(multi().times(3), edit::outcomes(|outcomes| drop(outcomes.remove(outcomes.len() / 2))));
    let table = table(&cluster.client(), "t");
    assert_own(&batch(&table, gets(&rows)).await, &rows);
    cluster.inject(multi().times(3), edit::outcomes(|outcomes| drop(outcomes.remove(0))));
    for outcome in batch(&table, increments(&rows)).await {
        assert_eq!(outcome.unwrap().value(b"f", b"n").unwrap(), 1_i64.to_be_bytes());
    }
}

#[tokio::test]
async fn an_operation_that_is_always_left_out_is_given_up() {
    let (cluster, rows) = thirty().await;
    cluster.inject(multi().always(), edit::outcomes(Vec::clear));
    let outcomes = batch(&table(&cluster.client(), "t"), gets(&rows)).await;
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Err(Error::GaveUp { .. }))));
}

#[tokio::test]
async fn an_outcome_that_comes_twice_counts_once() {
    let (cluster, rows) = thirty().await;
    let twice = edit::outcomes(|outcomes| {
        let again: Vec<_> = outcomes.iter().rev().take(2).cloned().collect();
        outcomes.extend(again);
    });
    cluster.inject(multi().always(), twice);
    assert_own(&batch(&table(&cluster.client(), "t"), gets(&rows)).await, &rows);
}

#[tokio::test]
async fn an_outcome_of_an_operation_that_nobody_asked_for_is_passed_over() {
    let (cluster, rows) = thirty().await;
    let strange = edit::outcomes(|outcomes| {
        let (mut outcome, cells) = outcomes[0].clone();
        for index in [Some(4_000_000_000), None] {
            outcome.index = index;
            outcomes.insert(0, (outcome.clone(), cells.clone()));
        }
    });
    cluster.inject(multi().always(), strange);
    assert_own(&batch(&table(&cluster.client(), "t"), gets(&rows)).await, &rows);
}

#[tokio::test]
async fn after_malformed_cells_no_row_gets_cells_of_another() {
    let (cluster, rows) = thirty().await;
    // The first outcome claims more cells than there are; later ones must not get its cells.
    let greedy = edit::outcomes(|outcomes| {
        if let Some(result) = outcomes.first_mut().and_then(|(outcome, _)| outcome.result.as_mut()) {
            result.associated_cell_count = Some(1_000);
        }
    });
    for fault in [greedy, edit::cells_end_early()] {
        cluster.inject(multi().times(2), fault);
        assert_own(&batch(&table(&cluster.client(), "t"), gets(&rows)).await, &rows);
    }
}

#[tokio::test]
async fn a_region_that_the_answer_leaves_out_is_asked_again() {
    let (cluster, rows) = thirty().await;
    let table = table(&cluster.client(), "t");
    let cut = || edit::regions(|regions| regions.truncate(1));
    cluster.inject(multi().times(2), cut());
    assert_own(&batch(&table, gets(&rows)).await, &rows);
    // A group has no outcomes of its own: a missing answer must not count as success.
    cluster.inject(multi().times(2), edit::regions(Vec::clear));
    let before = cluster.count(|seen| seen.method == "Multi");
    let group = Operation::Row(vec![
        Mutation::put("a0").value("f", "q", "x"),
        Mutation::delete("a0").column("f", "y"),
    ]);
    batch(&table, vec![group]).await.remove(0).unwrap();
    assert_eq!(cluster.count(|seen| seen.method == "Multi"), before + 3);
}

#[tokio::test]
async fn one_bad_operation_does_not_spoil_the_others() {
    let (cluster, rows) = thirty().await;
    let wrong = Exception::new("regionserver.NoSuchColumnFamilyException", "Column family x does not exist");
    let fault = edit::outcomes(move |outcomes| {
        (outcomes[1].0.result, outcomes[1].0.exception) = (None, Some(wrong.to_pair()));
        outcomes[1].1.clear();
    });
    cluster.inject(multi(), fault);
    let outcomes = batch(&table(&cluster.client(), "t"), gets(&rows)).await;
    let failed: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    // One in each of the two regions of the first request.
    assert!(failed.len() == 2 && failed.iter().all(|error| error.remote().is_some()), "{failed:?}");
    assert_eq!(cluster.count(|seen| seen.method == "Multi"), 2);
}

#[tokio::test]
async fn what_failed_for_now_is_done_again_alone() {
    let (cluster, rows) = thirty().await;
    let busy = Exception::new("RegionTooBusyException", "Above memstore limit");
    let fault = edit::outcomes(move |outcomes| {
        (outcomes[1].0.result, outcomes[1].0.exception) = (None, Some(busy.to_pair()));
        outcomes[1].1.clear();
    });
    cluster.inject(multi().times(2), fault);
    assert_own(&batch(&table(&cluster.client(), "t"), gets(&rows)).await, &rows);
    let sizes = cluster.calls(|seen| seen.method == "Multi").into_iter().map(|seen| {
        let request: proto::MultiRequest = seen.read();
        request.region_action.iter().map(|region| region.action.len()).sum::<usize>()
    });
    assert_eq!(sizes.sum::<usize>(), 30 + 4);
}

#[tokio::test]
async fn an_error_names_the_region_that_it_is_about() {
    let (cluster, rows) = thirty().await;
    cluster.inject(multi().at(0).always(), Fault::Exception(Exception::new("RegionTooBusyException", "")));
    cluster.inject(multi().at(1).always(), Fault::Exception(Exception::queue_full()));
    let outcomes = batch(&table(&cluster.client(), "t"), gets(&rows)).await;
    for (outcome, row) in outcomes.iter().zip(&rows) {
        let class = outcome.as_ref().unwrap_err().remote().unwrap().short_class().to_owned();
        let first_server = row.starts_with(['a', 'c']);
        let wanted = if first_server { "RegionTooBusyException" } else { "CallQueueTooBigException" };
        assert_eq!(class, wanted, "{row}");
    }
}

/// Fails all operations of a region except the first, as servers do when an answer gets too large.
fn all_but_the_first_are_refused(class: &str) -> Fault {
    let name = format!("org.apache.hadoop.hbase.{class}");
    edit::outcomes(move |outcomes| {
        for (outcome, cells) in outcomes.iter_mut().skip(1) {
            outcome.result = None;
            outcome.exception = Some(proto::NameBytesPair { name: name.clone(), value: None });
            cells.clear();
        }
    })
}

#[tokio::test]
async fn operations_beyond_what_an_answer_may_hold_are_asked_for_again_at_once() {
    for class in ["MultiActionResultTooLarge", "RetryImmediatelyException"] {
        let (cluster, rows) = thirty().await;
        let table = table(&cluster.client(), "t");
        assert_own(&batch(&table, gets(&rows)).await, &rows);
        let (lookups, requests) = (cluster.count(is_lookup), cluster.count(|seen| seen.method == "Multi"));
        cluster.inject(multi().times(4), all_but_the_first_are_refused(class));
        assert_own(&batch(&table, gets(&rows)).await, &rows);
        assert_eq!(cluster.count(is_lookup), lookups);
        // Two servers, each with two refusals.
        assert_eq!(cluster.count(|seen| seen.method == "Multi"), requests + 6);
    }
}
