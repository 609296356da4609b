//! Leases of scanners are renewed for slow readers, and expired scanners are replaced.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use keystride_hbase::{Mutation, Operation, Order, Row, Scan, Scanner, Table};
use keystride_hbase_harness::{Cluster, ClusterOptions, Site, quick};
use scratch::{Scratch, row};

const ROWS: u32 = 60;
const COLUMNS: [&str; 3] = ["a", "b", "c"];
const LEASE: Duration = Duration::from_secs(8);

/// A cluster with short leases. It ends with the process.
fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        let site = Site::new().with("hbase.client.scanner.timeout.period", LEASE.as_millis());
        let options = ClusterOptions::small(site);
        Cluster::start(&options).unwrap()
    })
}

/// A table of two regions.
async fn table(scratch: &Scratch) -> Table {
    let table = scratch.table("t", &[b"030"]).await;
    let put =
        |at| COLUMNS.iter().fold(Mutation::put(row(at)), |put, column| put.value_at("f", column, 1, "v"));
    let puts: Vec<Operation> = (0..ROWS).map(|at| put(at).into()).collect();
    assert!(table.batch(puts).await.iter().all(Result::is_ok));
    table
}

/// `row/column` of each cell.
fn cells(rows: &[Row]) -> Vec<String> {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    rows.iter()
        .flat_map(Row::cells)
        .map(|cell| format!("{}/{}", text(cell.row), text(cell.qualifier)))
        .collect()
}

async fn some(scanner: &mut Scanner) -> Vec<String> {
    cells(&scanner.next_rows().await.unwrap().unwrap())
}

async fn rest(scanner: &mut Scanner) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(rows) = scanner.next_rows().await.unwrap() {
        all.extend(cells(&rows));
    }
    all
}

/// All cells, with rows in the order of the scan.
fn expected(order: Order) -> Vec<String> {
    let mut rows: Vec<u32> = (0..ROWS).collect();
    if order == Order::Reverse {
        rows.reverse();
    }
    rows.iter().flat_map(|&at| COLUMNS.map(|column| format!("{}/{column}", row(at)))).collect()
}

#[tokio::test]
async fn a_reader_slower_than_its_lease_keeps_its_scanner() {
    const TEST: &str = "slower_than_its_lease";
    if quick(TEST) {
        return;
    }
    let scratch = Scratch::on(cluster().address(), TEST);
    scratch
        .run(async {
            let table = table(&scratch).await;
            let mut scanner = table.scan(Scan::all().rows_per_call(3));
            let mut all = some(&mut scanner).await;
            // The next batch is read ahead; after that, the lease is renewed twice in its duration.
            let (calls, begun) = (scratch.client.metrics().calls, Instant::now());
            while scratch.client.metrics().calls < calls + 4 {
                assert!(begun.elapsed() < LEASE * 8, "nothing keeps the scanner");
                tokio::time::sleep(LEASE / 100).await;
            }
            assert!(begun.elapsed() > LEASE);
            all.extend(rest(&mut scanner).await);
            assert_eq!(all, expected(Order::Forward));
            assert_eq!(scratch.client.metrics().retries, 0);
        })
        .await;
}

/// How many scanners of a table the server has closed.
fn given_up(table: &Table) -> usize {
    let (log, name) = (fs::read(cluster().log()).unwrap(), table.name().to_string());
    let log = String::from_utf8_lossy(&log);
    log.lines()
        .filter(|line| line.contains("lease") && line.contains("expired") && line.contains(&name))
        .count()
}

// Single-threaded, so that nothing renews the leases while the thread is blocked.
#[tokio::test]
async fn scanners_whose_lease_is_over_are_replaced_without_a_lost_or_doubled_row() {
    const TEST: &str = "whose_lease_is_over";
    if quick(TEST) {
        return;
    }
    let scratch = Scratch::on(cluster().address(), TEST);
    scratch
        .run(async {
            let table = table(&scratch).await;
            let scans = [
                Scan::all().rows_per_call(3),
                Scan::all().rows_per_call(3).order(Order::Reverse),
                Scan::all().rows_per_call(3).in_parts_of(2),
            ];
            let orders = [Order::Forward, Order::Reverse, Order::Forward];
            let mut scanners = scans.map(|scan| table.scan(scan));
            let mut found = Vec::new();
            for scanner in &mut scanners {
                found.push(some(scanner).await);
            }
            let begun = Instant::now();
            while given_up(&table) < scanners.len() {
                assert!(begun.elapsed() < LEASE * 8, "{} scanners were given up", given_up(&table));
                std::thread::sleep(LEASE / 100);
            }
            for ((scanner, mut all), order) in scanners.iter_mut().zip(found).zip(orders) {
                all.extend(rest(scanner).await);
                assert_eq!(all, expected(order));
            }
            assert!(scratch.client.metrics().retries > 0);
        })
        .await;
}
