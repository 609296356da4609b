//! The folder of a store: identification, format version and lock.
//!
//! | Name | Holds |
//! |---|---|
//! | `keystride-store` | text: `keystride store format 1` and a line end |
//! | `lock` | the process that has the store open to write, which also locks it |
//! | `engine` | the storage engine's files |
//! | `engine.new` | the same, while the store is made |
//! | `spare` | any bytes; given back when a table is removed, because that takes room on the disk first |
//!
//! A store is made in this order: `engine.new` with all its files, `keystride-store`, and then `engine.new` becomes
//! `engine`. So a folder without the first was never a store, and one without `engine` and `engine.new` is damaged.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::journal;
use super::mirror::Mirror;
use crate::holder::Holder;
use crate::{StoreError, durable};

/// The format that this version writes.
const FORMAT: u32 = 1;

const MARKER: &str = "keystride-store";
const MARKER_TEXT: &str = "keystride store format ";
const LOCK: &str = "lock";
const ENGINE: &str = "engine";
const NEW_ENGINE: &str = "engine.new";
const SPARE: &str = "spare";

/// More than the engine writes to remove a table of some families.
const SPARE_BYTES: usize = 1 << 20;

/// A store's folder, locked until this is dropped.
#[derive(Debug)]
pub(super) struct StoreFolder {
    path: PathBuf,
    /// Whether all that was written is in the files of tables.
    is_journal_done: bool,
    /// The engine's files, if the folder may only be read.
    mirror: Option<Mirror>,
    /// The operating system releases the lock when the file is closed, even if the process is killed.
    lock: File,
}

impl StoreFolder {
    /// Opens and locks the folder; in a new or empty one, makes a store, with the engine's files from `make_engine`.
    pub(super) fn open(
        path: &Path,
        make_engine: impl FnOnce(&Path) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        // The engine requires the current directory even for absolute paths, and panics if it was removed.
        std::env::current_dir().map_err(io_error(Path::new("."), "find the working folder"))?;
        durable::make_folder(path).map_err(io_error(path, "make the folder"))?;
        check_marker(path)?;
        let path = path.to_owned();
        let (is_journal_done, mirror) = (false, None);
        let folder = match lock(&path) {
            Err(StoreError::Io { source, .. }) if is_read_only(&source) => return Self::open_to_read(path),
            lock => Self { path, is_journal_done, mirror, lock: lock? },
        };
        let path = folder.path();
        folder.finish()?;
        // Checked again now that no other process can write it.
        if !check_marker(path)? {
            folder.begin(make_engine)?;
            folder.finish()?;
        }
        Ok(folder)
    }

    /// Opens a folder that may only be read. Others may read it, too, but nobody may write it.
    pub(super) fn open_to_read(path: PathBuf) -> Result<Self, StoreError> {
        let file = path.join(LOCK);
        let lock = File::open(&file).map_err(io_error(&file, "open it"))?;
        let lock = locked(&path, lock, File::try_lock_shared)?;
        let engine =
            [ENGINE, NEW_ENGINE].map(|name| path.join(name)).into_iter().find(|engine| engine.exists());
        let engine = engine.unwrap_or_else(|| path.join(ENGINE));
        tracing::info!("the store may only be read");
        Ok(Self { mirror: Some(Mirror::of(&engine)?), path, is_journal_done: false, lock })
    }

    /// Whether the folder may only be read.
    pub(super) fn is_read_only(&self) -> bool {
        self.mirror.is_some()
    }

    pub(super) fn check_may_change(&self) -> Result<(), StoreError> {
        if self.is_read_only() {
            return Err(StoreError::ReadOnly { folder: self.path.clone() });
        }
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder of the engine's files.
    pub(super) fn engine(&self) -> PathBuf {
        self.mirror.as_ref().map_or_else(|| self.path.join(ENGINE), Mirror::engine)
    }

    /// Gives back the room that is kept for the removal of tables on a full disk.
    pub(super) fn give_room(&self) {
        // Where there is room, none needs to be given.
        let _ = fs::remove_file(self.path.join(SPARE));
    }

    /// Says in the lock that a console has the store open.
    pub(super) fn name_console(&self, address: &str) {
        Holder::of_console(address).write(&self.lock);
    }

    /// Makes the file that the engine locks, which has no contents, if it is missing.
    pub(super) fn make_engine_lock(&self) -> Result<(), StoreError> {
        open_lock(&self.engine().join(LOCK)).map(drop)
    }

    /// Has the journal emptied when this is dropped, so that the next opening does not read it.
    pub(super) fn clear_journal_when_closed(&mut self) {
        self.is_journal_done = true;
    }

    fn new_engine(&self) -> PathBuf {
        self.path.join(NEW_ENGINE)
    }

    /// Makes the engine's files, and then the folder a store.
    fn begin(&self, make_engine: impl FnOnce(&Path) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let engine = self.new_engine();
        match fs::remove_dir_all(&engine) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(io_error(&engine, "remove it")(error));
            }
            _ => make_engine(&engine)?,
        }
        // The engine syncs only what is in its folder.
        self.sync()?;
        write_marker(&self.path)
    }

    /// Gives the engine's folder its name, if the folder is a store without it.
    fn finish(&self) -> Result<(), StoreError> {
        let (new, engine) = (self.new_engine(), self.engine());
        if self.path.join(MARKER).exists() && new.exists() && !engine.exists() {
            fs::rename(&new, &engine).map_err(io_error(&new, "rename it"))?;
            self.sync()?;
        }
        Ok(())
    }

    fn keep_room(&self) -> io::Result<()> {
        let spare = self.path.join(SPARE);
        if self.is_read_only() || spare.exists() {
            return Ok(());
        }
        // A file system that compresses files would give no room to zeros.
        let bytes: Vec<u8> =
            (0..SPARE_BYTES as u64 / 8).flat_map(|n| xxh3_64(&n.to_be_bytes()).to_be_bytes()).collect();
        fs::write(&spare, bytes).or_else(|_| fs::remove_file(&spare))
    }

    fn sync(&self) -> Result<(), StoreError> {
        durable::sync_folder(&self.path).map_err(io_error(&self.path, "bring it to disk"))
    }
}

impl Drop for StoreFolder {
    fn drop(&mut self) {
        // A scan may still hold the engine, and the engine its journal.
        let engine_is_closed =
            || open_lock(&self.engine().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if self.is_journal_done && engine_is_closed() {
            // What is left of the journal does no harm, and the room is kept when the disk has some again.
            let _ = journal::clear(&self.engine());
            let _ = self.keep_room();
        }
        // Whoever has it next says so; until then nobody is named. One who only reads has written nothing there.
        let _ = self.lock.set_len(0);
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
        _ => Err(StoreError::DamagedFile { path: folder.join(MARKER), found: "is not as it was written" }),
    }
}

/// Checks that the folder contains nothing but what an interrupted first opening leaves behind: the lock, the engine's
/// new folder and the draft of the marker.
fn check_vacant(folder: &Path) -> Result<(), StoreError> {
    let cant_list = || io_error(folder, "list it");
    for entry in fs::read_dir(folder).map_err(cant_list())? {
        let name = entry.map_err(cant_list())?.file_name();
        if name != LOCK && name != NEW_ENGINE && name != draft_name().as_str() {
            return Err(StoreError::NotAStore { folder: folder.to_owned(), marker: MARKER });
        }
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join(LOCK);
    let file = locked(folder, open_lock(&path)?, File::try_lock)?;
    Holder::this().write(&file);
    Ok(file)
}

fn locked(
    folder: &Path,
    file: File,
    try_lock: fn(&File) -> Result<(), TryLockError>,
) -> Result<File, StoreError> {
    match try_lock(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let holder = Holder::read(&folder.join(LOCK));
            Err(StoreError::Locked { folder: folder.to_owned(), holder })
        }
        Err(TryLockError::Error(error)) => Err(io_error(&folder.join(LOCK), "lock it")(error)),
    }
}

/// Whether a file can't be written, but perhaps be read.
fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

fn open_lock(path: &Path) -> Result<File, StoreError> {
    let file = File::options().create(true).truncate(false).write(true).open(path);
    file.map_err(io_error(path, "open it"))
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

pub(super) fn io_error(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { path, doing, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &Path) -> Result<StoreFolder, StoreError> {
        StoreFolder::open(folder, |engine| fs::create_dir(engine).map_err(io_error(engine, "make it")))
    }

    fn refused(folder: &Path) -> StoreError {
        open(folder).unwrap_err()
    }

    #[test]
    fn a_folder_is_made_marked_and_opened_again() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("new/store");
        drop(open(&path).unwrap());
        assert_eq!(fs::read_to_string(path.join(MARKER)).unwrap(), "keystride store format 1\n");
        drop(open(&path).unwrap());
    }

    #[test]
    fn an_opening_cut_off_before_the_marker_is_made_good() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK), "").unwrap();
        fs::write(folder.path().join(draft_name()), "keystr").unwrap();
        open(folder.path()).unwrap();
    }

    #[test]
    fn an_opening_cut_off_before_the_engine_has_its_name_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(NEW_ENGINE)).unwrap();
        fs::write(folder.path().join(NEW_ENGINE).join("0.jnl"), "").unwrap();
        drop(open(folder.path()).unwrap());
        let engine = folder.path().join(ENGINE);
        assert!(!engine.join("0.jnl").exists(), "made anew");
        fs::write(engine.join("0.jnl"), "").unwrap();
        fs::rename(&engine, folder.path().join(NEW_ENGINE)).unwrap();
        fs::create_dir_all(folder.path().join(NEW_ENGINE).join("keyspaces/0")).unwrap();
        fs::write(folder.path().join(NEW_ENGINE).join("keyspaces/0/current"), "").unwrap();
        drop(open(folder.path()).unwrap());
        assert!(engine.join("0.jnl").exists(), "kept");
    }

    #[test]
    fn a_folder_in_use_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let _first = open(folder.path()).unwrap();
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
        assert!(matches!(refused(folder.path()), StoreError::DamagedFile { .. }));
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
