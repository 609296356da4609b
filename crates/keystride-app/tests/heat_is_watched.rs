//! Tables that are watched. Time is tokio's, which is paused: it goes on when nothing else does.

#![expect(clippy::unwrap_used, reason = "a check that can't be made fails")]

use std::collections::VecDeque;
use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use keystride::{Key, KeyRange, SplitPoints};
use keystride_app::heat::{Counting, HeatArea, HeatError, HeatFeed, HeatOptions, HeatUpdate, HeatWatches};
use keystride_heat::live::view::{Mode, ViewRequest};
use keystride_heat::live::{Column, Metric, NO_SERVER};
use keystride_store::{
    Clock, Family, FamilyName, MemoryStore, MutationBatch, OpenOptions, Region, RegionCounts, RegionId,
    RegionLoad, RegionState, RowBatch, RowStream, Scan, Selection, Store, StoreAddress, StoreError,
    TableDescription, TableName, TableReader, Write, Writers,
};
use tokio::time::{Instant, advance, sleep};

#[derive(Debug)]
struct TokioClock(Instant);

impl Clock for TokioClock {
    fn now_ms(&self) -> i64 {
        1_700_000_000_000 + i64::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

fn watches(store: Arc<dyn TableReader>, period_s: u64) -> HeatWatches {
    let options = HeatOptions {
        period: Duration::from_secs(period_s),
        clock: Arc::new(TokioClock(Instant::now())),
        folder: None,
    };
    HeatWatches::new(store, options)
}

fn table() -> TableName {
    TableName::new("t").unwrap()
}

async fn memory_store() -> Arc<MemoryStore> {
    let store = MemoryStore::default();
    let families = [Family::new(FamilyName::new("f").unwrap())];
    let points = SplitPoints::new(["g", "p"]).unwrap();
    store.create(&TableDescription::new(table(), families), &points).await.unwrap();
    Arc::new(store)
}

async fn put(store: &dyn Store, prefix: &str, rows: u32) {
    let mut batch = MutationBatch::new();
    for row in 0..rows {
        batch.put(format!("{prefix}{row}").as_bytes(), b"f", b"q", 1, b"v").unwrap();
    }
    store.write(&table(), Write::of(batch)).await.unwrap();
}

async fn next(feed: &mut HeatFeed) -> Arc<Column> {
    match feed.next().await {
        Some(HeatUpdate::Column(column)) => column,
        other => panic!("{other:?}"),
    }
}

/// The rates of written rows, rounded; nothing of a gap.
fn written(column: &Column) -> Vec<f64> {
    let cells = column.cells.iter();
    cells.flat_map(|cells| (0..cells.len()).map(|cell| cells.cell(cell).rates[1].round())).collect()
}

#[tokio::test(start_paused = true)]
async fn what_is_written_comes_as_rates_of_its_regions() {
    let store = memory_store().await;
    let watches = watches(store.clone(), 2);
    let watch = watches.watch(&table());
    let mut feed = watch.subscribe();
    assert_eq!(written(&*next(&mut feed).await), [0.0; 3]);
    put(&*store, "h", 100).await;
    let column = next(&mut feed).await;
    assert_eq!((written(&column), column.width_ms()), (vec![0.0, 50.0, 0.0], 2000));
    store.split(&table(), &Key::new(*b"k").unwrap()).await.unwrap();
    put(&*store, "m", 10).await;
    assert_eq!(written(&*next(&mut feed).await), [0.0, 50.0, 50.0, 0.0], "the parent's rate, once");
    put(&*store, "m", 20).await;
    assert_eq!(written(&*next(&mut feed).await), [0.0, 0.0, 10.0, 0.0]);

    let sizes = watch.sizes().unwrap();
    let density = ViewRequest { mode: Mode::Density(&sizes), ..ViewRequest::new(Metric::RowsWritten) };
    let view = watch.view(0..i64::MAX, &density);
    assert_eq!((view.columns().len(), view.rows().cell_count()), (4, 4));
    assert!(view.codes_of(1)[1] > 0 && watch.failure().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_slow_subscriber_is_told_how_much_it_lost_and_a_fast_one_loses_nothing() {
    let watches = watches(memory_store().await, 1);
    let watch = watches.watch(&table());
    let (mut slow, mut fast) = (watch.subscribe(), watch.subscribe());
    let mut last = next(&mut fast).await;
    for _ in 0..40 {
        let column = next(&mut fast).await;
        assert_eq!(column.t0_ms, last.t1_ms);
        last = column;
    }
    let Some(HeatUpdate::Missed(missed)) = slow.next().await else { panic!("it lost some") };
    let mut count = missed;
    while next(&mut slow).await.t1_ms < last.t1_ms {
        count += 1;
    }
    assert_eq!(count + 1, 41);
    assert_eq!(watch.columns(0..i64::MAX).len(), 41, "the map has all of them");
}

#[tokio::test(start_paused = true)]
async fn a_watch_ends_with_its_table_and_begins_anew() {
    let store = memory_store().await;
    let watches = watches(store.clone(), 1);
    let watch = watches.watch(&table());
    let mut feed = watch.subscribe();
    next(&mut feed).await;
    store.drop_table(&table()).await.unwrap();
    while feed.next().await.is_some() {}
    assert!(matches!(*watch.failure().unwrap(), HeatError::Store(StoreError::UnknownTable { .. })));
    sleep(Duration::from_secs(1)).await;
    assert!(watch.has_ended() && watch.subscribe().next().await.is_none());

    let families = [Family::new(FamilyName::new("f").unwrap())];
    store.create(&TableDescription::new(table(), families), &SplitPoints::default()).await.unwrap();
    next(&mut watches.watch(&table()).subscribe()).await;
    watches.watch(&table()).stop();
    sleep(Duration::from_secs(1)).await;
    assert!(!watches.watch(&table()).has_ended(), "a stopped watch is not given to others");
}

#[tokio::test(start_paused = true)]
async fn the_past_of_a_table_outlasts_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let store = memory_store().await;
    let options = HeatOptions {
        period: Duration::from_secs(1),
        clock: Arc::new(TokioClock(Instant::now())),
        folder: Some(folder.path().join("heat")),
    };
    let begin = || HeatWatches::new(store.clone(), options.clone());
    let first = begin();
    let watch = first.watch(&table());
    let mut feed = watch.subscribe();
    next(&mut feed).await;
    put(&*store, "h", 100).await;
    for _ in 0..130 {
        next(&mut feed).await;
    }
    assert!(watch.not_kept().is_none());

    let other = begin();
    let second = other.watch(&table());
    next(&mut second.subscribe()).await;
    assert!(second.not_kept().unwrap().to_string().contains("another program"));
    other.close().await;
    first.close().await;

    advance(Duration::from_secs(30)).await;
    let watches = begin();
    let watch = watches.watch(&table());
    let gap = next(&mut watch.subscribe()).await;
    assert!(gap.cells.is_none(), "nobody looked meanwhile");
    let columns = watch.columns(0..i64::MAX);
    // Two whole minutes and the one that had not ended. The paused clock goes on while a file is written: there may be more.
    let known = columns.iter().filter(|column| column.cells.is_some()).count();
    assert!(known >= 3 && columns.len() == known + 1, "{known} of {}", columns.len());
    assert_eq!(columns[1].width_ms(), 60_000);
    assert!(columns[0].cells.as_ref().unwrap().cell(1).peaks[1] > 90.0, "rows of the first second");

    // A table of the same name is another one.
    watches.forget(&table());
    watches.close().await;
    let watch = begin().watch(&table());
    next(&mut watch.subscribe()).await;
    let begun_ms = options.clock.now_ms() - 5_000;
    assert!(watch.columns(0..begun_ms).is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_passes_through_a_store_is_seen_inside_its_regions() {
    let store = Arc::new(Counting::over(memory_store().await));
    let options = HeatOptions {
        period: Duration::from_secs(1),
        clock: Arc::new(TokioClock(Instant::now())),
        folder: None,
    };
    let watches = HeatWatches::counting(&store, options);
    watches.watch(&table());
    let traffic = watches.traffic(&table()).unwrap();
    let mut feed = traffic.subscribe();
    for _ in 0..3 {
        put(&*store, "h", 2_000).await;
        next(&mut feed).await;
    }
    put(&*store, "h1", 500).await;
    store.get(&table(), &[b"h7", b"none"], &Selection::default()).await.unwrap();
    let column = next(&mut feed).await;
    let axis = column.axis().unwrap();
    assert!(axis.cell_count() > 50 && axis.bounds().any(|bound| bound == b"g"), "{axis:?}");
    let cells = column.cells.as_ref().unwrap();
    let rows = |metric: usize, from: &[u8], to: &[u8]| cells.under(from, Some(to)).rates[metric].round();
    assert_eq!(
        (rows(1, b"h1", b"h2"), rows(1, b"p", b"z"), cells.total(Metric::RowsRead).round()),
        (500.0, 0.0, 1.0)
    );

    let first_ms = traffic.columns(0..i64::MAX)[0].t0_ms;
    let area = |times_ms| HeatArea { metric: Metric::RowsWritten, times_ms, keys: KeyRange::prefix(b"h") };
    let rows = |area| watches.keys_behind(&table(), &area).iter().map(|(_, rows)| rows).sum::<f64>();
    assert!((rows(area(first_ms..i64::MAX)) - 4_500.0).abs() < 1.0, "those since the watch began");
    assert!(rows(area(0..first_ms)) < 0.1);

    store.drop_table(&table()).await.unwrap();
    while feed.next().await.is_some() {}
}

/// A cluster of one region, whose answers are told beforehand; the last one stays.
#[derive(Debug)]
struct Cluster {
    answers: Mutex<VecDeque<Answer>>,
    asked: AtomicUsize,
}

#[derive(Debug, Clone, Copy)]
enum Answer {
    Written(u64),
    Failure,
    Silence,
}

impl Cluster {
    fn new(answers: impl IntoIterator<Item = Answer>) -> Arc<Self> {
        Arc::new(Self { answers: Mutex::new(answers.into_iter().collect()), asked: AtomicUsize::new(0) })
    }
}

#[async_trait]
impl TableReader for Cluster {
    async fn regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let answer = {
            let mut answers = self.answers.lock().unwrap();
            if answers.len() > 1 { answers.pop_front() } else { answers.front().copied() }
        };
        match answer.unwrap() {
            Answer::Written(rows_written) => Ok(vec![Region {
                id: RegionId::new("r"),
                range: KeyRange::all(),
                server: Some("host,16020,1".into()),
                state: RegionState::Open,
                counts: RegionCounts { rows_written, ..RegionCounts::default() },
                load: Some(RegionLoad::default()),
            }]),
            Answer::Failure => Err(StoreError::NoFamily { table: table.clone() }),
            Answer::Silence => pending().await,
        }
    }

    async fn describe(&self, table: &TableName) -> Result<TableDescription, StoreError> {
        Err(StoreError::UnknownTable { table: table.clone() })
    }

    async fn exists(&self, _: &TableName) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn list(&self) -> Result<Vec<TableName>, StoreError> {
        Ok(vec![table()])
    }

    async fn get(&self, table: &TableName, _: &[&[u8]], _: &Selection) -> Result<RowBatch, StoreError> {
        Err(StoreError::UnknownTable { table: table.clone() })
    }

    async fn scan(&self, table: &TableName, _: Scan) -> Result<RowStream, StoreError> {
        Err(StoreError::UnknownTable { table: table.clone() })
    }

    fn rows_read(&self) -> u64 {
        0
    }

    fn writers(&self) -> Writers {
        Writers::Others
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_cluster_does_not_tell_is_a_gap_and_not_nothing() {
    use Answer::{Failure, Silence, Written};

    let answers = [Written(0), Failure, Written(200), Written(300), Silence, Written(500), Written(600)];
    let watch = watches(Cluster::new(answers), 10).watch(&table());
    let mut feed = watch.subscribe();
    assert_eq!(next(&mut feed).await.cells, None);
    assert!(matches!(*watch.failure().unwrap(), HeatError::Store(StoreError::NoFamily { .. })));
    let mut columns = Vec::new();
    for _ in 0..5 {
        columns.push(next(&mut feed).await);
    }
    assert!(watch.failure().is_none());
    let rates: Vec<_> = columns.iter().map(|column| written(column)).collect();
    assert_eq!(rates, [vec![10.0], vec![10.0], vec![], vec![], vec![10.0]]);
    assert_eq!(columns[2].width_ms(), 30_000, "a period and two of silence");
    assert!(columns.windows(2).all(|pair| pair[0].t1_ms == pair[1].t0_ms));
    assert_eq!(watch.servers(), ["host:16020".into()]);
}

#[tokio::test(start_paused = true)]
async fn a_cluster_is_asked_only_while_somebody_looks() {
    let cluster = Cluster::new([Answer::Written(0)]);
    let watches = watches(cluster.clone(), 1);
    watches.watch_all().await.unwrap();
    advance(Duration::from_mins(1)).await;
    assert_eq!(cluster.asked.load(Ordering::Relaxed), 0);

    let (one, two) = (watches.watch(&table()), watches.watch(&table()));
    sleep(Duration::from_millis(9_500)).await;
    assert_eq!(
        cluster.asked.load(Ordering::Relaxed),
        4,
        "both are the same watch, and 3 s is the shortest period"
    );
    drop(one);
    sleep(Duration::from_secs(3)).await;
    assert_eq!(cluster.asked.load(Ordering::Relaxed), 5);
    drop(two);
    sleep(Duration::from_mins(1)).await;
    assert_eq!(cluster.asked.load(Ordering::Relaxed), 5);
}

#[tokio::test(start_paused = true)]
async fn a_store_of_ones_own_is_watched_whoever_looks() {
    let store = memory_store().await;
    let watches = watches(store.clone(), 1);
    watches.watch_all().await.unwrap();
    sleep(Duration::from_millis(9_500)).await;
    assert_eq!(watches.watch(&table()).columns(0..i64::MAX).len(), 9);
    store.close().await.unwrap();
    sleep(Duration::from_secs(1)).await;
    assert!(watches.watch_all().await.is_err());
}

/// Watches a table of a store with an address, on the machine's clock: rows come as rates of their region.
async fn is_watched(address: &StoreAddress, name: &str) {
    let store = address.open(OpenOptions::default()).await.unwrap();
    let name = TableName::new(name).unwrap();
    let families = [Family::new(FamilyName::new("f").unwrap())];
    let points = SplitPoints::new(["g", "p"]).unwrap();
    store.create(&TableDescription::new(name.clone(), families), &points).await.unwrap();
    let options = HeatOptions { period: Duration::from_secs(1), ..HeatOptions::of(&*store) };
    let watches = HeatWatches::new(store.clone(), options);
    let watch = watches.watch(&name);
    let mut feed = watch.subscribe();
    let is_known = |column: &Column| column.cells.as_ref().is_some_and(|cells| cells.cell(1).is_known());
    while !is_known(&*next(&mut feed).await) {}

    let mut batch = MutationBatch::new();
    (0..300).for_each(|row| batch.put(format!("h{row}").as_bytes(), b"f", b"q", 1, b"v").unwrap());
    store.write(&name, Write::of(batch)).await.unwrap();
    let column = loop {
        let column = next(&mut feed).await;
        if written(&column).iter().any(|&rate| rate > 0.0) {
            break column;
        }
    };
    let cell = |cell: usize| column.cells.as_ref().unwrap().cell(cell);
    let rows = cell(1).rates[1] * Duration::from_millis(column.width_ms().unsigned_abs()).as_secs_f64();
    assert_eq!((cell(0).rates[1], cell(2).rates[1]), (0.0, 0.0));
    // Old servers report every three seconds, which are not those of the columns.
    let is_cluster = matches!(address, StoreAddress::HBase(_));
    let [least, most] = if is_cluster { [150.0, 600.0] } else { [299.0, 301.0] };
    assert!(least < rows && rows < most, "{rows}");
    assert_eq!((cell(1).server != NO_SERVER, watch.servers().is_empty()), (is_cluster, !is_cluster));
    assert!(watch.sizes().is_some() && watch.failure().is_none());
    watches.close().await;
    store.drop_table(&name).await.unwrap();
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_table_in_a_folder_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("embedded:{}", folder.path().join("data").display());
    is_watched(&address.parse().unwrap(), "watched").await;
}

#[tokio::test]
async fn a_table_on_hbase_is_watched() {
    let Some(hbase) = keystride_hbase_harness::shared_or_skip("a_table_on_hbase_is_watched") else { return };
    let address = match hbase.address().zookeeper() {
        Some(zookeeper) if !hbase.address().version().is_found_by_rpc() => format!("hbase://{zookeeper}"),
        _ => format!("hbase+rpc://{}", hbase.address().master()),
    };
    is_watched(&address.parse().unwrap(), "app_watched").await;
}
