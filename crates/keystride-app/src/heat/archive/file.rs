//! The file of one table.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;

use keystride_heat::live::{Closed, Layers};

use super::record::{LastAxes, MAGIC, Record, write_server};
use super::{ArchiveError, Restored};
use crate::replaced_file::replace_file;

/// A file is written anew when it has so many bytes more than twice what it had when it was last.
const SLACK: u64 = 1 << 20;

/// The file of a table, to which columns are appended. It has at most twice the bytes of the layers of a table, and
/// [`SLACK`].
#[derive(Debug)]
pub(super) struct HeatFile {
    path: PathBuf,
    period_ms: u32,
    axes: LastAxes,
    server_count: usize,
    bytes: u64,
    bytes_when_new: u64,
}

impl HeatFile {
    /// Opens or creates a file, and returns what it has. What is damaged at its end, as by a crash, is cut off.
    pub(super) fn open(path: PathBuf, period_ms: u32) -> Result<(Self, Restored), ArchiveError> {
        let failed = |source| ArchiveError::Io { path: path.clone(), source };
        let bytes = match fs::read(&path) {
            Ok(bytes) if MAGIC.starts_with(&bytes) => None,
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => {
                replace_file(&path, MAGIC).map_err(failed)?;
                MAGIC.to_vec()
            }
        };
        let Some(mut rest) = bytes.strip_prefix(MAGIC) else { return Err(ArchiveError::Other { path }) };
        let mut axes = LastAxes::default();
        let restored = restored(&mut rest, &mut axes, period_ms);
        let whole = (bytes.len() - rest.len()) as u64;
        if !rest.is_empty() {
            tracing::info!(path = %path.display(), bytes = rest.len(), "the end of a heat map is damaged");
            let file = OpenOptions::new().write(true).open(&path);
            file.and_then(|file| file.set_len(whole)).map_err(failed)?;
        }
        let server_count = restored.servers.len();
        let file = Self { path, period_ms, axes, server_count, bytes: whole, bytes_when_new: whole / 2 };
        Ok((file, restored))
    }

    /// Appends columns, and the names of servers that are new.
    pub(super) fn append(&mut self, closed: &[Closed], servers: &[Box<str>]) -> Result<(), ArchiveError> {
        let mut records = Vec::new();
        servers.iter().skip(self.server_count).for_each(|name| write_server(name, &mut records));
        for closed in closed {
            self.axes.write_column(closed, &mut records);
        }
        self.server_count = self.server_count.max(servers.len());
        self.write(&records).map_err(|source| ArchiveError::Io { path: self.path.clone(), source })?;
        self.bytes += records.len() as u64;
        if self.bytes > 2 * self.bytes_when_new + SLACK { self.write_anew() } else { Ok(()) }
    }

    fn write(&self, records: &[u8]) -> io::Result<()> {
        OpenOptions::new().append(true).open(&self.path)?.write_all(records)
    }

    /// Leaves out what the layers do not keep any more.
    fn write_anew(&mut self) -> Result<(), ArchiveError> {
        let (_, kept) = Self::open(self.path.clone(), self.period_ms)?;
        let (mut axes, mut text) = (LastAxes::default(), MAGIC.to_vec());
        kept.servers.iter().for_each(|name| write_server(name, &mut text));
        for layer in 0..Layers::COUNT {
            for column in kept.layers.columns_of(layer) {
                axes.write_column(&Closed { layer, column: column.clone() }, &mut text);
            }
        }
        let replaced = replace_file(&self.path, &text);
        replaced.map_err(|source| ArchiveError::Io { path: self.path.clone(), source })?;
        self.axes = axes;
        (self.bytes, self.bytes_when_new) = (text.len() as u64, text.len() as u64);
        Ok(())
    }
}

/// Takes all whole records from bytes.
fn restored(rest: &mut &[u8], axes: &mut LastAxes, period_ms: u32) -> Restored {
    let mut restored = Restored { layers: Layers::new(period_ms), servers: Vec::new() };
    while let Some(record) = axes.read(rest) {
        match record {
            Record::Server(name) => restored.servers.push(name),
            Record::Column(closed) => restored.layers.restore(closed),
        }
    }
    restored.layers.resume();
    restored
}
