//! The folder of a store: identification, format version and lock.
//!
//! | Name | Holds |
//! |---|---|
//! | `keystride-store` | text: `keystride store format 1` and a line end |
//! | `lock` | nothing; locked by the process that has the store open |
//! | `engine` | the storage engine's files |

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::{StoreError, durable};

/// The format that this version writes.
const FORMAT: u32 = 1;

const MARKER: &str = "keystride-store";
const MARKER_TEXT: &str = "keystride store format ";
const LOCK: &str = "lock";
const ENGINE: &str = "engine";
/// The file that tells the version of the engine's files, and the ending of its journals.
const ENGINE_VERSION: &str = "version";
const JOURNAL_ENDING: &str = "jnl";

/// A store's folder, locked until this is dropped.
#[derive(Debug)]
pub(super) struct StoreFolder {
    path: PathBuf,
    /// The operating system releases the lock when the file is closed, even if the process is killed.
    _lock: File,
}

impl StoreFolder {
    /// Opens and locks the folder; a new or empty one becomes a store.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        // The engine requires the current directory even for absolute paths, and panics if it was removed.
        std::env::current_dir().map_err(io_error(Path::new("."), "find the working folder"))?;
        durable::make_folder(path).map_err(io_error(path, "make the folder"))?;
        check_marker(path)?;
        let lock = lock(path)?;
        // Checked again now that no other process can write it.
        if !check_marker(path)? {
            write_marker(path)?;
        }
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the name of the engine's folder durable: the engine syncs only what is in it.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        durable::sync_folder(&self.path).map_err(io_error(&self.path, "bring it to disk"))
    }

    /// Returns the folder of the engine's files.
    ///
    /// The engine makes its journal before its version file and always keeps one. Opened without a journal, it would
    /// make a new one and at first find no rows.
    pub(super) fn engine(&self) -> Result<PathBuf, StoreError> {
        let engine = self.path.join(ENGINE);
        if !engine.join(ENGINE_VERSION).exists() {
            return Ok(engine);
        }
        let entries = fs::read_dir(&engine).map_err(io_error(&engine, "list it"))?;
        let is_journal = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| entry.path().extension().is_some_and(|ending| ending == JOURNAL_ENDING))
        };
        if entries.into_iter().any(is_journal) {
            Ok(engine)
        } else {
            Err(StoreError::NoJournal { folder: engine })
        }
    }
}

/// Whether the folder is already a store; an error if it contains something else.
fn check_marker(folder: &Path) -> Result<bool, StoreError> {
    let marker = folder.join(MARKER);
    match fs::read_to_string(&marker) {
        Ok(text) => check_format(folder, &text).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => check_vacant(folder).map(|()| false),
        Err(error) => Err(io_error(&marker, "read it")(error)),
    }
}

fn check_format(folder: &Path, text: &str) -> Result<(), StoreError> {
    let format = text.strip_prefix(MARKER_TEXT).and_then(|number| number.trim_end().parse::<u32>().ok());
    match format {
        Some(1..=FORMAT) => Ok(()),
        Some(found @ 1..) => {
            Err(StoreError::NewerFormat { folder: folder.to_owned(), found, newest: FORMAT })
        }
        _ => Err(StoreError::Damaged { what: "the store's format number" }),
    }
}

/// Checks that the folder contains nothing but what an interrupted first opening leaves behind: the lock, and the
/// draft of the marker.
fn check_vacant(folder: &Path) -> Result<(), StoreError> {
    let cant_list = || io_error(folder, "list it");
    for entry in fs::read_dir(folder).map_err(cant_list())? {
        let name = entry.map_err(cant_list())?.file_name();
        if name != LOCK && name != draft_name().as_str() {
            return Err(StoreError::NotAStore { folder: folder.to_owned(), marker: MARKER });
        }
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(io_error(&path, "open it"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => Err(io_error(&path, "lock it")(error)),
    }
}

/// Writes the marker atomically: after a crash it is there as a whole or not at all.
fn write_marker(folder: &Path) -> Result<(), StoreError> {
    let draft = folder.join(draft_name());
    fs::write(&draft, format!("{MARKER_TEXT}{FORMAT}\n")).map_err(io_error(&draft, "write it"))?;
    let synced = File::open(&draft).and_then(|file| file.sync_all());
    synced.map_err(io_error(&draft, "bring it to disk"))?;
    let marker = folder.join(MARKER);
    fs::rename(&draft, &marker).map_err(io_error(&marker, "put it in place"))?;
    durable::sync_folder(folder).map_err(io_error(folder, "bring it to disk"))
}

fn draft_name() -> String {
    format!("{MARKER}.new")
}

fn io_error(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { path, doing, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(folder: &Path) -> StoreError {
        StoreFolder::open(folder).unwrap_err()
    }

    #[test]
    fn a_folder_is_made_marked_and_opened_again() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("new/store");
        drop(StoreFolder::open(&path).unwrap());
        assert_eq!(fs::read_to_string(path.join(MARKER)).unwrap(), "keystride store format 1\n");
        drop(StoreFolder::open(&path).unwrap());
    }

    #[test]
    fn an_opening_cut_off_before_the_marker_is_made_good() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK), "").unwrap();
        fs::write(folder.path().join(draft_name()), "keystr").unwrap();
        StoreFolder::open(folder.path()).unwrap();
    }

    #[test]
    fn a_folder_in_use_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let _first = StoreFolder::open(folder.path()).unwrap();
        let error = refused(folder.path());
        assert!(matches!(error, StoreError::Locked { .. }));
        assert!(error.to_string().starts_with(&format!("{} is in use", folder.path().display())));
    }

    #[test]
    fn a_newer_format_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let text = "keystride store format 7\nand more";
        fs::write(folder.path().join(MARKER), "keystride store format 7").unwrap();
        assert!(matches!(refused(folder.path()), StoreError::NewerFormat { found: 7, newest: 1, .. }));
        let names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, [MARKER]);
        fs::write(folder.path().join(MARKER), text).unwrap();
        assert!(matches!(refused(folder.path()), StoreError::Damaged { .. }));
    }

    #[test]
    fn a_folder_of_something_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        assert!(matches!(refused(folder.path()), StoreError::NotAStore { .. }));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_marker_that_does_not_read_is_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(MARKER)).unwrap();
        let refused = refused(folder.path());
        assert!(matches!(&refused, StoreError::Io { path, .. } if path.ends_with(MARKER)), "{refused}");
    }
}
