//! The files that a load writes besides the table: rejects and the report.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

use keystride_table::input::{ExistingRejects, RejectsColumns, RejectsWriter, Source, default_rejects_path};

use super::options::LoadArgs;
use super::watch::Rejects;
use crate::failure::Failure;
use crate::usage::Usage;

/// Prepares the file of rejects, without touching it; `read` are the files that the load reads.
///
/// # Errors
///
/// A file to be written is one of those, the report and the rejects are one file, or a file that was named can't be where
/// it is to be.
pub(super) fn rejects(args: &LoadArgs, sources: &[Source], read: &[&Path]) -> Result<Rejects, Failure> {
    if let Some(report) = &args.report {
        check_output("the report", report, read)?;
        check_place(report)?;
    }
    if args.dry_run {
        return Ok(Rejects::Told(Vec::new()));
    }
    // Beside a pipe, such as /dev/fd/63, no file can be kept.
    let (beside, columns) = match sources {
        [one] => (one.path().filter(|_| one.has_fingerprint()), RejectsColumns::OneSource),
        _ => (None, RejectsColumns::ManySources),
    };
    let path = args.rejects.clone().unwrap_or_else(|| default_rejects_path(beside));
    // A file that is named after no input is that of any load, and the rejects of a pipe are nowhere else.
    let is_of_any = args.rejects.is_none() && path.file_name() == default_rejects_path(None).file_name();
    let is_needed = is_of_any || !sources.iter().all(Source::has_fingerprint);
    let existing = if is_needed { ExistingRejects::SetAside } else { ExistingRejects::Replace };
    check_output("rejects", &path, read)?;
    if args.rejects.is_some() {
        check_place(&path)?;
    }
    if args.report.as_deref().is_some_and(|report| is_same_file(report, &path)) {
        return Err(Usage::OneFile { path }.into());
    }
    Ok(Rejects::Kept(Box::new(RejectsWriter::new(path, columns, existing))))
}

/// Checks that a file to be written is none of those that are read.
fn check_output(what: &'static str, path: &Path, read: &[&Path]) -> Result<(), Usage> {
    if read.iter().any(|read| is_same_file(read, path)) {
        return Err(Usage::WritesInput { what, path: path.to_owned() });
    }
    Ok(())
}

/// Whether two paths lead to one file, perhaps through symbolic links. Files that do not exist yet are the same if they
/// are to have one name in one folder.
fn is_same_file(one: &Path, two: &Path) -> bool {
    match (one.canonicalize(), two.canonicalize()) {
        (Ok(one), Ok(two)) => one == two,
        (Err(_), Err(_)) => {
            let folder = |path: &Path| folder_of(path).canonicalize().ok();
            one.file_name() == two.file_name() && folder(one).is_some_and(|one| Some(one) == folder(two))
        }
        _ => false,
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a file may be written, as far as that can be told without writing it.
fn check_place(path: &Path) -> Result<(), Failure> {
    if path.is_file() {
        let opened = OpenOptions::new().append(true).open(path);
        return opened.map(drop).map_err(|cause| Failure::Write { path: path.to_owned(), cause });
    }
    if path.is_dir() {
        return Err(Failure::Directory { path: path.to_owned() });
    }
    let is_folder = std::fs::metadata(folder_of(path)).map(|found| found.is_dir());
    let cause = match is_folder {
        Ok(true) => return Ok(()),
        Ok(false) => ErrorKind::NotADirectory.into(),
        Err(cause) => cause,
    };
    Err(Failure::Write { path: path.to_owned(), cause })
}
