//! A row as one run of bytes, with its key in front.
//!
//! Length of all that follows the two lengths (4 bytes), of the key (2), the key, the timestamp (8), how many cells (4),
//! of each its column and where its value ends (4 each), the values. Numbers are big-endian.

use std::io;

use keystride_store::PutCell;

use crate::cells::RowImage;

const LENGTHS: usize = 6;
const CELL_BYTES: usize = 8;
const FIXED: usize = LENGTHS + 8 + 4;

/// Bytes of a row when it is packed.
pub(super) fn len(image: &RowImage) -> usize {
    FIXED + image.key.len() + image.cells.len() * CELL_BYTES + image.values.len()
}

/// Appends a row.
pub(super) fn write(image: &RowImage, out: &mut Vec<u8>) -> io::Result<()> {
    let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
    let rest = u32::try_from(len(image) - LENGTHS).map_err(too_large)?;
    let key = u16::try_from(image.key.len()).map_err(too_large)?;
    let cells = u32::try_from(image.cells.len()).map_err(too_large)?;
    out.extend_from_slice(&rest.to_be_bytes());
    out.extend_from_slice(&key.to_be_bytes());
    out.extend_from_slice(&image.key);
    out.extend_from_slice(&image.stamp_ms.to_be_bytes());
    out.extend_from_slice(&cells.to_be_bytes());
    for cell in &image.cells {
        out.extend_from_slice(&cell.column.to_be_bytes());
        out.extend_from_slice(&cell.end.to_be_bytes());
    }
    out.extend_from_slice(&image.values);
    Ok(())
}

/// The bytes of the row that `bytes` begin with.
pub(super) fn whole(bytes: &[u8]) -> &[u8] {
    &bytes[..LENGTHS + number(bytes)]
}

/// How many bytes of a row follow its first six.
pub(super) fn rest_len(lengths: [u8; LENGTHS]) -> usize {
    number(&lengths)
}

/// The key of the row that `bytes` begin with.
pub(super) fn key(bytes: &[u8]) -> &[u8] {
    let len = u16::from_be_bytes([bytes[4], bytes[5]]);
    &bytes[LENGTHS..LENGTHS + usize::from(len)]
}

/// Reads the row that `bytes` begin with.
pub(super) fn read(bytes: &[u8], image: &mut RowImage) -> io::Result<()> {
    let row = whole(bytes);
    let key = key(row);
    image.key.clear();
    image.key.extend_from_slice(key);
    let (stamp, rest) = row[LENGTHS + key.len()..].split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
    image.stamp_ms = i64::from_be_bytes(*stamp);
    let (cells, values) = rest[4..].split_at(number(rest) * CELL_BYTES);
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u32::from_be_bytes(*word));
    image.cells.clear();
    let cells = cells.chunks_exact(CELL_BYTES);
    image.cells.extend(cells.map(|cell| PutCell { column: word(cell), end: word(&cell[4..]) }));
    image.values.clear();
    image.values.extend_from_slice(values);
    Ok(())
}

fn number(bytes: &[u8]) -> usize {
    bytes.first_chunk().map_or(0, |number| u32::from_be_bytes(*number) as usize)
}
