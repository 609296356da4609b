//! One process of a Kafka: a test may kill, stop and start it again.

use std::path::PathBuf;
use std::time::Duration;

use super::broker::Broker;
use super::metadata::Metadata;
use crate::watchdog::Signal;
use crate::{HarnessError, ports};

/// A broker that is told to stop gives its partitions to others first.
const STOP_WITHIN: Duration = Duration::from_mins(1);

/// A listener that asks clients for more than their address; its name in Kafka is that of its protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Listener {
    Ssl,
    SaslSsl,
    SaslPlaintext,
}

impl Listener {
    pub(crate) const ALL: [(Self, &str); 3] =
        [(Self::Ssl, "SSL"), (Self::SaslSsl, "SASL_SSL"), (Self::SaslPlaintext, "SASL_PLAINTEXT")];
}

/// Where a node listens, the same when it is started again.
#[derive(Debug, Clone)]
pub(crate) struct Ports {
    plain: u16,
    controller: u16,
    /// In the order of [`Listener::ALL`], if they are asked for.
    secure: Vec<u16>,
}

impl Ports {
    /// Those of so many nodes.
    pub(crate) fn free(count: usize, secure: bool) -> Result<Vec<Self>, HarnessError> {
        let each = if secure { 2 + Listener::ALL.len() } else { 2 };
        let ports = ports::free_ports(count * each)?;
        let of_node =
            |ports: &[u16]| Self { plain: ports[0], controller: ports[1], secure: ports[2..].to_vec() };
        Ok(ports.chunks(each).map(of_node).collect())
    }

    pub(crate) fn bootstrap(&self) -> String {
        on_this_machine(self.plain)
    }

    pub(crate) fn controller(&self) -> String {
        on_this_machine(self.controller)
    }

    /// The address of a secure listener, if they are asked for.
    pub(crate) fn secure(&self, listener: Listener) -> Option<String> {
        self.secure.get(listener as usize).copied().map(on_this_machine)
    }

    /// What makes a cluster unlike others that run.
    pub(crate) fn number(&self) -> u16 {
        self.plain
    }
}

fn on_this_machine(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

/// A process of a [`Broker`], whether it runs or not.
#[derive(Debug)]
pub struct Node<'a> {
    broker: &'a Broker,
    index: usize,
    name: String,
}

impl<'a> Node<'a> {
    pub(crate) fn new(broker: &'a Broker, index: usize) -> Self {
        Self { broker, index, name: name(index) }
    }

    /// `host:port`, the same when it is started again.
    pub fn bootstrap(&self) -> String {
        self.ports().bootstrap()
    }

    /// What it logs since it was last started.
    pub fn log(&self) -> PathBuf {
        self.broker.watchdog.log(&self.name)
    }

    /// Whether its process is there.
    ///
    /// # Errors
    ///
    /// The process that watches over the brokers is gone, here as below.
    pub fn is_alive(&self) -> Result<bool, HarnessError> {
        self.broker.watchdog.is_alive(&self.name)
    }

    /// Ends it with SIGKILL; it is gone when this returns.
    ///
    /// # Errors
    ///
    /// See [`is_alive`](Self::is_alive).
    pub fn kill(&self) -> Result<(), HarnessError> {
        self.broker.watchdog.signal(&self.name, Signal::Kill)
    }

    /// Ends it with SIGTERM, as an administrator does; it is gone when this returns.
    ///
    /// # Errors
    ///
    /// It was still there after a minute.
    pub fn stop(&self) -> Result<(), HarnessError> {
        self.ask_to_stop()?;
        self.await_end(STOP_WITHIN)
    }

    /// Starts it on its old port with what it had stored, and returns when it serves. If it still runs it is killed
    /// first.
    ///
    /// # Errors
    ///
    /// It was not ready in time, or its port was taken while it was away.
    pub fn start_again(&self) -> Result<(), HarnessError> {
        self.broker.run(&[self.index], 1)
    }

    pub(crate) fn ask_to_stop(&self) -> Result<(), HarnessError> {
        self.broker.watchdog.signal(&self.name, Signal::Terminate)
    }

    pub(crate) fn await_end(&self, within: Duration) -> Result<(), HarnessError> {
        self.broker.wait(within).until_gone(&self.name)
    }

    pub(crate) fn serves(&self, broker_count: usize) -> bool {
        let id = i32::try_from(self.index).unwrap_or(i32::MAX);
        Metadata::ask(self.ports().plain).is_ok_and(|metadata| metadata.serves(id, broker_count))
    }

    fn ports(&self) -> &Ports {
        &self.broker.ports[self.index]
    }
}

/// Its name in the harness, and that of its folder.
pub(crate) fn name(index: usize) -> String {
    format!("broker-{index}")
}
