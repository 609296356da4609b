//! A Kafka of one process that is broker and controller, or of several.

use std::time::Duration;

use super::node::{Node, Ports};
use super::zookeeper::ZooKeeper;
use super::{KafkaClient, KafkaVersion, Secure};
use crate::watchdog::Watchdog;
use crate::{HarnessError, Jars, ports};

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
    /// Whether there are listeners with TLS and with passwords beside the plain one: see [`Secure`]. Versions 3.3
    /// and 3.4 can't store bob's password, and do not start so.
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

impl BrokerOptions {
    /// For many tests, none of which kills it: it may be silent for 9 s, Kafka's own default, before its partitions lose
    /// their leader. The others may for 1.5 s, so that one that was killed is soon let in again.
    pub fn shared() -> Self {
        let properties = vec![("broker.session.timeout.ms".to_owned(), "9000".to_owned())];
        Self { properties, ..Self::default() }
    }
}

/// A running Kafka; it ends, and its folder goes, when this is dropped or the harness dies.
#[derive(Debug)]
pub struct Broker {
    pub(crate) watchdog: Watchdog,
    pub(crate) ports: Vec<Ports>,
    pub(crate) secure: Option<Secure>,
    pub(crate) zookeeper: Option<ZooKeeper>,
    pub(crate) options: BrokerOptions,
    pub(crate) class_path: String,
    pub(crate) bootstrap: String,
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
        self.run(&self.all(), self.ports.len())
    }

    pub(crate) fn all(&self) -> Vec<usize> {
        (0..self.ports.len()).collect()
    }

    fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.ports.len()).map(|index| Node::new(self, index))
    }
}
