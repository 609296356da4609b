//! The columns of a file, row group after row group, as batches of rows.

use std::fs::File;
use std::sync::Arc;

use arrow_schema::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::super::typed::{TypedValue, ValueKind};
use super::decode::{Decode, Limits, Stretch, decoder};
use super::pages::{MeteredFile, PageMeter, Room};

/// Reads the rows of a file.
pub(super) struct Rows {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    columns: Vec<Column>,
    /// The next row group.
    group: usize,
    /// Number of rows of the current row group that are still to be read.
    left_in_group: u64,
    limits: Limits,
}

/// A column to be read.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) name: Arc<str>,
    pub(super) kind: ValueKind,
    pub(super) found: DataType,
    /// Number of the column in the file.
    pub(super) leaf: usize,
}

struct Column {
    wanted: Wanted,
    meter: Arc<PageMeter>,
    decoder: Option<Box<dyn Decode>>,
    stretch: Arc<Stretch>,
    /// How many rows of the stretch are in earlier batches.
    taken: usize,
}

/// Rows that were decoded together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) columns: Vec<BatchColumn>,
    pub(super) row_count: usize,
    /// The sum of the longest text or byte string of each column; rows have at most as much.
    pub(super) most_row_bytes: usize,
}

/// The cells of a column in a batch.
#[derive(Debug)]
pub(super) struct BatchColumn {
    pub(super) name: Arc<str>,
    pub(super) kind: ValueKind,
    stretch: Arc<Stretch>,
    /// The row of the stretch with which the batch begins.
    start: usize,
}

/// Maximum number of rows decoded at a time.
const BATCH_ROWS: usize = 4096;

/// Approximate size of a batch in bytes, besides one page of each column.
const BATCH_BYTES: usize = 8 << 20;

/// What a value takes in memory besides its bytes.
const VALUE_BYTES: usize = 40;

impl Rows {
    /// Creates a reader of the wanted columns, whose pages may take `memory_bytes`.
    pub(super) fn new(
        file: File,
        metadata: Arc<ParquetMetaData>,
        wanted: Vec<Wanted>,
        memory_bytes: usize,
    ) -> Self {
        let room = Arc::new(Room::new(memory_bytes));
        let bytes = BATCH_BYTES / wanted.len().max(1);
        let rows = (bytes / VALUE_BYTES).clamp(1, BATCH_ROWS);
        let schema = metadata.file_metadata().schema_descr();
        let column = |wanted: Wanted| {
            let column = schema.column(wanted.leaf);
            let name = Arc::clone(&wanted.name);
            let meter = PageMeter::new(name, column.physical_type(), column.type_length(), Arc::clone(&room));
            Column::new(wanted, Arc::new(meter))
        };
        let columns = wanted.into_iter().map(column).collect();
        let limits = Limits { rows, bytes: bytes as u64 };
        Self { file: Arc::new(file), columns, metadata, group: 0, left_in_group: 0, limits }
    }

    /// Returns approximately how much memory the pages take: for each column a dictionary and a page of the size that most
    /// writers limit them to, or the column in its largest row group if that is less.
    pub(super) fn expected_bytes(&self) -> usize {
        const USUAL_BYTES: i64 = 2 << 20;
        let largest = |column: &Column| {
            let chunks =
                self.metadata.row_groups().iter().map(|group| group.columns().get(column.wanted.leaf));
            chunks.flatten().map(|chunk| chunk.uncompressed_size().clamp(0, USUAL_BYTES)).max().unwrap_or(0)
        };
        self.columns.iter().map(|column| usize::try_from(largest(column)).unwrap_or(0)).sum()
    }

    /// Reads the next rows; none at the end.
    pub(super) fn next(&mut self) -> Result<Batch, ParquetError> {
        while self.left_in_group == 0 {
            if self.group == self.metadata.num_row_groups() {
                return Ok(Batch::default());
            }
            self.open_group()?;
        }
        let most = usize::try_from(self.left_in_group).unwrap_or(usize::MAX).min(self.limits.rows);
        let limits = Limits { rows: most, ..self.limits };
        let mut row_count = most;
        for column in &mut self.columns {
            row_count = row_count.min(column.fill(limits)?);
        }
        self.left_in_group -= row_count as u64;
        let most_row_bytes = self.columns.iter().map(|column| column.stretch.longest).sum();
        let columns = self.columns.iter_mut().map(|column| column.take(row_count)).collect();
        Ok(Batch { columns, row_count, most_row_bytes })
    }

    fn open_group(&mut self) -> Result<(), ParquetError> {
        let group = self.metadata.row_group(self.group);
        self.left_in_group = u64::try_from(group.num_rows()).unwrap_or(0);
        self.group += 1;
        let rows = usize::try_from(self.left_in_group).unwrap_or(usize::MAX);
        for column in &mut self.columns {
            column.close();
        }
        for column in &mut self.columns {
            let chunk = group.column(column.wanted.leaf);
            let file = MeteredFile::new(Arc::clone(&self.file), Arc::clone(&column.meter));
            let pages = SerializedPageReader::new(Arc::new(file), chunk, rows, None)?;
            let meter = Arc::clone(&column.meter);
            column.decoder =
                Some(decoder(&column.wanted.found, &chunk.column_descr_ptr(), Box::new(pages), meter));
        }
        Ok(())
    }
}

impl Column {
    fn new(wanted: Wanted, meter: Arc<PageMeter>) -> Self {
        Self { wanted, meter, decoder: None, stretch: Arc::default(), taken: 0 }
    }

    /// Ends a row group.
    fn close(&mut self) {
        (self.decoder, self.stretch, self.taken) = (None, Arc::default(), 0);
        self.meter.clear();
    }

    /// Makes sure that there are rows; returns how many.
    fn fill(&mut self, limits: Limits) -> Result<usize, ParquetError> {
        if self.taken == self.stretch.rows {
            (self.stretch, self.taken) = (Arc::default(), 0);
            if let Some(decoder) = &mut self.decoder {
                self.stretch = Arc::new(decoder.decode(limits)?);
            }
        }
        match self.stretch.rows - self.taken {
            0 => {
                let what = format!("column {} has fewer rows than its row group", self.wanted.name);
                Err(ParquetError::General(what))
            }
            rows => Ok(rows),
        }
    }

    fn take(&mut self, rows: usize) -> BatchColumn {
        let start = self.taken;
        self.taken += rows;
        let (name, kind) = (Arc::clone(&self.wanted.name), self.wanted.kind);
        BatchColumn { name, kind, stretch: Arc::clone(&self.stretch), start }
    }
}

impl BatchColumn {
    /// Returns the length of a text or byte string.
    pub(super) fn byte_count(&self, row: usize) -> usize {
        match self.value(row) {
            Some(TypedValue::Bytes(bytes)) => bytes.len(),
            _ => 0,
        }
    }

    /// Returns the value of a row of the batch, unless it is null.
    pub(super) fn value(&self, row: usize) -> Option<TypedValue<'_>> {
        self.stretch.value(self.start + row)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
    use parquet::basic::Encoding;
    use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};

    use super::*;

    const MIB: usize = 1 << 20;

    /// Reads a file of `texts`, and returns the length of each batch and that of its values, each place counted once.
    fn read(
        texts: Vec<String>,
        encode: impl Fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder,
    ) -> Vec<(usize, usize)> {
        let array = Arc::new(StringArray::from(texts)) as ArrayRef;
        let batch = RecordBatch::try_from_iter([("s", array)]).unwrap();
        let file = tempfile::tempfile().unwrap();
        let properties = encode(WriterProperties::builder()).build();
        let mut writer =
            ArrowWriter::try_new(file.try_clone().unwrap(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let footer = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).unwrap();
        let wanted = Wanted { name: "s".into(), kind: ValueKind::Text, found: DataType::Utf8, leaf: 0 };
        let mut rows = Rows::new(file, Arc::clone(footer.metadata()), vec![wanted], 64 * MIB);
        let mut batches = Vec::new();
        loop {
            let Batch { columns, row_count, .. } = rows.next().unwrap();
            let value = |row| match columns[0].value(row).unwrap() {
                TypedValue::Bytes(bytes) => bytes,
                other => panic!("{other:?}"),
            };
            let mut values: Vec<&[u8]> = (0..row_count).map(value).collect();
            values.dedup_by_key(|value| value.as_ptr());
            match row_count {
                0 => return batches,
                rows => batches.push((rows, values.iter().map(|value| value.len()).sum())),
            }
        }
    }

    #[test]
    fn a_value_of_a_dictionary_is_in_memory_once_however_many_rows_have_it() {
        let batches = read(vec!["x".repeat(MIB / 2); 300], |properties| properties);
        assert_eq!(batches, [(300, MIB / 2)]);
    }

    #[test]
    fn a_batch_has_as_many_long_values_as_fit() {
        let texts = || (0..40).map(|n| format!("{}{n}", "x".repeat(MIB))).collect();
        let plain = |properties: WriterPropertiesBuilder| properties.set_dictionary_enabled(false);
        let delta = |properties| plain(properties).set_encoding(Encoding::DELTA_BYTE_ARRAY);
        for batches in [read(texts(), plain), read(texts(), delta)] {
            assert_eq!(batches.iter().map(|(rows, _)| rows).sum::<usize>(), 40);
            assert!(batches.iter().all(|(_, bytes)| *bytes <= BATCH_BYTES + 2 * MIB), "{batches:?}");
        }
    }
}
