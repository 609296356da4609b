//! Opening a Parquet file: its footer, and which of its columns are read.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use keystride::Design;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::Compression as Codec;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetStatisticsPolicy, RowGroupMetaData,
};
use parquet::schema::types::ColumnDescPtr;

use super::super::columns::{ColumnMap, Target};
use super::super::stream::compression_of;
use super::super::typed::ValueKind;
use super::super::unfit_columns::UnknownColumn;
use super::super::{Compression, InputError};
use super::cells::kind_of;
use super::column::ParquetColumn;
use super::guard::guarded;
use super::rows::Wanted;

/// A file whose footer was read.
pub(super) struct OpenFile {
    pub(super) file: File,
    pub(super) metadata: Arc<ParquetMetaData>,
    /// The columns, of which nested ones are one.
    pub(super) schema: SchemaRef,
}

/// Opens a file of `byte_count` bytes.
pub(super) fn open(name: &str, path: &Path, byte_count: u64) -> Result<OpenFile, InputError> {
    let of_path = |cause| InputError::of_path(path, cause);
    let file = File::open(path).map_err(of_path)?;
    if let Some(compression) = packed(&file).map_err(of_path)? {
        return Err(InputError::PackedParquet { name: name.to_owned(), compression });
    }
    // The embedded Arrow schema is ignored, so that the types are those that other readers see too. Statistics are not
    // needed, and would take most of the memory.
    let skipped = ParquetStatisticsPolicy::SkipAll;
    let options = ArrowReaderOptions::new()
        .with_skip_arrow_metadata(true)
        .with_column_stats_policy(skipped.clone())
        .with_size_stats_policy(skipped.clone())
        .with_encoding_stats_policy(skipped);
    let footer = guarded(|| ArrowReaderMetadata::load(&file, options));
    let footer = footer.and_then(|footer| check_places(footer.metadata(), byte_count).map(|()| footer));
    let unreadable = |cause| InputError::Parquet { name: name.to_owned(), line: 0, cause };
    let footer = footer.map_err(unreadable)?;
    Ok(OpenFile { file, metadata: Arc::clone(footer.metadata()), schema: Arc::clone(footer.schema()) })
}

impl OpenFile {
    /// Returns the columns that are not dropped.
    pub(super) fn wanted_columns(
        &self,
        name: &str,
        map: &ColumnMap,
        design: &Design,
    ) -> Result<(Vec<ParquetColumn>, Vec<Wanted>), InputError> {
        let wanted = map.targets.iter().enumerate().filter(|(_, target)| **target != Target::Dropped);
        let columns = wanted.map(|(index, target)| {
            let found = self.schema.field(index).data_type();
            ParquetColumn::new(name, &map.names[index], found, self.leaf(index), *target, design)
        });
        columns.collect::<Result<Vec<_>, _>>().map(|columns| columns.into_iter().unzip())
    }

    pub(super) fn refuse_unknown(
        &self,
        name: &str,
        map: &ColumnMap,
        design: &Design,
    ) -> Result<(), InputError> {
        if map.unknown.is_empty() {
            return Ok(());
        }
        let kind = |column: usize| {
            let (_, leaf) = self.leaf(column)?;
            kind_of(self.schema.field(column).data_type(), leaf.physical_type(), design.input().int96)
        };
        let columns = map.unknown.iter().map(|&column| UnknownColumn {
            name: map.names[column].clone(),
            suggested: kind(column).map(ValueKind::suggested),
        });
        Err(InputError::UnknownColumns { name: name.to_owned(), columns: columns.collect() })
    }

    /// Rejects files in which a column to be read is compressed in an unsupported way.
    pub(super) fn refuse_codecs(&self, name: &str, columns: &[ParquetColumn]) -> Result<(), InputError> {
        for chunk in self.metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
            let found = match chunk.compression() {
                Codec::BROTLI(_) => "brotli",
                Codec::LZO => "lzo",
                _ => continue,
            };
            let root = chunk.column_path().parts().first().map(String::as_str);
            if let Some(column) = columns.iter().find(|column| Some(&*column.name) == root) {
                let (name, column) = (name.to_owned(), column.name.to_string());
                return Err(InputError::ColumnCompression { name, column, found });
            }
        }
        Ok(())
    }

    /// Returns the first leaf of a column, which is the column itself unless it is nested.
    fn leaf(&self, column: usize) -> Option<(usize, ColumnDescPtr)> {
        let schema = self.metadata.file_metadata().schema_descr();
        let leaf = (0..schema.num_columns()).find(|leaf| schema.get_column_root_idx(*leaf) == column)?;
        Some((leaf, schema.column(leaf)))
    }
}

/// Returns the compression of the whole file, if there is one.
fn packed(mut file: &File) -> io::Result<Option<Compression>> {
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(compression_of(&head))
}

/// Checks that the footer fits itself and that the positions of columns lie within the file, because the reader does
/// not check them.
fn check_places(metadata: &ParquetMetaData, byte_count: u64) -> Result<(), ParquetError> {
    let within = |start: i64, len: i64| {
        let end = u64::try_from(start)
            .ok()
            .zip(u64::try_from(len).ok())
            .and_then(|(start, len)| start.checked_add(len));
        end.is_some_and(|end| end <= byte_count)
    };
    let rows: i64 = metadata.row_groups().iter().map(RowGroupMetaData::num_rows).fold(0, i64::saturating_add);
    if rows != metadata.file_metadata().num_rows() {
        let what =
            format!("its row groups have {rows} rows, but the file {}", metadata.file_metadata().num_rows());
        return Err(ParquetError::General(what));
    }
    for group in metadata.row_groups() {
        // Of a column that is no list, each row is a value.
        let is_flat = |column: &&ColumnChunkMetaData| column.column_descr().max_rep_level() == 0;
        if let Some(column) =
            group.columns().iter().filter(is_flat).find(|column| column.num_values() != group.num_rows())
        {
            let (name, values, rows) = (column.column_path(), column.num_values(), group.num_rows());
            return Err(ParquetError::General(format!(
                "column {name} has {values} values in a row group of {rows} rows"
            )));
        }
    }
    for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        if !within(start, column.compressed_size()) || column.num_values() < 0 {
            let what = format!("column {} lies outside the file", column.column_path());
            return Err(ParquetError::General(what));
        }
    }
    Ok(())
}
