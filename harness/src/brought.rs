//! What Maven brings once, kept in a folder that all tests of this user share.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::{HarnessError, Tool};

/// A folder of artifacts from Maven Central: `keystride-tests/NAME` under `XDG_CACHE_HOME` or `~/.cache`.
#[derive(Debug, Clone)]
pub struct Brought {
    folder: PathBuf,
    /// What Maven is asked for. The stamp holds it too: what is asked for otherwise is brought anew.
    pom: String,
}

/// How artifacts are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// As the jars that they are.
    Jars,
    /// As the files that the jars hold.
    Files,
}

impl Brought {
    /// The dependencies of a POM with all that they need, brought by Maven if this is the first time.
    ///
    /// # Errors
    ///
    /// Maven is missing or fails, or the folder cannot be written.
    pub fn ready(name: &str, pom: String, kept: Kept) -> Result<Self, HarnessError> {
        let brought = Self { folder: cache_folder()?.join(name), pom };
        if !brought.complete() {
            brought.fill(kept)?;
        }
        Ok(brought)
    }

    /// The folder that has the jars or the files.
    pub fn lib(&self) -> PathBuf {
        self.folder.join("lib")
    }

    /// The folder around it, which keeps what is made of them.
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

    fn fill(&self, kept: Kept) -> Result<(), HarnessError> {
        Tool::Maven.find()?;
        fs::create_dir_all(&self.folder).map_err(HarnessError::file(&self.folder))?;
        let lock = self.folder.join("lock");
        let held = File::create(&lock).map_err(HarnessError::file(&lock))?;
        held.lock().map_err(HarnessError::file(&lock))?;
        // The process that held the lock before may have brought them.
        if self.complete() { Ok(()) } else { self.download(kept) }
    }

    fn download(&self, kept: Kept) -> Result<(), HarnessError> {
        let lib = self.lib();
        if lib.exists() {
            fs::remove_dir_all(&lib).map_err(HarnessError::file(&lib))?;
        }
        let pom = self.folder.join("pom.xml");
        fs::write(&pom, &self.pom).map_err(HarnessError::file(pom))?;
        let goal = match kept {
            Kept::Jars => "dependency:copy-dependencies",
            Kept::Files => "dependency:unpack-dependencies",
        };
        let arguments = ["-q", "-B", goal, "-DoutputDirectory=lib", "-DincludeScope=runtime"];
        Tool::Maven.run(&arguments, &self.folder)?;
        fs::write(self.stamp(), &self.pom).map_err(HarnessError::file(self.stamp()))
    }
}

fn cache_folder() -> Result<PathBuf, HarnessError> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let caches = caches.ok_or(HarnessError::NoCacheFolder)?;
    Ok(caches.join("keystride-tests"))
}
