//! Removal of what extracts leave behind: hidden files of interrupted ones, and manifests of completed ones.

use std::fs::{self, DirEntry};
use std::path::Path;

use super::ExtractError;
use super::job::Job;
use super::manifest::{Manifest, Phase};

/// Removes the files that an earlier run of the same extract did not publish, in all its partitions.
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

/// Removes hidden part files whose names satisfy `is_meant`. In a complete partition, those of all extracts can be
/// removed, because they could never be published next to the files of another extract.
pub(super) fn remove_hidden(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Result<(), ExtractError> {
    entries(folder)?.iter().try_for_each(|entry| match entry.file_name().to_str() {
        Some(name) if is_hidden_part(name) && is_meant(name) => remove(&entry.path()),
        _ => Ok(()),
    })
}

/// Removes the manifests of other completed extracts. That of the current extract is kept, so that resuming a
/// completed extract does nothing.
pub(super) fn forget_others(job: &Job) -> Result<(), ExtractError> {
    for entry in entries(job.folder())? {
        let path = entry.path();
        let is_manifest = entry.file_name().to_str().is_some_and(Job::is_manifest_name);
        // An unreadable manifest may be from a newer version or not ours, so it is kept.
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

/// Removes a file, if it exists.
pub(super) fn remove(path: &Path) -> Result<(), ExtractError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(ExtractError::io(path, "remove it")(error))
        }
        _ => Ok(()),
    }
}

/// Whether a file name is one that [`Job::hidden_name`] produces for a part.
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
