//! The pages of a column, with a limit of what they unpack to.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::basic::Type;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use super::page_header::PageHeader;

/// The memory that the pages of all columns share.
#[derive(Debug)]
pub(super) struct Room {
    bytes: u64,
    used: AtomicU64,
}

/// What is known of a column's current page.
#[derive(Debug)]
pub(super) struct PageMeter {
    column: Arc<str>,
    room: Arc<Room>,
    /// The least number of bytes of a value in a dictionary.
    least_value_bytes: u64,
    /// What it takes besides its bytes.
    entry_bytes: u64,
    dictionary_bytes: AtomicU64,
    page_bytes: AtomicU64,
    /// Number of values of the page that have not been read.
    values_left: AtomicU64,
    /// Number of pages so far.
    pages: AtomicU64,
    is_delta: AtomicU64,
}

/// A file whose page headers are checked before the pages are unpacked.
#[derive(Debug)]
pub(super) struct MeteredFile {
    file: Arc<File>,
    meter: Arc<PageMeter>,
}

/// The pages of a file don't fit into memory.
#[derive(Debug, thiserror::Error)]
#[error("a page of column {column} of {bytes} bytes is more than can be held")]
pub(super) struct PageTooLarge {
    pub(super) column: Arc<str>,
    /// The size of that page.
    pub(super) bytes: u64,
    /// The size of all pages that would be in memory.
    pub(super) needed: u64,
}

/// What a byte string of a dictionary takes besides its bytes.
const ENTRY_BYTES: u64 = 32;

/// What a value takes whose length is unpacked in advance.
const LENGTH_BYTES: u64 = 8;

impl Room {
    pub(super) fn new(bytes: usize) -> Self {
        Self { bytes: bytes as u64, used: AtomicU64::new(0) }
    }
}

impl PageMeter {
    pub(super) fn new(column: Arc<str>, physical: Type, type_length: i32, room: Arc<Room>) -> Self {
        let least_value_bytes = match physical {
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT96 => 12,
            Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(type_length).unwrap_or(0).max(1),
            Type::BOOLEAN => 1,
        };
        let is_bytes = matches!(physical, Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY);
        let entry_bytes = if is_bytes { ENTRY_BYTES } else { 0 };
        let [dictionary_bytes, page_bytes, values_left, pages, is_delta] = [0; 5].map(AtomicU64::new);
        Self {
            column,
            room,
            least_value_bytes,
            entry_bytes,
            dictionary_bytes,
            page_bytes,
            values_left,
            pages,
            is_delta,
        }
    }

    pub(super) fn page_bytes(&self) -> u64 {
        self.page_bytes.load(Ordering::Relaxed)
    }

    pub(super) fn values_left(&self) -> u64 {
        self.values_left.load(Ordering::Relaxed)
    }

    pub(super) fn pages(&self) -> u64 {
        self.pages.load(Ordering::Relaxed)
    }

    /// Whether values are unpacked one by one, each to at most the size of the page.
    pub(super) fn is_delta(&self) -> bool {
        self.is_delta.load(Ordering::Relaxed) == 1
    }

    /// Counts values that were read.
    pub(super) fn take(&self, values: u64) {
        self.values_left.store(self.values_left().saturating_sub(values), Ordering::Relaxed);
    }

    /// Gives back the memory of all pages.
    pub(super) fn clear(&self) {
        self.set(&self.dictionary_bytes, 0);
        self.set(&self.page_bytes, 0);
        self.values_left.store(0, Ordering::Relaxed);
    }

    /// Takes note of the next page. It replaces the one before, unless it is a dictionary.
    fn meet(&self, header: &PageHeader) -> Result<(), ParquetError> {
        self.pages.fetch_add(1, Ordering::Relaxed);
        let is_dictionary = header.kind == PageHeader::DICTIONARY;
        if is_dictionary && header.values.saturating_mul(self.least_value_bytes) > header.unpacked_bytes {
            let what = "a dictionary has fewer values than its header says";
            return Err(ParquetError::General(what.to_owned()));
        }
        let value_bytes = match header.encoding {
            _ if is_dictionary => self.entry_bytes,
            PageHeader::DELTA_BYTE_ARRAY | PageHeader::DELTA_LENGTH_BYTE_ARRAY => LENGTH_BYTES,
            _ => 0,
        };
        let page_bytes = header.unpacked_bytes.max(header.packed_bytes);
        let bytes = page_bytes.saturating_add(header.values.saturating_mul(value_bytes));
        let place = if is_dictionary { &self.dictionary_bytes } else { &self.page_bytes };
        let needed = self.set(place, bytes).saturating_add(header.packed_bytes);
        if needed > self.room.bytes {
            let too_large = PageTooLarge { column: Arc::clone(&self.column), bytes, needed };
            return Err(ParquetError::External(Box::new(too_large)));
        }
        if matches!(header.kind, PageHeader::DATA | PageHeader::DATA_V2) {
            self.values_left.store(header.values, Ordering::Relaxed);
            let is_delta = header.encoding == PageHeader::DELTA_BYTE_ARRAY;
            self.is_delta.store(is_delta.into(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Replaces a size; returns the size of all pages.
    fn set(&self, place: &AtomicU64, bytes: u64) -> u64 {
        let before = place.swap(bytes, Ordering::Relaxed);
        let used = self.room.used.load(Ordering::Relaxed).saturating_sub(before).saturating_add(bytes);
        self.room.used.store(used, Ordering::Relaxed);
        used
    }
}

impl MeteredFile {
    pub(super) fn new(file: Arc<File>, meter: Arc<PageMeter>) -> Self {
        Self { file, meter }
    }
}

impl Length for MeteredFile {
    fn len(&self) -> u64 {
        Length::len(&*self.file)
    }
}

impl ChunkReader for MeteredFile {
    type T = BufReader<File>;

    /// Returns a reader of the page header at `start`; the Parquet reader calls this for nothing else.
    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let mut reader = self.file.get_read(start)?;
        self.meter.meet(&PageHeader::read(&mut reader)?)?;
        reader.seek(SeekFrom::Start(start))?;
        Ok(reader)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.file.get_bytes(start, length)
    }
}
