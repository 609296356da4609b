//! Who has a store open: the lock file of its folder says so.

use std::fmt;
#[cfg(feature = "embedded")]
use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
};

/// A process that has a store open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Its number.
    pub process: u32,
    /// The command that it was started by.
    pub command: String,
}

#[cfg(feature = "embedded")]
impl Holder {
    /// Returns this process.
    pub(crate) fn this() -> Self {
        let words = std::env::args_os().map(|word| word.to_string_lossy().replace(char::is_control, " "));
        Self { process: std::process::id(), command: words.collect::<Vec<_>>().join(" ") }
    }

    /// Writes it into a lock file, which may be left as it is when the disk is full.
    pub(crate) fn write(&self, mut lock: &File) {
        let text = format!("{}\n{}\n", self.process, self.command);
        let _ = lock.set_len(0).and_then(|()| lock.write_all(text.as_bytes()));
    }

    /// Reads it from a lock file; `None` where nothing is written, as by those that may only read the folder.
    pub(crate) fn read(lock: &Path) -> Option<Self> {
        let text = fs::read_to_string(lock).ok()?;
        let mut lines = text.lines();
        let process = lines.next()?.parse().ok()?;
        Some(Self { process, command: lines.next()?.to_owned() })
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { process, command } = self;
        write!(f, "process {process}, `{command}`")
    }
}
