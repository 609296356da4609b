//! Starting the processes of a Kafka, and waiting until they serve.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::node::{self, Ports};
use super::secure::{self, Secure};
use super::zookeeper::{self, ZooKeeper};
use super::{Broker, BrokerOptions, client, properties};
use crate::jvm::{self, Life};
use crate::ready::Wait;
use crate::watchdog::Watchdog;
use crate::{HarnessError, Jars, Tool, ports};

impl Broker {
    pub(crate) fn start_once(jars: &Jars, options: &BrokerOptions) -> Result<Self, HarnessError> {
        let watchdog = Watchdog::start("kafka")?;
        let ports = Ports::free(options.brokers.max(1), options.secure)?;
        let bootstrap: Vec<String> = ports.iter().map(Ports::bootstrap).collect();
        let conf = watchdog.folder().join("conf");
        client::write_log_settings(&conf)?;
        let broker = Self {
            class_path: format!("{}:{}", conf.display(), jars.class_path()),
            options: options.clone(),
            bootstrap: bootstrap.join(","),
            secure: options.secure.then(|| Secure::make(&ports, watchdog.folder())).transpose()?,
            zookeeper: options.version.takes_zookeeper().then(ZooKeeper::on_free_port).transpose()?,
            watchdog,
            ports,
        };
        broker.prepare()?;
        broker.run_once(&broker.all(), broker.ports.len())?;
        Ok(broker)
    }

    /// Writes what the nodes are told, and makes their empty stores.
    fn prepare(&self) -> Result<(), HarnessError> {
        (0..self.ports.len()).try_for_each(|index| self.write_properties(index))?;
        let Some(zookeeper) = &self.zookeeper else {
            return (0..self.ports.len()).try_for_each(|index| self.format(index));
        };
        let run = zookeeper.prepare(self.watchdog.folder())?;
        self.watchdog.start_java(zookeeper::NAME, &self.java(&run))?;
        match &self.secure {
            Some(_) => Tool::Java.run(&self.java(&zookeeper.add_users()), Path::new(".")).map(drop),
            None => Ok(()),
        }
    }

    fn write_properties(&self, index: usize) -> Result<(), HarnessError> {
        let folder = self.watchdog.folder().join(node::name(index));
        fs::create_dir_all(&folder).map_err(HarnessError::file(&folder))?;
        let mut properties = properties::of_node(index, &self.ports, self.zookeeper.as_ref(), &folder);
        properties.extend(self.secure.iter().flat_map(Secure::properties));
        properties.extend_from_slice(&self.options.properties);
        let file = self.properties_file(index);
        fs::write(&file, properties::text(&properties)).map_err(HarnessError::file(file))
    }

    fn format(&self, index: usize) -> Result<(), HarnessError> {
        let file = self.properties_file(index).display().to_string();
        let format = ["kafka.tools.StorageTool", "format", "-t", &self.cluster_id(), "-c", &file];
        let mut arguments = self.java(&format.map(str::to_owned));
        arguments.extend(self.secure.iter().flat_map(|_| secure::format_arguments()));
        Tool::Java.run(&arguments, Path::new(".")).map(drop)
    }

    /// Starts these nodes again, and returns when each serves and knows of so many brokers.
    pub(crate) fn run(&self, indexes: &[usize], broker_count: usize) -> Result<(), HarnessError> {
        ports::until_free(|| match self.run_once(indexes, broker_count) {
            // Its number in ZooKeeper is taken for a moment, as a port may be.
            Err(HarnessError::Ended { server, log_tail }) if log_tail.contains(zookeeper::STILL_KNOWN) => {
                Err(HarnessError::PortTaken { server, log_tail })
            }
            outcome => outcome,
        })
    }

    fn run_once(&self, indexes: &[usize], broker_count: usize) -> Result<(), HarnessError> {
        for &index in indexes {
            self.node(index).kill()?;
            let file = self.properties_file(index).display().to_string();
            self.watchdog.start_java(&node::name(index), &self.java(&["kafka.Kafka".to_owned(), file]))?;
        }
        let names: Vec<String> = indexes.iter().map(|&index| node::name(index)).collect();
        let names = names.iter().map(String::as_str).chain(self.zookeeper.iter().map(|_| zookeeper::NAME));
        self.wait(self.options.ready_within).until(&names.collect::<Vec<_>>(), || {
            let ready = indexes.iter().all(|&index| self.node(index).serves(broker_count));
            Ok(ready.then_some(()))
        })
    }

    pub(crate) fn wait(&self, within: Duration) -> Wait<'_> {
        Wait { watchdog: &self.watchdog, within }
    }

    fn java(&self, run: &[String]) -> Vec<String> {
        let mut arguments = jvm::options(Life::Short, self.options.heap_mib, &self.watchdog.tmp());
        arguments.extend(["-XX:+UseSerialGC", "-cp", &self.class_path].map(str::to_owned));
        arguments.extend_from_slice(run);
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
