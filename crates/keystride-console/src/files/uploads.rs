use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

/// Files that browsers have sent. They are kept in a temporary folder until the console ends.
#[derive(Debug)]
pub(crate) struct Uploads {
    folder: TempDir,
    next: AtomicU64,
    bytes: AtomicU64,
}

/// All of them together.
const MOST_BYTES: u64 = 4 << 30;

/// A file while it is sent. Without [`Self::keep`] it is removed.
#[derive(Debug)]
pub(crate) struct Upload<'a> {
    uploads: &'a Uploads,
    id: String,
    folder: PathBuf,
    file: File,
    bytes: u64,
    is_whole: bool,
}

impl Uploads {
    pub(crate) fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("keystride-console-").tempdir()?;
        Ok(Self { folder, next: AtomicU64::new(1), bytes: AtomicU64::new(0) })
    }

    /// Begins a file of this name, of which the last part is used: formats are told by it.
    pub(crate) fn begin(&self, name: &str) -> io::Result<Upload<'_>> {
        let id = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let folder = self.folder.path().join(&id);
        std::fs::create_dir(&folder)?;
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_plain = |c: char| !c.is_control() && c != '\0';
        let name: String = name.chars().filter(|c| is_plain(*c)).take(100).collect();
        let name = if matches!(name.as_str(), "" | "." | "..") { "file".to_owned() } else { name };
        let file = File::create(folder.join(name))?;
        Ok(Upload { uploads: self, id, folder, file, bytes: 0, is_whole: false })
    }

    /// Returns the file of an id.
    pub(crate) fn find(&self, id: &str) -> Option<PathBuf> {
        let id: u64 = id.parse().ok()?;
        let mut files = std::fs::read_dir(self.folder.path().join(id.to_string())).ok()?;
        let first = files.next()?.ok()?;
        Some(first.path())
    }
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
        (std::mem::take(&mut self.id), self.bytes)
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        if !self.is_whole {
            self.uploads.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
            // It goes with all others when the console ends.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
