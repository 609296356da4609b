//! Records of the input, encoded as rows.

use std::time::Duration;

use keystride::{KeyCodec, Row};
use keystride_heat::Windowing;
use keystride_store::ColumnNames;

use super::error::LoadError;
use super::event_time::{event_field, event_ms};
use super::image::{Imager, RowDigest};
use super::options::LoadOptions;
use super::record_place::RecordPlace;
use super::reject::{RejectReason, Rejected};
use crate::cells::{RowError, RowImage};
use crate::input::{self, KeptRecord, most_row_bytes};
use crate::source::{Checkpoint, Polled, RecordSource, SourceProgress};

/// Reads a source record by record.
#[derive(Debug)]
pub(super) struct RecordReader {
    source: Box<dyn RecordSource>,
    row: Row,
    codec: KeyCodec,
    imager: Imager,
    load_ms: i64,
    most_row_bytes: usize,
    /// Whether times assign rows to windows.
    is_by_time: bool,
    /// The field with that time.
    event_field: Option<usize>,
    /// Names of the source's parts read so far.
    names: Vec<String>,
    read_count: u64,
    /// The names of the table's families.
    families: Vec<Vec<u8>>,
}

/// A record that was read: the encoded row, or the reason why there is none.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) image: RowImage,
    pub(super) place: RecordPlace,
    pub(super) event_ms: Option<i64>,
    pub(super) rejected: Option<Rejected>,
    pub(super) kind: RecordKind,
    /// Digest of the image.
    pub(super) digest: RowDigest,
    /// The original record, as others are read before this one is decided.
    kept: KeptRecord,
}

/// What becomes of a record that is not rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordKind {
    /// Its row is stored.
    Row,
    /// The row with its key is deleted.
    Delete,
    /// Nothing.
    Tombstone,
}

/// The result of [`RecordReader::read`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadOne {
    Record,
    Idle,
    End,
}

/// Buffers of records larger than this are not kept for others.
const LARGE_BYTES: usize = 16 << 10;

/// Number of records that are read before the first of them is decided, so that the cache misses of looking them up
/// overlap.
pub(super) const RECORDS_AT_ONCE: usize = 16;

impl RecordReader {
    /// Reads the records of `source`. Cells that are not stamped by a field get `load_ms`. The times of rows are
    /// needed only if windows are by time.
    pub(super) fn new(
        source: Box<dyn RecordSource>,
        codec: &KeyCodec,
        load_ms: i64,
        options: &LoadOptions,
    ) -> Self {
        let is_by_time = matches!(options.windowing, Some(Windowing::Time { .. }));
        let event_field = event_field(codec.design()).filter(|_| is_by_time);
        let families = &codec.design().table().families;
        Self {
            row: source.new_row(),
            source,
            codec: codec.clone(),
            imager: Imager::new(codec),
            load_ms,
            most_row_bytes: most_row_bytes(options.budget_bytes()),
            is_by_time,
            event_field,
            names: Vec::new(),
            read_count: 0,
            families: families.iter().map(|family| family.name.clone().into_bytes()).collect(),
        }
    }

    pub(super) fn columns(&self) -> &ColumnNames {
        self.imager.columns()
    }

    /// Returns the names of the table's families.
    pub(super) fn families(&self) -> &[Vec<u8>] {
        &self.families
    }

    /// Whether it is not known if there are more records.
    pub(super) fn is_silent(&self) -> bool {
        self.source.is_silent()
    }

    /// Returns how many records of each part are still to be read, as far as that is known.
    pub(super) fn lags(&self) -> Vec<(u32, u64)> {
        self.source.lags()
    }

    /// Estimates the number of records from those read so far; `None` if the size of the input is unknown.
    pub(super) fn expected_count(&self) -> Option<u64> {
        let SourceProgress { bytes_read, byte_count } = self.source.progress();
        Some(expected_count(self.read_count, bytes_read, byte_count?))
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.source.progress().bytes_read
    }

    pub(super) fn is_endless(&self) -> bool {
        self.source.is_endless()
    }

    /// Returns the position after the last record that was read.
    pub(super) fn checkpoint(&self) -> Option<Checkpoint> {
        self.source.checkpoint()
    }

    /// Goes on after a checkpoint, up to which an earlier run has read so many records.
    pub(super) fn resume(&mut self, checkpoint: &Checkpoint, read_count: u64) -> Result<(), LoadError> {
        self.read_count = read_count;
        Ok(self.source.resume(checkpoint)?)
    }

    /// Reads the next record, waiting for it for up to `wait`.
    pub(super) fn read(&mut self, record: &mut Record, wait: Duration) -> Result<ReadOne, LoadError> {
        (record.rejected, record.kind) = (None, RecordKind::Row);
        match self.source.poll(&mut self.row, wait)? {
            Polled::End => return Ok(ReadOne::End),
            Polled::Idle => return Ok(ReadOne::Idle),
            Polled::Rejected(reject) => record.rejected = Some(reject.map_reason(RejectReason::Record)),
            Polled::Tombstone => record.kind = RecordKind::Tombstone,
            Polled::Deleted => {
                record.kind = RecordKind::Delete;
                match self.delete(&mut record.image) {
                    Ok(()) => record.digest = RowDigest::of_deleted(&record.image),
                    Err(error) => record.rejected = Some(self.reject_at_hand(error)),
                }
            }
            Polled::Row => match self.image(&mut record.image) {
                Ok(()) if record.image.held_bytes() > self.most_row_bytes => {
                    record.rejected = Some(self.reject_too_large());
                }
                Ok(()) => record.digest = RowDigest::of(&record.image),
                Err(error) => record.rejected = Some(self.reject_at_hand(error)),
            },
        }
        self.read_count += 1;
        self.note_place(record);
        if record.rejected.is_none() {
            self.source.keep(&mut record.kept);
        }
        Ok(ReadOne::Record)
    }

    /// Encodes the current row.
    fn image(&mut self, image: &mut RowImage) -> Result<(), RowError> {
        let stamp_ms = self.source.time_ms().unwrap_or(self.load_ms);
        self.imager.encode(&self.row, &*self.source, self.read_count, stamp_ms, image)
    }

    /// Encodes the key and the time of the row that the current record deletes.
    fn delete(&mut self, image: &mut RowImage) -> Result<(), RowError> {
        let stamp_ms = self.source.time_ms().unwrap_or(self.load_ms);
        self.imager.encode_deleted(&self.row, stamp_ms, image)
    }

    /// Creates the reject of a record that conflicts with an earlier row.
    pub(super) fn reject(&self, record: &Record, reason: RejectReason) -> Rejected {
        let source = self.source_name(record.place).to_owned();
        Rejected { source, line: record.place.line, column: None, reason, raw: record.kept.raw() }
    }

    pub(super) fn source_name(&self, place: RecordPlace) -> &str {
        self.names.get(place.source).map_or("", String::as_str)
    }

    fn reject_at_hand(&self, error: RowError) -> Rejected {
        let (source, line) = (self.source.name().to_owned(), self.source.line());
        let (column, reason) = (self.column_of(&error), RejectReason::Row(error));
        let mut kept = KeptRecord::default();
        self.source.keep(&mut kept);
        Rejected { source, line, column, reason, raw: kept.raw() }
    }

    fn reject_too_large(&self) -> Rejected {
        let reason = input::RejectReason::RowTooLarge { limit: self.most_row_bytes };
        let (source, line) = (self.source.name().to_owned(), self.source.line());
        let (reason, raw) = (RejectReason::Record(reason), self.source.raw_beginning());
        Rejected { source, line, column: None, reason, raw }
    }

    /// Returns the column of the source from which the field at fault is read or derived.
    fn column_of(&self, error: &RowError) -> Option<String> {
        let design = self.codec.design();
        let field = design.field_index(error.field()?)?;
        Some(design.fields()[design.source_of(field)].name.clone())
    }

    fn note_place(&mut self, record: &mut Record) {
        let part = self.source.part();
        if self.names.len() <= part {
            self.names.resize(part + 1, String::new());
        }
        if self.names[part].is_empty() {
            self.source.name().clone_into(&mut self.names[part]);
        }
        record.place = RecordPlace { source: part, line: self.source.line() };
        let event_ms = self.event_field.and_then(|field| event_ms(self.codec.design(), field, &self.row));
        record.event_ms = event_ms.or_else(|| self.source.time_ms().filter(|_| self.is_by_time));
    }
}

impl Record {
    pub(super) fn empty() -> Self {
        let place = RecordPlace { source: 0, line: 1 };
        Self {
            image: RowImage::default(),
            place,
            event_ms: None,
            rejected: None,
            kind: RecordKind::Row,
            digest: RowDigest::default(),
            kept: KeptRecord::default(),
        }
    }

    /// Returns how many bytes it holds until it is decided.
    pub(super) fn byte_count(&self) -> u64 {
        let original = self.kept.byte_count();
        let rejected = self.rejected.as_ref().map_or(0, |rejected| rejected.raw.len());
        (self.image.key.len() + self.image.values.len() + original + rejected) as u64
    }

    /// Forgets the original record, which may hold on to a whole batch of the input, and releases memory that most
    /// records do not need.
    pub(super) fn reset(&mut self) {
        if self.kept.byte_count() > LARGE_BYTES {
            self.kept = KeptRecord::default();
        }
        self.kept.clear();
        if self.image.values.capacity() > LARGE_BYTES {
            self.image = RowImage::default();
        }
    }
}

/// Estimates the number of records in `byte_count` bytes, of which some were read. An eighth is added, as more bytes may
/// have been read than these records take.
fn expected_count(records_read: u64, bytes_read: u64, byte_count: u64) -> u64 {
    const BYTES_UNTIL_THERE_IS_ONE: u64 = 64;
    let bytes_each = bytes_read.checked_div(records_read).unwrap_or(BYTES_UNTIL_THERE_IS_ONE).max(1);
    let count = byte_count / bytes_each;
    count + count / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_to_come_are_expected_to_be_like_those_before() {
        assert_eq!(expected_count(1_000, 80_000, 8_000_000), 112_500);
        assert_eq!(expected_count(1_000, 500, 8_000), 9_000);
        assert_eq!(expected_count(0, 4_096, 640), 11);
        assert_eq!(expected_count(16, 0, 0), 0);
    }
}
