//! The program on a real HBase and on a folder beside it, which it is compared with.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use keystride::KeyRange;
use keystride_hbase::Client;
use keystride_hbase_harness::Address;
use keystride_store::{HBaseStore, RowBatch, Scan, Store as _, TableName, TableReader as _};
use serde_json::Value;

use super::{example, program, stderr, stdout, written};

/// A cluster as a store: found by its masters where they tell, else by its ZooKeeper.
pub(crate) fn store_of(hbase: &Address) -> String {
    match hbase.zookeeper() {
        Some(zookeeper) if !hbase.version().is_found_by_rpc() => format!("hbase://{zookeeper}"),
        _ => format!("hbase+rpc://{}", hbase.master()),
    }
}

/// The head of the flights, a line for each after that of their names.
pub(crate) fn flights(rows: usize) -> String {
    let packed = std::fs::read(example("flights/flights.csv.zst")).unwrap();
    let text = String::from_utf8(zstd::decode_all(&packed[..]).unwrap()).unwrap();
    text.split_inclusive('\n').take(rows + 1).collect()
}

/// The same table on a cluster and in a folder; that on the cluster goes with it.
pub(crate) struct Both {
    folder: tempfile::TempDir,
    design: String,
    table: String,
    cluster: String,
}

/// How long an event may take that is waited for. What takes longer is broken.
const LONGEST: Duration = Duration::from_mins(5);

impl Both {
    /// Makes both tables by a design, under a name that no other test has.
    pub(crate) fn new(hbase: &Address, test: &str, design: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let design = written(folder.path(), "design.toml", design);
        let table = format!("{test}_{}", std::process::id());
        let both = Self { folder, design, table, cluster: store_of(hbase) };
        for backend in both.backends() {
            both.ask(&backend, &["table", "create", "-d", &both.design, "-t", &both.table]);
        }
        both
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The store that is the cluster.
    pub(crate) fn cluster(&self) -> String {
        self.cluster.clone()
    }

    /// The store that is a folder.
    pub(crate) fn beside(&self) -> String {
        format!("embedded:{}", self.path().join("data").display())
    }

    /// The cluster, and the folder.
    pub(crate) fn backends(&self) -> [String; 2] {
        [self.cluster(), self.beside()]
    }

    pub(crate) fn table(&self) -> TableName {
        TableName::new(&self.table).unwrap()
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.cluster).unwrap()
    }

    fn command(&self, backend: &str, args: &[&str]) -> Command {
        let mut command = program();
        command.args(["--backend", backend]).args(args).current_dir(self.path());
        command
    }

    pub(crate) fn run(&self, backend: &str, args: &[&str]) -> Output {
        self.command(backend, args).output().unwrap()
    }

    /// What a command prints that ends well.
    pub(crate) fn ask(&self, backend: &str, args: &[&str]) -> String {
        let output = self.run(backend, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// Loads a text and gives the report.
    pub(crate) fn load(&self, backend: &str, text: &str, args: &[&str]) -> Value {
        let mut load = self.start_load(backend, args);
        load.feed(text);
        load.report()
    }

    /// Starts a load of what it will be fed.
    pub(crate) fn start_load(&self, backend: &str, args: &[&str]) -> Loading {
        let fixed = ["load", "-t", &self.table, "-", "--format", "json"];
        let named = if args.contains(&"--load-id") { &[][..] } else { &["--load-id", "it"] };
        let mut command = self.command(backend, &[&fixed[..], named, args].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        Loading { stdin: child.stdin.take(), child }
    }

    /// Starts a load of a topic.
    pub(crate) fn start(&self, backend: &str, args: &[&str]) -> Loading {
        let fixed = ["load", "-t", &self.table, "--format", "json"];
        let mut command = self.command(backend, &[&fixed[..], args].concat());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Loading { stdin: None, child: command.spawn().unwrap() }
    }

    pub(crate) fn count(&self, backend: &str) -> u64 {
        self.ask(backend, &["count", &self.table]).trim().parse().unwrap()
    }

    /// All cells, as the program prints them; the timestamp of the load reads `load`.
    pub(crate) fn cells(&self, backend: &str, report: &Value) -> String {
        let cells = self.ask(backend, &["scan", &self.table, "--format", "tsv"]);
        cells.replace(&format!("\t{}\t", report["stamp_ms"]), "\tload\t")
    }

    /// How many cells the cluster has, with all their versions.
    pub(crate) async fn version_count(&self) -> usize {
        let mut scan = Scan::of(KeyRange::all());
        scan.selection.versions = u32::MAX.try_into().unwrap();
        let store = HBaseStore::new(self.client());
        let rows = store.scan(&self.table(), scan).await.unwrap();
        let batches: Vec<RowBatch> = rows.try_collect().await.unwrap();
        batches.iter().flat_map(RowBatch::rows).map(|row| row.cell_count()).sum()
    }

    /// Waits until the load has come to a record, and gives the record it has come to.
    pub(crate) async fn stored_records(&self, least: u64) -> u64 {
        let store = HBaseStore::new(self.client());
        let deadline = Instant::now() + LONGEST;
        loop {
            let note = store.note(&self.table(), "load/it").await.unwrap().unwrap_or_default();
            let note: Value = serde_json::from_slice(&note).unwrap_or_default();
            match note["records"].as_u64() {
                Some(records) if records >= least => return records,
                _ => assert!(Instant::now() < deadline, "the load has not come to record {least}: {note}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Both {
    fn drop(&mut self) {
        // A cluster that is gone has no table to remove.
        let _ = self.command(&self.cluster, &["table", "drop", &self.table, "--yes"]).output();
    }
}

/// A load under way.
pub(crate) struct Loading {
    child: Child,
    stdin: Option<ChildStdin>,
}

impl Loading {
    /// Gives it more to read; that it has ended is told by its report.
    pub(crate) fn feed(&mut self, text: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(text.as_bytes());
        }
    }

    /// Kills it, as the system does when there is no memory left.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends its input, and gives the report.
    pub(crate) fn report(self) -> Value {
        let output = self.end();
        assert!(matches!(output.status.code(), Some(0 | 5)), "{:?}: {}", output.status, stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn end(mut self) -> Output {
        drop(self.stdin.take());
        let deadline = Instant::now() + LONGEST;
        while self.child.try_wait().unwrap().is_none() {
            if Instant::now() > deadline {
                self.child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.child.wait_with_output().unwrap()
    }
}

/// Demands that two texts are the same, and shows the first line in which they differ.
pub(crate) fn demand_same(found: &str, wanted: &str) {
    let mut pairs = found.lines().zip(wanted.lines()).enumerate();
    if let Some((at, (found, wanted))) = pairs.find(|(_, (found, wanted))| found != wanted) {
        panic!("line {at}\nfound  {found}\nwanted {wanted}");
    }
    assert_eq!(found.lines().count(), wanted.lines().count());
}
