//! The folder in which a demo keeps its files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::flights;
use crate::backend::Backend;
use crate::failure::Failure;
use crate::usage::Usage;

/// A folder that belongs to the demo.
#[derive(Debug)]
pub(super) struct DemoFolder {
    folder: PathBuf,
}

/// Marks a folder or a table as made by a demo, so that the next demo may replace it.
pub(super) const MARKER: &str = "made-by-keystride-demo";

impl DemoFolder {
    /// Finds a folder that the demo may use: one that does not exist, is empty, or was made by an earlier demo.
    pub(super) fn find(folder: Option<&Path>) -> Result<Self, Failure> {
        let folder = folder.map_or_else(|| std::env::temp_dir().join("keystride-demo"), Path::to_owned);
        let folder = Self { folder };
        if folder.is_foreign().map_err(|cause| folder.fail(cause))? {
            return Err(Usage::DemoFolder { folder: folder.folder }.into());
        }
        Ok(folder)
    }

    /// Creates the folder; if an earlier demo made it, empties it first.
    pub(super) fn build(&self) -> Result<(), Failure> {
        self.try_build().map_err(|cause| self.fail(cause))
    }

    fn try_build(&self) -> io::Result<()> {
        if self.folder.join(MARKER).exists() {
            fs::remove_dir_all(&self.folder)?;
        }
        fs::create_dir_all(&self.folder)?;
        for (name, text) in flights::files().into_iter().chain([(MARKER, "")]) {
            fs::write(self.folder.join(name), text)?;
        }
        Ok(())
    }

    /// Whether it contains files that were not made by a demo.
    fn is_foreign(&self) -> io::Result<bool> {
        if self.folder.join(MARKER).exists() || !self.folder.exists() {
            return Ok(false);
        }
        Ok(fs::read_dir(&self.folder)?.next().is_some())
    }

    fn fail(&self, cause: io::Error) -> Failure {
        Failure::Write { path: self.folder.clone(), cause }
    }

    /// Returns where the demo's table is stored: on the cluster that was named, or else in this folder.
    pub(super) fn backend(&self, named: &Backend) -> Backend {
        match named {
            Backend::Embedded(_) => Backend::Embedded(self.data()),
            Backend::HBase(address) => Backend::HBase(address.clone()),
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Returns where the day is extracted to.
    pub(super) fn extract(&self) -> PathBuf {
        self.folder.join("extract")
    }

    /// Returns the size of the store's files in bytes, if they are in this folder.
    pub(super) fn store_bytes(&self) -> Option<u64> {
        let data = self.data();
        data.exists().then(|| bytes_under(&data))
    }

    /// Returns three commands that work when pasted into a shell.
    pub(super) fn next(&self, backend: &Backend) -> String {
        let program = std::env::args().next().unwrap_or_else(|| "keystride".to_owned());
        let folder = self.folder.display();
        let backend = format!("--backend {backend}");
        format!(
            "Try next:
  {program} {backend} query flights --where \"tailnum = 'N14228'\" --newest 5
  {program} {backend} query flights --where \"carrier = 'UA' and origin = 'JFK'\" --limit 5 --explain
  {program} design lint {folder}/seed-003.toml
"
        )
    }
}

fn bytes_under(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = entries.map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_under(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    bytes.sum()
}
