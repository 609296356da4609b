//! Parquet records. Most of the typed columns are converted to values without going through text.

mod cells;
mod column;
mod guard;
mod iso;
mod text;
mod value;

use std::fs::File;
use std::io::{self, Read, Seek};

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
use super::{Advance, Compression, InputError};
use cells::CellKind;
use column::ParquetColumn;
use guard::guarded;

/// Maximum number of rows decoded at a time.
const BATCH_ROWS: usize = 4096;

/// Target size of a batch in bytes.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

pub(super) struct ParquetRecords {
    name: String,
    reader: ParquetRecordBatchReader,
    columns: Vec<ParquetColumn>,
    others: Vec<String>,
    /// The index of the current row in its batch, and the number of rows of the batch.
    at: usize,
    batch_rows: usize,
    /// Number of rows of the previous batches.
    rows_before: u64,
    /// Totals of the file, to estimate how many bytes correspond to the rows read so far.
    row_count: u64,
    byte_count: u64,
    count: ByteCount,
    scratch: String,
}

impl ParquetRecords {
    pub(super) fn open(source: Source, design: &Design, count: &ByteCount) -> Result<Self, InputError> {
        let name = source.name().to_owned();
        let Some(byte_count) = source.byte_count() else { return Err(InputError::NeedsFile { name }) };
        let Origin::File(path) = source.origin else { return Err(InputError::NeedsFile { name }) };
        let file = File::open(&path).map_err(|cause| InputError::of_path(&path, cause))?;
        if let Some(compression) = packed(&file).map_err(|cause| InputError::of_path(&path, cause))? {
            return Err(InputError::PackedParquet { name, compression });
        }
        let fail = |cause| InputError::Parquet { name: name.clone(), line: 0, cause };
        // The embedded Arrow schema is ignored, so that the types are those that other readers see too.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new_with_options(file, options));
        let builder = builder.map_err(fail)?;
        check_places(builder.metadata(), byte_count).map_err(fail)?;
        let schema = builder.schema().clone();
        let names = schema.fields().iter().map(|field| field.name().clone()).collect();
        let map = ColumnMap::of_header(&name, names, design, None)?;
        let kinds: Vec<_> = schema.fields().iter().map(|field| CellKind::of(field.data_type())).collect();
        refuse_unknown(&name, &map, &kinds)?;
        let mut columns = Vec::new();
        let mut read = Vec::new();
        for (index, target) in map.targets.iter().enumerate() {
            if *target != Target::Dropped {
                let found = schema.field(index).data_type();
                columns.push(ParquetColumn::new(&name, &map.names[index], found, *target, design)?);
                read.push(index);
            }
        }
        refuse_codecs(&name, &columns, builder.metadata())?;
        let mask = ProjectionMask::roots(builder.parquet_schema(), read);
        let row_count = row_count(builder.metadata());
        let batch_rows = batch_rows(builder.metadata());
        let builder = builder.with_projection(mask).with_batch_size(batch_rows);
        let reader = guarded(|| builder.build()).map_err(fail)?;
        Ok(Self {
            reader,
            columns,
            others: map.others,
            at: 0,
            batch_rows: 0,
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

    /// Returns the columns that are read as a JSON object.
    pub(super) fn raw(&self) -> Vec<u8> {
        let mut json = String::from("{");
        for (index, column) in self.columns.iter().enumerate() {
            json.push_str(if index > 0 { "," } else { "" });
            column.write_json(self.at, &mut json);
        }
        json.push('}');
        json.into_bytes()
    }

    pub(super) fn advance(&mut self) -> Result<Advance, InputError> {
        if self.at + 1 < self.batch_rows {
            self.at += 1;
            return Ok(Advance::Record);
        }
        self.rows_before += self.batch_rows as u64;
        (self.at, self.batch_rows) = (0, 0);
        while self.batch_rows == 0 {
            let next = guarded(|| self.reader.next().transpose().map_err(ParquetError::from));
            let next = next.map_err(|cause| {
                let (name, line) = (self.name.clone(), self.rows_before);
                InputError::Parquet { name, line, cause }
            })?;
            let Some(batch) = next else { return Ok(Advance::End) };
            for (column, array) in self.columns.iter_mut().zip(batch.columns()) {
                column.load(array);
            }
            self.batch_rows = batch.num_rows();
        }
        self.count.set(self.bytes_at(self.rows_before + self.batch_rows as u64));
        Ok(Advance::Record)
    }

    pub(super) fn read(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        row.clear();
        for column in &mut self.columns {
            column
                .read(self.at, design, row, others, &mut self.scratch)
                .map_err(|reason| Fault::of_column(&column.name, reason))?;
        }
        Ok(())
    }

    fn bytes_at(&self, row: u64) -> u64 {
        let share = u128::from(self.byte_count) * u128::from(row) / u128::from(self.row_count.max(1));
        u64::try_from(share).unwrap_or(self.byte_count)
    }
}

fn refuse_unknown(name: &str, map: &ColumnMap, kinds: &[Option<CellKind>]) -> Result<(), InputError> {
    if map.unknown.is_empty() {
        return Ok(());
    }
    let columns = map.unknown.iter().map(|&column| UnknownColumn {
        name: map.names[column].clone(),
        suggested: kinds[column].map_or("string", CellKind::suggested),
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
        let root = chunk.column_path().parts().first();
        if let Some(column) = columns.iter().find(|column| Some(&column.name) == root) {
            let (name, column) = (name.to_owned(), column.name.clone());
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
