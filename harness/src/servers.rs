//! Form B: a Java machine for ZooKeeper and for each master and region server, for tests that kill some.

use std::time::Duration;

use crate::cluster::base_site;
use crate::jvm::{self, Life};
use crate::ready::{self, Wait};
use crate::server::{Role, Server};
use crate::site::LogLevel;
use crate::watchdog::Watchdog;
use crate::{Address, HarnessError, Jars, Site, ports};

const ZOOKEEPER: &str = "zookeeper";
const ZOOKEEPER_HEAP_MIB: u32 = 128;

/// What a [`ServerCluster`] is made of.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// How many region servers, at least 1.
    pub region_server_count: usize,
    /// How many masters: one works, the others take over when it fails.
    pub master_count: usize,
    /// The heap of each master and region server, in MiB.
    pub heap_mib: u32,
    /// Properties of the servers, which win over the harness's own.
    pub site: Site,
    /// How long the cluster may take to be ready, and later a server that is started again.
    pub ready_within: Duration,
}

impl Default for ServerOptions {
    /// Three region servers and a master with 512 MiB each, ready within five minutes.
    fn default() -> Self {
        Self {
            region_server_count: 3,
            master_count: 1,
            heap_mib: 512,
            site: Site::new(),
            ready_within: Duration::from_mins(5),
        }
    }
}

/// A running HBase of several processes; they end, and their folder goes, when this is dropped or the harness dies.
///
/// A server that is killed is missed after 4 s, the session's timeout: then its regions move to the others.
///
/// ```no_run
/// use keystride_hbase_harness::{ServerCluster, ServerOptions};
///
/// let cluster = ServerCluster::start(&ServerOptions::default())?;
/// cluster.region_server(1).kill()?;
/// cluster.region_server(1).start_again()?;
/// # Ok::<(), keystride_hbase_harness::HarnessError>(())
/// ```
#[derive(Debug)]
pub struct ServerCluster {
    pub(crate) watchdog: Watchdog,
    pub(crate) ready_within: Duration,
    address: Address,
    master_ports: Vec<u16>,
    region_server_ports: Vec<u16>,
    /// The class path of every server.
    class_path: String,
    heap_mib: u32,
}

impl ServerCluster {
    /// Starts all servers and returns when they are ready.
    ///
    /// # Errors
    ///
    /// Java or Maven is missing, or a server was not ready in time: the error shows the end of its log.
    pub fn start(options: &ServerOptions) -> Result<Self, HarnessError> {
        let jars = Jars::ready()?;
        ports::until_free(|| Self::start_once(&jars, options))
    }

    /// How clients reach it: by all masters.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// One of the masters.
    ///
    /// # Panics
    ///
    /// There are not that many.
    pub fn master(&self, index: usize) -> Server<'_> {
        Server::new(self, Role::Master, index, self.master_ports[index])
    }

    /// One of the region servers.
    ///
    /// # Panics
    ///
    /// There are not that many.
    pub fn region_server(&self, index: usize) -> Server<'_> {
        Server::new(self, Role::RegionServer, index, self.region_server_ports[index])
    }

    /// All masters, those that were killed too.
    pub fn masters(&self) -> impl Iterator<Item = Server<'_>> {
        (0..self.master_ports.len()).map(|index| self.master(index))
    }

    /// All region servers, those that were killed too.
    pub fn region_servers(&self) -> impl Iterator<Item = Server<'_>> {
        (0..self.region_server_ports.len()).map(|index| self.region_server(index))
    }

    /// Waits until a master works, and returns it: of those that live, the one that came to work last.
    ///
    /// # Errors
    ///
    /// None did in time.
    pub fn active_master(&self) -> Result<Server<'_>, HarnessError> {
        self.wait().until(&[], || {
            let mut active = None;
            for master in self.masters() {
                let log = ready::read(&master.log());
                let since = ready::master_line(&log).map(ToOwned::to_owned);
                if since.is_some() && master.is_alive()? {
                    active = active.max(since.map(|since| (since, master.index())));
                }
            }
            Ok(active.map(|(_, index)| self.master(index)))
        })
    }

    pub(crate) fn wait(&self) -> Wait<'_> {
        Wait { watchdog: &self.watchdog, within: self.ready_within }
    }

    /// Starts the process of a server, with the arguments of its main class.
    pub(crate) fn launch(&self, name: &str, heap_mib: u32, run: &[String]) -> Result<(), HarnessError> {
        let mut arguments = jvm::options(Life::Short, heap_mib, &self.watchdog.tmp());
        arguments.extend(["-cp".to_owned(), self.class_path.clone()]);
        arguments.extend_from_slice(run);
        self.watchdog.start_java(name, &arguments)
    }

    pub(crate) fn heap_mib(&self) -> u32 {
        self.heap_mib
    }

    fn start_once(jars: &Jars, options: &ServerOptions) -> Result<Self, HarnessError> {
        let watchdog = Watchdog::start("hbase")?;
        let mut ports = ports::free_ports(1 + options.master_count + options.region_server_count)?;
        let region_server_ports = ports.split_off(1 + options.master_count);
        let master_ports = ports.split_off(1);
        let zookeeper_port = ports[0];
        let conf = watchdog.folder().join("conf");
        let site = base_site(watchdog.folder(), zookeeper_port)
            .with_all(&many_processes_site(&watchdog, options.region_server_count))
            .with_all(&options.site);
        site.write_to(&conf, LogLevel::Info)?;
        let cluster = Self {
            watchdog,
            ready_within: options.ready_within,
            address: address(&master_ports, zookeeper_port),
            master_ports,
            region_server_ports,
            class_path: format!("{}:{}", conf.display(), jars.class_path()),
            heap_mib: options.heap_mib,
        };
        cluster.run()?;
        Ok(cluster)
    }

    fn run(&self) -> Result<(), HarnessError> {
        let peer = "org.apache.hadoop.hbase.zookeeper.HQuorumPeer";
        self.launch(ZOOKEEPER, ZOOKEEPER_HEAP_MIB, &[peer.to_owned(), "start".to_owned()])?;
        let servers: Vec<Server<'_>> = self.masters().chain(self.region_servers()).collect();
        servers.iter().try_for_each(Server::launch)?;
        let names = servers.iter().map(Server::name).chain([ZOOKEEPER]);
        self.wait().until(&names.collect::<Vec<_>>(), || {
            let active =
                self.masters().any(|master| ready::master_line(&ready::read(&master.log())).is_some());
            Ok((active && servers.iter().all(Server::is_up)).then_some(()))
        })
    }
}

fn address(master_ports: &[u16], zookeeper_port: u16) -> Address {
    let masters: Vec<String> = master_ports.iter().map(|port| format!("localhost:{port}")).collect();
    Address::new(masters.join(",")).with_zookeeper(format!("127.0.0.1:{zookeeper_port}"))
}

fn many_processes_site(watchdog: &Watchdog, region_server_count: usize) -> Site {
    Site::new()
        .with("hbase.cluster.distributed", true)
        .with("hbase.zookeeper.property.dataDir", watchdog.folder().join("zookeeper").display())
        // The least session is two ticks. By default a killed server's regions stay with it for 90 s.
        .with("hbase.zookeeper.property.tickTime", 500)
        .with("zookeeper.session.timeout", 4000)
        // All are there: no need for the 4.5 s in which more might come. A later master waits for one only.
        .with("hbase.master.wait.on.regionservers.maxtostart", region_server_count)
}
