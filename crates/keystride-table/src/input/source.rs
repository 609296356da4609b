//! Specifications of sources, and their expansion to sources.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::file_id::FileId;
use super::rejects::REJECTS_ENDING;
use super::{InputError, glob_files};

/// A specification of what to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceSpec {
    /// Standard input, specified as `-`.
    Stdin,
    /// A path, or a glob such as `logs/*.csv.gz`.
    Files(PathBuf),
}

/// A source of records that has not been opened yet.
pub struct Source {
    name: String,
    byte_count: Option<u64>,
    pub(super) origin: Origin,
}

/// The origin of a source's bytes.
pub(super) enum Origin {
    File(PathBuf),
    Stdin,
    Reader(Box<dyn Read + Send>),
}

impl SourceSpec {
    /// Parses a command line argument.
    pub fn parse(word: impl AsRef<OsStr>) -> Self {
        let word = word.as_ref();
        if word == "-" { Self::Stdin } else { Self::Files(word.into()) }
    }

    /// Returns the sources: one source, or the files that match a glob, sorted by name.
    ///
    /// The name of an existing file is taken literally, whatever characters it contains. Folders, and files of
    /// rejected records written by earlier loads, are excluded from globs.
    ///
    /// # Errors
    ///
    /// [`InputError`] for a path that does not exist, is a folder or can't be accessed, and for a glob that matches
    /// no file.
    pub fn expand(&self) -> Result<Vec<Source>, InputError> {
        match self {
            Self::Stdin => Ok(vec![Source::stdin()]),
            Self::Files(path) => match glob_of(path) {
                Some(pattern) => expand_glob(pattern),
                None => Ok(vec![Source::file(path)?]),
            },
        }
    }
}

/// Returns the sources of several specifications, in order. A file that several of them name, or one of them by several
/// links, is a source once.
///
/// # Errors
///
/// [`InputError`] as for [`SourceSpec::expand`], for an empty list, and if standard input is specified more than
/// once.
pub fn expand(specs: &[SourceSpec]) -> Result<Vec<Source>, InputError> {
    if specs.iter().filter(|spec| **spec == SourceSpec::Stdin).count() > 1 {
        return Err(InputError::StdinTwice);
    }
    let (mut sources, mut seen) = (Vec::new(), HashSet::new());
    for spec in specs {
        let files = spec.expand()?;
        sources.extend(files.into_iter().filter(|file| file.id().is_none_or(|id| seen.insert(id))));
    }
    if sources.is_empty() { Err(InputError::NoSources) } else { Ok(sources) }
}

impl Source {
    /// Creates a source that reads standard input.
    pub fn stdin() -> Self {
        Self { name: "standard input".to_owned(), byte_count: None, origin: Origin::Stdin }
    }

    /// Creates a source that reads a file.
    ///
    /// # Errors
    ///
    /// [`InputError`] when it does not exist, is a folder, or can't be accessed.
    pub fn file(path: impl Into<PathBuf>) -> Result<Self, InputError> {
        let path = path.into();
        let found = fs::metadata(&path).map_err(|cause| InputError::of_path(&path, cause))?;
        if found.is_dir() {
            return Err(InputError::Directory { path });
        }
        let byte_count = found.is_file().then_some(found.len());
        Ok(Self { name: path.display().to_string(), byte_count, origin: Origin::File(path) })
    }

    /// Creates a source from any reader, with a name for messages.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Self { name: name.into(), byte_count: None, origin: Origin::Reader(Box::new(reader)) }
    }

    /// Sets the size of a reader in bytes. Progress and memory are planned with it; a wrong size does no harm.
    #[must_use]
    pub fn with_byte_count(self, byte_count: u64) -> Self {
        Self { byte_count: Some(byte_count), ..self }
    }

    /// Returns its path, or its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of a file; `None` for other sources.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Stdin | Origin::Reader(_) => None,
        }
    }

    /// Returns what tells a file from others; `None` for pipes and readers.
    fn id(&self) -> Option<FileId> {
        self.path().filter(|_| self.byte_count.is_some()).and_then(FileId::of)
    }

    /// Returns its size in bytes, before decompression; `None` for pipes and for readers of unknown size.
    pub fn byte_count(&self) -> Option<u64> {
        self.byte_count
    }
}

impl Origin {
    pub(super) fn open(self) -> Result<Box<dyn Read + Send>, InputError> {
        match self {
            Self::File(path) => match fs::File::open(&path) {
                Ok(file) => Ok(Box::new(file)),
                Err(cause) => Err(InputError::of_path(&path, cause)),
            },
            Self::Stdin => Ok(Box::new(io::stdin())),
            Self::Reader(reader) => Ok(reader),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Returns the path as a glob pattern, if it contains a glob character and no file of that name exists.
fn glob_of(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    (glob_files::has_glob(text) && fs::symlink_metadata(path).is_err()).then_some(text)
}

fn expand_glob(pattern: &str) -> Result<Vec<Source>, InputError> {
    let mut sources = Vec::new();
    for path in glob_files::matching(pattern)? {
        if !path.is_dir() && !path.to_string_lossy().ends_with(REJECTS_ENDING) {
            sources.push(Source::file(path)?);
        }
    }
    if sources.is_empty() { Err(InputError::NoMatch { pattern: pattern.to_owned() }) } else { Ok(sources) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(spec: &Path) -> Result<Vec<String>, InputError> {
        let sources = SourceSpec::parse(spec).expand()?;
        Ok(sources
            .iter()
            .filter_map(|source| Some(source.path()?.file_name()?.to_str()?.to_owned()))
            .collect())
    }

    #[test]
    fn a_glob_gives_its_files_by_name_without_folders_and_rejects() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.csv", "a.csv", "a.rejects.csv", "c.txt"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        fs::create_dir(folder.path().join("d.csv")).unwrap();
        assert_eq!(names(&folder.path().join("*.csv")).unwrap(), ["a.csv", "b.csv"]);
        let error = names(&folder.path().join("*.json")).unwrap_err();
        assert!(error.to_string().contains("*.json: no file matches"), "{error}");
        let error = names(&folder.path().join("***.csv")).unwrap_err();
        assert!(matches!(error, InputError::Glob { .. }), "{error}");
    }

    #[test]
    fn a_name_with_brackets_is_a_name_when_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("day[1].csv"), "x").unwrap();
        fs::write(folder.path().join("day1.csv"), "x").unwrap();
        assert_eq!(names(&folder.path().join("day[1].csv")).unwrap(), ["day[1].csv"]);
        assert_eq!(names(&folder.path().join("day[12].csv")).unwrap(), ["day1.csv"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_back_are_not_followed_and_no_file_is_a_source_twice() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("a/b")).unwrap();
        for name in ["a/b/1.csv", "a/2.csv", "3.csv"] {
            fs::write(path(name), "x").unwrap();
        }
        for (link, to) in [("a/b/back", ".."), ("a/self", "."), ("a/b/again", "../b"), ("other", "a/b")] {
            symlink(to, path(link)).unwrap();
        }
        assert_eq!(names(&path("**/*.csv")).unwrap(), ["3.csv", "2.csv", "1.csv"]);
        symlink("2.csv", path("a/0.csv")).unwrap();
        fs::hard_link(path("3.csv"), path("4.csv")).unwrap();
        let specs =
            ["a/*.csv", "a/2.csv", "?.csv", "4.csv", "o*/*.csv"].map(|name| SourceSpec::parse(path(name)));
        let sources = expand(&specs).unwrap();
        let found: Vec<_> = sources.iter().filter_map(Source::path).collect();
        assert_eq!(found, ["a/0.csv", "3.csv", "other/1.csv"].map(path).iter().collect::<Vec<_>>());
    }

    #[test]
    fn folders_and_missing_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(names(folder.path()), Err(InputError::Directory { .. })));
        assert!(matches!(names(&folder.path().join("no.csv")), Err(InputError::Missing { .. })));
    }

    #[test]
    fn standard_input_is_read_once() {
        let both = [SourceSpec::parse("-"), SourceSpec::parse("-")];
        assert!(matches!(expand(&both), Err(InputError::StdinTwice)));
        assert!(matches!(expand(&[]), Err(InputError::NoSources)));
        assert_eq!(expand(&both[..1]).unwrap()[0].name(), "standard input");
    }
}
