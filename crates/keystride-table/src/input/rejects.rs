//! The file of rejected records.

use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::Reject;
use super::options::source_name;
use super::rejects_file;

/// Ending of the names of such files, which globs exclude.
pub(super) const REJECTS_ENDING: &str = ".rejects.csv";

/// Writes rejected records as CSV: the line, the column at fault, the reason, and the original record. The file is
/// created when the first record is written.
#[derive(Debug)]
pub struct RejectsWriter {
    path: PathBuf,
    columns: RejectsColumns,
    existing: ExistingRejects,
    writer: Option<csv::Writer<File>>,
    /// Whether records go to a draft beside the file.
    is_draft: bool,
    count: u64,
    set_aside: Option<PathBuf>,
}

/// The columns of a file of rejected records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectsColumns {
    /// `line`, `column`, `reason`, `record`.
    OneSource,
    /// `source` followed by those of [`Self::OneSource`].
    ManySources,
    /// `partition`, `offset`, `column`, `reason`, `record`: those of a topic. A partition is written as Kafka does, `calls-3`.
    Topic,
}

/// What happens to an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingRejects {
    /// It is overwritten, because its records can be read again from their sources. A file of something else is moved as by
    /// [`Self::SetAside`].
    Replace,
    /// It is moved to a free name beside it, such as `input.1.rejects.csv`: it may be that of another load, whose source
    /// can't be read again.
    SetAside,
    /// Records are added to it, as the source is not read from its beginning again. A file of something else is moved as
    /// by [`Self::SetAside`].
    Append,
}

/// Returns the default path for rejects: next to the source, with `calls.rejects.csv` for `calls.csv.gz`. For sources
/// that are not files it is `input.rejects.csv` in the working folder.
pub fn default_rejects_path(source: Option<&Path>) -> PathBuf {
    let path = source.unwrap_or(Path::new("input"));
    path.with_file_name(format!("{}{REJECTS_ENDING}", source_name(path)))
}

impl RejectsColumns {
    /// Returns the names of the columns.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::OneSource => &["line", "column", "reason", "record"],
            Self::ManySources => &["source", "line", "column", "reason", "record"],
            Self::Topic => &["partition", "offset", "column", "reason", "record"],
        }
    }

    /// Returns the first line of a file.
    pub(super) fn header(self) -> String {
        format!("{}\n", self.names().join(","))
    }
}

/// Buffer size. Whether a field needs quotes is looked at again for each buffer that the rest of it fills, so small
/// buffers would take long for large records.
const BUFFER_BYTES: usize = 1 << 20;

impl RejectsWriter {
    /// Creates a writer to `path` without touching the file.
    pub fn new(path: impl Into<PathBuf>, columns: RejectsColumns, existing: ExistingRejects) -> Self {
        Self {
            path: path.into(),
            columns,
            existing,
            writer: None,
            is_draft: false,
            count: 0,
            set_aside: None,
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of records written.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns where a file was moved that was there before.
    pub fn set_aside(&self) -> Option<&Path> {
        self.set_aside.as_deref()
    }

    /// If there is a file already, writes to a draft beside it until [`settle`](Self::settle) is called: it stays for as
    /// long as it may be needed. A draft that is not settled is removed with the writer.
    pub fn begin_draft(&mut self) {
        if self.existing == ExistingRejects::Append {
            return;
        }
        // A symbolic link is to stay one.
        if let Some(path) = rejects_file::existing_file(&self.path) {
            self.path = path;
            self.is_draft = true;
        }
    }

    /// Puts the draft in the place of the file, if there is one.
    ///
    /// # Errors
    ///
    /// When the draft can't be written or renamed; it stays a draft.
    pub fn settle(&mut self) -> io::Result<()> {
        if self.is_draft && self.writer.is_some() {
            self.flush()?;
            let draft = rejects_file::draft_of(&self.path);
            self.make_room(!rejects_file::is_beginning(&self.path, &draft)?)?;
            fs::rename(draft, &self.path)?;
        }
        self.is_draft = false;
        Ok(())
    }

    /// Writes a rejected record, whether it was rejected by the reader or at a later stage.
    ///
    /// # Errors
    ///
    /// When the file can't be created or written.
    pub fn write<R: Display>(&mut self, reject: &Reject<R>) -> io::Result<()> {
        if self.writer.is_none() {
            self.writer = Some(self.create()?);
        }
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if self.columns != RejectsColumns::OneSource {
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

    /// Flushes all buffered data to the operating system.
    ///
    /// # Errors
    ///
    /// When the file can't be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), csv::Writer::flush)
    }

    /// Removes the file that was set aside if all of it is in this one as well, as after a load that was resumed or
    /// repeated. What was written must have been [flushed](Self::flush).
    ///
    /// # Errors
    ///
    /// When one of the files can't be read, or the other not removed.
    pub fn remove_contained(&mut self) -> io::Result<()> {
        if let Some(aside) = &self.set_aside
            && rejects_file::is_beginning(aside, &self.path)?
        {
            fs::remove_file(aside)?;
            self.set_aside = None;
        }
        Ok(())
    }

    /// Removes the file that an earlier load left, if this one has rejected nothing and would have replaced it. A file
    /// that does not begin like one of rejects stays.
    ///
    /// # Errors
    ///
    /// When it can't be read or removed.
    pub fn remove_stale(&self) -> io::Result<()> {
        let is_replaced = self.count == 0 && self.existing == ExistingRejects::Replace;
        if is_replaced { rejects_file::remove(&self.path) } else { Ok(()) }
    }

    fn create(&mut self) -> io::Result<csv::Writer<File>> {
        let mut writer = csv::WriterBuilder::new();
        writer.buffer_capacity(BUFFER_BYTES);
        if self.existing == ExistingRejects::Append
            && let Some(file) = rejects_file::open_to_append(&self.path, self.columns)?
        {
            return Ok(writer.from_writer(file));
        }
        let file = if self.is_draft {
            let draft = rejects_file::draft_of(&self.path);
            rejects_file::make_room(&draft, false)?;
            rejects_file::open_alone(&draft)?
        } else {
            self.path = rejects_file::existing_file(&self.path).unwrap_or_else(|| self.path.clone());
            self.make_room(true)?;
            rejects_file::open_alone(&self.path)?
        };
        let mut writer = writer.from_writer(file);
        writer.write_record(self.columns.names())?;
        Ok(writer)
    }

    fn make_room(&mut self, is_needed: bool) -> io::Result<()> {
        let is_kept = is_needed && self.existing != ExistingRejects::Replace;
        if let Some(aside) = rejects_file::make_room(&self.path, is_kept)? {
            self.set_aside = Some(aside);
        }
        Ok(())
    }
}

impl Drop for RejectsWriter {
    fn drop(&mut self) {
        if self.is_draft && self.writer.take().is_some() {
            // Nobody needs it, and there is nobody to tell.
            let _ = fs::remove_file(rejects_file::draft_of(&self.path));
        }
    }
}
