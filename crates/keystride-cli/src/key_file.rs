//! Files of keys or split points, in HBase's escaped form: one a line, or in a column of a CSV file.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use keystride_app::marked_text::without_mark;
use keystride_table::input::{CsvReader, InputOptions, Source};

use crate::failure::Failure;
use crate::key_text::{check_escaped, read_escaped};
use crate::usage::Usage;

/// More than the escaped form of the longest key takes, with which a device that never ends a line is told from a file.
const MOST_LINE_BYTES: u64 = 1 << 20;

/// Keys of a file, or lines, while they are read: more than split points are made of are refused.
pub(crate) struct HeldKeys<'a> {
    path: &'a Path,
    keys: Vec<Vec<u8>>,
    bytes: usize,
}

/// More than the points of any table, or the sample that they are taken from.
const MOST_KEYS: usize = 2 << 20;
const MOST_KEYS_MIB: usize = 64;

impl<'a> HeldKeys<'a> {
    pub(crate) fn of(path: &'a Path) -> Self {
        Self { path, keys: Vec::new(), bytes: 0 }
    }

    pub(crate) fn push(&mut self, key: Vec<u8>) -> Result<(), Failure> {
        self.bytes += key.len();
        if self.keys.len() == MOST_KEYS || self.bytes > MOST_KEYS_MIB << 20 {
            return Err(Failure::TooManyKeys {
                path: self.path.to_owned(),
                most: MOST_KEYS,
                most_mib: MOST_KEYS_MIB,
            });
        }
        self.keys.push(key);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn into_vec(self) -> Vec<Vec<u8>> {
        self.keys
    }
}

/// Returns the lines of a file, none of which HBase would read as other bytes than its writer meant.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    read_each(path, |line| check_escaped(line).map(|()| line.as_bytes().to_vec()))
}

/// Returns the keys of a file.
pub(crate) fn read_keys(path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    read_each(path, read_escaped)
}

/// Returns the keys in a column of a CSV file.
pub(crate) fn read_column(path: &Path, column: &str, options: InputOptions) -> Result<Vec<Vec<u8>>, Failure> {
    if path.is_dir() {
        return Err(Failure::Directory { path: path.to_owned() });
    }
    let mut reader = CsvReader::open(Source::file(path)?, options)?;
    let names = reader.header();
    let Some(at) = names.iter().position(|name| name == column) else {
        let (path, column, known) = (path.to_owned(), column.to_owned(), names.join(", "));
        return Err(Usage::NoSuchColumn { path, column, known }.into());
    };
    let mut keys = HeldKeys::of(path);
    while let Some(record) = reader.read()? {
        let record = record.map_err(|reject| Failure::Record(reject.to_string()))?;
        let key = read_escaped(record.get(at).map_or("", String::as_str));
        let line = usize::try_from(reader.line()).unwrap_or(usize::MAX);
        keys.push(key.map_err(|cause| Failure::InLine { path: path.to_owned(), line, cause })?)?;
    }
    Ok(keys.into_vec())
}

/// Reads line after line; only the results are held in memory.
fn read_each(path: &Path, read: impl Fn(&str) -> Result<Vec<u8>, Usage>) -> Result<Vec<Vec<u8>>, Failure> {
    if path.is_dir() {
        return Err(Failure::Directory { path: path.to_owned() });
    }
    let failed = |cause| Failure::Read { path: path.to_owned(), cause };
    let in_line = |line| move |cause| Failure::InLine { path: path.to_owned(), line, cause };
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let (mut bytes, mut results) = (Vec::new(), HeldKeys::of(path));
    loop {
        bytes.clear();
        reader.by_ref().take(MOST_LINE_BYTES).read_until(b'\n', &mut bytes).map_err(failed)?;
        if bytes.is_empty() {
            return Ok(results.into_vec());
        }
        let line = line_of(&bytes, results.len() == 0);
        let result = line.and_then(&read).map_err(in_line(results.len() + 1))?;
        results.push(result)?;
    }
}

/// Returns the text of a line without its end; the first may begin with a byte order mark.
fn line_of(bytes: &[u8], is_first: bool) -> Result<&str, Usage> {
    if bytes.len() as u64 == MOST_LINE_BYTES {
        return Err(Usage::LongLine { most_bytes: MOST_LINE_BYTES });
    }
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = std::str::from_utf8(line).map_err(|cause| Usage::LineNotText { at: cause.valid_up_to() })?;
    Ok(if is_first { without_mark(text) } else { text })
}
