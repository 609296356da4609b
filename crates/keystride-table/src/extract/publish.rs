//! Renames complete files to their final names, and marks their partitions as complete.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::path::{Path, PathBuf};

use super::durable::{make_folder, sync_folder};
use super::job::Job;
use super::leftovers::{entries, forget_others, remove, remove_hidden};
use super::manifest::{Manifest, Phase};
use super::{ExtractError, Partition};

/// The file that marks a folder as complete, as in Hadoop jobs.
const SUCCESS: &str = "_SUCCESS";

/// Publishes all partitions. If it is called again after a crash, it continues. If a file of a complete part is gone,
/// nothing is changed.
pub(super) fn publish(job: &Job, manifest: &mut Manifest) -> Result<(), ExtractError> {
    check_parts(job, manifest)?;
    if manifest.phase == Phase::Reading {
        manifest.phase = Phase::Publishing;
        manifest.write(&job.manifest_path())?;
    }
    let mut partitions: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    partitions.extend(job.expected_partition().map(|name| (name, BTreeMap::new())));
    for file in manifest.files() {
        partitions.entry(&file.partition).or_default().insert(&file.name, file.counts.bytes);
    }
    for (partition, sizes) in partitions {
        publish_partition(job, partition, &sizes, manifest.replaces)?;
    }
    manifest.phase = Phase::Done;
    manifest.write(&job.manifest_path())?;
    forget_others(job)
}

/// Checks that all files of a complete extract are still there.
pub(super) fn check_published(job: &Job, manifest: &Manifest) -> Result<(), ExtractError> {
    manifest.files().try_for_each(|file| {
        let path = job.partition_folder(&file.partition).join(&file.name);
        if has_size(&path, file.counts.bytes) { Ok(()) } else { Err(ExtractError::PartGone { path }) }
    })
}

/// Checks that all files are there, under their hidden or their final names.
fn check_parts(job: &Job, manifest: &Manifest) -> Result<(), ExtractError> {
    manifest.files().try_for_each(|file| {
        let folder = job.partition_folder(&file.partition);
        let (hidden, path) = (folder.join(job.hidden_name(&file.name)), folder.join(&file.name));
        let is_there = has_size(&hidden, file.counts.bytes) || has_size(&path, file.counts.bytes);
        if is_there { Ok(()) } else { Err(ExtractError::PartGone { path }) }
    })
}

/// Publishes the files of a partition, whose sizes are known by their names.
fn publish_partition(
    job: &Job,
    partition: &str,
    sizes: &BTreeMap<&str, u64>,
    replaces: bool,
) -> Result<(), ExtractError> {
    let folder = job.partition_folder(partition);
    make_folder(&folder)?;
    remove(&folder.join(SUCCESS))?;
    if replaces {
        for path in visible_files(&folder)?.into_iter().filter(|path| is_extracted(path)) {
            if !path.file_name().and_then(OsStr::to_str).is_some_and(|name| sizes.contains_key(name)) {
                remove(&path)?;
            }
        }
    }
    for (name, &bytes) in sizes {
        let (hidden, path) = (folder.join(job.hidden_name(name)), folder.join(name));
        if has_size(&hidden, bytes) {
            fs::rename(&hidden, &path).map_err(ExtractError::io(&path, "give it its name"))?;
        }
    }
    remove_hidden(&folder, |_| true)?;
    sync_folder(&folder)?;
    let success = folder.join(SUCCESS);
    File::create(&success).map_err(ExtractError::io(&success, "make it"))?;
    sync_folder(&folder)
}

fn has_size(path: &Path, bytes: u64) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == bytes)
}

/// Checks that the folder has no partitions if files are to be in it, nor the reverse, nor partitions by another column or in
/// another format of days: its readers would find the rows twice, or take a partition's column for missing.
pub(super) fn check_layout(job: &Job) -> Result<(), ExtractError> {
    let folder = job.folder();
    let is_whole = job.extract.partition == Partition::Whole;
    for entry in entries(folder)? {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_other = name.contains('=') && (is_whole || !job.is_partition(&name));
        if is_other && entry.path().is_dir() && has_rows(&entry.path())? {
            return Err(ExtractError::Partitioned { folder: folder.to_owned(), partition: name });
        }
    }
    if !is_whole && has_rows(folder)? {
        return Err(ExtractError::Unpartitioned { folder: folder.to_owned() });
    }
    Ok(())
}

/// Whether a folder has an extract, even one without rows.
fn has_rows(folder: &Path) -> Result<bool, ExtractError> {
    Ok(folder.join(SUCCESS).exists() || visible_files(folder)?.iter().any(|path| is_extracted(path)))
}

/// Checks that a partition contains no files of another extract, or, if these are to be replaced, nothing else: a folder
/// with other files is probably not meant.
pub(super) fn check_place(job: &Job, partition: &str, replaces: bool) -> Result<(), ExtractError> {
    let folder = job.partition_folder(partition);
    let files = visible_files(&folder)?;
    if replaces {
        let other = files.into_iter().find(|path| !is_extracted(path));
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

/// Whether a file has a name as extracts give it. A text by any other name may be somebody's notes.
fn is_extracted(path: &Path) -> bool {
    let is_part = || path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with("part-"));
    match path.extension().and_then(OsStr::to_str) {
        Some("parquet") => true,
        Some("csv" | "jsonl") => is_part(),
        _ => false,
    }
}
