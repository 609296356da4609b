//! Everything that is printed: results to stdout, messages to stderr.

mod cell_text;
mod cells;
mod document;
mod progress;
mod report;
mod rows;
mod safe;
mod screen;
mod table;

pub(crate) use cells::CellRows;
pub(crate) use document::{
    document_of, print_document, print_lines, print_number, print_text, print_text_or_document,
    refuse_all_but_text, refuse_rows,
};
pub(crate) use progress::{Part, ProgressLine};
pub(crate) use report::{LogOut, has_colors, renderer, report, report_bug, say};
pub(crate) use rows::{Rows, Turn};
pub(crate) use safe::{brief, safe};

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use crate::failure::Failure;
use crate::format::Format;
use crate::global::Global;
use crate::stop::writing;
use safe::{safe_bytes, safe_styled};

/// Buffered stdout; if its reader has closed it, the program ends quietly. A terminal gets nothing that would control it,
/// everything else the bytes as they are.
#[derive(Debug)]
pub(crate) struct Out {
    inner: BufWriter<io::StdoutLock<'static>>,
    is_terminal: bool,
}

impl Out {
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        Self { inner: BufWriter::with_capacity(64 * 1024, stdout.lock()), is_terminal }
    }

    /// Writes whole characters.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let bytes = if self.is_terminal { safe_bytes(bytes) } else { Cow::Borrowed(bytes) };
        Ok(writing(|| self.inner.write_all(&bytes))?)
    }

    /// Writes lines that may have colours of our own.
    pub(crate) fn styled_line(&mut self, text: &str) -> Result<(), Failure> {
        let text = if self.is_terminal { safe_styled(text) } else { Cow::Borrowed(text) };
        writing(|| self.inner.write_all(text.as_bytes()))?;
        self.write(b"\n")
    }

    pub(crate) fn line(&mut self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.write(text.as_ref())?;
        self.write(b"\n")
    }

    /// Flushes what has been written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(writing(|| self.inner.flush())?)
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        Ok(writing(|| self.inner.flush())?)
    }
}

/// Clears the screen if a table is shown on a terminal.
pub(crate) fn clear_screen(global: &Global) -> Result<(), Failure> {
    let is_table = matches!(global.format, None | Some(Format::Table | Format::Full));
    if !is_table || !io::stdout().is_terminal() {
        return Ok(());
    }
    let mut out = Out::new();
    out.inner.write_all(b"\x1b[H\x1b[2J")?;
    out.finish()
}

/// Prints a whole text, and adds a line break at the end if it has none.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = Out::new();
    out.write(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write(b"\n")?;
    }
    out.finish()
}
