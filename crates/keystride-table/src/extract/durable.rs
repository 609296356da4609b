//! The operations of [`durable`], with the errors of an extract.

use std::path::Path;

use keystride_store::durable;

use super::ExtractError;

/// Creates a folder and those above it, and makes their names durable.
pub(super) fn make_folder(folder: &Path) -> Result<(), ExtractError> {
    durable::make_folder(folder).map_err(ExtractError::io(folder, "make it"))
}

/// Makes the names of a folder's files durable.
pub(super) fn sync_folder(folder: &Path) -> Result<(), ExtractError> {
    durable::sync_folder(folder).map_err(ExtractError::io(folder, "write it to the disk"))
}

/// Makes the name of a file durable.
pub(super) fn sync_name(path: &Path) -> Result<(), ExtractError> {
    durable::sync_name(path).map_err(ExtractError::io(path, "write it to the disk"))
}
