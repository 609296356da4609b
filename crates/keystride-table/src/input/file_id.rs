//! What tells one file from another, whatever their names.

use std::fs;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

/// A file or folder, by its device and number.
#[cfg(unix)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct FileId(u64, u64);

/// A file or folder, by its path without links.
#[cfg(not(unix))]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct FileId(PathBuf);

impl FileId {
    /// Returns the id of what is behind `path`; `None` if nothing can be reached there.
    #[cfg(unix)]
    pub(super) fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;

        fs::metadata(path).ok().map(|found| Self(found.dev(), found.ino()))
    }

    /// Returns the id of what is behind `path`; `None` if nothing can be reached there.
    #[cfg(not(unix))]
    pub(super) fn of(path: &Path) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self)
    }
}
