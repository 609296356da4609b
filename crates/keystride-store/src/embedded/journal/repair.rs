//! Goes on without what follows a damage of the journal.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Damage, cut, find_damage};
use crate::embedded::folder::io_error;
use crate::{StoreError, durable};

/// What a repair of a store's journal has left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The journal that was damaged.
    pub journal: PathBuf,
    /// The first byte that does not read back.
    pub from: u64,
    /// Where the damage ends.
    pub to: u64,
    /// How many batches follow the damage; they were acknowledged and are no longer in the store.
    pub following: u64,
    /// The folder that has a copy of the journal, and the journals after it.
    pub aside: PathBuf,
}

/// Shortens a damaged journal to the batches in front of the damage. A copy of it and the later journals go into a new
/// folder in `store`. Returns `None` if no journal is damaged.
pub(in crate::embedded) fn repair(engine: &Path, store: &Path) -> Result<Option<Repair>, StoreError> {
    let Some(Damage { path: journal, from, to, following, later }) = find_damage(engine)? else {
        return Ok(None);
    };
    let aside = make_aside(store)?;
    let copy = target(&aside, &journal);
    fs::copy(&journal, &copy)
        .and_then(|_| fs::File::open(&copy)?.sync_all())
        .and_then(|()| durable::sync_folder(&aside))
        .map_err(io_error(&copy, "write it"))?;
    // From the last one on: their numbers must have no gap if this is interrupted.
    for path in later.iter().rev() {
        fs::rename(path, target(&aside, path)).map_err(io_error(path, "move it"))?;
    }
    for folder in [&aside, engine] {
        durable::sync_folder(folder).map_err(io_error(folder, "bring it to disk"))?;
    }
    cut(&journal, from)?;
    Ok(Some(Repair { journal, from, to, following, aside }))
}

/// Makes the first of the folders `damaged-1`, `damaged-2` and so on that is not there yet.
fn make_aside(store: &Path) -> Result<PathBuf, StoreError> {
    let free =
        (1..=u32::MAX).map(|number| store.join(format!("damaged-{number}"))).find(|path| !path.exists());
    let aside = free.unwrap_or_else(|| store.join("damaged"));
    fs::create_dir(&aside).map_err(io_error(&aside, "make the folder"))?;
    durable::sync_folder(store).map_err(io_error(store, "bring it to disk"))?;
    Ok(aside)
}

fn target(folder: &Path, file: &Path) -> PathBuf {
    file.file_name().map_or_else(|| folder.to_owned(), |name| folder.join(name))
}
