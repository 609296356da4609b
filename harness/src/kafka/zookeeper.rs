//! The ZooKeeper that brokers before 3.3 keep their topics in; it comes with their jars.

use std::fs;
use std::path::Path;

use super::properties::{self, Properties, owned};
use super::secure::Secure;
use crate::{HarnessError, ports};

/// Its name in the harness.
pub(crate) const NAME: &str = "zookeeper";
pub(crate) const MAIN: &str = "org.apache.zookeeper.server.ZooKeeperServerMain";

/// What a broker says that comes back while ZooKeeper still knows the one before it, which it does for a session.
pub(crate) const STILL_KNOWN: &str = "NodeExists";
const SESSION_MS: u32 = 3000;

/// Where it is, for the brokers alone.
#[derive(Debug)]
pub(crate) struct ZooKeeper {
    port: u16,
}

impl ZooKeeper {
    pub(crate) fn on_free_port() -> Result<Self, HarnessError> {
        Ok(Self { port: ports::free_ports(1)?[0] })
    }

    /// Writes what it is told to `folder`, and returns the arguments that start it.
    pub(crate) fn prepare(&self, folder: &Path) -> Result<[String; 2], HarnessError> {
        let settings = properties::text(&owned(&[
            ("clientPortAddress", "127.0.0.1"),
            ("clientPort", &self.port.to_string()),
            ("dataDir", &folder.join(NAME).display().to_string()),
            // The least session is two ticks.
            ("tickTime", "500"),
        ]));
        let file = folder.join("zookeeper.properties");
        fs::write(&file, settings).map_err(HarnessError::file(&file))?;
        Ok([MAIN.to_owned(), file.display().to_string()])
    }

    /// What the broker of that number is told.
    pub(crate) fn properties_of_broker(&self, number: usize) -> Properties {
        owned(&[
            ("broker.id", &number.to_string()),
            ("zookeeper.connect", &self.address()),
            ("zookeeper.session.timeout.ms", &SESSION_MS.to_string()),
        ])
    }

    /// The program, with its arguments, that makes bob known to brokers: they read him from ZooKeeper.
    pub(crate) fn add_users(&self) -> [String; 10] {
        let (bob, secret) = Secure::BOB;
        let secrets = [256, 512].map(|bits| format!("SCRAM-SHA-{bits}=[password={secret}]")).join(",");
        [
            "kafka.admin.ConfigCommand",
            "--zookeeper",
            &self.address(),
            "--alter",
            "--entity-type",
            "users",
            "--entity-name",
            bob,
            "--add-config",
            &secrets,
        ]
        .map(str::to_owned)
    }

    fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}
