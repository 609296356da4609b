//! The packed format of a row, which starts with its key.
//!
//! In order: the length of everything after the two lengths (4 bytes), the length of the key (2 bytes), the key, the
//! timestamp (8 bytes), the number of cells (4 bytes), the column and value length of each cell, and the values.
//! Numbers are big-endian. The numbers of a cell take one byte if they are below 255, otherwise a byte 255 followed
//! by four bytes.

use std::io;

use keystride_store::PutCell;

use crate::cells::RowImage;

/// Number of bytes of the two lengths.
pub(super) const LENGTHS: usize = 6;
const FIXED: usize = LENGTHS + 8 + 4;

/// Marks a number of four bytes, which follow it.
const IS_LONG: u8 = u8::MAX;
const MOST_CELL_BYTES: usize = 2 * (1 + size_of::<u32>());

/// Returns the maximum length of a packed row.
pub(super) fn most_len(image: &RowImage) -> usize {
    FIXED + image.key.len() + image.cells.len() * MOST_CELL_BYTES + image.values.len()
}

/// Appends a row.
pub(super) fn write(image: &RowImage, out: &mut Vec<u8>) -> io::Result<()> {
    let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
    let key = u16::try_from(image.key.len()).map_err(too_large)?;
    let cells = u32::try_from(image.cells.len()).map_err(too_large)?;
    let start = out.len();
    out.extend_from_slice(&[0; size_of::<u32>()]);
    out.extend_from_slice(&key.to_be_bytes());
    out.extend_from_slice(&image.key);
    out.extend_from_slice(&image.stamp_ms.to_be_bytes());
    out.extend_from_slice(&cells.to_be_bytes());
    let mut value_start = 0;
    for cell in &image.cells {
        write_cell(cell.column, cell.end - value_start, out);
        value_start = cell.end;
    }
    out.extend_from_slice(&image.values);
    let rest = u32::try_from(out.len() - start - LENGTHS).map_err(too_large)?;
    out[start..start + size_of::<u32>()].copy_from_slice(&rest.to_be_bytes());
    Ok(())
}

fn write_cell(column: u32, value_len: u32, out: &mut Vec<u8>) {
    match [column, value_len].map(u8::try_from) {
        [Ok(column), Ok(len)] if column < IS_LONG && len < IS_LONG => out.extend_from_slice(&[column, len]),
        _ => [column, value_len].into_iter().for_each(|number| write_number(number, out)),
    }
}

fn write_number(number: u32, out: &mut Vec<u8>) {
    match u8::try_from(number) {
        Ok(short) if short < IS_LONG => out.push(short),
        _ => {
            out.push(IS_LONG);
            out.extend_from_slice(&number.to_be_bytes());
        }
    }
}

/// Returns the packed row at the start of `bytes`.
pub(super) fn whole(bytes: &[u8]) -> &[u8] {
    &bytes[..LENGTHS + number(bytes)]
}

/// Returns how many bytes of a row follow its first six.
pub(super) fn rest_len(lengths: [u8; LENGTHS]) -> usize {
    number(&lengths)
}

/// Returns the key of the row at the start of `bytes`.
pub(super) fn key(bytes: &[u8]) -> &[u8] {
    &bytes[LENGTHS..LENGTHS + key_len(bytes)]
}

/// Returns the length of the key of the row at the start of `bytes`.
pub(super) fn key_len(bytes: &[u8]) -> usize {
    usize::from(u16::from_be_bytes([bytes[4], bytes[5]]))
}

/// Decodes the row at the start of `bytes`.
pub(super) fn read(bytes: &[u8], image: &mut RowImage) -> io::Result<()> {
    let row = whole(bytes);
    let key = key(row);
    image.key.clear();
    image.key.extend_from_slice(key);
    let (stamp, rest) = row[LENGTHS + key.len()..].split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
    image.stamp_ms = i64::from_be_bytes(*stamp);
    let mut cells = &rest[size_of::<u32>()..];
    let mut value_end = 0;
    image.cells.clear();
    for _ in 0..number(rest) {
        let (column, value_len) = (read_number(&mut cells)?, read_number(&mut cells)?);
        value_end += value_len;
        image.cells.push(PutCell { column, end: value_end });
    }
    image.values.clear();
    image.values.extend_from_slice(cells);
    Ok(())
}

fn read_number(bytes: &mut &[u8]) -> io::Result<u32> {
    let (&first, rest) = bytes.split_first().ok_or(io::ErrorKind::InvalidData)?;
    *bytes = rest;
    if first != IS_LONG {
        return Ok(u32::from(first));
    }
    let (long, rest) = rest.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
    *bytes = rest;
    Ok(u32::from_be_bytes(*long))
}

fn number(bytes: &[u8]) -> usize {
    bytes.first_chunk().map_or(0, |number| u32::from_be_bytes(*number) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_any_column_and_length_come_back() {
        let numbers = [0, 1, 254, 255, 256, 70_000];
        let mut image = RowImage { key: b"key".to_vec(), stamp_ms: -1, ..RowImage::default() };
        let mut end = 0;
        for column in numbers.into_iter().chain([u32::MAX]) {
            for len in numbers {
                end += len;
                image.cells.push(PutCell { column, end });
            }
        }
        image.values = (0..end).map(|at| at.to_be_bytes()[3]).collect();
        let mut bytes = Vec::new();
        write(&image, &mut bytes).unwrap();
        assert!(bytes.len() <= most_len(&image));
        assert_eq!((whole(&bytes).len(), key(&bytes)), (bytes.len(), &b"key"[..]));
        bytes.extend_from_slice(b"the next row");
        let mut back = RowImage::default();
        for _ in 0..2 {
            read(&bytes, &mut back).unwrap();
            assert_eq!(back, image);
        }
    }
}
