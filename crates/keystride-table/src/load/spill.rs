//! Files for what memory has no room for.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file without a name, in `folder` or where the system keeps such files. It is gone when it is closed, however the
/// program ends.
pub(super) fn spill_file(folder: Option<&Path>) -> io::Result<File> {
    match folder {
        Some(folder) => tempfile::tempfile_in(folder),
        None => tempfile::tempfile(),
    }
}
