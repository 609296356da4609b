//! JSON Lines records: one object per line.

mod keys;
mod object;
mod text;
mod whole;

use keystride::{Design, Row};

use self::keys::Keys;
use self::object::ObjectReader;
use super::buffer::RecordBuffer;
use super::others::Others;
use super::overlong::Overlong;
use super::reject::{Fault, RejectReason};
use super::unfit_columns::UnknownColumn;
use super::{Advance, InputError};

pub(super) struct JsonRecords {
    buffer: RecordBuffer,
    /// Length of the current line, including its end.
    len: usize,
    /// The number of the current line, counted from 1; 0 before the first one.
    line: u64,
    /// The current line, if it is too long to be buffered.
    overlong: Option<Overlong>,
    keys: Keys,
    scratch: String,
}

impl JsonRecords {
    pub(super) fn open(buffer: RecordBuffer, design: &Design) -> Self {
        Self::of(buffer, Keys::new(design, &[]))
    }

    /// Creates a reader of messages, which hold all fields but those that are `given`.
    pub(super) fn of_messages(name: &str, design: &Design, given: &[usize]) -> Self {
        Self::of(RecordBuffer::of_messages(name), Keys::new(design, given))
    }

    fn of(buffer: RecordBuffer, keys: Keys) -> Self {
        Self { buffer, len: 0, line: 0, overlong: None, keys, scratch: String::new() }
    }

    /// Moves to a message, which is one object on any number of lines.
    pub(super) fn begin_message(&mut self, message: &[u8]) {
        self.buffer.replace(message);
        self.len = message.len();
        // Keys that come twice are told by the line.
        self.line += 1;
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the current line without its end, or its beginning if it is too long.
    pub(super) fn raw(&self) -> &[u8] {
        if let Some(overlong) = &self.overlong {
            return overlong.head();
        }
        match &self.buffer.pending()[..self.len] {
            [line @ .., b'\r', b'\n'] | [line @ .., b'\n'] => line,
            line => line,
        }
    }

    /// Moves to the next line that is not blank.
    pub(super) fn advance(&mut self) -> Result<Advance, InputError> {
        loop {
            self.buffer.pass(self.len);
            self.len = 0;
            self.line += 1;
            self.overlong = None;
            self.len = self.buffer.line_len(0, self.line, &mut self.overlong)?;
            if self.len == 0 && self.overlong.is_none() {
                return Ok(Advance::End);
            }
            if self.overlong.is_some() || !self.raw().iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            {
                return Ok(Advance::Record);
            }
        }
    }

    /// Reads the current line into `row` and `others`.
    pub(super) fn read(&mut self, design: &Design, row: &mut Row, others: &mut Others) -> Result<(), Fault> {
        if self.overlong.is_some() {
            return Err(Fault::of_record(RejectReason::TooLong { limit: RecordBuffer::LIMIT }));
        }
        row.clear();
        let (unknown, read) = self.read_object(design, row, others);
        read?;
        match unknown.into_iter().next() {
            Some(column) => Err(Fault::of_column(&column.name, RejectReason::UnknownKey)),
            None => Ok(()),
        }
    }

    /// Rejects a file of another JSON form, and one whose first line has keys that the design does not allow.
    pub(super) fn check_first(&mut self, design: &Design) -> Result<(), InputError> {
        let first = self.raw().trim_ascii();
        let in_array = first.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
        if first == b"{" || in_array.is_some_and(|inside| inside.is_empty() || inside.starts_with(b"{")) {
            return Err(InputError::NotOneALine { name: self.buffer.name().to_owned() });
        }
        let (mut row, mut others) = (Row::new(design.fields().len()), Others::default());
        let (columns, _) = self.read_object(design, &mut row, &mut others);
        self.keys.forget();
        if columns.is_empty() {
            return Ok(());
        }
        Err(InputError::UnknownColumns { name: self.buffer.name().to_owned(), columns })
    }

    /// Reads the object and returns the columns that the design does not allow, and the result for the others.
    fn read_object(
        &mut self,
        design: &Design,
        row: &mut Row,
        others: &mut Others,
    ) -> (Vec<UnknownColumn>, Result<(), Fault>) {
        let Self { buffer, len, line, keys, scratch, .. } = self;
        let bytes = &buffer.pending()[..*len];
        let mut object = ObjectReader {
            design,
            row,
            others,
            keys,
            line: *line,
            scratch,
            unknown: Vec::new(),
            fault: None,
            key: None,
        };
        let read = object.read(bytes);
        let ObjectReader { unknown, fault, key, .. } = object;
        let column = key.map(|key| keys.name(key).to_owned());
        let read = match (fault, read) {
            (Some(fault), _) => Err(fault),
            (None, Ok(())) => twin_of(others),
            (None, Err(_)) if str::from_utf8(bytes).is_err() => {
                Err(Fault { column, reason: RejectReason::NotText { charset: "utf-8" } })
            }
            (None, Err(error)) => Err(Fault { column, reason: RejectReason::Json(error) }),
        };
        (unknown, read)
    }
}

fn twin_of(others: &mut Others) -> Result<(), Fault> {
    match others.twin() {
        Some(name) => Err(Fault::of_column(name, RejectReason::KeyTwice)),
        None => Ok(()),
    }
}
