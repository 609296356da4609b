//! The limit on open files.

/// Raises the limit of this process as far as its user may.
///
/// Usually 1,024 files may be open unless a program asks for more. An embedded store alone keeps up to 900 open, and a
/// sorted load merges up to 512 sorted files.
#[cfg(unix)]
pub(crate) fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    // If it stays low, an operation that needs more files reports that.
    let _as_it_was = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

#[cfg(not(unix))]
pub(crate) fn raise_limit() {}
