//! Writes rows as Parquet.

use std::fs::File;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::dictionaries::columns_without;

/// A Parquet file that is written group by group.
pub(super) struct ParquetFile {
    writer: ArrowWriter<File>,
}

impl ParquetFile {
    pub(super) fn new(file: File, schema: SchemaRef, first: &RecordBatch) -> Result<Self, ParquetError> {
        Ok(Self { writer: ArrowWriter::try_new(file, schema, Some(properties(first)?))? })
    }

    pub(super) fn write(&mut self, rows: &RecordBatch, group_bytes: usize) -> Result<(), ParquetError> {
        self.writer.write(rows)?;
        if self.group_bytes() > group_bytes { self.end_group() } else { Ok(()) }
    }

    pub(super) fn group_rows(&self) -> usize {
        self.writer.in_progress_rows()
    }

    pub(super) fn group_bytes(&self) -> usize {
        self.writer.in_progress_size()
    }

    pub(super) fn end_group(&mut self) -> Result<(), ParquetError> {
        self.writer.flush()
    }

    pub(super) fn chunk_count(&self) -> usize {
        self.writer.flushed_row_groups().iter().map(RowGroupMetaData::num_columns).sum()
    }

    /// Completes the file and returns its size in bytes.
    pub(super) fn finish(&mut self) -> Result<u64, ParquetError> {
        self.writer.finish()?;
        Ok(self.writer.bytes_written() as u64)
    }

    pub(super) fn file(&self) -> &File {
        self.writer.inner()
    }
}

/// Returns the writer properties of a file that starts with these rows.
fn properties(first: &RecordBatch) -> Result<WriterProperties, ParquetError> {
    let compressed = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?));
    let schema = first.schema();
    let without = columns_without(first).map(|column| ColumnPath::from(schema.field(column).name().as_str()));
    let built = without.fold(compressed, |built, column| built.set_column_dictionary_enabled(column, false));
    Ok(built.build())
}
