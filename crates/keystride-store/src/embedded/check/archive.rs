//! The table of contents at the end of the engine's files.
//!
//! | Bytes | Field |
//! |---|---|
//! | 4 | `TOC!` |
//! | 4 | number of sections, little-endian |
//! | then for each section: | |
//! | 8, 8 | where it starts, its length, little-endian |
//! | 2, n | length of its name, little-endian; its name |
//! | then at the end of the file: | |
//! | 4, 1, 1 | `SFA!`, 1, 0 |
//! | 16 | XXH3 of the table of contents |
//! | 8, 8 | where the table of contents starts, its length, little-endian |

#![expect(clippy::little_endian_bytes, reason = "the engine's files are little-endian")]

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_128;

const END_BYTES: u64 = 38;
const END_MARK: &[u8] = b"SFA!\x01\x00";
const CONTENTS_MARK: &[u8] = b"TOC!";

/// A table of contents has less than ten sections.
const MOST_BYTES: u64 = 64 << 10;

/// The sections of a file, by name.
#[derive(Debug)]
pub(super) struct Archive {
    sections: Vec<(Vec<u8>, Range<u64>)>,
}

impl Archive {
    /// Reads the table of contents; `None` if it is not as it was written.
    pub(super) fn read(file: &mut (impl Read + Seek)) -> io::Result<Option<Self>> {
        let len = file.seek(SeekFrom::End(0))?;
        let Some(end_at) = len.checked_sub(END_BYTES) else { return Ok(None) };
        let end = read_at(file, end_at..len)?;
        let Some((checksum, contents)) = parse_end(&end).filter(|(_, contents)| contents.end == end_at)
        else {
            return Ok(None);
        };
        if contents.is_empty() || contents.end - contents.start > MOST_BYTES {
            return Ok(None);
        }
        let bytes = read_at(file, contents.clone())?;
        Ok(parse_contents(&bytes, contents.start).filter(|_| xxh3_128(&bytes) == checksum))
    }

    /// Returns where a section is.
    pub(super) fn section(&self, name: &[u8]) -> Option<Range<u64>> {
        self.sections.iter().find(|section| section.0 == name).map(|section| section.1.clone())
    }
}

fn read_at(file: &mut (impl Read + Seek), range: Range<u64>) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    file.take(range.end - range.start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the checksum of the table of contents, and where it is.
fn parse_end(bytes: &[u8]) -> Option<(u128, Range<u64>)> {
    let mut fields = Fields(bytes.strip_prefix(END_MARK)?);
    let (checksum, start, len) = (u128::from_le_bytes(fields.next()?), fields.u64()?, fields.u64()?);
    Some((checksum, start..start.checked_add(len)?))
}

/// Returns the sections, if all of them are in front of the table of contents.
fn parse_contents(bytes: &[u8], most: u64) -> Option<Archive> {
    let mut fields = Fields(bytes.strip_prefix(CONTENTS_MARK)?);
    let mut sections = Vec::new();
    for _ in 0..fields.u32()? {
        let (start, len) = (fields.u64()?, fields.u64()?);
        let end = start.checked_add(len).filter(|&end| end <= most)?;
        let name_len = u16::from_le_bytes(fields.next()?);
        sections.push((fields.bytes(usize::from(name_len))?.to_vec(), start..end));
    }
    fields.0.is_empty().then_some(Archive { sections })
}

/// Fields that follow each other, little-endian.
#[derive(Debug)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn next<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.next().map(u8::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.next().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.next().map(u64::from_le_bytes)
    }

    fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }
}
