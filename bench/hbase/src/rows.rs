//! Rows, as all clients get them: flat in one file.
//!
//! All numbers are big-endian: a `u32` of columns, each a `u16` length and a name; a `u32` of rows, each a `u16` length
//! and a key and then for each column a `u16` length and a value, 65,535 where it has none.

use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::Failure;

/// Rows in memory, as they are in the file.
#[derive(Debug)]
pub(crate) struct Rows {
    bytes: Vec<u8>,
    columns: Vec<String>,
    starts: Vec<usize>,
}

/// The family of all columns.
pub(crate) const FAMILY: &[u8] = b"f";
/// The time of all cells, the same in every load.
pub(crate) const TIME: i64 = 1_400_657_685_457;
/// The length of a column that a row does not have.
const ABSENT: u16 = u16::MAX;

impl Rows {
    /// The first flights, of 336,776: 19 columns, those left out that are `NA`. A key is eight hexadecimal digits, a
    /// hash of the row's number, no two the same: rows come in no order and fall evenly into regions.
    pub(crate) fn flights(most: usize) -> Result<Self, Failure> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/flights/flights.csv.zst");
        let text = String::from_utf8(zstd::decode_all(fs::File::open(path)?)?)?;
        if text.contains('"') {
            return Err("the flights have quotes, which are not read here".into());
        }
        let mut lines = text.lines();
        let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let rows = lines.take(most).enumerate().map(|(at, line)| {
            let values = line.split(',').map(|value| (value != "NA").then_some(value));
            (format!("{:08x}", hash(at)), values)
        });
        Self::encode(&columns, rows)
    }

    /// Rows with keys of 44 bytes and values of 100 bytes together, in one column or ten.
    pub(crate) fn made_up(count: usize, cells: usize) -> Result<Self, Failure> {
        let columns: Vec<String> = (0..cells).map(|at| format!("c{at}")).collect();
        let value = "0123456789".repeat(10);
        let rows = (0..count).map(|at| {
            let key = format!("{:08x}|{at:035}", hash(at));
            (key, (0..cells).map(|cell| Some(&value[cell * 100 / cells..(cell + 1) * 100 / cells])))
        });
        Self::encode(&columns, rows)
    }

    fn encode<'a, V: Iterator<Item = Option<&'a str>>>(
        columns: &[impl AsRef<str>],
        rows: impl Iterator<Item = (String, V)>,
    ) -> Result<Self, Failure> {
        let mut bytes = u32::try_from(columns.len())?.to_be_bytes().to_vec();
        for column in columns {
            push(&mut bytes, Some(column.as_ref()))?;
        }
        let count_at = bytes.len();
        bytes.extend([0; 4]);
        let mut count: u32 = 0;
        for (key, values) in rows {
            push(&mut bytes, Some(&key))?;
            for value in values {
                push(&mut bytes, value)?;
            }
            count += 1;
        }
        bytes[count_at..count_at + 4].copy_from_slice(&count.to_be_bytes());
        Self::of_bytes(bytes)
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::of_bytes(fs::read(path)?)
    }

    /// Writes it.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        Ok(fs::write(path, &self.bytes)?)
    }

    fn of_bytes(bytes: Vec<u8>) -> Result<Self, Failure> {
        let mut left = &bytes[..];
        let column_count = take_count(&mut left)?;
        let mut columns = Vec::new();
        for _ in 0..column_count {
            let name = take(&mut left).ok_or("a column has no name")?;
            columns.push(String::from_utf8(name.to_vec())?);
        }
        let mut starts = Vec::new();
        for _ in 0..take_count(&mut left)? {
            starts.push(bytes.len() - left.len());
            for _ in 0..=column_count {
                take(&mut left);
            }
        }
        Ok(Self { bytes, columns, starts })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// A row's key.
    #[inline]
    pub(crate) fn key(&self, at: usize) -> &[u8] {
        take(&mut &self.bytes[self.starts[at]..]).unwrap_or_default()
    }

    /// The columns that a row has, with their values.
    #[inline]
    pub(crate) fn cells(&self, at: usize) -> impl Iterator<Item = (&[u8], &[u8])> {
        let mut left = &self.bytes[self.starts[at]..];
        take(&mut left);
        self.columns.iter().filter_map(move |column| Some((column.as_bytes(), take(&mut left)?)))
    }

    /// Bytes of cells that these rows have on the way to a server.
    pub(crate) fn cell_bytes(&self, rows: Range<usize>) -> usize {
        let row = |at: usize| {
            let fixed = 24 + FAMILY.len() + self.key(at).len();
            self.cells(at).map(|(column, value)| fixed + column.len() + value.len()).sum::<usize>()
        };
        rows.map(row).sum()
    }
}

/// A number of 32 bits for each, no two the same: the odd factor can be undone.
fn hash(at: usize) -> u32 {
    u32::try_from(at).unwrap_or_default().wrapping_mul(2_654_435_761)
}

fn push(bytes: &mut Vec<u8>, value: Option<&str>) -> Result<(), Failure> {
    let len = value.map_or(Ok(ABSENT), |value| u16::try_from(value.len()))?;
    bytes.extend(len.to_be_bytes());
    bytes.extend(value.unwrap_or_default().as_bytes());
    Ok(())
}

fn take_count(left: &mut &[u8]) -> Result<u32, Failure> {
    let (head, rest) = left.split_first_chunk().ok_or("the file of rows ends too early")?;
    *left = rest;
    Ok(u32::from_be_bytes(*head))
}

#[inline]
fn take<'a>(left: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (head, rest) = left.split_first_chunk()?;
    *left = rest;
    match u16::from_be_bytes(*head) {
        ABSENT => None,
        len => {
            let (value, rest) = left.split_at(usize::from(len));
            *left = rest;
            Some(value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_have_the_columns_that_are_not_missing() {
        let rows = Rows::flights(2_000).unwrap();
        assert_eq!((rows.len(), rows.columns.len()), (2_000, 19));
        assert_eq!(rows.key(1), b"9e3779b1");
        let cells: Vec<_> = rows.cells(0).collect();
        assert_eq!((cells.len(), cells[11]), (19, (&b"tailnum"[..], &b"N14228"[..])));
        assert!((0..2_000).any(|at| rows.cells(at).count() < 19));
    }

    #[test]
    fn made_up_rows_have_keys_of_44_bytes_and_values_of_100() {
        for cells in [1, 10] {
            let rows = Rows::made_up(3, cells).unwrap();
            assert_eq!(rows.key(2).len(), 44);
            assert_eq!(rows.cells(2).map(|(_, value)| value.len()).sum::<usize>(), 100);
        }
    }
}
