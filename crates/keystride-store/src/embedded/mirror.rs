//! A copy of the engine's folder, for a store that may only be read.
//!
//! The engine writes to its folder whenever it is opened. So it gets a temporary one, with copies of its small files
//! and journals, and links to the files of tables. A killed store can be read, too: its journal is replayed from the
//! copy.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::folder::io_error;
use crate::StoreError;

/// The folder in which a keyspace has its tables. Their files are never changed.
const TABLES: &str = "tables";

/// A temporary copy, removed when this is dropped.
#[derive(Debug)]
pub(super) struct Mirror {
    folder: TempDir,
}

impl Mirror {
    /// Copies the engine's folder.
    pub(super) fn of(engine: &Path) -> Result<Self, StoreError> {
        let folder = tempfile::tempdir().map_err(io_error(&std::env::temp_dir(), "make a folder in it"))?;
        let engine = fs::canonicalize(engine).map_err(io_error(engine, "read it"))?;
        let mirror = Self { folder };
        copy_folder(&engine, &mirror.engine(), copy_file)?;
        Ok(mirror)
    }

    pub(super) fn engine(&self) -> PathBuf {
        self.folder.path().join("engine")
    }
}

type CopyFile = fn(&Path, &Path) -> io::Result<()>;

fn copy_folder(from: &Path, to: &Path, copy: CopyFile) -> Result<(), StoreError> {
    fs::create_dir(to).map_err(io_error(to, "make the folder"))?;
    for entry in fs::read_dir(from).map_err(io_error(from, "list it"))? {
        let (name, path) =
            entry.map(|entry| (entry.file_name(), entry.path())).map_err(io_error(from, "list it"))?;
        let target = to.join(&name);
        if path.is_dir() {
            copy_folder(&path, &target, if name == TABLES { link_file } else { copy })?;
        } else {
            copy(&path, &target).map_err(io_error(&path, "copy it to a temporary folder"))?;
        }
    }
    Ok(())
}

/// Copies the contents alone: the copy can be written even if the file can't.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    io::copy(&mut File::open(from)?, &mut File::create(to)?).map(drop)
}

#[cfg(unix)]
fn link_file(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link_file(from: &Path, to: &Path) -> io::Result<()> {
    copy_file(from, to)
}
