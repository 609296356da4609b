//! Futures that are dropped at each of their awaits.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use super::{Cluster, ends, keys, read, table, with_rows, write};
use crate::{Condition, Get, Mutation, Operation, Scan, WriterOptions};

/// More polls than any of these futures takes.
const MOST_POLLS: usize = 30;

/// Polls a future this many times, then drops it.
async fn dropped_after<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

/// Runs the test on a new cluster for each number of polls. The client has an empty cache, so that lookups and
/// connection attempts are dropped too.
async fn each(test: impl AsyncFn(usize, &Cluster)) {
    for polls in 0..MOST_POLLS {
        test(polls, &with_rows().await).await;
    }
}

#[tokio::test]
async fn a_dropped_caller_does_not_cancel_the_lookup_or_the_connection_of_others() {
    each(async |polls, cluster| {
        write(&table(&cluster.client(), "t"), "a", "v").await.unwrap();
        let table = table(&cluster.client(), "t");
        let others: Vec<_> = (0..3)
            .map(|_| {
                tokio::spawn({
                    let table = table.clone();
                    async move { read(&table, "a").await }
                })
            })
            .collect();
        dropped_after(polls, table.get(&Get::new("a"))).await;
        for other in others {
            assert_eq!(other.await.unwrap().unwrap(), "v", "{polls} polls");
        }
    })
    .await;
}

#[tokio::test]
async fn changes_are_made_once_or_not_at_all() {
    each(async |polls, cluster| {
        let table = table(&cluster.client(), "t");
        let increments =
            ["a", "h", "n", "t"].map(|row| Operation::from(Mutation::increment(row).amount("f", "n", 1)));
        dropped_after(polls, table.batch(increments.to_vec())).await;
        let is_absent = Condition::column("f", "once").is_absent();
        let put = Mutation::put("a").value("f", "once", "v");
        dropped_after(polls, table.check_and_mutate(&is_absent, vec![put])).await;
        for row in ["a", "h", "n", "t"] {
            let found = ends(table.get(&Get::new(row))).await.unwrap();
            let count = found.value(b"f", b"n").map(|n| i64::from_be_bytes(n.try_into().unwrap()));
            assert!(matches!(count, None | Some(1)), "{row} has {count:?} after {polls} polls");
        }
    })
    .await;
}

#[tokio::test]
async fn pushed_changes_are_written_even_if_the_push_is_dropped() {
    each(async |polls, cluster| {
        let table = table(&cluster.client(), "t");
        // Sends every row immediately.
        let mut writer = table.writer(WriterOptions { buffer_bytes: 1, lanes: 2 });
        let rows = ["a90", "g90", "m90", "s90"];
        for row in rows {
            dropped_after(polls, writer.push(Mutation::put(row).value("f", "x", "v"))).await;
        }
        dropped_after(polls, writer.flush()).await;
        ends(writer.flush()).await;
        assert!(writer.failures().is_empty());
        let wanted = if polls == 0 { 20 } else { 24 };
        assert_eq!(cluster.keys("t").len(), wanted, "{polls} polls");
    })
    .await;
}

#[tokio::test]
async fn rows_of_a_dropped_future_are_returned_by_the_next_one() {
    each(async |polls, cluster| {
        cluster.state().settings.cells_per_answer = 5;
        let table = table(&cluster.client(), "t");
        let mut scanner = table.scan(Scan::all());
        let mut rows = Vec::new();
        loop {
            if let Some(some) = dropped_after(polls % 3, scanner.next_rows()).await {
                rows.extend(some.unwrap().unwrap_or_default());
            }
            match ends(scanner.next_rows()).await.unwrap() {
                Some(some) => rows.extend(some),
                None => break,
            }
        }
        assert_eq!(keys(&rows), cluster.keys("t"));
        assert!(cluster.state().scanners.is_empty());
    })
    .await;
}
