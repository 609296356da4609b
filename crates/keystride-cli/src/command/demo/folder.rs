//! The folder that a demo keeps what it makes in.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::flights;
use crate::backend::Backend;
use crate::failure::Failure;
use crate::usage::Usage;

/// A folder of the demo's own.
#[derive(Debug)]
pub(super) struct DemoFolder {
    folder: PathBuf,
}

/// Says that a folder is a demo's, or a table, so that the next one may make it anew.
pub(super) const MARKER: &str = "made-by-keystride-demo";

impl DemoFolder {
    /// Finds a folder that the demo may use: none yet, an empty one, or one that an earlier demo made.
    pub(super) fn find(folder: Option<&Path>) -> Result<Self, Failure> {
        let folder = folder.map_or_else(|| std::env::temp_dir().join("keystride-demo"), Path::to_owned);
        let folder = Self { folder };
        if folder.is_foreign().map_err(|cause| folder.fail(cause))? {
            return Err(Usage::DemoFolder { folder: folder.folder }.into());
        }
        Ok(folder)
    }

    /// Makes the folder, or empties it where an earlier demo made it.
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

    /// Whether it holds files that no demo made.
    fn is_foreign(&self) -> io::Result<bool> {
        if self.folder.join(MARKER).exists() || !self.folder.exists() {
            return Ok(false);
        }
        Ok(fs::read_dir(&self.folder)?.next().is_some())
    }

    fn fail(&self, cause: io::Error) -> Failure {
        Failure::Write { path: self.folder.clone(), cause }
    }

    /// Where the demo's table lives: on the cluster that was named, or else in this folder.
    pub(super) fn backend(&self, named: &Backend) -> Backend {
        match named {
            Backend::Embedded(_) => Backend::Embedded(self.data()),
            Backend::HBase(address) => Backend::HBase(address.clone()),
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Where the day is extracted to.
    pub(super) fn extract(&self) -> PathBuf {
        self.folder.join("extract")
    }

    /// Bytes of the store's files, where they are in this folder.
    pub(super) fn store_bytes(&self) -> Option<u64> {
        let data = self.data();
        data.exists().then(|| bytes_under(&data))
    }

    /// Three commands that work when pasted.
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
