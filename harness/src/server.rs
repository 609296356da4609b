//! One server of form B: a process that a test may kill, pause and start again.

use std::path::PathBuf;

use crate::watchdog::Signal;
use crate::{HarnessError, ServerCluster, jvm, ports, ready};

const REGION_SERVER: &str = "org.apache.hadoop.hbase.regionserver.HRegionServer";

#[derive(Debug, Clone, Copy)]
pub(crate) enum Role {
    Master,
    RegionServer,
}

/// A master or a region server of a [`ServerCluster`], whether it runs or not.
#[derive(Debug)]
pub struct Server<'a> {
    cluster: &'a ServerCluster,
    role: Role,
    index: usize,
    port: u16,
    name: String,
}

impl<'a> Server<'a> {
    pub(crate) fn new(cluster: &'a ServerCluster, role: Role, index: usize, port: u16) -> Self {
        let name = match role {
            Role::Master => format!("master-{index}"),
            Role::RegionServer => format!("region-server-{index}"),
        };
        Self { cluster, role, index, port, name }
    }

    /// Its name in the harness: `master-0`, `region-server-2`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Which of the masters or region servers it is, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// `host:port`, the same when it is started again.
    pub fn address(&self) -> String {
        format!("localhost:{}", self.port)
    }

    /// What it logs since it was last started.
    pub fn log(&self) -> PathBuf {
        self.cluster.watchdog.log(&self.name)
    }

    /// Whether its process is there, paused or not.
    ///
    /// # Errors
    ///
    /// The process that watches over the servers is gone, here as below.
    pub fn is_alive(&self) -> Result<bool, HarnessError> {
        self.cluster.watchdog.is_alive(&self.name)
    }

    /// Ends it with SIGKILL; it is gone when this returns.
    ///
    /// # Errors
    ///
    /// See [`is_alive`](Self::is_alive).
    pub fn kill(&self) -> Result<(), HarnessError> {
        self.cluster.watchdog.signal(&self.name, Signal::Kill)
    }

    /// Halts it with SIGSTOP: its connections stay open and nothing answers.
    ///
    /// # Errors
    ///
    /// See [`is_alive`](Self::is_alive).
    pub fn pause(&self) -> Result<(), HarnessError> {
        self.cluster.watchdog.signal(&self.name, Signal::Stop)
    }

    /// Lets it go on with SIGCONT. After a pause longer than its session of 4 s it ends itself.
    ///
    /// # Errors
    ///
    /// See [`is_alive`](Self::is_alive).
    pub fn resume(&self) -> Result<(), HarnessError> {
        self.cluster.watchdog.signal(&self.name, Signal::Continue)
    }

    /// Starts it on its old port, and returns when it is ready. No region comes back to it by itself.
    ///
    /// If it still runs it is killed first.
    ///
    /// # Errors
    ///
    /// It was not ready in time, or its port was taken while it was away.
    pub fn start_again(&self) -> Result<(), HarnessError> {
        ports::until_free(|| match self.start_once() {
            // A master ends itself if the node of the one before goes just as it looks: HBase's ActiveMasterManager
            // expects to delete that node.
            Err(HarnessError::Ended { log_tail, .. }) if log_tail.contains("NoNode for /hbase/master") => {
                self.start_once()
            }
            started => started,
        })
    }

    fn start_once(&self) -> Result<(), HarnessError> {
        self.kill()?;
        self.launch()?;
        self.cluster.wait().until(&[&self.name], || Ok(self.is_up().then_some(())))
    }

    pub(crate) fn launch(&self) -> Result<(), HarnessError> {
        let (class, port) = match self.role {
            Role::Master => (jvm::MASTER, format!("hbase.master.port={}", self.port)),
            Role::RegionServer => (REGION_SERVER, format!("hbase.regionserver.port={}", self.port)),
        };
        let run = [class, "-D", &port, "start"].map(ToOwned::to_owned);
        self.cluster.launch(&self.name, self.cluster.heap_mib(), &run)
    }

    pub(crate) fn is_up(&self) -> bool {
        let log = ready::read(&self.log());
        match self.role {
            Role::Master => ready::master_is_up(&log),
            Role::RegionServer => ready::region_servers_up(&log) > 0,
        }
    }
}
