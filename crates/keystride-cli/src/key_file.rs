//! Files of keys or split points: one a line, in HBase's escaped form.

use std::path::Path;

use keystride::escape;

use crate::design_file::{read_text, without_mark};
use crate::failure::Failure;
use crate::key_text::check_escaped;
use crate::usage::Usage;

/// Returns the lines of a file, none of which HBase would read as other bytes than its writer meant.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<String>, Failure> {
    let text = read_text(path)?;
    let lines = without_mark(&text).lines().zip(1..);
    lines
        .map(|(line, number)| {
            check_escaped(line).map_err(|cause| in_line(path, number, cause))?;
            Ok(line.to_owned())
        })
        .collect()
}

/// Returns the keys of a file.
pub(crate) fn read_keys(path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let read = |(line, number): (String, usize)| {
        escape::from_escaped(&line).map_err(|cause| in_line(path, number, Usage::NotEscaped(cause)))
    };
    read_lines(path)?.into_iter().zip(1..).map(read).collect()
}

fn in_line(path: &Path, line: usize, cause: Usage) -> Failure {
    Failure::InLine { path: path.to_owned(), line, cause }
}
