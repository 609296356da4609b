//! A sorted file of rows.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

use super::packed::{self, LENGTHS};
use crate::load::spill::ReadOnce;

/// A file of sorted rows, complete.
#[derive(Debug)]
pub(super) struct SortedFile {
    file: File,
    row_count: u64,
    level: u32,
}

/// Writes a sorted file.
pub(super) struct SortedFileWriter {
    rows: BufWriter<File>,
    row_count: u64,
}

/// Reads a file row by row, holding the current row. As many files are read at the same time, it holds only the beginning
/// of a long row until the row is wanted.
#[derive(Debug)]
pub(super) struct SortedFileReader {
    rows: BufReader<ReadOnce>,
    rows_left: u64,
    row: Vec<u8>,
    /// How many bytes at the end of the row have not been read.
    missing: usize,
    /// Longer rows are long.
    long_bytes: usize,
}

impl SortedFileWriter {
    pub(super) fn new(file: File) -> Self {
        Self { rows: BufWriter::with_capacity(1 << 18, file), row_count: 0 }
    }

    pub(super) fn push(&mut self, row: &[u8]) -> io::Result<()> {
        self.row_count += 1;
        self.rows.write_all(row)
    }

    pub(super) fn finish(self, level: u32) -> io::Result<SortedFile> {
        let file = self.rows.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(SortedFile { file, row_count: self.row_count, level })
    }
}

impl SortedFile {
    /// Returns how many times its rows have been merged.
    pub(super) fn level(&self) -> u32 {
        self.level
    }

    pub(super) fn into_reader(self, buffer_bytes: usize) -> io::Result<SortedFileReader> {
        let rows = BufReader::with_capacity(buffer_bytes, ReadOnce::new(self.file)?);
        Ok(SortedFileReader {
            rows,
            rows_left: self.row_count,
            row: Vec::new(),
            missing: 0,
            long_bytes: buffer_bytes,
        })
    }
}

impl SortedFileReader {
    /// Moves to the next row; `false` after the last one. The row before must be complete.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if self.row.capacity() > LENGTHS + self.long_bytes {
            self.row = Vec::new();
        }
        if self.rows_left == 0 {
            return Ok(false);
        }
        self.rows_left -= 1;
        let mut lengths = [0; LENGTHS];
        self.rows.read_exact(&mut lengths)?;
        self.row.clear();
        self.row.extend_from_slice(&lengths);
        let rest = packed::rest_len(lengths);
        let wanted = if rest > self.long_bytes { packed::key_len(&lengths) } else { rest };
        self.missing = rest.checked_sub(wanted).ok_or(io::ErrorKind::InvalidData)?;
        self.read(wanted)?;
        Ok(true)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Reads the rest of the current row.
    pub(super) fn complete(&mut self) -> io::Result<()> {
        let missing = std::mem::take(&mut self.missing);
        self.read(missing)
    }

    fn read(&mut self, count: usize) -> io::Result<()> {
        let start = self.row.len();
        self.row.reserve_exact(count);
        self.row.resize(start + count, 0);
        self.rows.read_exact(&mut self.row[start..])
    }

    pub(super) fn row(&self) -> &[u8] {
        &self.row
    }

    pub(super) fn key(&self) -> &[u8] {
        packed::key(&self.row)
    }
}
