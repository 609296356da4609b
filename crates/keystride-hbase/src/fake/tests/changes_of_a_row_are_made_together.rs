//! Atomic changes of one row.

use super::{Cluster, Exception, Fault, When, edit, ends, impatient, read, table, write};
use crate::{Error, Mutation, Operation, Table, proto};

fn group() -> Vec<Mutation> {
    let put = Mutation::put("a").value("f", "q", "new");
    vec![put, Mutation::delete("a").column("f", "x"), Mutation::put("a").value("f", "y", "new")]
}

async fn apply(table: &Table) -> Vec<(usize, Error)> {
    ends(table.apply(&vec![Operation::Row(group()), Mutation::put("b").value("f", "q", "v").into()])).await
}

#[tokio::test]
async fn a_group_whose_parts_all_failed_failed_once() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    let wrong = Exception::new("regionserver.NoSuchColumnFamilyException", "Column family f does not exist");
    let fail = |exception: Exception| {
        edit::outcomes(move |outcomes| {
            for (outcome, cells) in outcomes.iter_mut() {
                (outcome.result, outcome.exception) = (None, Some(exception.to_pair()));
                cells.clear();
            }
        })
    };
    cluster.inject(When::calling("Multi"), fail(wrong));
    let places: Vec<usize> = apply(&table).await.into_iter().map(|(place, _)| place).collect();
    assert_eq!(places, [0, 1]);
    // The retry sends one group again.
    cluster.inject(When::calling("Multi"), fail(Exception::new("RegionTooBusyException", "")));
    assert!(apply(&table).await.is_empty());
    let last = cluster.calls(|seen| seen.method == "Multi").pop().unwrap();
    assert_eq!(last.read::<proto::MultiRequest>().region_action.len(), 2);
    assert_eq!(read(&table, "a").await.unwrap(), "new");
}

#[tokio::test]
async fn a_group_without_an_outcome_is_sent_again() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    let silent = edit::regions(|regions| regions.fill(proto::RegionActionResult::default()));
    for fault in [silent, edit::regions(Vec::clear)] {
        let before = cluster.count(|seen| seen.method == "Multi");
        cluster.inject(When::calling("Multi"), fault.clone());
        ends(table.mutate_row(group())).await.unwrap();
        assert_eq!(cluster.count(|seen| seen.method == "Multi"), before + 2);
        cluster.inject(When::calling("Multi"), fault);
        assert!(apply(&table).await.is_empty());
        assert_eq!(cluster.count(|seen| seen.method == "Multi"), before + 4);
    }
}

#[tokio::test]
async fn a_group_survives_a_move_and_a_broken_connection() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client_with(impatient()), "t");
    write(&table, "a", "old").await.unwrap();
    for fault in
        [Fault::CloseBefore, Fault::Silence, Fault::CutShort(9), Fault::Exception(Exception::queue_full())]
    {
        cluster.inject(When::calling("Multi"), fault);
        cluster.state().move_to("t", "a", 1);
        ends(table.mutate_row(group())).await.unwrap();
        assert_eq!(read(&table, "a").await.unwrap(), "new");
        cluster.state().move_to("t", "a", 0);
    }
}

#[tokio::test]
async fn a_writer_keeps_what_failed_and_writes_the_rest() {
    let cluster = Cluster::with_table().await;
    let table = table(&cluster.client(), "t");
    let wrong = Exception::new("regionserver.NoSuchColumnFamilyException", "Column family f does not exist");
    cluster.inject(When::calling("Multi").times(5), Fault::Exception(Exception::queue_full()));
    cluster.inject(When::calling("Multi").at(1).skip(3), Fault::Exception(wrong));
    let mut writer = table.writer(crate::WriterOptions { buffer_bytes: 4_000, lanes: 2 });
    for number in 0..500 {
        let row = format!("{}{number:03}", if number % 2 == 0 { "a" } else { "z" });
        ends(writer.push(Mutation::put(&row).value("f", "q", &row))).await.unwrap();
    }
    ends(writer.flush()).await;
    let failed = writer.failures();
    assert!(!failed.is_empty() && failed.iter().all(|(mutation, _)| mutation.row().starts_with(b"z")));
    assert_eq!(cluster.keys("t").len(), 500 - failed.len());
}
