//! Files of keys or split points: one a line, in HBase's escaped form.

use std::path::Path;

use crate::failure::Failure;
use crate::key_text::{check_escaped, read_escaped};
use crate::marked_text::without_mark;
use crate::text_file::read_text_within;
use crate::usage::Usage;

/// Such a file is held in memory.
const MOST_KEYS_MIB: u64 = 4 << 10;

/// Returns the lines of a file, none of which HBase would read as other bytes than its writer meant.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<String>, Failure> {
    read_each(path, |line| check_escaped(line).map(|()| line.to_owned()))
}

/// Returns the keys of a file.
pub(crate) fn read_keys(path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    read_each(path, read_escaped)
}

fn read_each<T>(path: &Path, read: impl Fn(&str) -> Result<T, Usage>) -> Result<Vec<T>, Failure> {
    let text = read_text_within(path, MOST_KEYS_MIB)?;
    let lines = without_mark(&text).lines().zip(1..);
    let in_line = |line| move |cause| Failure::InLine { path: path.to_owned(), line, cause };
    lines.map(|(line, number)| read(line).map_err(in_line(number))).collect()
}
