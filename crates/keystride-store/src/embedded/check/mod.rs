//! Checks the engine's files before the engine opens them.
//!
//! The engine takes its small files at their word: it removes a keyspace whose file `current` is missing, asks for as
//! much memory as a damaged length says, and panics at a section that is not there. What is checked here is all that
//! it reads when it opens, apart from the journal (see `journal`) and blocks, which have checksums that it compares.
//! No row and no file in use is changed; reading the engine's list of keyspaces removes older versions of that list.

mod archive;
mod keyspaces;
mod tree;

use std::fs;
use std::path::Path;

use self::keyspaces::Keyspaces;
use super::folder::io_error;
use crate::StoreError;

/// The file that tells the version of the engine's files, and its contents.
const VERSION: &str = "version";
const VERSION_BYTES: &[u8] = b"FJL\x03";

/// Folder of the engine's keyspaces.
const KEYSPACES: &str = "keyspaces";

/// Checks the files in the engine's folder.
pub(super) fn check(engine: &Path) -> Result<(), StoreError> {
    let version = engine.join(VERSION);
    if read(&version)? != VERSION_BYTES {
        return Err(damaged(&version, OTHER));
    }
    let keyspaces = Keyspaces::read(engine)?;
    keyspaces.numbers().try_for_each(|number| tree::check(&keyspaces.folder(number)))
}

/// What is wrong with a file.
const MISSING: &str = "is missing";
const OTHER: &str = "is not as it was written";
const FOREIGN: &str = "does not belong there";

/// Reads a small file.
fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    /// A file that lists 300,000 tables has 10 MB.
    const MOST_BYTES: u64 = 64 << 20;
    match fs::metadata(path) {
        Ok(metadata) if metadata.len() > MOST_BYTES => Err(damaged(path, OTHER)),
        Ok(_) => fs::read(path).map_err(io_error(path, "read it")),
        Err(error) => Err(missing_or(path, error)),
    }
}

fn missing_or(path: &Path, error: std::io::Error) -> StoreError {
    match error.kind() {
        std::io::ErrorKind::NotFound => damaged(path, MISSING),
        _ => io_error(path, "read it")(error),
    }
}

fn damaged(path: &Path, found: &'static str) -> StoreError {
    StoreError::DamagedFile { path: path.to_owned(), found }
}
