//! The file of rejected records.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::Reject;
use super::options::split_endings;

/// How the names of such files end. Globs leave them out.
pub(super) const REJECTS_ENDING: &str = ".rejects.csv";

/// Writes rejected records as CSV: their line, the column at fault, the reason, and the record as it was. The file is
/// made with the first of them.
#[derive(Debug)]
pub struct RejectsWriter {
    path: PathBuf,
    columns: RejectsColumns,
    existing: ExistingRejects,
    writer: Option<csv::Writer<File>>,
    count: u64,
}

/// The columns of such a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectsColumns {
    /// `line`, `column`, `reason`, `record`.
    OneSource,
    /// `source` before those, as a line alone would not say of which.
    ManySources,
}

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingRejects {
    /// The load is a new one: its rejects take the place of the older.
    Replace,
    /// The load goes on: its rejects come behind those it had.
    Append,
}

/// Where rejects go when nothing else is said: beside the source, `calls.csv.gz` having `calls.rejects.csv`; those of
/// other sources go to `input.rejects.csv` in the working folder.
pub fn default_rejects_path(source: Option<&Path>) -> PathBuf {
    let path = source.unwrap_or(Path::new("input"));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{}{REJECTS_ENDING}", split_endings(&name).0))
}

impl RejectsWriter {
    /// A writer to `path`, where nothing is touched yet.
    pub fn new(path: impl Into<PathBuf>, columns: RejectsColumns, existing: ExistingRejects) -> Self {
        Self { path: path.into(), columns, existing, writer: None, count: 0 }
    }

    /// Where it writes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many records it has written.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes a reject, whoever rejected the record: the reader, or who makes its key.
    ///
    /// # Errors
    ///
    /// The system's, when the file can't be made or written.
    pub fn write<R: Display>(&mut self, reject: &Reject<R>) -> io::Result<()> {
        if self.writer.is_none() {
            self.writer = Some(self.create()?);
        }
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if self.columns == RejectsColumns::ManySources {
            writer.write_field(&reject.source)?;
        }
        writer.write_field(reject.line.to_string())?;
        writer.write_field(reject.column.as_deref().unwrap_or_default())?;
        writer.write_field(reject.reason.to_string())?;
        writer.write_field(&reject.raw)?;
        writer.write_record(None::<&[u8]>)?;
        self.count += 1;
        Ok(())
    }

    /// Hands everything to the system.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), csv::Writer::flush)
    }

    fn create(&self) -> io::Result<csv::Writer<File>> {
        let mut options = OpenOptions::new();
        match self.existing {
            ExistingRejects::Replace => options.write(true).create(true).truncate(true),
            ExistingRejects::Append => options.append(true).create(true),
        };
        let file = options.open(&self.path)?;
        let is_new = file.metadata()?.len() == 0;
        let mut writer = csv::Writer::from_writer(file);
        if is_new {
            if self.columns == RejectsColumns::ManySources {
                writer.write_field("source")?;
            }
            writer.write_record(["line", "column", "reason", "record"])?;
        }
        Ok(writer)
    }
}
