//! The folder in which a demo keeps its files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use keystride_store::StoreAddress;

use super::flights;
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
    pub(super) fn backend(&self, named: &StoreAddress) -> StoreAddress {
        match named {
            StoreAddress::Embedded(_) => StoreAddress::Embedded(self.data()),
            cluster => cluster.clone(),
        }
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.folder
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

    /// Returns commands that work when pasted into a shell. The last one goes on until Ctrl-C.
    pub(super) fn next(&self, backend: &StoreAddress) -> String {
        let program = std::env::args().next().unwrap_or_else(|| "keystride".to_owned());
        let folder = self.folder.display();
        let backend = format!("--backend {backend}");
        format!(
            "Try next:
  {program} {backend} query flights --where \"tailnum = 'N14228'\" --newest 5
  {program} {backend} query flights --where \"carrier = 'UA' and origin = 'JFK'\" --limit 5 --explain
  {program} design lint {folder}/seed-003.toml
  {program} demo --open --dir {folder}
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_new_empty_or_of_an_earlier_demo_and_then_made_anew() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("demo/of/mine");
        for leftover in ["data", "extract"] {
            let folder = DemoFolder::find(Some(&path)).unwrap();
            folder.build().unwrap();
            let names = |folder: &Path| -> Vec<String> {
                let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
                let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
                names.sort();
                names
            };
            assert_eq!(
                names(&path),
                ["design.toml", "made-by-keystride-demo", "seed-003.toml"],
                "{leftover}"
            );
            assert_eq!(fs::read_to_string(path.join("design.toml")).unwrap(), flights::design_text());
            fs::create_dir(path.join(leftover)).unwrap();
        }
        let empty = tempfile::tempdir().unwrap();
        DemoFolder::find(Some(empty.path())).unwrap().build().unwrap();
        let foreign = tempfile::tempdir().unwrap();
        fs::write(foreign.path().join("thesis.tex"), "").unwrap();
        assert!(matches!(
            DemoFolder::find(Some(foreign.path())),
            Err(Failure::Usage(Usage::DemoFolder { folder })) if folder == foreign.path()
        ));
        assert!(matches!(
            DemoFolder::find(Some(&foreign.path().join("thesis.tex"))),
            Err(Failure::Write { .. })
        ));
    }

    #[test]
    fn the_size_of_a_store_is_that_of_all_its_files() {
        let parent = tempfile::tempdir().unwrap();
        let folder = DemoFolder::find(Some(parent.path())).unwrap();
        assert_eq!(folder.store_bytes(), None);
        fs::create_dir_all(parent.path().join("data/tables/1")).unwrap();
        assert!(folder.store_bytes().is_some());
        let before = bytes_under(&folder.data());
        fs::write(parent.path().join("data/catalog"), "abc").unwrap();
        fs::write(parent.path().join("data/tables/1/rows"), "defgh").unwrap();
        assert_eq!((before, folder.store_bytes()), (0, Some(8)));
    }
}
