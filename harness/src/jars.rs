//! Jars of HBase and Kafka: brought once by Maven, kept in a folder that all tests of this user share.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::{HBaseVersion, HarnessError, KafkaVersion, Tool};

/// The folder with the jars of a version of HBase or Kafka and all they need.
///
/// It is `keystride-tests/hbase-VERSION` under `XDG_CACHE_HOME` or `~/.cache`: 188 jars, 111 MB for 2.6.1; Kafka's
/// are beside it, in `kafka-VERSION`: 92 jars, 54 MB for 4.3.1.
#[derive(Debug, Clone)]
pub struct Jars {
    folder: PathBuf,
    /// What Maven is asked for. The stamp holds it too: what is asked for otherwise is brought anew.
    pom: String,
}

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
        let jars = Self { folder: cache_folder()?.join(name), pom };
        if !jars.complete() {
            jars.fill()?;
        }
        Ok(jars)
    }

    /// The class path that has them all, for `java` and `javac`.
    pub fn class_path(&self) -> String {
        format!("{}/*", self.folder.join("lib").display())
    }

    /// The folder that also keeps compiled programs.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn stamp(&self) -> PathBuf {
        self.folder.join("stamp")
    }

    /// The stamp is written last: a download that was cut short has none.
    fn complete(&self) -> bool {
        fs::read_to_string(self.stamp()).is_ok_and(|stamp| stamp == self.pom)
    }

    fn fill(&self) -> Result<(), HarnessError> {
        Tool::Maven.find()?;
        fs::create_dir_all(&self.folder).map_err(HarnessError::file(&self.folder))?;
        let lock = self.folder.join("lock");
        let held = File::create(&lock).map_err(HarnessError::file(&lock))?;
        held.lock().map_err(HarnessError::file(&lock))?;
        // The process that held the lock before may have brought them.
        if self.complete() { Ok(()) } else { self.download() }
    }

    fn download(&self) -> Result<(), HarnessError> {
        let lib = self.folder.join("lib");
        if lib.exists() {
            fs::remove_dir_all(&lib).map_err(HarnessError::file(&lib))?;
        }
        let pom = self.folder.join("pom.xml");
        fs::write(&pom, &self.pom).map_err(HarnessError::file(pom))?;
        let goal =
            ["-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib", "-DincludeScope=runtime"];
        Tool::Maven.run(&goal, &self.folder)?;
        fs::write(self.stamp(), &self.pom).map_err(HarnessError::file(self.stamp()))
    }
}

fn cache_folder() -> Result<PathBuf, HarnessError> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let caches = caches.ok_or(HarnessError::NoCacheFolder)?;
    Ok(caches.join("keystride-tests"))
}
