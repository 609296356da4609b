//! The engine's journal: files that hold the batches which may not be in the files of tables yet.
//!
//! The journals are `0.jnl`, `1.jnl` and so on; batches go to the last one. What a kill or a loss of power leaves of a
//! batch that was not acknowledged is a torn end: nothing that was written as a whole follows it. Anything else that
//! does not read back is damage. The engine would not tell them apart and leave out all that follows.

mod examine;
mod frame;
mod repair;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

pub use self::repair::Repair;
pub(super) use self::repair::repair;

use self::examine::{Ending, batches_in, examine};
use super::folder::io_error;
use crate::StoreError;

const SUFFIX: &str = ".jnl";

/// A place of a journal that does not read back.
#[derive(Debug)]
struct Damage {
    path: PathBuf,
    from: u64,
    to: u64,
    /// How many batches that read back follow, also in later journals.
    following: u64,
    later: Vec<PathBuf>,
}

/// Checks that the journals read back, and removes a torn end.
pub(super) fn check(engine: &Path) -> Result<(), StoreError> {
    match find_damage(engine)? {
        Some(Damage { path, from, to, following, .. }) => {
            Err(StoreError::DamagedJournal { path, from, to, following })
        }
        None => Ok(()),
    }
}

/// Empties the journals, once all that they hold is in the files of tables.
pub(super) fn clear(engine: &Path) -> Result<(), StoreError> {
    let mut journals = list(engine)?;
    let Some(last) = journals.pop() else { return Ok(()) };
    for path in journals {
        fs::remove_file(&path).map_err(io_error(&path, "remove it"))?;
    }
    cut(&last, 0)
}

/// Returns the damage that comes first; without any, removes the torn end of the last journal.
fn find_damage(engine: &Path) -> Result<Option<Damage>, StoreError> {
    let journals = list(engine)?;
    if journals.is_empty() {
        return Err(StoreError::NoJournal { folder: engine.to_owned() });
    }
    let mut journals = journals.into_iter();
    let (mut last, mut torn) = (None, None);
    while let Some(path) = journals.next() {
        let file = open(&path)?;
        let bytes = file.metadata().map_err(io_error(&path, "look at it"))?.len();
        let examined = examine(file, last).map_err(io_error(&path, "read it"))?;
        let (to, following) = match examined.ending {
            Ending::Damaged { to, following } => (to, following),
            Ending::Torn if !journals.as_slice().is_empty() => (bytes, 0),
            Ending::Torn => {
                torn = Some((path, examined.good));
                continue;
            }
            Ending::Zeros => {
                last = examined.last;
                continue;
            }
        };
        let later: Vec<_> = journals.collect();
        let mut damage = Damage { path, from: examined.good, to, following, later };
        for path in &damage.later {
            damage.following += batches_in(open(path)?).map_err(io_error(path, "read it"))?;
        }
        return Ok(Some(damage));
    }
    torn.map_or(Ok(()), |(path, good)| cut(&path, good)).map(|()| None)
}

fn open(path: &Path) -> Result<File, StoreError> {
    File::open(path).map_err(io_error(path, "read it"))
}

fn cut(path: &Path, bytes: u64) -> Result<(), StoreError> {
    let cut = File::options().write(true).open(path).and_then(|file| {
        file.set_len(bytes)?;
        file.sync_all()
    });
    cut.map_err(io_error(path, "shorten it"))
}

/// Returns the journals in order. The engine numbers them one after another, removes them from the first on and always
/// keeps one. Opened without a journal, it would make a new one and at first find no rows.
fn list(engine: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = fs::read_dir(engine).map_err(io_error(engine, "list it"))?;
    let names: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let names = names.map_err(io_error(engine, "list it"))?;
    // The engine itself refuses journals of other names.
    let number = |name: &std::ffi::OsString| name.to_str()?.strip_suffix(SUFFIX)?.parse::<u64>().ok();
    let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    let path = |number: u64| engine.join(format!("{number}{SUFFIX}"));
    match numbers.windows(2).find(|pair| pair[0] + 1 != pair[1]) {
        Some(pair) => Err(StoreError::DamagedFile { path: path(pair[0] + 1), found: "is missing" }),
        None => Ok(numbers.into_iter().map(path).collect()),
    }
}
