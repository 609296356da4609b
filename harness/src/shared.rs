//! One cluster for all tests of a process, or of a whole test run.

use std::env;
use std::io::{self, Write};
use std::sync::OnceLock;

use crate::{Address, Cluster, ClusterOptions, HarnessError};

/// The master of a cluster that is already there, `host:port`: nothing is started.
pub const MASTER_VARIABLE: &str = "KEYSTRIDE_HBASE";
/// The ZooKeeper of that cluster, `host:port`.
pub const ZOOKEEPER_VARIABLE: &str = "KEYSTRIDE_HBASE_ZK";
/// The PEM file of that cluster's certificate, if it speaks TLS.
pub const CERTIFICATE_VARIABLE: &str = "KEYSTRIDE_HBASE_CERT";
/// That cluster's HBase, if it is not the usual one.
pub const VERSION_VARIABLE: &str = "KEYSTRIDE_HBASE_VERSION";
/// `1` for tests that skip what takes a real HBase.
pub const QUICK_VARIABLE: &str = "KEYSTRIDE_TEST_QUICK";

/// A cluster that tests share: each makes tables with names of its own.
#[derive(Debug)]
pub struct Shared {
    address: Address,
    /// Never dropped, for it is in a static: the watchdog ends it with this process.
    _started: Option<Cluster>,
}

impl Shared {
    /// How clients reach it.
    pub fn address(&self) -> &Address {
        &self.address
    }

    fn find_or_start() -> Result<Self, HarnessError> {
        if let Some(address) = running()? {
            return Ok(Self { address, _started: None });
        }
        let cluster = Cluster::start(&ClusterOptions::default())?;
        Ok(Self { address: cluster.address().clone(), _started: Some(cluster) })
    }
}

/// The cluster that `KEYSTRIDE_HBASE` names, or one that is started on first need.
///
/// # Errors
///
/// It could not be started: every call then returns that first error.
pub fn shared() -> Result<&'static Shared, &'static HarnessError> {
    static SHARED: OnceLock<Result<Shared, HarnessError>> = OnceLock::new();
    SHARED.get_or_init(Shared::find_or_start).as_ref()
}

/// The shared cluster, or `None` and a line on standard error where `KEYSTRIDE_TEST_QUICK` is `1`.
///
/// ```no_run
/// # fn reads_what_it_wrote() {
/// let Some(hbase) = keystride_hbase_harness::shared_or_skip("reads_what_it_wrote") else { return };
/// let master = hbase.address().master();
/// # }
/// ```
///
/// # Panics
///
/// The cluster could not be started; the message says why and what would do.
pub fn shared_or_skip(test: &str) -> Option<&'static Shared> {
    if quick(test) {
        return None;
    }
    match shared() {
        Ok(shared) => Some(shared),
        Err(error) => panic!("{test} takes a real HBase: {error}"),
    }
}

/// Whether `KEYSTRIDE_TEST_QUICK` is `1`: then a line on standard error says that the test is skipped.
///
/// For tests that start a cluster of their own.
pub fn quick(test: &str) -> bool {
    skips(test, "HBase")
}

/// Whether tests that take a real `system` are skipped, as in [`quick`]; then this one says so.
pub fn skips(test: &str, system: &str) -> bool {
    let quick = env::var_os(QUICK_VARIABLE).is_some_and(|value| value == "1");
    if quick {
        // Not `eprintln!`, which is not shown when a test passes. Without standard error nobody would read it.
        let _ = writeln!(io::stderr(), "SKIPPED: {test} takes a real {system}");
    }
    quick
}

/// The cluster that `KEYSTRIDE_HBASE` names, if it names one.
///
/// # Errors
///
/// `KEYSTRIDE_HBASE_VERSION` names no version.
pub fn running() -> Result<Option<Address>, HarnessError> {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let Some(master) = set(MASTER_VARIABLE) else { return Ok(None) };
    let address = set(ZOOKEEPER_VARIABLE).into_iter().fold(Address::new(master), Address::with_zookeeper);
    let address = set(CERTIFICATE_VARIABLE).into_iter().fold(address, Address::with_certificate);
    Ok(Some(match set(VERSION_VARIABLE) {
        Some(version) => address.with_version(version.parse()?),
        None => address,
    }))
}
