//! Writes rows as lines of text.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use arrow_array::RecordBatch;

use super::ExtractError;
use super::text_form::TextForm;

/// A file of lines.
pub(super) struct TextFile {
    out: BufWriter<File>,
    line: Vec<u8>,
    /// The size of what was written.
    bytes: u64,
}

const BUFFER_BYTES: usize = 16 << 10;

impl TextFile {
    /// Begins the file, with a header if the form has one.
    pub(super) fn new(file: File, form: &TextForm, path: &Path) -> Result<Self, ExtractError> {
        let mut new = Self { out: BufWriter::with_capacity(BUFFER_BYTES, file), line: Vec::new(), bytes: 0 };
        if form.write_header(&mut new.line)? {
            new.write_line().map_err(ExtractError::io(path, "write it"))?;
        }
        Ok(new)
    }

    pub(super) fn write(
        &mut self,
        form: &TextForm,
        rows: &RecordBatch,
        path: &Path,
    ) -> Result<(), ExtractError> {
        for row in 0..rows.num_rows() {
            form.write_row(rows, row, &mut self.line)?;
            self.write_line().map_err(ExtractError::io(path, "write it"))?;
        }
        Ok(())
    }

    /// Writes the line and its end.
    fn write_line(&mut self) -> io::Result<()> {
        self.line.push(b'\n');
        self.out.write_all(&self.line)?;
        self.bytes += self.line.len() as u64;
        self.line.clear();
        Ok(())
    }

    /// Completes the file and returns its size in bytes.
    pub(super) fn finish(&mut self) -> io::Result<u64> {
        self.out.flush()?;
        Ok(self.bytes)
    }

    pub(super) fn file(&self) -> &File {
        self.out.get_ref()
    }
}
