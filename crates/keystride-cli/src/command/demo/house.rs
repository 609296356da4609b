//! The folder that a demo keeps what it makes in.

use std::fs;
use std::path::{Path, PathBuf};

use super::flights;
use crate::backend::Backend;
use crate::failure::Failure;
use crate::usage::Usage;

/// A folder of the demo's own, emptied when it was made by an earlier one.
#[derive(Debug)]
pub(super) struct House {
    folder: PathBuf,
}

/// Says that a folder is a demo's, so that the next one may empty it.
const SIGN: &str = "made-by-keystride-demo";

impl House {
    /// Makes the folder, or empties it where an earlier demo made it.
    pub(super) fn build(folder: Option<&Path>) -> Result<Self, Failure> {
        let folder = folder.map_or_else(|| std::env::temp_dir().join("keystride-demo"), Path::to_owned);
        let fail = |cause| Failure::Write { path: folder.clone(), cause };
        if folder.join(SIGN).exists() {
            fs::remove_dir_all(&folder).map_err(fail)?;
        } else if folder.exists() && fs::read_dir(&folder).map_err(fail)?.next().is_some() {
            return Err(Usage::DemoFolder { folder }.into());
        }
        fs::create_dir_all(&folder).map_err(fail)?;
        for (name, text) in flights::files().into_iter().chain([(SIGN, "")]) {
            fs::write(folder.join(name), text).map_err(fail)?;
        }
        Ok(Self { folder })
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
