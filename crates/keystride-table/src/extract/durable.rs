//! Folders and names that outlast a loss of power.

use std::fs;
use std::path::Path;

use super::ExtractError;

/// Creates a folder and those above it, and makes their names durable.
pub(super) fn make_folder(folder: &Path) -> Result<(), ExtractError> {
    if folder.is_dir() {
        return Ok(());
    }
    folder.parent().filter(|parent| !parent.as_os_str().is_empty()).map_or(Ok(()), make_folder)?;
    // Another extract may have made it meanwhile.
    fs::create_dir_all(folder).map_err(ExtractError::io(folder, "make it"))?;
    sync_name(folder)
}

/// Syncs a folder, which makes the names of its files durable.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> Result<(), ExtractError> {
    fs::File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(ExtractError::io(folder, "write it to the disk"))
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_folder: &Path) -> Result<(), ExtractError> {
    Ok(())
}

/// Syncs the folder that a file or folder is in.
pub(super) fn sync_name(path: &Path) -> Result<(), ExtractError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    sync_folder(folder.unwrap_or(Path::new(".")))
}
