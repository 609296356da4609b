//! The program on a cluster whose servers fail, one after the other.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use keystride_hbase::{Client, TableName};
use keystride_hbase_harness::{Server, ServerCluster, ServerOptions, quick};

use super::{CALLS, program, stderr, stdout, written};

/// A table of calls on a cluster with a master and two region servers.
struct Sick {
    folder: tempfile::TempDir,
    cluster: ServerCluster,
    backend: String,
    design: String,
}

/// A call that is stored, and one that is put later.
const KEY: [&str; 2] = ["phone=13800138005", "ts=1586131200005"];

impl Sick {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = ServerOptions { region_server_count: 2, ..ServerOptions::default() };
        let cluster = ServerCluster::start(&options).unwrap();
        let mut doors = vec![cluster.master(0).address()];
        doors.extend(cluster.region_servers().map(|server| server.address()));
        let backend = format!("hbase+rpc://{}", doors.join(","));
        let design = written(folder.path(), "design.toml", &CALLS.replace("bucket = 16", "bucket = 4"));
        let sick = Self { folder, cluster, backend, design };
        sick.well(&["table", "create", "-d", &sick.design]);
        let rows: String = (0..40)
            .map(|n| format!("{},{}\n", 13_800_138_000_u64 + n, 1_586_131_200_000_u64 + n))
            .collect::<Vec<_>>()
            .concat();
        let rows = written(sick.path(), "calls.csv", &format!("phone,ts\n{rows}"));
        sick.well(&["load", "-t", "calls", &rows]);
        sick
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = program();
        command.args(["--backend", &self.backend]).args(args).current_dir(self.path());
        command.env("XDG_CACHE_HOME", self.path().join("cache"));
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What a command prints that ends well.
    fn well(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// What a command says that does not reach what it needs.
    fn unreached(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {}", stderr(&output));
        stderr(&output)
    }

    /// The region server that has hbase:meta, or the other one.
    async fn region_server(&self, has_meta: bool) -> Server<'_> {
        let client = Client::new(&self.backend).unwrap();
        let meta = client.regions(&TableName::new("hbase:meta").unwrap()).await.unwrap();
        let at = meta[0].1.clone().unwrap().address().to_string();
        self.cluster.region_servers().find(|server| (server.address() == at) == has_meta).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sick_cluster_is_used_as_far_as_it_can_be_and_said_to_be_sick() {
    if quick("a_sick_cluster_is_used_as_far_as_it_can_be_and_said_to_be_sick") {
        return;
    }
    let sick = Sick::start();
    let get = [&["get", "calls"][..], &KEY].concat();
    let row = sick.well(&get);
    let described = sick.well(&["table", "describe", "calls"]);
    assert!(described.starts_with("# family f: ") && described.contains("VERSIONS => '1'"), "{described}");

    sick.cluster.master(0).kill().unwrap();
    rows_need_no_master(&sick, &get, &row);
    let victim = sick.region_server(false).await;
    victim.pause().unwrap();
    a_silent_server_is_named(&sick);
    victim.kill().unwrap();
    let regions = sick.well(&["table", "regions", "calls"]);
    assert!(regions.contains("on a dead server"), "{regions}");

    a_load_waits_aloud_and_goes_on(&sick);
}

/// A load that finds a region on a dead server, until the master is there again to place it elsewhere. It has so
/// many rows that it takes a while after that.
fn a_load_waits_aloud_and_goes_on(sick: &Sick) {
    let rows: Vec<String> =
        (0..100_000).map(|n| format!("{},{}\n", 13_900_000_000_u64 + n, 1_586_131_200_000_u64 + n)).collect();
    let rows = rows.concat();
    let rows = written(sick.path(), "many.csv", &format!("phone,ts\n{rows}"));
    let mut load = sick.command(&["load", "-t", "calls", "-d", &sick.design, &rows]);
    let mut load = load.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(load.stderr.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.starts_with("waiting: can't connect to ")).expect("it says so while it waits");
    sick.cluster.master(0).start_again().unwrap();
    lines.find(|line| line.starts_with("it goes on, after ")).expect("it says so once it waits no longer");
    let rest: Vec<String> = lines.collect();
    assert!(load.wait().unwrap().success(), "{rest:?}");
    assert_eq!(sick.well(&["count", "calls"]).trim(), "100042");
}

/// Region servers alone answer for rows; what else is needed is said.
fn rows_need_no_master(sick: &Sick, get: &[&str], row: &str) {
    let found = sick.run(get);
    assert_eq!(stdout(&found), row, "{}", stderr(&found));
    let told = stderr(&found);
    assert_eq!(told.matches("by the design that was read before").count(), 1, "{told}");
    assert_eq!(sick.well(&["count", "calls", "-d", &sick.design]).trim(), "40");
    sick.well(&["put", "calls", "phone=13800138999", "ts=1586131200999"]);
    let other = written(sick.path(), "other.toml", &CALLS.replace("bucket = 16", "bucket = 8"));
    let refused = sick.run(&["count", "calls", "-d", &other]);
    assert!(stderr(&refused).contains("was made by another design"), "{}", stderr(&refused));
    let rows = written(sick.path(), "more.csv", "phone,ts\n13800138998,1586131200998\n");
    sick.well(&["load", "-t", "calls", "-d", &sick.design, &rows]);
    assert_eq!(sick.well(&["scan", "calls", "--format", "tsv", "--no-header"]).lines().count(), 42);
    assert!(sick.well(&["table", "list"]).contains("calls\t"));
    let told = sick.unreached(&["table", "create", "-d", &sick.design, "-t", "others"]);
    assert!(told.contains("the cluster has no master that answers, tried for "), "{told}");
    let emptied = program()
        .args(["--backend", &sick.backend, "count", "calls"])
        .env("XDG_CACHE_HOME", sick.path().join("empty"))
        .output()
        .unwrap();
    assert_eq!(emptied.status.code(), Some(3));
    assert!(stderr(&emptied).contains("-d FILE"), "{}", stderr(&emptied));
}

/// A server that takes connections and never answers.
fn a_silent_server_is_named(sick: &Sick) {
    let regions = sick.run(&["table", "regions", "calls"]);
    assert!(stdout(&regions).contains("on a silent server"), "{}", stdout(&regions));
    assert!(stdout(&regions).contains("open"), "{}", stdout(&regions));
    assert!(
        stderr(&regions).contains("does not answer: nothing is known of what its "),
        "{}",
        stderr(&regions)
    );
    let told = sick.unreached(&["scan", "calls", "--timeout", "8s"]);
    assert!(told.contains("waiting: localhost:") && told.contains(" has not answered Scan for 2"), "{told}");
    assert!(told.contains("it took longer than --timeout allows, 8 s: localhost:"), "{told}");
    let told = sick.unreached(&["scan", "calls", "--timeout", "4s", "-q"]);
    assert!(!told.contains("waiting: "), "{told}");
}
