//! Renames complete files to their final names, and marks their partitions as complete.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::path::{Path, PathBuf};

use super::ExtractError;
use super::job::Job;
use super::leftovers::{entries, forget_others, remove, remove_hidden};
use super::manifest::{Manifest, Phase};

/// The file that marks a folder as complete, as in Hadoop jobs.
const SUCCESS: &str = "_SUCCESS";

/// Publishes all partitions. If it is called again after a crash, it continues.
pub(super) fn publish(job: &Job, manifest: &mut Manifest) -> Result<(), ExtractError> {
    if manifest.phase == Phase::Reading {
        manifest.phase = Phase::Publishing;
        manifest.write(&job.manifest_path())?;
    }
    let mut partitions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    partitions.extend(job.expected_partition().map(|name| (name, BTreeSet::new())));
    for file in manifest.files() {
        partitions.entry(&file.partition).or_default().insert(&file.name);
    }
    for (partition, names) in partitions {
        publish_partition(job, partition, &names, manifest.replaces)?;
    }
    manifest.phase = Phase::Done;
    manifest.write(&job.manifest_path())?;
    forget_others(job)
}

fn publish_partition(
    job: &Job,
    partition: &str,
    names: &BTreeSet<&str>,
    replaces: bool,
) -> Result<(), ExtractError> {
    let folder = job.partition_folder(partition);
    fs::create_dir_all(&folder).map_err(ExtractError::io(&folder, "make it"))?;
    remove(&folder.join(SUCCESS))?;
    if replaces {
        for path in visible_files(&folder)?.into_iter().filter(|path| is_parquet(path)) {
            if !path.file_name().and_then(OsStr::to_str).is_some_and(|name| names.contains(name)) {
                remove(&path)?;
            }
        }
    }
    for name in names {
        let (hidden, path) = (folder.join(job.hidden_name(name)), folder.join(name));
        if hidden.exists() {
            fs::rename(&hidden, &path).map_err(ExtractError::io(&path, "give it its name"))?;
        } else if !path.exists() {
            return Err(ExtractError::PartGone { path });
        }
    }
    remove_hidden(&folder, |_| true)?;
    let success = folder.join(SUCCESS);
    File::create(&success).map_err(ExtractError::io(&success, "make it"))?;
    sync_folder(&folder)
}

/// Checks that a partition contains no files of another extract, or, if these are to be replaced, nothing else: a folder
/// with other files is probably not meant.
pub(super) fn check_place(job: &Job, partition: &str, replaces: bool) -> Result<(), ExtractError> {
    let folder = job.partition_folder(partition);
    let files = visible_files(&folder)?;
    if replaces {
        let other = files.into_iter().find(|path| !is_parquet(path));
        other.map_or(Ok(()), |path| Err(ExtractError::OtherFile { path }))
    } else if files.is_empty() && !folder.join(SUCCESS).exists() {
        Ok(())
    } else {
        Err(ExtractError::NotEmpty { folder })
    }
}

/// Returns files whose names do not start with `.` or `_`; Hive and Spark ignore those that do.
fn visible_files(folder: &Path) -> Result<Vec<PathBuf>, ExtractError> {
    let is_visible = |entry: &DirEntry| {
        let is_file = entry.file_type().is_ok_and(|kind| !kind.is_dir());
        is_file && !entry.file_name().to_string_lossy().starts_with(['.', '_'])
    };
    let visible = entries(folder)?.into_iter().filter(is_visible);
    Ok(visible.map(|entry| entry.path()).collect())
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "parquet")
}

/// Syncs a folder, which makes the names of its files durable.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> Result<(), ExtractError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(ExtractError::io(folder, "write it to the disk"))
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> Result<(), ExtractError> {
    Ok(())
}
