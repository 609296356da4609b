//! The folders of keyspaces, and the engine's own list of them.
//!
//! The list is the keyspace 0. It has an entry `n` and the keyspace's number, 8 bytes big-endian, with its name as the
//! value. A folder that is not in the list was left behind when a keyspace was made or removed, and the engine removes
//! it. A folder in the list must have all its files: a keyspace is listed once they are on disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fjall::AbstractTree;
use lsm_tree::{Config, Guard, SeqNo, SequenceNumberCounter};

use super::{FOREIGN, KEYSPACES, MISSING, OTHER, damaged, missing_or, tree};
use crate::StoreError;
use crate::embedded::engine::{CATALOG, engine_error};
use crate::embedded::folder::io_error;

/// The keyspaces in use.
#[derive(Debug)]
pub(super) struct Keyspaces {
    folder: PathBuf,
    numbers: Vec<u64>,
}

impl Keyspaces {
    /// Reads the list of keyspaces and compares it with their folders.
    pub(super) fn read(engine: &Path) -> Result<Self, StoreError> {
        let folder = engine.join(KEYSPACES);
        let found = numbers_in(&folder)?;
        let list = folder.join("0");
        tree::check(&list)?;
        let names = names_in(&list)?;
        let numbers = found.into_iter().filter(|number| names.contains_key(number)).collect();
        let keyspaces = Self { folder, numbers };
        match names.iter().find(|(_, name)| **name == CATALOG.as_bytes()) {
            Some((number, _)) if !keyspaces.numbers.contains(number) => {
                Err(damaged(&keyspaces.folder(*number), MISSING))
            }
            _ => Ok(keyspaces),
        }
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.numbers.iter().copied()
    }

    pub(super) fn folder(&self, number: u64) -> PathBuf {
        self.folder.join(number.to_string())
    }
}

/// Returns the numbers that are names of folders.
fn numbers_in(folder: &Path) -> Result<Vec<u64>, StoreError> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| missing_or(folder, error))? {
        let entry = entry.map_err(io_error(folder, "list it"))?;
        if !entry.file_type().map_err(io_error(&entry.path(), "look at it"))?.is_dir() {
            continue;
        }
        // The engine would panic at another name, and might remove a folder with another form of its number.
        let number =
            entry.file_name().to_str().and_then(|name| Some((name.parse::<u64>().ok()?, name.len())));
        match number {
            Some((number, len)) if number.to_string().len() == len => numbers.push(number),
            _ => return Err(damaged(&entry.path(), FOREIGN)),
        }
    }
    Ok(numbers)
}

/// Returns the names of all keyspaces by number.
fn names_in(list: &Path) -> Result<BTreeMap<u64, Vec<u8>>, StoreError> {
    let counter = SequenceNumberCounter::default;
    let unreadable = |error| engine_error("read its list of tables")(fjall::Error::Storage(error));
    let tree = Config::new(list, counter(), counter()).open().map_err(unreadable)?;
    let names = tree.prefix(b"n", SeqNo::MAX, None).map(|entry| {
        let (key, name) = entry.into_inner().map_err(unreadable)?;
        let number = key[1..].try_into().map_err(|_| damaged(list, OTHER))?;
        Ok((u64::from_be_bytes(number), name.to_vec()))
    });
    names.collect()
}
