//! Form A: a master, several region servers and ZooKeeper in one Java machine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::jvm::{self, Life};
use crate::ready::{self, Wait};
use crate::site::LogLevel;
use crate::watchdog::Watchdog;
use crate::{Address, HBaseVersion, HarnessError, Jars, Site, Tls, ports, tls};

/// The one process's name: its log is `hbase.log`.
const SERVER: &str = "hbase";

/// What a [`Cluster`] is made of.
///
/// ```no_run
/// use keystride_hbase_harness::{Cluster, ClusterOptions, Site};
///
/// let site = Site::new().with("hbase.client.scanner.timeout.period", 5000);
/// let cluster = Cluster::start(&ClusterOptions { region_server_count: 1, site, ..ClusterOptions::default() })?;
/// println!("{}", cluster.address().master());
/// # Ok::<(), keystride_hbase_harness::HarnessError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// Which HBase.
    pub version: HBaseVersion,
    /// How many region servers, at least 1.
    pub region_server_count: usize,
    /// The heap of the Java machine, which all servers share, in MiB.
    pub heap_mib: u32,
    /// Whether the servers speak TLS.
    pub tls: Tls,
    /// Properties of the servers, which win over the harness's own.
    pub site: Site,
    /// How long the cluster may take to be ready.
    pub ready_within: Duration,
}

impl Default for ClusterOptions {
    /// Three region servers in 1 GiB, plain connections, ready within five minutes.
    fn default() -> Self {
        Self {
            version: HBaseVersion::default(),
            region_server_count: 3,
            heap_mib: 1024,
            tls: Tls::Off,
            site: Site::new(),
            ready_within: Duration::from_mins(5),
        }
    }
}

impl ClusterOptions {
    /// One region server in half a GiB, for a test that needs a cluster of its own.
    pub fn small(site: Site) -> Self {
        Self { region_server_count: 1, heap_mib: 512, site, ..Self::default() }
    }
}

/// A running HBase in one process; it ends, and its folder goes, when this is dropped or the harness dies.
#[derive(Debug)]
pub struct Cluster {
    watchdog: Watchdog,
    address: Address,
}

impl Cluster {
    /// Starts a cluster and returns when its master and all its region servers are ready.
    ///
    /// # Errors
    ///
    /// Java or Maven is missing, or the cluster was not ready in time: the error shows the end of its log.
    pub fn start(options: &ClusterOptions) -> Result<Self, HarnessError> {
        Self::start_on(options, || ports::free_ports(2))
    }

    /// How clients reach it.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// What its servers log.
    pub fn log(&self) -> PathBuf {
        self.watchdog.log(SERVER)
    }

    /// The folder that holds all it writes, below `root` in HBase's own layout; it goes with the cluster.
    pub fn folder(&self) -> &Path {
        self.watchdog.folder()
    }

    fn start_on(
        options: &ClusterOptions,
        mut choose_ports: impl FnMut() -> Result<Vec<u16>, HarnessError>,
    ) -> Result<Self, HarnessError> {
        let jars = Jars::of(&options.version)?;
        ports::until_free(|| {
            let ports = choose_ports()?;
            Self::start_once(&jars, options, ports[0], ports[1])
        })
    }

    fn start_once(
        jars: &Jars,
        options: &ClusterOptions,
        master_port: u16,
        zookeeper_port: u16,
    ) -> Result<Self, HarnessError> {
        let watchdog = Watchdog::start("hbase")?;
        let address = Address::new(format!("localhost:{master_port}"))
            .with_zookeeper(format!("127.0.0.1:{zookeeper_port}"))
            .with_version(options.version.clone());
        let (site, address) = match options.tls {
            Tls::Off => (Site::new(), address),
            Tls::On => {
                let certificate = tls::make_certificate(watchdog.folder())?;
                (tls::server_site(watchdog.folder(), &certificate), address.with_certificate(certificate))
            }
        };
        let site = base_site(watchdog.folder(), zookeeper_port)
            .with_all(&one_process_site(master_port, options.region_server_count))
            .with_all(&site)
            .with_all(&options.site);
        let cluster = Self { watchdog, address };
        cluster.run(jars, options, &site)?;
        Ok(cluster)
    }

    fn run(&self, jars: &Jars, options: &ClusterOptions, site: &Site) -> Result<(), HarnessError> {
        let conf = self.folder().join("conf");
        site.write_to(&conf, LogLevel::Info)?;
        let mut arguments = jvm::options(Life::Long, options.heap_mib, &self.watchdog.tmp());
        arguments.extend(["-cp".to_owned(), format!("{}:{}", conf.display(), jars.class_path())]);
        let count = format!("--localRegionServers={}", options.region_server_count);
        arguments.extend([jvm::MASTER.to_owned(), count, "start".to_owned()]);
        self.watchdog.start_java(SERVER, &arguments)?;
        Wait { watchdog: &self.watchdog, within: options.ready_within }.until(&[SERVER], || {
            let log = ready::read(&self.log());
            let region_server_count = ready::region_servers_up(&log);
            let ready = ready::master_is_up(&log) && region_server_count >= options.region_server_count;
            Ok(ready.then_some(()))
        })
    }
}

/// What every server of every form is told: all on this machine, all files in one folder.
pub(crate) fn base_site(folder: &Path, zookeeper_port: u16) -> Site {
    Site::new()
        .with("hbase.rootdir", format!("file://{}", folder.join("root").display()))
        .with("hbase.tmp.dir", folder.join("tmp").display())
        .with("hbase.fs.tmp.dir", format!("file://{}", folder.join("staging").display()))
        .with("hadoop.tmp.dir", folder.join("tmp/hadoop").display())
        .with("hbase.unsafe.stream.capability.enforce", false)
        .with("hbase.wal.provider", "filesystem")
        .with("hbase.zookeeper.quorum", "127.0.0.1")
        .with("hbase.zookeeper.property.clientPort", zookeeper_port)
        .with("hbase.master.hostname", "localhost")
        .with("hbase.unsafe.regionserver.hostname", "localhost")
        .with("hbase.master.ipc.address", "127.0.0.1")
        .with("hbase.regionserver.ipc.address", "127.0.0.1")
        .with("hbase.master.info.port", -1)
        .with("hbase.regionserver.info.port", -1)
        .with("hbase.regionserver.handler.count", 10)
        // Regions stay where a test put them.
        .with("hbase.balancer.period", i32::MAX)
}

fn one_process_site(master_port: u16, region_server_count: usize) -> Site {
    Site::new()
        .with("hbase.cluster.distributed", false)
        .with("hbase.master.port", master_port)
        // The region servers take any; the master keeps the one it was given, but takes any too before HBase 2.
        .with("hbase.localcluster.assign.random.ports", true)
        // With both, the master waits for all of them, and not the 4.5 s in which more might come.
        .with("hbase.master.wait.on.regionservers.mintostart", region_server_count)
        .with("hbase.master.wait.on.regionservers.maxtostart", region_server_count)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::{Cluster, ClusterOptions};
    use crate::Site;
    use crate::ports::free_ports;

    #[test]
    fn a_cluster_whose_port_is_taken_starts_on_another() {
        if crate::quick("a_cluster_whose_port_is_taken_starts_on_another") {
            return;
        }
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let taken = taken.local_addr().unwrap().port();
        let options = ClusterOptions::small(Site::new());
        let mut attempt = 0;
        let cluster = Cluster::start_on(&options, || {
            let free = free_ports(2)?;
            attempt += 1;
            Ok(match attempt {
                1 => vec![taken, free[1]],
                2 => vec![free[0], taken],
                _ => free,
            })
        });
        assert_ne!(cluster.unwrap().address().master(), format!("localhost:{taken}"));
        assert_eq!(attempt, 3);
    }
}
