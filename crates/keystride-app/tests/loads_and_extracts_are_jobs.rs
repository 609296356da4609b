//! A load and an extract that are started, watched, cancelled and resumed, in each store that has an address.

#![expect(clippy::unwrap_used, reason = "a check that can't be made fails")]

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, channel};

use keystride::{Design, SplitPoints};
use keystride_app::extract::ExtractJob;
use keystride_app::load::{LoadDocument, LoadJob};
use keystride_app::stats::{by_bucket, by_server, rows_written};
use keystride_app::{OpenTable, open_table};
use keystride_hbase_harness::Address;
use keystride_store::{OpenOptions, StoreAddress, TableName};
use keystride_table::Table;
use keystride_table::extract::{Existing, Extract};
use keystride_table::input::{InputOptions, InputReader, Source};
use keystride_table::load::{Ending, LoadId, LoadOptions, Start};

const REGIONS: usize = 4;
const ROWS: u64 = 4_000;

/// Lines of a file, as they come: reading waits for more.
struct Arriving(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Arriving {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(into.len());
        into[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

fn design(table: &str) -> Design {
    Design::from_toml(&format!(
        "format = 1\n[table]\nname = \"{table}\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"u32\" }}\n\
         word = {{ type = \"string\" }}\n[key]\nparts = [{{ bucket = {REGIONS}, of = [\"id\"] }}, {{ field = \"id\" }}]\n\
         [split]\nby = \"bucket\"\n"
    ))
    .unwrap()
}

fn lines(ids: std::ops::Range<u64>) -> Vec<u8> {
    ids.flat_map(|id| format!("{id},word {id}\n").into_bytes()).collect()
}

fn reader(table: &Table) -> (InputReader, Sender<Vec<u8>>) {
    let (send, arrive) = channel();
    send.send(b"id,word\n".to_vec()).unwrap();
    let sources = vec![Source::reader("words.csv", Arriving(arrive, Vec::new()))];
    let design = table.design().clone().into();
    (InputReader::open(design, sources, InputOptions::default()).unwrap(), send)
}

fn options(start: Start) -> LoadOptions {
    let batch_bytes = 8_000.try_into().unwrap();
    LoadOptions { start, batch_bytes, ..LoadOptions::of(LoadId::new("words")) }
}

/// Cancels a load after some rows, and loads the rest by resuming it.
async fn is_cancelled_and_resumed(address: &StoreAddress, name: &str) {
    let store = address.open(OpenOptions::default()).await.unwrap();
    let design = design(name);
    let points = design.split_points(&mut Vec::new()).unwrap();
    Table::create(store.clone(), design, &points).await.unwrap();
    let name = TableName::new(name).unwrap();
    let OpenTable { table, untold } = open_table(store.clone(), &name, None).await.unwrap();
    assert!(untold.is_none());

    let (input, send) = reader(&table);
    let job = LoadJob::new(&table, options(Start::Anew));
    let load = job.handle();
    let mut changes = load.changes();
    let running = tokio::spawn(async move { job.run(input, &mut ()).await });
    assert!(load.heat().is_none());
    send.send(lines(0..1_000)).unwrap();
    changes.wait_for(|progress| progress.counts.rows > 0).await.unwrap();
    let heat = load.heat().expect("it was asked for before the first batch");
    assert_eq!(heat.region_count(), points.region_count());
    load.cancel();
    send.send(lines(1_000..ROWS)).unwrap();
    let loaded = running.await.unwrap().unwrap();
    let stored = loaded.report.counts.rows;
    assert_eq!(loaded.report.ending, Ending::Stopped);
    assert!(stored > 0 && stored < ROWS, "{stored} rows");
    assert_eq!(table.count(None).await.unwrap(), stored);

    let (input, send) = reader(&table);
    send.send(lines(0..ROWS)).unwrap();
    drop(send);
    let job = LoadJob::new(&table, options(Start::Resume));
    let load = job.handle();
    let loaded = job.run(input, &mut ()).await.unwrap();
    assert_eq!((loaded.report.ending, loaded.report.resumed_from), (Ending::Complete, Some(stored)));
    assert_eq!(load.progress().counts.rows, ROWS);
    let heat: u64 = load.heat().unwrap().rows().flat_map(|row| row.counts).sum();
    assert_eq!(heat, ROWS, "files are read again");
    assert_eq!(table.count(None).await.unwrap(), ROWS);
    let document = serde_json::to_value(LoadDocument::new(&loaded.report, None, None)).unwrap();
    assert_eq!((&document["rows"], &document["ending"]), (&ROWS.into(), &"complete".into()));

    let regions = store.regions(&name).await.unwrap();
    assert_eq!(by_bucket(&table, &regions).len(), REGIONS);
    let has_servers = matches!(address, StoreAddress::HBase(_));
    let servers = serde_json::to_value(by_server(&regions)).unwrap();
    assert!(servers.as_array().unwrap().iter().all(|of| (of["server"] != "(none)") == has_servers));
    if let StoreAddress::Embedded(_) = address {
        assert_eq!(rows_written(&regions).unwrap().row_count(), ROWS);
    }
    is_extracted(&table).await;
    store.drop_table(&name).await.unwrap();
    store.close().await.unwrap();
}

/// Cancels an extract before it has begun, and resumes it.
async fn is_extracted(table: &Table) {
    let folder = tempfile::tempdir().unwrap();
    let job = ExtractJob::new(table, Extract::default(), folder.path());
    job.handle().cancel();
    assert_eq!(job.run().await.unwrap(), None);
    let extract = Extract { existing: Existing::Resume, ..Extract::default() };
    let job = ExtractJob::new(table, extract, folder.path());
    let watched = job.handle();
    let extracted = job.run().await.unwrap().expect("nobody cancels it");
    let progress = watched.progress();
    assert_eq!((extracted.total.rows, progress.counts), (ROWS, extracted.total));
    assert!(progress.part_count > 0 && progress.parts_done == progress.part_count);
}

#[tokio::test]
async fn in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("embedded:{}", folder.path().join("data").display());
    is_cancelled_and_resumed(&address.parse().unwrap(), "words").await;
}

#[tokio::test]
async fn on_a_cluster() {
    let Some(hbase) = keystride_hbase_harness::shared_or_skip("on_a_cluster") else { return };
    is_cancelled_and_resumed(&address_of(hbase.address()), "app_words").await;
}

fn address_of(hbase: &Address) -> StoreAddress {
    match hbase.zookeeper() {
        Some(zookeeper) if !hbase.version().is_found_by_rpc() => format!("hbase://{zookeeper}"),
        _ => format!("hbase+rpc://{}", hbase.master()),
    }
    .parse()
    .unwrap()
}

#[tokio::test]
async fn a_trial_stores_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let address: StoreAddress = format!("embedded:{}", folder.path().join("data").display()).parse().unwrap();
    let store = address.open(OpenOptions::default()).await.unwrap();
    let table = Table::create(store.clone(), design("words"), &SplitPoints::default()).await.unwrap();
    let (input, send) = reader(&table);
    send.send(lines(0..ROWS)).unwrap();
    drop(send);
    let points = table.design().split_points(&mut Vec::new()).unwrap();
    let job = LoadJob::trial(table.codec(), points, store.writers(), options(Start::Anew));
    let loaded = job.run(input, &mut ()).await.unwrap();
    assert_eq!((loaded.report.counts.rows, loaded.report.heat.region_count()), (ROWS, REGIONS));
    assert_eq!(table.count(None).await.unwrap(), 0);
    store.close().await.unwrap();
}
