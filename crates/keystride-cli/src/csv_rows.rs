//! Rows of a CSV file with a header, read by a design.

use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;

use csv::{ByteRecord, Reader};
use keystride::design::OtherColumns;
use keystride::value::ValueError;
use keystride::{Design, Row};

use crate::failure::{Failure, HeaderFault, Usage};

/// A CSV file with its columns matched to the fields of a design.
pub(crate) struct CsvRows<R> {
    reader: Reader<BufReader<R>>,
    /// The reader sees the line feed of CR LF at the start of the next record, and so counts a line less.
    uncounted_lines: u64,
    /// Fields of the source and their columns.
    columns: Vec<(usize, usize)>,
    width: usize,
    record: ByteRecord,
}

/// Why a line is no row.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LineFault {
    #[error("{found} columns, where the header has {wanted}")]
    Columns { found: usize, wanted: usize },
    #[error("column {column}: not UTF-8")]
    NotText { column: String },
    #[error("column {column}: {cause}")]
    Value {
        column: String,
        #[source]
        cause: ValueError,
    },
}

/// A line of the file: a row, or what is wrong with it.
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) fault: Option<LineFault>,
}

impl<R: Read> CsvRows<R> {
    /// Reads the header.
    pub(crate) fn new(design: &Design, input: R) -> Result<Self, Failure> {
        let mut input = BufReader::with_capacity(64 * 1024, input);
        let uncounted_lines = u64::from(ends_lines_with_crlf(input.fill_buf().map_err(Failure::Output)?));
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(input);
        let header = reader.headers().map_err(csv_failure)?.clone();
        if header.is_empty() || header.iter().all(str::is_empty) {
            return Err(Usage::Header(HeaderFault::Empty).into());
        }
        let columns = match_columns(design, &header)?;
        Ok(Self { reader, uncounted_lines, columns, width: header.len(), record: ByteRecord::new() })
    }

    /// Reads the next line into `row`; `None` at the end.
    pub(crate) fn next(&mut self, design: &Design, row: &mut Row) -> Result<Option<Line>, Failure> {
        row.clear();
        if !self.reader.read_byte_record(&mut self.record).map_err(csv_failure)? {
            return Ok(None);
        }
        let number = self.record.position().map_or(0, csv::Position::line) + self.uncounted_lines;
        Ok(Some(Line { number, fault: self.read(design, row).err() }))
    }

    fn read(&self, design: &Design, row: &mut Row) -> Result<(), LineFault> {
        if self.record.len() != self.width {
            return Err(LineFault::Columns { found: self.record.len(), wanted: self.width });
        }
        for &(field, column) in &self.columns {
            let name = || design.fields[field].name.clone();
            let text = std::str::from_utf8(&self.record[column])
                .map_err(|_| LineFault::NotText { column: name() })?;
            design
                .read_value(row, field, text)
                .map_err(|cause| LineFault::Value { column: name(), cause })?;
        }
        Ok(())
    }
}

/// Opens a file, or standard input for `-`.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    if path.is_dir() {
        return Err(Failure::Directory { path: path.to_owned() });
    }
    let file = std::fs::File::open(path).map_err(|cause| Failure::Read { path: path.to_owned(), cause })?;
    Ok(Box::new(file))
}

fn ends_lines_with_crlf(start: &[u8]) -> bool {
    let first = start.iter().position(|byte| *byte == b'\n');
    first.is_some_and(|at| at > 0 && start[at - 1] == b'\r')
}

/// Each field of the source with its column; the header must have them all, and no others unless the design says so.
fn match_columns(design: &Design, header: &csv::StringRecord) -> Result<Vec<(usize, usize)>, Failure> {
    let mut columns = Vec::new();
    for (index, field) in design.fields.iter().enumerate().filter(|(_, field)| field.from.is_none()) {
        match header.iter().position(|column| column == field.name) {
            Some(column) => columns.push((index, column)),
            None => {
                let found = header.iter().collect::<Vec<_>>().join(", ");
                return Err(Usage::Header(HeaderFault::Missing { field: field.name.clone(), found }).into());
            }
        }
    }
    let unknown: Vec<&str> = header.iter().filter(|column| design.field_index(column).is_none()).collect();
    if !unknown.is_empty() && design.columns.other == OtherColumns::Error {
        let lines = unknown.iter().map(|column| format!("{column} = {{ type = \"string\" }}"));
        return Err(
            Usage::Header(HeaderFault::Unknown { lines: lines.collect::<Vec<_>>().join("\n  ") }).into()
        );
    }
    Ok(columns)
}

fn csv_failure(error: csv::Error) -> Failure {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => Usage::Header(HeaderFault::NotText).into(),
        _ => Failure::Input(error),
    }
}
