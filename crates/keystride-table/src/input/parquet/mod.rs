//! Parquet records. Most of the typed columns are converted to values without going through text.
//!
//! [`file`] opens a file, [`rows`] reads batches of its rows, [`decode`] the values of one column of a row group, within
//! the limits of [`pages`]; [`column`] converts them.

mod cells;
mod column;
mod decode;
mod file;
mod guard;
mod page_header;
mod pages;
mod rows;

use std::error::Error as _;
use std::sync::Arc;

use keystride::{Design, Row};
use parquet::errors::ParquetError;

use super::columns::ColumnMap;
use super::others::Others;
use super::reject::Fault;
use super::source::{Origin, Source};
use super::stream::ByteCount;
use super::{Advance, InputError, InputOptions, RejectReason, most_row_bytes};
use column::ParquetColumn;
use guard::guarded;
pub use guard::is_guarded;
use pages::PageTooLarge;
use rows::{Batch, BatchColumn, Rows};

pub(super) struct ParquetRecords {
    name: String,
    rows: Rows,
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
    /// The limit of the pages that are unpacked at the same time, one of each column.
    pages_bytes: usize,
    /// The limit of the texts and byte strings of a row.
    most_row_bytes: usize,
    scratch: String,
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
        options: InputOptions,
        count: &ByteCount,
    ) -> Result<Self, InputError> {
        let name = source.name().to_owned();
        let Some(byte_count) = source.byte_count() else { return Err(InputError::NeedsFile { name }) };
        let Origin::File(path) = source.origin else { return Err(InputError::NeedsFile { name }) };
        let file = file::open(&name, &path, byte_count)?;
        let names = file.schema.fields().iter().map(|field| field.name().clone()).collect();
        let map = ColumnMap::of_header(&name, names, design, &[], options.required, None)?;
        file.refuse_unknown(&name, &map, design)?;
        let (columns, wanted) = file.wanted_columns(&name, &map, design)?;
        file.refuse_codecs(&name, &columns)?;
        let pages_bytes = options.pages_bytes();
        Ok(Self {
            row_count: u64::try_from(file.metadata.file_metadata().num_rows()).unwrap_or(0),
            rows: Rows::new(file.file, file.metadata, wanted, pages_bytes),
            columns,
            others: map.others,
            batch: Arc::default(),
            at: 0,
            rows_before: 0,
            byte_count,
            count: count.clone(),
            pages_bytes,
            most_row_bytes: most_row_bytes(options.memory_bytes),
            scratch: String::new(),
            name,
        })
    }

    pub(super) fn take_other_names(&mut self) -> Vec<String> {
        std::mem::take(&mut self.others)
    }

    /// Returns approximately how much memory the pages take.
    pub(super) fn reading_bytes(&self) -> usize {
        self.rows.expected_bytes().min(self.pages_bytes)
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
        let batch = guarded(|| self.rows.next()).map_err(|cause| self.fail(cause))?;
        if batch.row_count == 0 {
            return Ok(Advance::End);
        }
        self.batch = Arc::new(batch);
        self.count.set(self.bytes_at(self.rows_before + self.batch.row_count as u64));
        Ok(Advance::Record)
    }

    pub(super) fn read(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        row.clear();
        let row_bytes = || self.batch.columns.iter().map(|column| column.byte_count(self.at)).sum::<usize>();
        if self.batch.most_row_bytes > self.most_row_bytes && row_bytes() > self.most_row_bytes {
            return Err(Fault::of_record(RejectReason::RowTooLarge { limit: self.most_row_bytes }));
        }
        for (column, cells) in self.columns.iter_mut().zip(&self.batch.columns) {
            column
                .read(cells, self.at, design, row, others, &mut self.scratch)
                .map_err(|reason| Fault::of_column(&column.name, reason))?;
        }
        Ok(())
    }

    fn fail(&self, cause: ParquetError) -> InputError {
        let (name, line) = (self.name.clone(), self.rows_before);
        let too_large = cause.source().and_then(|cause| cause.downcast_ref::<PageTooLarge>());
        match too_large {
            Some(PageTooLarge { column, bytes, needed }) => {
                let (column, bytes, needed) = (column.to_string(), *bytes, *needed);
                InputError::PageTooLarge { name, line, column, bytes, needed, limit: self.pages_bytes as u64 }
            }
            None => InputError::Parquet { name, line, cause },
        }
    }

    fn bytes_at(&self, row: u64) -> u64 {
        let share = u128::from(self.byte_count) * u128::from(row) / u128::from(self.row_count.max(1));
        u64::try_from(share).unwrap_or(self.byte_count)
    }
}

impl KeptRow {
    /// Returns the beginning of the JSON object, to a column that is longer than `most_bytes`.
    pub(super) fn raw_beginning(&self, most_bytes: usize) -> Vec<u8> {
        let short = |column: &&BatchColumn| column.byte_count(self.at) <= most_bytes;
        let mut json = self.json(self.batch.columns.iter().take_while(short));
        json.truncate(json.floor_char_boundary(most_bytes));
        json.into_bytes()
    }

    /// Returns the columns that are read as a JSON object.
    pub(super) fn raw(&self) -> Vec<u8> {
        let mut json = self.json(self.batch.columns.iter());
        json.push('}');
        json.into_bytes()
    }

    fn json<'a>(&self, columns: impl Iterator<Item = &'a BatchColumn>) -> String {
        let mut json = String::from("{");
        for (index, column) in columns.enumerate() {
            json.push_str(if index > 0 { "," } else { "" });
            column.write_json(self.at, &mut json);
        }
        json
    }
}
