//! The files that a glob matches.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use glob::Pattern;

use super::InputError;
use super::file_id::FileId;

/// Returns the paths that match a pattern, sorted by name. A folder is searched once by each `**`, so that links which
/// lead back to it are followed no further.
pub(super) fn matching(pattern: &str) -> Result<Vec<PathBuf>, InputError> {
    let bad = |cause: glob::PatternError| InputError::Glob {
        pattern: pattern.to_owned(),
        at: cause.pos,
        what: cause.msg,
    };
    Pattern::new(pattern).map_err(bad)?;
    let (mut start, mut steps) = (PathBuf::new(), Vec::new());
    for component in Path::new(pattern).components() {
        match component {
            Component::Normal(name) if has_glob(name) => steps.push(Step::of(name).map_err(bad)?),
            component if steps.is_empty() => start.push(component),
            component => steps.push(Step::Name(component.as_os_str().to_owned())),
        }
    }
    let mut walk = Walk { found: Vec::new(), searched: HashSet::new() };
    walk.take(start, &steps)?;
    Ok(walk.found)
}

/// Whether a text has a character of globs.
pub(super) fn has_glob(text: impl AsRef<std::ffi::OsStr>) -> bool {
    text.as_ref().to_str().is_some_and(|text| text.contains(['*', '?', '[']))
}

/// What stands between two slashes.
enum Step {
    Name(OsString),
    Pattern(Pattern),
    /// Any number of folders.
    Folders,
}

struct Walk {
    found: Vec<PathBuf>,
    /// The folders searched by a `**`, each with how many steps follow.
    searched: HashSet<(usize, FileId)>,
}

impl Step {
    fn of(name: &std::ffi::OsStr) -> Result<Self, glob::PatternError> {
        let name = name.to_str().unwrap_or_default();
        Ok(if name == "**" { Self::Folders } else { Self::Pattern(Pattern::new(name)?) })
    }
}

impl Walk {
    /// Takes further steps from `path`.
    fn take(&mut self, path: PathBuf, steps: &[Step]) -> Result<(), InputError> {
        let Some((step, rest)) = steps.split_first() else {
            self.found.extend(fs::symlink_metadata(&path).is_ok().then_some(path));
            return Ok(());
        };
        match step {
            Step::Name(name) => self.take(path.join(name), rest),
            Step::Pattern(pattern) => {
                for name in names_in(&path)? {
                    if pattern.matches(&name.to_string_lossy()) {
                        self.take(path.join(name), rest)?;
                    }
                }
                Ok(())
            }
            Step::Folders => self.take_folders(&path, steps, rest),
        }
    }

    fn take_folders(&mut self, path: &Path, steps: &[Step], rest: &[Step]) -> Result<(), InputError> {
        let is_new = FileId::of(folder_of(path)).is_some_and(|id| self.searched.insert((rest.len(), id)));
        if !is_new {
            return Ok(());
        }
        self.take(path.to_owned(), rest)?;
        for name in names_in(path)? {
            let below = path.join(name);
            if below.is_dir() {
                self.take(below, steps)?;
            }
        }
        Ok(())
    }
}

/// Returns the names in a folder, sorted; none if it is no folder.
fn names_in(path: &Path) -> Result<Vec<OsString>, InputError> {
    let entries = match fs::read_dir(folder_of(path)) {
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        entries => entries.map_err(|cause| InputError::of_path(path, cause))?,
    };
    let names: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.file_name())).collect();
    let mut names = names.map_err(|cause| InputError::of_path(path, cause))?;
    names.sort_unstable();
    Ok(names)
}

fn folder_of(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}
