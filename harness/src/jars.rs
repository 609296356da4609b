//! The jars of HBase and Kafka.

use std::path::Path;

use crate::brought::Kept;
use crate::{Brought, HBaseVersion, HarnessError, KafkaVersion, Tool};

/// The folder with the jars of a version of HBase or Kafka and all they need.
///
/// It is `keystride-tests/hbase-VERSION` under `XDG_CACHE_HOME` or `~/.cache`: 188 jars, 111 MB for 2.6.1; Kafka's
/// are beside it, in `kafka-VERSION`: 92 jars, 54 MB for 4.3.1.
#[derive(Debug, Clone)]
pub struct Jars(Brought);

impl Jars {
    /// The jars of the version that tests use, brought by Maven if this is the first time.
    ///
    /// # Errors
    ///
    /// Java or Maven is missing, Maven fails, or the folder cannot be written.
    pub fn ready() -> Result<Self, HarnessError> {
        Self::of(&HBaseVersion::default())
    }

    /// The jars of a version, brought by Maven if this is the first time.
    ///
    /// # Errors
    ///
    /// As [`Self::ready`]; Maven also fails for a version that was never published.
    pub fn of(version: &HBaseVersion) -> Result<Self, HarnessError> {
        Self::brought(&format!("hbase-{version}"), version.pom())
    }

    /// The jars of a version of Kafka, its tools too, brought by Maven if this is the first time.
    ///
    /// # Errors
    ///
    /// As [`Self::of`].
    pub fn kafka(version: &KafkaVersion) -> Result<Self, HarnessError> {
        Self::brought(&format!("kafka-{version}"), version.pom())
    }

    fn brought(name: &str, pom: String) -> Result<Self, HarnessError> {
        Tool::Java.find()?;
        Brought::ready(name, pom, Kept::Jars).map(Self)
    }

    /// The class path that has them all, for `java` and `javac`.
    pub fn class_path(&self) -> String {
        format!("{}/*", self.0.lib().display())
    }

    /// The folder that also keeps compiled programs.
    pub(crate) fn folder(&self) -> &Path {
        self.0.folder()
    }
}
