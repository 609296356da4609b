//! Temporary files for data that does not fit into memory.

use std::fs::File;
use std::io;
use std::path::Path;

/// Creates an unnamed file in `folder` or the system's temporary folder. It is deleted when it is closed, however the
/// program ends.
pub(super) fn spill_file(folder: Option<&Path>) -> io::Result<File> {
    match folder {
        Some(folder) => tempfile::tempfile_in(folder),
        None => tempfile::tempfile(),
    }
}
