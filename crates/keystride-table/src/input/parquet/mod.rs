//! Parquet records. Most of the typed columns are converted to values without going through text.

mod cells;
mod column;
mod guard;
mod iso;
mod text;
mod value;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use arrow_schema::Fields;
use keystride::{Design, Row};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression as Codec;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use super::columns::{ColumnMap, Target};
use super::others::Others;
use super::reject::Fault;
use super::source::{Origin, Source};
use super::stream::{ByteCount, compression_of};
use super::unfit_columns::UnknownColumn;
use super::{Advance, Compression, InputError, RequiredFields};
use cells::CellKind;
use column::{LoadedColumn, ParquetColumn};
use guard::guarded;
pub use guard::is_guarded;

/// Maximum number of rows decoded at a time.
const BATCH_ROWS: usize = 4096;

/// Target size of a batch in bytes.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

type FileReader = ParquetRecordBatchReaderBuilder<File>;

pub(super) struct ParquetRecords {
    name: String,
    reader: ParquetRecordBatchReader,
    columns: Vec<ParquetColumn>,
    others: Vec<String>,
    batch: Arc<Batch>,
    /// The index of the current row in the batch.
    at: usize,
    /// Number of rows of the previous batches.
    rows_before: u64,
    /// Totals of the file, to estimate how many bytes correspond to the rows read so far.
    row_count: u64,
    byte_count: u64,
    count: ByteCount,
    scratch: String,
}

/// Rows that were decoded together.
#[derive(Debug, Default)]
struct Batch {
    columns: Vec<LoadedColumn>,
    row_count: usize,
}

/// A row that was read, with the batch it belongs to.
#[derive(Debug)]
pub(super) struct KeptRow {
    batch: Arc<Batch>,
    at: usize,
}

impl ParquetRecords {
    pub(super) fn open(
        source: Source,
        design: &Design,
        required: RequiredFields,
        count: &ByteCount,
    ) -> Result<Self, InputError> {
        let name = source.name().to_owned();
        let Some(byte_count) = source.byte_count() else { return Err(InputError::NeedsFile { name }) };
        let Origin::File(path) = source.origin else { return Err(InputError::NeedsFile { name }) };
        let builder = open_file(&name, &path, byte_count)?;
        let schema = builder.schema().fields();
        let names = schema.iter().map(|field| field.name().clone()).collect();
        let map = ColumnMap::of_header(&name, names, design, required, None)?;
        refuse_unknown(&name, &map, schema)?;
        let (columns, read) = wanted_columns(&name, &map, schema, design)?;
        let metadata = builder.metadata();
        refuse_codecs(&name, &columns, metadata)?;
        let (row_count, batch_rows) = (row_count(metadata), batch_rows(metadata));
        let mask = ProjectionMask::roots(builder.parquet_schema(), read);
        let builder = builder.with_projection(mask).with_batch_size(batch_rows);
        let reader = guarded(|| builder.build()).map_err(|cause| unreadable(&name, cause))?;
        Ok(Self {
            reader,
            columns,
            others: map.others,
            batch: Arc::default(),
            at: 0,
            rows_before: 0,
            row_count,
            byte_count,
            count: count.clone(),
            scratch: String::new(),
            name,
        })
    }

    pub(super) fn take_other_names(&mut self) -> Vec<String> {
        std::mem::take(&mut self.others)
    }

    /// Returns the number of the current row, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.rows_before + self.at as u64 + 1
    }

    /// Returns the current row, which remains available when later ones are read.
    pub(super) fn keep(&self) -> KeptRow {
        KeptRow { batch: Arc::clone(&self.batch), at: self.at }
    }

    pub(super) fn advance(&mut self) -> Result<Advance, InputError> {
        if self.at + 1 < self.batch.row_count {
            self.at += 1;
            return Ok(Advance::Record);
        }
        self.rows_before += self.batch.row_count as u64;
        (self.at, self.batch) = (0, Arc::default());
        while self.batch.row_count == 0 {
            let next = guarded(|| self.reader.next().transpose().map_err(ParquetError::from));
            let next = next.map_err(|cause| {
                let (name, line) = (self.name.clone(), self.rows_before);
                InputError::Parquet { name, line, cause }
            })?;
            let Some(batch) = next else { return Ok(Advance::End) };
            let columns = self.columns.iter().zip(batch.columns()).map(|(column, array)| column.load(array));
            self.batch = Arc::new(Batch { columns: columns.collect(), row_count: batch.num_rows() });
        }
        self.count.set(self.bytes_at(self.rows_before + self.batch.row_count as u64));
        Ok(Advance::Record)
    }

    pub(super) fn read(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        row.clear();
        for (column, loaded) in self.columns.iter_mut().zip(&self.batch.columns) {
            column
                .read(loaded, self.at, design, row, others, &mut self.scratch)
                .map_err(|reason| Fault::of_column(&column.name, reason))?;
        }
        Ok(())
    }

    fn bytes_at(&self, row: u64) -> u64 {
        let share = u128::from(self.byte_count) * u128::from(row) / u128::from(self.row_count.max(1));
        u64::try_from(share).unwrap_or(self.byte_count)
    }
}

impl KeptRow {
    /// Returns the columns that are read as a JSON object.
    pub(super) fn raw(&self) -> Vec<u8> {
        let mut json = String::from("{");
        for (index, column) in self.batch.columns.iter().enumerate() {
            json.push_str(if index > 0 { "," } else { "" });
            column.write_json(self.at, &mut json);
        }
        json.push('}');
        json.into_bytes()
    }
}

/// Reads the footer of a file of `byte_count` bytes.
fn open_file(name: &str, path: &Path, byte_count: u64) -> Result<FileReader, InputError> {
    let of_path = |cause| InputError::of_path(path, cause);
    let file = File::open(path).map_err(of_path)?;
    if let Some(compression) = packed(&file).map_err(of_path)? {
        return Err(InputError::PackedParquet { name: name.to_owned(), compression });
    }
    // The embedded Arrow schema is ignored, so that the types are those that other readers see too.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let reader = guarded(|| FileReader::try_new_with_options(file, options));
    let reader = reader.and_then(|reader| check_places(reader.metadata(), byte_count).map(|()| reader));
    reader.map_err(|cause| unreadable(name, cause))
}

/// Returns the columns that are not dropped, and their positions in the file.
fn wanted_columns(
    name: &str,
    map: &ColumnMap,
    schema: &Fields,
    design: &Design,
) -> Result<(Vec<ParquetColumn>, Vec<usize>), InputError> {
    let wanted = map.targets.iter().enumerate().filter(|(_, target)| **target != Target::Dropped);
    let columns = wanted.map(|(index, target)| {
        let found = schema[index].data_type();
        Ok((ParquetColumn::new(name, &map.names[index], found, *target, design)?, index))
    });
    columns.collect()
}

fn unreadable(name: &str, cause: ParquetError) -> InputError {
    InputError::Parquet { name: name.to_owned(), line: 0, cause }
}

fn refuse_unknown(name: &str, map: &ColumnMap, schema: &Fields) -> Result<(), InputError> {
    if map.unknown.is_empty() {
        return Ok(());
    }
    let columns = map.unknown.iter().map(|&column| UnknownColumn {
        name: map.names[column].clone(),
        suggested: CellKind::of(schema[column].data_type()).map(CellKind::suggested),
    });
    Err(InputError::UnknownColumns { name: name.to_owned(), columns: columns.collect() })
}

/// Returns the compression of the whole file, if there is one.
fn packed(mut file: &File) -> io::Result<Option<Compression>> {
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(compression_of(&head))
}

/// Rejects files in which a column to be read is compressed in an unsupported way.
fn refuse_codecs(
    name: &str,
    columns: &[ParquetColumn],
    metadata: &ParquetMetaData,
) -> Result<(), InputError> {
    for chunk in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
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

/// Checks that the positions of columns in the footer lie within the file, because the reader does not check them.
fn check_places(metadata: &ParquetMetaData, byte_count: u64) -> Result<(), ParquetError> {
    let within = |start: i64, len: i64| {
        let end = u64::try_from(start)
            .ok()
            .zip(u64::try_from(len).ok())
            .and_then(|(start, len)| start.checked_add(len));
        end.is_some_and(|end| end <= byte_count)
    };
    for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        if !within(start, column.compressed_size()) || column.num_values() < 0 {
            let what = format!("column {} lies outside the file", column.column_path());
            return Err(ParquetError::General(what));
        }
    }
    Ok(())
}

fn row_count(metadata: &ParquetMetaData) -> u64 {
    u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(0)
}

/// Returns how many rows of average size fit into [`BATCH_BYTES`], up to [`BATCH_ROWS`].
fn batch_rows(metadata: &ParquetMetaData) -> usize {
    let bytes: i64 = metadata.row_groups().iter().map(|group| group.total_byte_size().max(0)).sum();
    let row_bytes = usize::try_from(bytes).unwrap_or(usize::MAX)
        / usize::try_from(row_count(metadata)).unwrap_or(usize::MAX).max(1);
    (BATCH_BYTES / row_bytes.max(1)).clamp(1, BATCH_ROWS)
}
