//! The files that a load writes besides the table: rejects and the report.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use keystride_table::input::RejectsWriter;

use super::options::LoadArgs;
use crate::failure::Failure;
use crate::usage::Usage;

/// Prepares the file of rejects, without touching it; `read` are the files that the load reads, and `writer` makes it of the
/// file that is named. A dry run has none.
///
/// # Errors
///
/// A file to be written is one of those, the report and the rejects are one file, or a file that was named can't be where
/// it is to be.
pub(super) fn rejects(
    args: &LoadArgs,
    read: &[&Path],
    writer: impl FnOnce(Option<PathBuf>) -> RejectsWriter,
) -> Result<Option<RejectsWriter>, Failure> {
    if let Some(report) = &args.report {
        check_output("the report", report, read)?;
        check_place(report)?;
    }
    if args.dry_run {
        return Ok(None);
    }
    let writer = writer(args.rejects.clone());
    check_output("rejects", writer.path(), read)?;
    if args.rejects.is_some() {
        check_place(writer.path())?;
    }
    if args.report.as_deref().is_some_and(|report| is_same_file(report, writer.path())) {
        return Err(Usage::OneFile { path: writer.path().to_owned() }.into());
    }
    Ok(Some(writer))
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
