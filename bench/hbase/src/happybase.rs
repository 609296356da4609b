//! happybase, brought by pip into an environment of its own below the target folder.

use std::path::PathBuf;
use std::process::Command;

use crate::Failure;
use crate::gohbase::{run, scratch};

/// A Python that has it.
///
/// # Errors
///
/// Why there is none.
pub(crate) fn python() -> Result<PathBuf, Failure> {
    let folder = scratch()?.join("python");
    let python = folder.join("bin/python");
    let has_it = || run(Command::new(&python).args(["-c", "import happybase"]));
    if has_it().is_err() {
        let made = run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))
            .and_then(|()| {
                run(Command::new(folder.join("bin/pip")).args(["install", "--quiet", "happybase"]))
            })
            .and_then(|()| has_it());
        made.map_err(|error| format!("happybase: {error}"))?;
    }
    Ok(python)
}
