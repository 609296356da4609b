//! The demo on a cluster: it makes its own table anew, and touches no other.

use std::path::{Path, PathBuf};
use std::process::Output;

use keystride_hbase_harness::shared_or_skip;

use super::demo::try_next;
use super::on_hbase::store_of;
use super::{CALLS, keystride, stderr, stdout, written};

/// A cluster whose table of flights is this test's own, and a folder for the demo.
struct Flights {
    cluster: String,
    folder: tempfile::TempDir,
}

impl Flights {
    /// Fails where there is such a table: who knows whose it is.
    fn new(cluster: String) -> Self {
        let found = keystride(&["--backend", &cluster, "table", "describe", "flights"]);
        let told = stderr(&found);
        assert!(told.contains("there is no table flights"), "the cluster has a table flights: {told}");
        Self { cluster, folder: tempfile::tempdir().unwrap() }
    }

    fn run(&self, args: &[&str]) -> Output {
        keystride(&[&["--backend", &self.cluster], args].concat())
    }

    fn house(&self) -> PathBuf {
        self.folder.path().join("demo")
    }

    fn demo(&self) -> Output {
        self.run(&["demo", "--dir", self.house().to_str().unwrap()])
    }

    fn count(&self) -> String {
        stdout(&self.run(&["count", "flights"])).trim().to_owned()
    }

    fn drop_table(&self) {
        self.run(&["table", "drop", "flights", "--yes"]);
    }
}

impl Drop for Flights {
    fn drop(&mut self) {
        self.drop_table();
    }
}

/// A design of flights that is not the demo's, and one row.
fn load_others(flights: &Flights, folder: &Path) {
    let design = written(folder, "others.toml", &CALLS.replace("\"calls\"", "\"flights\""));
    assert!(flights.run(&["table", "create", "-d", &design]).status.success());
    let put = flights.run(&["put", "flights", "phone=13800138000", "ts=1586131200000"]);
    assert!(put.status.success(), "{}", stderr(&put));
}

/// One test, as all of it is about one table of a shared cluster.
#[test]
fn the_demo_makes_its_table_on_a_cluster_anew_and_touches_no_other() {
    let Some(hbase) = shared_or_skip("the_demo_makes_its_table_on_a_cluster_anew") else { return };
    let cluster = store_of(hbase.address());
    let flights = Flights::new(cluster);
    load_others(&flights, flights.folder.path());
    let refused = flights.demo();
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
    let told = stderr(&refused);
    assert!(told.contains("no demo made the table flights") && told.contains("table drop flights"), "{told}");
    assert!(stdout(&refused).is_empty() && !flights.house().exists());
    assert_eq!(flights.count(), "1");
    flights.drop_table();

    for dropped in [false, true] {
        let output = flights.demo();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let line = "table flights of an earlier demo dropped";
        assert_eq!(stdout(&output).contains(line), dropped, "{}", stdout(&output));
        assert_eq!(flights.count(), "336776");
        try_next(&stdout(&output));
        assert!(flights.house().join("extract/dt=2013-03-08/_SUCCESS").exists());
    }

    // The same design in somebody else's hands.
    flights.drop_table();
    let design = flights.house().join("design.toml");
    assert!(flights.run(&["table", "create", "-d", design.to_str().unwrap()]).status.success());
    assert_eq!(flights.demo().status.code(), Some(2));
    assert_eq!(flights.count(), "0");
}
