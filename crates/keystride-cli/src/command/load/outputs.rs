//! The files that a load writes besides the table: rejects and the report.

use std::io::ErrorKind;
use std::path::Path;

use keystride_table::input::{ExistingRejects, RejectsColumns, RejectsWriter, Source, default_rejects_path};

use super::options::LoadArgs;
use super::watch::Rejects;
use crate::failure::Failure;
use crate::usage::Usage;

/// Prepares the file of rejects, without touching it.
///
/// # Errors
///
/// A file to be written is one of the input's, or the folder of the report does not exist.
pub(super) fn rejects(args: &LoadArgs, sources: &[Source]) -> Result<Rejects, Failure> {
    if let Some(report) = &args.report {
        check_output("the report", report, sources)?;
        check_folder(report)?;
    }
    if args.dry_run {
        return Ok(Rejects::Told(Vec::new()));
    }
    let (default, columns) = match sources {
        // Beside a pipe, such as /dev/fd/63, no file can be kept.
        [one] => {
            let beside = one.path().filter(|_| one.has_fingerprint());
            (default_rejects_path(beside), RejectsColumns::OneSource)
        }
        _ => (default_rejects_path(None), RejectsColumns::ManySources),
    };
    let path = args.rejects.clone().unwrap_or(default);
    check_output("rejects", &path, sources)?;
    Ok(Rejects::Kept(Box::new(RejectsWriter::new(path, columns, ExistingRejects::Replace))))
}

/// Checks that a file to be written is none of the sources.
fn check_output(what: &'static str, path: &Path, sources: &[Source]) -> Result<(), Usage> {
    // A file that does not exist yet has no canonical path, and can't be a source.
    let Ok(canonical) = path.canonicalize() else { return Ok(()) };
    let is_source = |source: &Source| {
        source.path().and_then(|path| path.canonicalize().ok()).as_ref() == Some(&canonical)
    };
    if sources.iter().any(is_source) {
        return Err(Usage::WritesInput { what, path: path.to_owned() });
    }
    Ok(())
}

fn check_folder(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_folder = std::fs::metadata(folder).map(|found| found.is_dir());
    let cause = match is_folder {
        Ok(true) => return Ok(()),
        Ok(false) => ErrorKind::NotADirectory.into(),
        Err(cause) => cause,
    };
    Err(Failure::Write { path: path.to_owned(), cause })
}
