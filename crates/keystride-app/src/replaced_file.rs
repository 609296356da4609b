//! Files that are replaced as a whole.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes a whole file beside an old one and then replaces it, so that at any time one or the other is there. Folders
/// are made, permissions kept, and a symbolic link stays one.
///
/// # Errors
///
/// The file can't be written; the old one is then as it was.
pub fn replace_file(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
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
    file.write_all(content.as_ref())?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made_and_a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config/keystride/config.toml");
        for text in ["a longer text", "a text"] {
            replace_file(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_a_link_to_itself_is_left_alone() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        replace_file(&path, "a text").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);

        let circle = folder.path().join("circle.toml");
        symlink(&circle, &circle).unwrap();
        assert!(replace_file(&circle, "a text").is_err());
        assert!(circle.is_symlink());
    }
}
