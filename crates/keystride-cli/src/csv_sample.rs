//! CSV files whose records are of limited length: a file that never closes a quote must not take all memory.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;

use csv::{ReaderBuilder, StringRecord};

/// More than any record has that a design could be made from.
const MOST_RECORD_MIB: usize = 16;

/// The records of a file, one after the other.
pub(crate) struct CsvSample {
    reader: csv::Reader<Limited>,
    left: Rc<Cell<usize>>,
}

impl CsvSample {
    pub(crate) fn of(builder: &ReaderBuilder, source: Box<dyn Read>) -> Self {
        let left = Rc::new(Cell::new(MOST_RECORD_MIB << 20));
        let reader = builder.from_reader(Limited { source, left: Rc::clone(&left) });
        Self { reader, left }
    }

    pub(crate) fn headers(&mut self) -> Result<&StringRecord, csv::Error> {
        self.reader.headers()
    }

    /// Returns the next record; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<StringRecord>, csv::Error> {
        self.left.set(MOST_RECORD_MIB << 20);
        let mut record = StringRecord::new();
        Ok(self.reader.read_record(&mut record)?.then_some(record))
    }
}

/// A source of which no more is read than the record may have.
struct Limited {
    source: Box<dyn Read>,
    left: Rc<Cell<usize>>,
}

impl Read for Limited {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            let told = format!("a record is longer than {MOST_RECORD_MIB} MiB: is a quote not closed?");
            return Err(io::Error::new(ErrorKind::InvalidData, told));
        }
        let most = bytes.len().min(left);
        let count = self.source.read(&mut bytes[..most])?;
        self.left.set(left - count);
        Ok(count)
    }
}
