//! Where the rejected records of a load are kept.

use std::path::PathBuf;

use keystride_table::input::{ExistingRejects, RejectsColumns, RejectsWriter, Source, default_rejects_path};

/// Returns the writer of the rejects of a topic's load: into the file that is `named`, or else one of the working folder
/// that is named after the topic. Those of earlier loads stay.
pub fn topic_rejects_writer(named: Option<PathBuf>, topic: &str) -> RejectsWriter {
    let path = named.unwrap_or_else(|| default_rejects_path(Some(format!("{topic}.csv").as_ref())));
    RejectsWriter::new(path, RejectsColumns::Topic, ExistingRejects::Append)
}

/// Returns the writer of a load's rejects: into the file that is `named`, or else beside the only file that is read, or
/// else into a file of the working folder. Nothing is written before the first reject.
///
/// A file that is there already is replaced, unless it may be of another load, or hold the only copy of a pipe's
/// records: then it is set aside.
pub fn rejects_writer(named: Option<PathBuf>, sources: &[Source]) -> RejectsWriter {
    // Beside a pipe, such as /dev/fd/63, no file can be kept.
    let (beside, columns) = match sources {
        [one] => (one.path().filter(|_| one.has_fingerprint()), RejectsColumns::OneSource),
        _ => (None, RejectsColumns::ManySources),
    };
    let is_named = named.is_some();
    let path = named.unwrap_or_else(|| default_rejects_path(beside));
    // A file that is named after no input is that of any load, and the rejects of a pipe are nowhere else.
    let is_of_any = !is_named && path.file_name() == default_rejects_path(None).file_name();
    let is_needed = is_of_any || !sources.iter().all(Source::has_fingerprint);
    let existing = if is_needed { ExistingRejects::SetAside } else { ExistingRejects::Replace };
    RejectsWriter::new(path, columns, existing)
}
