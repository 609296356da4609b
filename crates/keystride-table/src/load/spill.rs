//! Temporary files for data that does not fit into memory.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// A temporary file that is read once, from its start to its end. What has been read is removed from it, so that its
/// space on the disk and in the system's cache is free for what is written meanwhile.
#[derive(Debug)]
pub(super) struct ReadOnce {
    file: File,
    /// Number of bytes read so far.
    at: u64,
}

/// Creates an unnamed file in `folder` or the system's temporary folder. It is deleted when it is closed, however the
/// program ends.
pub(super) fn spill_file(folder: Option<&Path>) -> io::Result<File> {
    match folder {
        Some(folder) => tempfile::tempfile_in(folder),
        None => tempfile::tempfile(),
    }
}

impl ReadOnce {
    pub(super) fn new(mut file: File) -> io::Result<Self> {
        file.rewind()?;
        Ok(Self { file, at: 0 })
    }
}

impl Read for ReadOnce {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        release(&self.file, self.at, count as u64);
        self.at += count as u64;
        Ok(count)
    }
}

/// Frees the space of a part of a file. File systems that can't do that keep it until the file is closed.
#[cfg(target_os = "linux")]
fn release(file: &File, at: u64, count: u64) {
    use rustix::fs::{FallocateFlags, fallocate};
    let _ = fallocate(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, at, count);
}

#[cfg(not(target_os = "linux"))]
fn release(_: &File, _: u64, _: u64) {}
