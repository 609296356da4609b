//! The files of one keyspace.
//!
//! | Name | Holds |
//! |---|---|
//! | `current` | number of the version in force, 8 bytes; XXH3 of its file, 16 bytes; 0: all little-endian |
//! | `v` and its number | the version: an archive whose section `tables` lists the tables by level and run |
//! | `tables/` and a number | a table: an archive |

#![expect(clippy::little_endian_bytes, reason = "the engine's files are little-endian")]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Cursor, ErrorKind};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::archive::{Archive, Fields};
use super::{FOREIGN, OTHER, damaged, missing_or, read};
use crate::StoreError;
use crate::embedded::folder::io_error;

/// The file that says which version is in force.
const CURRENT: &str = "current";

/// Checks the version in force, and that its tables are there and end as they were written.
pub(super) fn check(keyspace: &Path) -> Result<(), StoreError> {
    let current = keyspace.join(CURRENT);
    let (number, checksum) = parse_current(&read(&current)?).ok_or_else(|| damaged(&current, OTHER))?;
    let version = keyspace.join(format!("v{number}"));
    let bytes = read(&version)?;
    let tables = Some(&bytes).filter(|bytes| xxh3_128(bytes) == checksum).and_then(|bytes| tables_of(bytes));
    let tables = tables.ok_or_else(|| damaged(&version, OTHER))?;
    let folder = keyspace.join("tables");
    check_names(&folder)?;
    tables.into_iter().try_for_each(|table| check_table(&folder.join(table.to_string())))
}

/// The engine panics at a folder, and does not name a file that is none of its own.
fn check_names(folder: &Path) -> Result<(), StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(io_error(folder, "list it"))?,
    };
    for entry in entries {
        let path = entry.map_err(io_error(folder, "list it"))?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        // What desktops of macOS leave behind, the engine passes over.
        let is_passed_over = name == ".DS_Store" || name.starts_with("._");
        if !is_passed_over && (name.parse::<u64>().is_err() || path.is_dir()) {
            return Err(damaged(&path, FOREIGN));
        }
    }
    Ok(())
}

fn check_table(path: &Path) -> Result<(), StoreError> {
    let mut file = File::open(path).map_err(|error| missing_or(path, error))?;
    let archive = Archive::read(&mut file).map_err(io_error(path, "read it"))?;
    archive.map(drop).ok_or_else(|| damaged(path, OTHER))
}

/// Returns the number of the version in force, and the checksum of its file.
fn parse_current(bytes: &[u8]) -> Option<(u64, u128)> {
    let mut fields = Fields(bytes);
    let (number, checksum) = (fields.u64()?, u128::from_le_bytes(fields.next()?));
    (fields.0 == [0]).then_some((number, checksum))
}

/// Returns the numbers of a version's tables.
fn tables_of(version: &[u8]) -> Option<Vec<u64>> {
    let section = Archive::read(&mut Cursor::new(version)).ok()??.section(b"tables")?;
    let mut fields =
        Fields(version.get(usize::try_from(section.start).ok()?..usize::try_from(section.end).ok()?)?);
    let mut tables = Vec::new();
    for _ in 0..fields.u8()? {
        for _ in 0..fields.u8()? {
            for _ in 0..fields.u32()? {
                tables.push(fields.u64()?);
                // The checksum and its kind, and the table's sequence number.
                fields.next::<25>()?;
            }
        }
    }
    Some(tables)
}
