//! Where a user's programs keep files, by the XDG Base Directory Specification.

use std::env;
use std::path::PathBuf;

/// Returns keystride's folder for what can be made again: in `$XDG_CACHE_HOME`, else in `~/.cache`. `None` if the
/// environment has neither.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", ".cache")
}

/// Returns keystride's folder for what is to last: in `$XDG_STATE_HOME`, else in `~/.local/state`. `None` if the
/// environment has neither.
pub(crate) fn state_folder() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state")
}

fn folder(variable: &str, at_home: &str) -> Option<PathBuf> {
    let folder = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The specification says that a relative folder is to be ignored.
    let named = folder(variable).filter(|folder| folder.is_absolute());
    let folder = named.or_else(|| folder("HOME").map(|home| home.join(at_home)))?;
    Some(folder.join("keystride"))
}
