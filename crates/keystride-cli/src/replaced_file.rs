//! Files that are replaced as a whole.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes a whole file beside an old one and then replaces it, so that at any time one or the other is there. Folders
/// are made, permissions kept, and a symbolic link stays one.
pub(crate) fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    let path = match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => std::path::absolute(path)?,
        path => path?,
    };
    let folder = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    if let Ok(old) = fs::metadata(&path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}
