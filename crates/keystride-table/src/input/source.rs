//! What a load is asked to read, and the sources that this comes to.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::InputError;
use super::rejects::REJECTS_ENDING;

/// What a load is asked to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceSpec {
    /// Standard input, written `-`.
    Stdin,
    /// A path, or a glob such as `logs/*.csv.gz`.
    Files(PathBuf),
}

/// One stream of records, not yet opened.
pub struct Source {
    name: String,
    byte_count: Option<u64>,
    pub(super) origin: Origin,
}

/// Where its bytes come from.
pub(super) enum Origin {
    File(PathBuf),
    Stdin,
    Reader(Box<dyn Read + Send>),
}

impl SourceSpec {
    /// Takes a word of a command line.
    pub fn parse(word: impl AsRef<OsStr>) -> Self {
        let word = word.as_ref();
        if word == "-" { Self::Stdin } else { Self::Files(word.into()) }
    }

    /// The sources it stands for: one, or the files of a glob in the order of their names.
    ///
    /// A name that is there is taken as it is, whatever characters it holds. A glob leaves out folders and the files
    /// of rejected records that earlier loads wrote.
    ///
    /// # Errors
    ///
    /// [`InputError`] for a path that leads nowhere, to a folder or to a file that can't be read, and for a glob that
    /// matches no file.
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

/// The sources of several specs, in their order.
///
/// # Errors
///
/// [`InputError`] as [`SourceSpec::expand`] has it, for no spec at all, and for standard input named twice.
pub fn expand(specs: &[SourceSpec]) -> Result<Vec<Source>, InputError> {
    if specs.iter().filter(|spec| **spec == SourceSpec::Stdin).count() > 1 {
        return Err(InputError::StdinTwice);
    }
    let mut sources = Vec::new();
    for spec in specs {
        sources.append(&mut spec.expand()?);
    }
    if sources.is_empty() { Err(InputError::NoSources) } else { Ok(sources) }
}

impl Source {
    /// Standard input.
    pub fn stdin() -> Self {
        Self { name: "standard input".to_owned(), byte_count: None, origin: Origin::Stdin }
    }

    /// A file.
    ///
    /// # Errors
    ///
    /// [`InputError`] when it is not there, is a folder, or can't be looked at.
    pub fn file(path: impl Into<PathBuf>) -> Result<Self, InputError> {
        let path = path.into();
        let found = fs::metadata(&path).map_err(|cause| InputError::of_path(&path, cause))?;
        if found.is_dir() {
            return Err(InputError::Directory { path });
        }
        let byte_count = found.is_file().then_some(found.len());
        Ok(Self { name: path.display().to_string(), byte_count, origin: Origin::File(path) })
    }

    /// Any reader, under a name for messages.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Self { name: name.into(), byte_count: None, origin: Origin::Reader(Box::new(reader)) }
    }

    /// Its path, or what messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file's path; `None` for what is no file.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Stdin | Origin::Reader(_) => None,
        }
    }

    /// Its bytes, compressed where it is; `None` for pipes and readers.
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

/// The pattern of a path that is no file's name and holds a character of globs.
fn glob_of(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    (text.contains(['*', '?', '[']) && fs::symlink_metadata(path).is_err()).then_some(text)
}

fn expand_glob(pattern: &str) -> Result<Vec<Source>, InputError> {
    let paths = glob::glob(pattern).map_err(|cause| InputError::Glob {
        pattern: pattern.to_owned(),
        at: cause.pos,
        what: cause.msg,
    })?;
    let mut sources = Vec::new();
    for path in paths {
        let path = path.map_err(unreadable)?;
        if !path.is_dir() && !path.to_string_lossy().ends_with(REJECTS_ENDING) {
            sources.push(Source::file(path)?);
        }
    }
    if sources.is_empty() { Err(InputError::NoMatch { pattern: pattern.to_owned() }) } else { Ok(sources) }
}

fn unreadable(error: glob::GlobError) -> InputError {
    let path = error.path().to_owned();
    InputError::of_path(&path, error.into())
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
