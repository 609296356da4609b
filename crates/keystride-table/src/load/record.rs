//! Records of the input as images of rows.

use keystride::codec::OpenBucket;
use keystride::design::{Design, FieldKind, Part};
use keystride::{KeyCodec, Row};
use keystride_heat::Windowing;
use keystride_store::ColumnNames;

use super::error::LoadError;
use super::image::{Imager, RowDigest};
use super::place::Place;
use super::reject::{RejectReason, Rejected};
use crate::cells::{RowError, RowImage, time_ms};
use crate::input::{InputReader, Next};

/// Reads the input record by record.
#[derive(Debug)]
pub(super) struct Records {
    reader: InputReader,
    row: Row,
    codec: KeyCodec,
    imager: Imager,
    load_ms: i64,
    /// The time that rows are counted by, where they are.
    event_field: Option<usize>,
    /// Names of the sources met so far.
    sources: Vec<String>,
    read_count: u64,
}

/// A record that was read: the image of its row, or why it has none.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) image: RowImage,
    pub(super) place: Place,
    pub(super) event_ms: Option<i64>,
    pub(super) rejected: Option<Rejected>,
    /// Of its image, once that is whole.
    pub(super) digest: RowDigest,
    /// The bucket that the key of its image still lacks.
    open: Option<OpenBucket>,
    /// It as it was, where it is decided about later.
    raw: Vec<u8>,
}

/// Whether a record is decided about before the next is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    AtOnce,
    Later,
}

/// Keys that are hashed side by side.
const KEYS_AT_ONCE: usize = 16;

impl Records {
    /// The records of `reader`; cells that no field stamps get `load_ms`. Windows of rows need no times of them.
    pub(super) fn new(
        reader: InputReader,
        codec: &KeyCodec,
        load_ms: i64,
        windowing: Option<Windowing>,
    ) -> Self {
        let event_field = match windowing {
            Some(Windowing::Time { .. }) => event_field(codec.design()),
            Some(Windowing::Rows(_)) | None => None,
        };
        Self {
            row: reader.new_row(),
            reader,
            codec: codec.clone(),
            imager: Imager::new(codec),
            load_ms,
            event_field,
            sources: Vec::new(),
            read_count: 0,
        }
    }

    pub(super) fn columns(&self) -> &ColumnNames {
        self.imager.columns()
    }

    /// Bytes of the input as it lies on the disk; `None` where nobody knows.
    pub(super) fn byte_count(&self) -> Option<u64> {
        self.reader.progress().byte_count
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.reader.progress().bytes_read
    }

    /// How many records are best read before they are [closed](Self::close).
    pub(super) fn at_once(&self) -> usize {
        if self.imager.leaves_open() { KEYS_AT_ONCE } else { 1 }
    }

    /// Writes the buckets that the images of records lack.
    pub(super) fn close(&mut self, records: &mut [Record]) {
        self.imager.close(records, |Record { image, open, .. }| Some(((*open)?, &mut image.key)));
        for record in records.iter_mut().filter(|record| record.rejected.is_none()) {
            record.digest = RowDigest::of(&record.image);
        }
    }

    /// Reads the next record, whose image may lack a bucket; `false` at the end of the input.
    pub(super) fn read(&mut self, record: &mut Record, decided: Decided) -> Result<bool, LoadError> {
        (record.rejected, record.open) = (None, None);
        match self.reader.next(&mut self.row)? {
            Next::End => return Ok(false),
            Next::Rejected(reject) => record.rejected = Some(reject.map_reason(RejectReason::Record)),
            Next::Row => match self.image(&mut record.image) {
                Ok(open) => record.open = open,
                Err(error) => record.rejected = Some(self.reject_at_hand(error)),
            },
        }
        self.read_count += 1;
        self.note_place(record);
        if decided == Decided::Later {
            record.raw.clear();
            record.raw.extend_from_slice(&self.reader.raw());
        }
        Ok(true)
    }

    /// Makes the image of the row at hand.
    fn image(&mut self, image: &mut RowImage) -> Result<Option<OpenBucket>, RowError> {
        self.imager.encode_open(&self.row, &self.reader, self.read_count, self.load_ms, image)
    }

    /// Rejects a record for an earlier row.
    pub(super) fn reject(&self, record: &Record, reason: RejectReason) -> Rejected {
        let raw = if record.raw.is_empty() { self.reader.raw().into_owned() } else { record.raw.clone() };
        let source = self.source_name(record.place).to_owned();
        Rejected { source, line: record.place.line, column: None, reason, raw }
    }

    pub(super) fn source_name(&self, place: Place) -> &str {
        self.sources.get(place.source).map_or("", String::as_str)
    }

    fn reject_at_hand(&self, error: RowError) -> Rejected {
        let (source, line) = (self.reader.source().to_owned(), self.reader.line());
        let (column, reason) = (self.column_of(&error), RejectReason::Row(error));
        Rejected { source, line, column, reason, raw: self.reader.raw().into_owned() }
    }

    /// The source's column from which the field at fault is read or derived.
    fn column_of(&self, error: &RowError) -> Option<String> {
        let design = self.codec.design();
        let field = design.field_index(error.field()?)?;
        Some(design.fields[design.source_of(field)].name.clone())
    }

    fn note_place(&mut self, record: &mut Record) {
        let source = self.reader.position().source;
        if self.sources.len() <= source {
            self.sources.resize(source, String::new());
            self.sources.push(self.reader.source().to_owned());
        }
        record.place = Place { source, line: self.reader.line() };
        let event_ms = self.event_field.and_then(|field| time_ms(self.codec.design(), field, &self.row));
        record.event_ms = event_ms.and_then(|ms| i64::try_from(ms).ok());
    }
}

impl Record {
    pub(super) fn empty() -> Self {
        let place = Place { source: 0, line: 1 };
        Self {
            image: RowImage::default(),
            place,
            event_ms: None,
            rejected: None,
            digest: RowDigest::default(),
            open: None,
            raw: Vec::new(),
        }
    }
}

/// The field that says when a row happened: the one that stamps its cells, else the first time of the key, else the
/// first time there is.
fn event_field(design: &Design) -> Option<usize> {
    let is_time = |field: &usize| matches!(design.fields[*field].kind, FieldKind::Time(_));
    let in_key = design.parts.iter().filter_map(|part| match part {
        Part::Field(part) => Some(design.source_of(part.field)),
        Part::Text(_) | Part::Bucket(_) => None,
    });
    let all = (0..design.fields.len()).filter(|field| design.fields[*field].from.is_none());
    design.columns.cell_time.into_iter().chain(in_key).chain(all).find(is_time)
}
