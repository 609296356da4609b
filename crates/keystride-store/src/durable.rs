//! Folders and names that outlast a loss of power.

use std::fs;
use std::io;
use std::path::Path;

/// Creates a folder and those above it, and makes their names durable.
///
/// # Errors
///
/// When a folder can't be created or brought to disk.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    folder.parent().filter(|parent| !parent.as_os_str().is_empty()).map_or(Ok(()), make_folder)?;
    // Another process may have made it meanwhile.
    fs::create_dir_all(folder)?;
    sync_name(folder)
}

/// Brings a folder to disk, which makes the names of its files durable.
///
/// # Errors
///
/// When the operating system can't.
#[cfg(unix)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Brings a folder to disk; here, the operating system does so by itself.
///
/// # Errors
///
/// None.
#[cfg(not(unix))]
pub fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes the name of a file or folder durable.
///
/// # Errors
///
/// When the operating system can't.
pub fn sync_name(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    sync_folder(folder.unwrap_or(Path::new(".")))
}
