//! What extracts leave behind: hidden files of those that were killed, and manifests of those that are done.

use std::fs::{self, DirEntry};
use std::path::Path;

use super::ExtractError;
use super::job::Job;
use super::manifest::{Manifest, Phase};

/// Removes what an earlier run of the same extract did not come to publish, in all its partitions.
pub(super) fn clear(job: &Job) -> Result<(), ExtractError> {
    let is_own = |name: &str| name.starts_with(&job.hidden_name(""));
    remove_hidden(job.folder(), is_own)?;
    let partitions = entries(job.folder())?;
    let partitions = partitions.iter().filter(|entry| job.is_partition(&entry.file_name().to_string_lossy()));
    partitions
        .map(DirEntry::path)
        .filter(|path| path.is_dir())
        .try_for_each(|path| remove_hidden(&path, is_own))
}

/// Removes the hidden files of parts that `is_meant` knows by their names. In a partition that is complete those of
/// every extract can go: they would have to stand beside files of another.
pub(super) fn remove_hidden(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Result<(), ExtractError> {
    entries(folder)?.iter().try_for_each(|entry| match entry.file_name().to_str() {
        Some(name) if is_hidden_part(name) && is_meant(name) => remove(&entry.path()),
        _ => Ok(()),
    })
}

/// Removes the manifests of other extracts that are done. The newest stays, so that a resume of what is done already
/// has nothing to do.
pub(super) fn forget_others(job: &Job) -> Result<(), ExtractError> {
    for entry in entries(job.folder())? {
        let path = entry.path();
        let is_manifest = entry.file_name().to_str().is_some_and(Job::is_manifest_name);
        // One that can't be read is of a newer program, or not ours.
        let is_done = || matches!(Manifest::read(&path), Ok(Some(manifest)) if manifest.phase == Phase::Done);
        if is_manifest && path != job.manifest_path() && is_done() {
            remove(&path)?;
        }
    }
    Ok(())
}

pub(super) fn entries(folder: &Path) -> Result<Vec<DirEntry>, ExtractError> {
    let read = || fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>();
    match read() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries.map_err(ExtractError::io(folder, "list it")),
    }
}

/// Removes a file that may be gone already.
pub(super) fn remove(path: &Path) -> Result<(), ExtractError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(ExtractError::io(path, "remove it")(error))
        }
        _ => Ok(()),
    }
}

/// Whether a file's name is one that [`Job::hidden_name`] gives to a part.
fn is_hidden_part(name: &str) -> bool {
    const ID_LEN: usize = 16;
    let rest = name.strip_prefix('.').and_then(|rest| rest.split_at_checked(ID_LEN));
    rest.is_some_and(|(id, part)| {
        id.bytes().all(|byte| byte.is_ascii_hexdigit()) && part.starts_with("-part-")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_parts_are_known_by_their_names() {
        assert!(is_hidden_part(".0123456789abcdef-part-00000.parquet"));
        for name in
            [".0123456789abcdef-part", "0123456789abcdef-part-0", ".0123456789abcdeg-part-0", ".x", "."]
        {
            assert!(!is_hidden_part(name), "{name}");
        }
    }
}
