use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// Files that browsers have sent. They are kept in a temporary folder until the console ends.
#[derive(Debug)]
pub(crate) struct Uploads {
    folder: TempDir,
    /// Held as long as the folder is used.
    _lock: File,
    next: AtomicU64,
    bytes: AtomicU64,
    /// Those that are whole, by their ids. Beside them may be what loads rejected.
    whole: Mutex<BTreeMap<u64, PathBuf>>,
}

/// How the names of the folders begin.
const PREFIX: &str = "keystride-console-";
const LOCK: &str = "lock";

/// All of them together.
const MOST_BYTES: u64 = 4 << 30;

/// File systems take names of 255 bytes, and what a load rejects is in a file whose name is longer.
const MOST_NAME_BYTES: usize = 200;

/// A file while it is sent. Without [`Self::keep`] it is removed.
#[derive(Debug)]
pub(crate) struct Upload<'a> {
    uploads: &'a Uploads,
    id: u64,
    path: PathBuf,
    file: File,
    bytes: u64,
    is_whole: bool,
}

impl Uploads {
    pub(crate) fn new() -> io::Result<Self> {
        remove_left_in(&std::env::temp_dir());
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let lock = locked(folder.path())?;
        let (next, bytes) = (AtomicU64::new(1), AtomicU64::new(0));
        Ok(Self { folder, _lock: lock, next, bytes, whole: Mutex::default() })
    }

    /// Begins a file of this name, of which the last part is used: formats are told by its end.
    pub(crate) fn begin(&self, name: &str) -> io::Result<Upload<'_>> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.path().join(id.to_string());
        std::fs::create_dir(&folder)?;
        let path = folder.join(file_name(name));
        let file = File::create(&path)?;
        Ok(Upload { uploads: self, id, path, file, bytes: 0, is_whole: false })
    }

    /// Returns the file of an id, if it was sent to its end.
    pub(crate) fn find(&self, id: &str) -> Option<PathBuf> {
        let whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.get(&id.parse().ok()?).cloned()
    }
}

/// Creates the file of a folder that is locked while the folder is used. It is not seen before it is locked.
fn locked(folder: &Path) -> io::Result<File> {
    let begun = folder.join("lock.new");
    let lock = File::create(&begun)?;
    lock.lock()?;
    std::fs::rename(begun, folder.join(LOCK))?;
    Ok(lock)
}

/// Removes the folders of consoles that were killed.
fn remove_left_in(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        let is_left = File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if is_left && let Err(error) = std::fs::remove_dir_all(entry.path()) {
            tracing::info!(folder = %entry.path().display(), %error, "files of a console that was killed stay");
        }
    }
}

/// Returns the last part of a name, without what a file system may not take.
fn file_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = name.chars().filter(|c| !c.is_control()).collect();
    let most = name.len().saturating_sub(MOST_NAME_BYTES);
    name.drain(..name.ceil_char_boundary(most));
    if matches!(name.as_str(), "" | "." | "..") { "file".to_owned() } else { name }
}

impl Upload<'_> {
    /// Adds bytes; an error if there would be too many.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        let before = self.uploads.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if before + bytes.len() as u64 > MOST_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.file.write_all(bytes)
    }

    /// Keeps the file, and returns its id and size.
    pub(crate) fn keep(mut self) -> (String, u64) {
        self.is_whole = true;
        let mut whole = self.uploads.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.insert(self.id, std::mem::take(&mut self.path));
        (self.id.to_string(), self.bytes)
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        if !self.is_whole {
            self.uploads.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
            // It goes with all others when the console ends.
            let _ = self.path.parent().map(std::fs::remove_dir_all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_file_is_called_it_is_in_a_folder_of_its_own_and_ends_as_it_did() {
        let uploads = Uploads::new().unwrap();
        let long = format!("{}.csv", "表".repeat(10_000));
        for name in ["a.csv", "../../a.csv", "/etc/a.csv", r"C:\x\a.csv", "a\0b\n.csv", "..csv", &long] {
            let mut upload = uploads.begin(name).unwrap();
            upload.write(b"x").unwrap();
            let id = upload.keep().0;
            let path = uploads.find(&id).unwrap();
            assert_eq!(path.parent(), Some(&*uploads.folder.path().join(&id)), "{name}");
            assert_eq!(path.extension().unwrap(), "csv", "{name}");
            assert_eq!(std::fs::read(path).unwrap(), b"x");
        }
        for name in ["", ".", "..", "a/..", "a/", "\0"] {
            assert!(uploads.begin(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn no_more_than_the_limit_is_kept_and_what_is_not_whole_is_gone() {
        let uploads = Uploads::new().unwrap();
        uploads.bytes.store(MOST_BYTES - 10, Ordering::Relaxed);
        let mut whole = uploads.begin("a").unwrap();
        whole.write(&[0; 10]).unwrap();
        assert_eq!(uploads.find("1"), None, "it is not whole yet");
        whole.keep();
        let mut more = uploads.begin("b").unwrap();
        assert_eq!(more.write(&[0; 1]).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        drop(more);
        assert_eq!(uploads.bytes.load(Ordering::Relaxed), MOST_BYTES);
        assert_eq!(std::fs::read_dir(uploads.folder.path()).unwrap().count(), 2, "a file, and the lock");
        assert!(uploads.find("1").is_some() && uploads.find("2").is_none() && uploads.find("../1").is_none());
    }

    #[test]
    fn folders_of_consoles_that_were_killed_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let [used, left, other, begun] =
            ["keystride-console-1", "keystride-console-2", "else", "keystride-console-3"]
                .map(|name| folder.path().join(name));
        for folder in [&used, &left, &other, &begun] {
            std::fs::create_dir(folder).unwrap();
        }
        let _used = locked(&used).unwrap();
        drop([&left, &other].map(|folder| locked(folder).unwrap()));
        remove_left_in(folder.path());
        assert_eq!([used, left, other, begun].map(|folder| folder.exists()), [true, false, true, true]);
    }

    #[test]
    fn what_a_load_leaves_beside_a_file_is_not_taken_for_it() {
        let uploads = Uploads::new().unwrap();
        let id = uploads.begin("m.csv").unwrap().keep().0;
        let path = uploads.find(&id).unwrap();
        for beside in ["a.csv", "m.rejects.csv", "z.csv"] {
            std::fs::write(path.with_file_name(beside), "").unwrap();
        }
        assert_eq!(uploads.find(&id), Some(path));
    }
}
