use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use crate::api::ApiError;

/// A folder, of which requests may name files. Nothing outside of it is reached, also not by links.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

/// A file or folder in it.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    name: String,
    is_folder: bool,
    bytes: u64,
}

/// A page lists no more.
const MOST_ENTRIES: usize = 5_000;

impl Folder {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        if path.is_dir() { Ok(Self(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Returns what is at a path below the folder.
    pub(crate) fn find(&self, path: &str) -> Result<PathBuf, ApiError> {
        let found = self.join(path)?.canonicalize().map_err(|_| ApiError::no_such_file())?;
        if found.starts_with(&self.0) { Ok(found) } else { Err(ApiError::no_such_file()) }
    }

    /// Returns a path below the folder for what is to be written: its parent is there, and below the folder.
    pub(crate) fn place(&self, path: &str) -> Result<PathBuf, ApiError> {
        let place = self.join(path)?;
        let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else {
            return Err(ApiError::no_such_file());
        };
        let parent = parent.canonicalize().map_err(|_| ApiError::no_such_file())?;
        let place = parent.join(name);
        // A link may lead elsewhere, also to what is not there yet.
        let is_inside = match place.canonicalize() {
            Ok(found) => found.starts_with(&self.0),
            Err(_) => !place.is_symlink(),
        };
        if parent.starts_with(&self.0) && is_inside { Ok(place) } else { Err(ApiError::no_such_file()) }
    }

    /// Whether a folder below it has a link, by which what is written there would go elsewhere.
    pub(crate) fn has_link(folder: &Path) -> bool {
        let is_link = |entry: fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_symlink());
        fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(is_link))
    }

    /// Lists a folder below it, by name.
    pub(crate) fn list(&self, path: &str) -> Result<Vec<Entry>, ApiError> {
        let entries = fs::read_dir(self.find(path)?).map_err(|_| ApiError::no_such_file())?;
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.ok()?;
            // What vanishes meanwhile, is for others alone, or is a link to elsewhere, is left out.
            let found = entry.path().canonicalize().ok().filter(|found| found.starts_with(&self.0))?;
            let about = fs::metadata(found).ok()?;
            // A pipe or a device is no file that could be read to its end.
            let about = Some(about).filter(|about| about.is_dir() || about.is_file())?;
            let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
            Some(Entry { name, is_folder: about.is_dir(), bytes: about.len() })
        };
        let mut entries: Vec<Entry> = entries.filter_map(entry).take(MOST_ENTRIES).collect();
        entries.sort_by(|a, b| b.is_folder.cmp(&a.is_folder).then_with(|| a.name.cmp(&b.name)));
        Ok(entries)
    }

    /// Returns a path relative to the folder, for pages.
    pub(crate) fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.0).unwrap_or(path).display().to_string()
    }

    fn join(&self, path: &str) -> Result<PathBuf, ApiError> {
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let can_be = !path.contains('\0') && Path::new(path).components().all(is_plain);
        if can_be { Ok(self.0.join(path)) } else { Err(ApiError::no_such_file()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_folder_is_reached() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "s").unwrap();
        let inside = outside.path().join("in");
        fs::create_dir_all(inside.join("sub")).unwrap();
        fs::write(inside.join("sub/a.csv"), "a").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(outside.path(), inside.join("link")).unwrap();
            symlink(outside.path().join("new"), inside.join("dangling")).unwrap();
            symlink(inside.join("sub"), inside.join("sub2")).unwrap();
        }
        let folder = Folder::open(&inside).unwrap();
        assert_eq!(
            folder.find("sub/a.csv").ok(),
            inside.canonicalize().ok().map(|path| path.join("sub/a.csv"))
        );
        for path in ["../secret", "/etc/passwd", "sub/../../secret", "link/secret", "nothing", "a\0"] {
            assert!(folder.find(path).is_err(), "{path}");
        }
        let places = ["../new", "/tmp/new", "link/new", "sub/../../new", "nothing/new", "a\0", "", "."];
        for path in places.iter().chain(if cfg!(unix) { &["link", "dangling"][..] } else { &[] }) {
            assert!(folder.place(path).is_err(), "{path}");
        }
        assert!(folder.place("new").is_ok() && folder.place("sub/new").is_ok());
        let listed: Vec<_> = folder.list("").unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(listed, if cfg!(unix) { &["sub", "sub2"][..] } else { &["sub"] });
    }
}
