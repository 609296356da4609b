//! Where the notes of a load are kept: with the table, or in a folder of the user's.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use keystride_store::{Note, StoreError, TableName, Write};

use super::LoadId;
use super::error::LoadError;
use super::options::LoadOptions;
use crate::Table;

/// The place of a load's notes.
#[derive(Debug)]
pub(super) enum NotePlace {
    /// With the table, in one write with the rows.
    Store,
    /// In a file, after the rows: for users who may not write where the store keeps notes.
    File(NoteFile),
}

/// A file with the note of a load. It is locked as long as this lives.
#[derive(Debug)]
pub(super) struct NoteFile {
    path: PathBuf,
    _lock: File,
}

impl NotePlace {
    /// Keeps the first note of a load, before any row is written, and returns where the others go. A source that is read
    /// again is loaded without notes only if it is said so.
    pub(super) async fn begin(table: &Table, options: &LoadOptions, note: Note) -> Result<Self, LoadError> {
        let kept = table.store().write(table.name(), Write::of_notes(vec![note.clone()])).await;
        match (kept, &options.notes_folder) {
            (Err(StoreError::NotesDenied { .. }), Some(folder)) => {
                let file = NoteFile::open(folder, table.name(), &options.id)?;
                file.keep(&note)?;
                Ok(Self::File(file))
            }
            (kept, _) => Ok(kept.map(|_| Self::Store)?),
        }
    }

    /// Returns the file, if that is the place.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Store => None,
            Self::File(file) => Some(&file.path),
        }
    }
}

impl NoteFile {
    fn open(folder: &Path, table: &TableName, id: &LoadId) -> Result<Self, LoadError> {
        let path = path(folder, table, id);
        let lock_path = path.with_extension("lock");
        let failed = |cause| LoadError::NoteFile { path: path.clone(), cause };
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = File::create(&lock_path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(failed(io::Error::new(
                ErrorKind::ResourceBusy,
                "another load of this topic into this table is using it",
            ))),
            Err(TryLockError::Error(cause)) => Err(failed(cause)),
        }
    }

    /// Replaces the note, as a whole and on the disk.
    pub(super) fn keep(&self, note: &Note) -> Result<(), LoadError> {
        let failed = |cause| LoadError::NoteFile { path: self.path.clone(), cause };
        let draft = self.path.with_extension("new");
        let write = || {
            let mut file = File::create(&draft)?;
            file.write_all(note.value.as_deref().unwrap_or_default())?;
            file.sync_all()?;
            fs::rename(&draft, &self.path)
        };
        write().map_err(failed)
    }
}

/// Returns the note of a load, wherever it is kept.
pub(super) async fn stored(table: &Table, options: &LoadOptions) -> Result<Option<Vec<u8>>, LoadError> {
    let id = &options.id;
    let note = match table.store().note(table.name(), &id.note_key()).await {
        Err(StoreError::NotesDenied { .. }) if options.notes_folder.is_some() => None,
        note => note?,
    };
    let Some(folder) = options.notes_folder.as_ref().filter(|_| note.is_none()) else { return Ok(note) };
    let path = path(folder, table.name(), id);
    match fs::read(&path) {
        Ok(note) => Ok(Some(note)),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(LoadError::NoteFile { path, cause }),
    }
}

/// Returns the name of the file of a load: of the table and the id, whatever characters they have.
fn path(folder: &Path, table: &TableName, id: &LoadId) -> PathBuf {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let plain = |text: &str| -> String {
        let byte =
            |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
        text.bytes().map(byte).collect()
    };
    folder.join(format!("{}.{}.json", plain(&table.to_string()), plain(id.as_str())))
}
