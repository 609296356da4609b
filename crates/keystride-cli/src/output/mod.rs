//! All that is written: results to stdout, talk to stderr.

mod progress;
mod report;
mod rows;

pub(crate) use progress::ProgressLine;
pub(crate) use report::{renderer, report, report_bug, say};
pub(crate) use rows::Rows;

use std::io::{self, BufWriter, Write as _};

use serde_json::json;

use crate::failure::Failure;
use crate::global::{Format, Global};

/// Stdout with a buffer; a reader that has gone ends the program quietly.
#[derive(Debug)]
pub(crate) struct Out {
    inner: BufWriter<io::StdoutLock<'static>>,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self { inner: BufWriter::with_capacity(64 * 1024, io::stdout().lock()) }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.inner.write_all(bytes)?)
    }

    pub(crate) fn line(&mut self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.write(text.as_ref())?;
        self.write(b"\n")
    }

    /// Shows what has been written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.inner.flush()?)
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        Ok(self.inner.flush()?)
    }
}

/// Writes a whole text, which ends with a line break if it has none.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = Out::new();
    out.write(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write(b"\n")?;
    }
    out.finish()
}

/// Writes a JSON document.
pub(crate) fn print_json(value: &serde_json::Value) -> Result<(), Failure> {
    print(&format!("{value:#}"))
}

/// Writes the one number that a command gives.
pub(crate) fn print_number(global: &Global, name: &str, number: u64) -> Result<(), Failure> {
    if matches!(global.format, Some(Format::Json | Format::Ndjson)) {
        print_json(&json!({ "format": 1, name: number }))
    } else {
        print(&number.to_string())
    }
}
