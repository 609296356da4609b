//! One file of a part, while it is written.

use std::fs::File;
use std::path::PathBuf;

use arrow_array::RecordBatch;

use super::durable::{make_folder, sync_name};
use super::job::Job;
use super::manifest::PartFile;
use super::parquet_file::ParquetFile;
use super::text_file::TextFile;
use super::{Counts, ExtractError};

/// A file with its hidden name.
pub(super) struct OpenFile {
    path: PathBuf,
    name: String,
    writer: Writer,
    rows: u64,
}

enum Writer {
    Parquet(Box<ParquetFile>),
    Text(TextFile),
}

impl OpenFile {
    /// Creates the file `name`, without its ending, whose first rows will be `first`.
    pub(super) fn create(
        job: &Job,
        partition: &str,
        name: &str,
        first: &RecordBatch,
    ) -> Result<Self, ExtractError> {
        let folder = job.partition_folder(partition);
        make_folder(&folder)?;
        let name = format!("{name}.{}", job.ending());
        let path = folder.join(job.hidden_name(&name));
        let file = File::create(&path).map_err(ExtractError::io(&path, "make it"))?;
        let writer = match &job.text {
            None => Writer::Parquet(Box::new(
                ParquetFile::new(file, job.schema(), first).map_err(ExtractError::parquet(&path))?,
            )),
            Some(text) => Writer::Text(TextFile::new(file, text, &path)?),
        };
        Ok(Self { path, name, writer, rows: 0 })
    }

    /// Writes rows. A row group ends when it has more than `group_bytes` in memory.
    pub(super) fn write(
        &mut self,
        job: &Job,
        rows: &RecordBatch,
        group_bytes: usize,
    ) -> Result<(), ExtractError> {
        self.rows += rows.num_rows() as u64;
        match (&mut self.writer, &job.text) {
            (Writer::Parquet(writer), _) => {
                writer.write(rows, group_bytes).map_err(ExtractError::parquet(&self.path))
            }
            (Writer::Text(writer), Some(text)) => writer.write(text, rows, &self.path),
            (Writer::Text(_), None) => Ok(()),
        }
    }

    /// Returns the number of rows of the group that has not ended; texts have no groups.
    pub(super) fn group_rows(&self) -> usize {
        if let Writer::Parquet(writer) = &self.writer { writer.group_rows() } else { 0 }
    }

    /// Returns the size in memory of the group that has not ended.
    pub(super) fn group_bytes(&self) -> usize {
        if let Writer::Parquet(writer) = &self.writer { writer.group_bytes() } else { 0 }
    }

    pub(super) fn end_group(&mut self) -> Result<(), ExtractError> {
        match &mut self.writer {
            Writer::Parquet(writer) => writer.end_group().map_err(ExtractError::parquet(&self.path)),
            Writer::Text(_) => Ok(()),
        }
    }

    /// Returns the number of column chunks that have ended.
    pub(super) fn chunk_count(&self) -> usize {
        if let Writer::Parquet(writer) = &self.writer { writer.chunk_count() } else { 0 }
    }

    /// Completes the file and syncs it to the disk.
    pub(super) fn finish(self, partition: &str) -> Result<PartFile, ExtractError> {
        let Self { path, name, mut writer, rows } = self;
        let (bytes, file) = match &mut writer {
            Writer::Parquet(writer) => {
                (writer.finish().map_err(ExtractError::parquet(&path))?, writer.file())
            }
            Writer::Text(writer) => {
                (writer.finish().map_err(ExtractError::io(&path, "write it"))?, writer.file())
            }
        };
        file.sync_all().map_err(ExtractError::io(&path, "write it to the disk"))?;
        sync_name(&path)?;
        Ok(PartFile { partition: partition.to_owned(), name, counts: Counts { rows, bytes, files: 1 } })
    }
}
