//! Many tasks work while regions split, merge and move, and servers stop.

use std::time::Duration;

use tokio::sync::watch;

use super::{Cluster, Exception, Fault, When, count_up, ends, keys, quick, scanned, table};
use crate::{Client, ClientOptions, Get, Mutation, Operation, Order, Scan};

const ROWS: [&str; 12] = ["a", "c", "e", "g", "i", "k", "m", "o", "q", "s", "u", "w"];
const WORKERS: usize = 8;
const ROUNDS: usize = 12;

/// Increments all rows, one by one and in batches, and reads them.
async fn work(client: Client, worker: usize) {
    let table = table(&client, "t");
    for round in 0..ROUNDS {
        count_up(&table, ROWS[(round + worker) % ROWS.len()]).await.unwrap();
        let all = ROWS.iter().map(|row| Mutation::increment(row).amount("f", "all", 1).into());
        for outcome in ends(table.batch(all.collect::<Vec<Operation>>())).await {
            outcome.unwrap();
        }
        let order = if round % 2 == 0 { Order::Forward } else { Order::Reverse };
        let mut found = keys(&ends(scanned(&table, Scan::all().order(order))).await.unwrap());
        if order == Order::Reverse {
            found.reverse();
        }
        assert_eq!(found, ROWS);
    }
}

/// Changes the cluster each time after some more calls.
async fn disturb(cluster: &mut Cluster, mut done: watch::Receiver<bool>) {
    let mut random = fastrand::Rng::with_seed(7);
    while !*done.borrow() {
        let row = ROWS[random.usize(..ROWS.len())];
        match random.usize(..10) {
            0..=2 => cluster.state().split("t", row),
            3..=4 => cluster.state().merge("t", row),
            5..=6 => cluster.state().move_to("t", row, random.usize(..3)),
            7 => cluster.inject(When::calling("Multi"), Fault::CloseAfter),
            8 => cluster.inject(When::calling("Mutate"), Fault::LateException(Exception::queue_full())),
            _ => cluster.restart(random.usize(..3)).await,
        }
        cluster.state().settings.tells_where_it_moved = random.bool();
        cluster.state().reassign();
        let seen = cluster.state().seen.len();
        tokio::select! {
            () = cluster.until_busy(seen + 30) => {}
            _ = done.changed() => {}
        }
    }
}

// Bug 1: after splits, merges and moves, calls waited in a queue that was never processed again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_ends_and_every_increment_counts_once() {
    let mut cluster = Cluster::start(3).await;
    cluster.state().create("t", &["g", "m"]);
    cluster.state().settings.cells_per_answer = 3;
    for row in ROWS {
        cluster.write("t", row, "x", "v");
    }
    let options = ClientOptions { max_attempts: 60, rpc_timeout: Duration::from_secs(2), ..quick() };
    let client = cluster.client_with(options);
    let (done, is_done) = watch::channel(false);
    let workers: Vec<_> = (0..WORKERS).map(|worker| tokio::spawn(work(client.clone(), worker))).collect();
    let all = tokio::spawn(async move {
        let ended = futures_util::future::join_all(workers).await;
        done.send_replace(true);
        ended
    });
    ends(disturb(&mut cluster, is_done)).await;
    for worker in all.await.unwrap() {
        worker.unwrap();
    }
    let table = table(&client, "t");
    let mut single = 0;
    for row in ROWS {
        let row = ends(table.get(&Get::new(row))).await.unwrap();
        let number = |column: &[u8]| {
            row.value(b"f", column).map_or(0, |value| i64::from_be_bytes(value.try_into().unwrap()))
        };
        assert_eq!(number(b"all"), i64::try_from(WORKERS * ROUNDS).unwrap());
        single += number(b"n");
    }
    assert_eq!(single, i64::try_from(WORKERS * ROUNDS).unwrap());
}
