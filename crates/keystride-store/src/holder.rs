//! Who has a store open: the lock file of its folder says so.

use std::fmt;
#[cfg(feature = "embedded")]
use std::{
    fs::{self, File},
    io::{Seek as _, Write as _},
    path::Path,
};

/// A process that has a store open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Its number.
    pub process: u32,
    /// The command that it was started by.
    pub command: String,
    /// Where its console is, if it is one: a browser can do there what waits for the store.
    pub console: Option<String>,
}

#[cfg(feature = "embedded")]
impl Holder {
    /// Returns this process, with the address of its console.
    pub(crate) fn of_console(address: &str) -> Self {
        Self { console: Some(address.to_owned()), ..Self::this() }
    }

    /// Returns this process.
    pub(crate) fn this() -> Self {
        let words = std::env::args_os().map(|word| word.to_string_lossy().replace(char::is_control, " "));
        Self { process: std::process::id(), command: words.collect::<Vec<_>>().join(" "), console: None }
    }

    /// Writes it into a lock file, which may be left as it is when the disk is full.
    pub(crate) fn write(&self, mut lock: &File) {
        let Self { process, command, console } = self;
        let text = format!("{process}\n{command}\n{}\n", console.as_deref().unwrap_or_default());
        let rewrite = lock.set_len(0).and_then(|()| lock.rewind());
        let _ = rewrite.and_then(|()| lock.write_all(text.as_bytes()));
    }

    /// Reads it from a lock file; `None` where nothing is written, as by those that may only read the folder.
    pub(crate) fn read(lock: &Path) -> Option<Self> {
        let text = fs::read_to_string(lock).ok()?;
        let mut lines = text.lines();
        let process = lines.next()?.parse().ok()?;
        let command = lines.next()?.to_owned();
        let console = lines.next().filter(|console| !console.is_empty()).map(str::to_owned);
        Some(Self { process, command, console })
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { process, command, console } = self;
        write!(f, "process {process}, `{command}`")?;
        console.as_ref().map_or(Ok(()), |console| write!(f, ", the console at {console}"))
    }
}
