//! Starting a Kafka: one process that is broker and controller, or several.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::client::KafkaClient;
use super::node::{self, Node, Ports};
use super::secure::{self, Secure};
use super::{KafkaVersion, client, properties};
use crate::jvm::{self, Life};
use crate::ready::Wait;
use crate::watchdog::Watchdog;
use crate::{HarnessError, Jars, Tool, ports};

/// Kafka itself waits for five minutes.
const STOP_ALL_WITHIN: Duration = Duration::from_secs(20);

/// What a [`Broker`] is made of.
///
/// ```no_run
/// use keystride_hbase_harness::{Broker, BrokerOptions};
///
/// let small = vec![("message.max.bytes".to_owned(), "1000".to_owned())];
/// let broker = Broker::start(&BrokerOptions { properties: small, ..BrokerOptions::default() })?;
/// broker.client().create_topic("flights", 4, &["compression.type=zstd"])?;
/// # Ok::<(), keystride_hbase_harness::HarnessError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BrokerOptions {
    /// Which Kafka.
    pub version: KafkaVersion,
    /// Properties of the brokers, name and value, which win over the harness's own.
    pub properties: Vec<(String, String)>,
    /// How many processes, at least 1. The first 1, 3, 5, ... are controllers: while most of those run, partitions get new
    /// leaders.
    pub brokers: usize,
    /// Whether there are listeners with TLS and with passwords beside the plain one: see [`Secure`].
    pub secure: bool,
    /// The heap of each process, in MiB; 256 is enough for little data.
    pub heap_mib: u32,
    /// How long they may take to be ready, and later one that is started again.
    pub ready_within: Duration,
}

impl Default for BrokerOptions {
    /// One broker with 512 MiB, ready within two minutes.
    fn default() -> Self {
        Self {
            version: KafkaVersion::default(),
            properties: Vec::new(),
            brokers: 1,
            secure: false,
            heap_mib: 512,
            ready_within: Duration::from_mins(2),
        }
    }
}

/// A running Kafka; it ends, and its folder goes, when this is dropped or the harness dies.
#[derive(Debug)]
pub struct Broker {
    pub(crate) watchdog: Watchdog,
    pub(crate) ports: Vec<Ports>,
    secure: Option<Secure>,
    options: BrokerOptions,
    class_path: String,
    bootstrap: String,
}

impl Broker {
    /// Starts it and returns when every broker answers and knows all others.
    ///
    /// # Errors
    ///
    /// Java or Maven is missing, or a broker was not ready in time: the error shows the end of its log.
    pub fn start(options: &BrokerOptions) -> Result<Self, HarnessError> {
        let jars = Jars::kafka(&options.version)?;
        ports::until_free(|| Self::start_once(&jars, options))
    }

    /// Where clients begin: `127.0.0.1:PORT`, of each broker, with commas between.
    pub fn bootstrap(&self) -> &str {
        &self.bootstrap
    }

    /// Java's client of it.
    pub fn client(&self) -> KafkaClient {
        KafkaClient::new(&self.bootstrap)
    }

    /// Its secure listeners, if they were asked for.
    pub fn secure(&self) -> Option<&Secure> {
        self.secure.as_ref()
    }

    /// One of its processes, from 0; its number in Kafka is the same.
    ///
    /// # Panics
    ///
    /// There are not that many.
    pub fn node(&self, index: usize) -> Node<'_> {
        assert!(index < self.ports.len(), "node {index} of {}", self.ports.len());
        Node::new(self, index)
    }

    /// Ends all processes with SIGKILL; they are gone when this returns.
    ///
    /// # Errors
    ///
    /// The process that watches over them is gone.
    pub fn kill(&self) -> Result<(), HarnessError> {
        self.nodes().try_for_each(|node| node.kill())
    }

    /// Ends all processes with SIGTERM, as an administrator does; they are gone when this returns.
    ///
    /// Of several, one may be left with nobody to give its partitions to: it is killed after 20 s.
    ///
    /// # Errors
    ///
    /// The process that watches over them is gone.
    pub fn stop(&self) -> Result<(), HarnessError> {
        self.nodes().try_for_each(|node| node.ask_to_stop())?;
        self.nodes().try_for_each(|node| match node.await_end(STOP_ALL_WITHIN) {
            Err(HarnessError::StillRuns { .. }) => node.kill(),
            ended => ended,
        })
    }

    /// Starts all processes on their old ports with what they had stored, and returns when they serve. Those that still
    /// run are killed first.
    ///
    /// # Errors
    ///
    /// One was not ready in time, or its port was taken while it was away.
    pub fn start_again(&self) -> Result<(), HarnessError> {
        ports::until_free(|| {
            self.kill()?;
            self.launch_all()
        })
    }

    fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.ports.len()).map(|index| Node::new(self, index))
    }

    fn start_once(jars: &Jars, options: &BrokerOptions) -> Result<Self, HarnessError> {
        let watchdog = Watchdog::start("kafka")?;
        let ports = (0..options.brokers.max(1)).map(|_| Ports::free(options.secure));
        let ports = ports.collect::<Result<Vec<_>, _>>()?;
        let bootstrap: Vec<String> = ports.iter().map(Ports::bootstrap).collect();
        let conf = watchdog.folder().join("conf");
        client::write_log_settings(&conf)?;
        let broker = Self {
            class_path: format!("{}:{}", conf.display(), jars.class_path()),
            options: options.clone(),
            bootstrap: bootstrap.join(","),
            secure: options.secure.then(|| Secure::make(&ports, watchdog.folder())).transpose()?,
            watchdog,
            ports,
        };
        (0..broker.ports.len()).try_for_each(|index| broker.format(index))?;
        broker.launch_all()?;
        Ok(broker)
    }

    /// Writes what a node is told, and makes its empty store.
    fn format(&self, index: usize) -> Result<(), HarnessError> {
        let folder = self.watchdog.folder().join(node::name(index));
        fs::create_dir_all(&folder).map_err(HarnessError::file(&folder))?;
        let mut properties = properties::of_node(index, &self.ports, &folder);
        properties.extend(self.secure.iter().flat_map(Secure::properties));
        properties.extend_from_slice(&self.options.properties);
        let file = self.properties_file(index);
        fs::write(&file, properties::text(&properties)).map_err(HarnessError::file(&file))?;
        let file = file.display().to_string();
        let format = ["kafka.tools.StorageTool", "format", "-t", &self.cluster_id(), "-c", &file];
        let mut arguments = self.java(&format);
        arguments.extend(self.secure.iter().flat_map(|_| secure::format_arguments()));
        Tool::Java.run(&arguments, Path::new(".")).map(drop)
    }

    fn launch_all(&self) -> Result<(), HarnessError> {
        let all: Vec<usize> = (0..self.ports.len()).collect();
        all.iter().try_for_each(|&index| self.launch(index))?;
        self.wait_for(&all, all.len())
    }

    pub(crate) fn launch(&self, index: usize) -> Result<(), HarnessError> {
        let file = self.properties_file(index).display().to_string();
        self.watchdog.start_java(&node::name(index), &self.java(&["kafka.Kafka", &file]))
    }

    /// Returns when each of these nodes serves and knows of so many brokers.
    pub(crate) fn wait_for(&self, indexes: &[usize], broker_count: usize) -> Result<(), HarnessError> {
        let names: Vec<String> = indexes.iter().map(|&index| node::name(index)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.wait(self.options.ready_within).until(&names, || {
            let ready = indexes.iter().all(|&index| self.node(index).serves(broker_count));
            Ok(ready.then_some(()))
        })
    }

    pub(crate) fn wait(&self, within: Duration) -> Wait<'_> {
        Wait { watchdog: &self.watchdog, within }
    }

    fn java(&self, run: &[&str]) -> Vec<String> {
        let mut arguments = jvm::options(Life::Short, self.options.heap_mib, &self.watchdog.tmp());
        arguments.extend(["-XX:+UseSerialGC", "-cp", &self.class_path].map(str::to_owned));
        arguments.extend(run.iter().map(|&argument| argument.to_owned()));
        arguments
    }

    fn properties_file(&self, index: usize) -> PathBuf {
        self.watchdog.folder().join(node::name(index)).join("server.properties")
    }

    /// 22 letters of base64, which are 16 bytes: no other cluster of this machine has it now.
    fn cluster_id(&self) -> String {
        format!("{:010}{:010}AA", std::process::id(), self.ports[0].number())
    }
}
