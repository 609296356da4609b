//! What becomes of the file at the place where rejects are to be kept.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use super::rejects::{REJECTS_ENDING, RejectsColumns};

/// More bytes than the header of any file of rejects has.
const HEADER_MOST: u64 = 64;

/// Returns the path of the regular file behind any symbolic links; `None` if there is none. What the system names, such
/// as `/dev/stderr`, is none, even if a file is behind it: it is written to as a stream.
pub(super) fn existing_file(path: &Path) -> Option<PathBuf> {
    let is_of_system = path.starts_with("/dev") || path.starts_with("/proc");
    path.canonicalize().ok().filter(|path| !is_of_system && path.is_file())
}

/// Opens a file and empties it. A stream, such as a terminal or `/dev/null`, is opened as it is.
///
/// # Errors
///
/// When it can't be opened, or another load is writing to it.
pub(super) fn open_alone(path: &Path) -> io::Result<File> {
    if path.exists() && existing_file(path).is_none() {
        return File::options().append(true).open(path);
    }
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    lock(&file)?;
    file.set_len(0)?;
    Ok(file)
}

/// Opens a file of rejects with these columns to add to it; `None` if there is none at the path.
///
/// # Errors
///
/// When it can't be read or opened, or another load is writing to it.
pub(super) fn open_to_append(path: &Path, columns: RejectsColumns) -> io::Result<Option<File>> {
    if existing_file(path).is_none() {
        return Ok(None);
    }
    let (header, mut found) = (columns.header(), String::new());
    // What is not text is no header.
    let read = File::open(path)?.take(header.len() as u64).read_to_string(&mut found);
    if read.is_err() || found != header {
        return Ok(None);
    }
    let file = File::options().append(true).open(path)?;
    lock(&file)?;
    Ok(Some(file))
}

/// Moves a file aside if it `is_kept` or is none of rejects. Returns where it is then.
///
/// # Errors
///
/// When it can't be read or moved, or another load is writing to it.
pub(super) fn make_room(path: &Path, is_kept: bool) -> io::Result<Option<PathBuf>> {
    if existing_file(path).is_none() {
        return Ok(None);
    }
    lock(&File::open(path)?)?;
    if !is_kept && begins(path)?.is_none_or(|is_of_rejects| is_of_rejects) {
        return Ok(None);
    }
    let free = free_name(path);
    fs::rename(path, &free)?;
    Ok(Some(free))
}

/// Removes a file of rejects, unless another load is writing to it; any other file stays.
///
/// # Errors
///
/// When it can't be read or removed.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let is_removed = existing_file(path).is_some()
        && begins(path)?.is_some_and(|is_of_rejects| is_of_rejects)
        && lock(&File::open(path)?).is_ok();
    if is_removed { fs::remove_file(path) } else { Ok(()) }
}

/// Whether `longer` is a regular file that begins with all of `path`, which then has nothing more to tell.
///
/// # Errors
///
/// When one of them can't be read.
pub(super) fn is_beginning(path: &Path, longer: &Path) -> io::Result<bool> {
    if existing_file(path).is_none() || existing_file(longer).is_none() {
        return Ok(false);
    }
    let (mut short, mut long) = (BufReader::new(File::open(path)?), BufReader::new(File::open(longer)?));
    loop {
        let (one, other) = (short.fill_buf()?, long.fill_buf()?);
        let len = one.len().min(other.len());
        if one.is_empty() || one[..len] != other[..len] || len == 0 {
            return Ok(one.is_empty());
        }
        short.consume(len);
        long.consume(len);
    }
}

/// Returns the name of a draft of a file of rejects, which globs leave out, too.
pub(super) fn draft_of(path: &Path) -> PathBuf {
    path.with_file_name(format!("{}.new{REJECTS_ENDING}", stem_of(path)))
}

/// Whether a file begins like one of rejects; `None` if it is empty.
fn begins(path: &Path) -> io::Result<Option<bool>> {
    let mut begins = Vec::new();
    File::open(path)?.take(HEADER_MOST).read_to_end(&mut begins)?;
    let columns = [RejectsColumns::OneSource, RejectsColumns::ManySources];
    let is_of_rejects = columns.iter().any(|columns| begins.starts_with(columns.header().as_bytes()));
    Ok((!begins.is_empty()).then_some(is_of_rejects))
}

/// Locks a file for as long as it is open. File systems without locks have no other load to tell of.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(ErrorKind::ResourceBusy, "another load keeps its rejects there"))
        }
        _ => Ok(()),
    }
}

/// Returns the first of the names `input.1.rejects.csv`, `input.2.rejects.csv` and so on that no file has, or `notes.1.txt`
/// for another ending.
fn free_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = stem_of(path);
    let ending = &name[stem.len()..];
    let mut numbered = (1_u64..).map(|number| path.with_file_name(format!("{stem}.{number}{ending}")));
    numbered.find(|path| !path.exists()).unwrap_or_else(|| path.to_owned())
}

/// Returns the name of a file without the ending of rejects, or else without its last ending.
fn stem_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(REJECTS_ENDING).map(str::to_owned);
    stem.unwrap_or_else(|| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
}
