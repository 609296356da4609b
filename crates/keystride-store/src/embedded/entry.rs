//! Entries of the storage engine. An entry holds all cells that one batch wrote to one row, family and timestamp.
//!
//! Each family of a table is a keyspace of the engine. The **key** of an entry is
//!
//! | Bytes | Field |
//! |---|---|
//! | n | the row, as encoded by `row_code` |
//! | 8 | timestamp, all bits inverted, big-endian: newest first |
//! | 8 | number of the batch, all bits inverted, big-endian: latest written first |
//!
//! and its **value**
//!
//! | Bytes | Field |
//! |---|---|
//! | 1 | 0: all cells are puts; 1: kinds follow |
//! | varint | number of cells *n* |
//! | *n* varints | length of each qualifier |
//! | *n* | HBase's type code of each, when the first byte is 1 |
//! | | the qualifiers |
//! | *n* varints | length of each value |
//! | | the values |
//!
//! with the cells sorted by qualifier, delete markers before values, each cell once. A varint has seven bits per
//! byte, lowest first, with the high bit set in all bytes but the last. The qualifiers, which rows of a table repeat,
//! are stored together, so that a block of rows compresses well, and the columns of a row cost the engine only one
//! entry.

use std::ops::Range;

use super::known_columns::KnownColumns;
use super::row_code;
use crate::flat::{CellBlock, CellParts, FlatRows};
use crate::{CellKind, ColumnsId, FamilyName, StoreError};

/// Length of the part of a key after the row code.
const SUFFIX_LEN: usize = 16;

const ALL_PUTS: u8 = 0;
const WITH_KINDS: u8 = 1;

/// The parsed key of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryKey<'a> {
    /// The row's code.
    pub(super) row_code: &'a [u8],
    pub(super) ts: i64,
}

/// Positions of the cells of one or more entries within the entries' values.
#[derive(Debug, Default)]
pub(super) struct Layout {
    cells: Vec<CellParts>,
    known: KnownColumns,
}

/// The cells of one entry in a [`Layout`].
#[derive(Debug, Clone, Default)]
pub(super) struct EntryLayout {
    pub(super) cells: Range<usize>,
    columns: Option<ColumnsId>,
    /// Range of the qualifiers in the entry's value.
    names: Range<usize>,
    /// Start of the cell values, which extend to the end of the entry's value.
    values_at: usize,
}

/// Appends the key of an entry.
pub(super) fn write_key(row: &[u8], ts: i64, sequence: u64, key: &mut Vec<u8>) {
    row_code::encode(row, key);
    key.extend_from_slice(&(!ts).to_be_bytes());
    key.extend_from_slice(&(!sequence).to_be_bytes());
}

/// Sets the batch number in a key that was made by [`write_key`].
pub(super) fn set_sequence(sequence: u64, key: &mut [u8]) {
    let number = key.last_chunk_mut().expect("the key of an entry ends with a number");
    *number = (!sequence).to_be_bytes();
}

/// Appends the value of an entry that consists of the given cells of a batch.
pub(super) fn write_value(flat: &FlatRows, cells: &[usize], value: &mut Vec<u8>) {
    let has_marks = cells.iter().any(|&cell| flat.kind_of(cell).is_delete());
    value.push(if has_marks { WITH_KINDS } else { ALL_PUTS });
    write_varint(cells.len(), value);
    write_varints(cells.iter().map(|&cell| flat.qualifier_len(cell)), value);
    if has_marks {
        value.extend(cells.iter().map(|&cell| flat.kind_of(cell).code()));
    }
    flat.copy_qualifiers(cells, value);
    write_varints(cells.iter().map(|&cell| flat.value_len(cell)), value);
    flat.copy_values(cells, value);
}

impl<'a> EntryKey<'a> {
    /// Parses the key of an entry.
    pub(super) fn parse(key: &'a [u8]) -> Result<Self, StoreError> {
        let parsed = key.split_last_chunk::<SUFFIX_LEN>().and_then(|(row_code, suffix)| {
            let (ts, _sequence) = suffix.split_first_chunk()?;
            Some(Self { row_code, ts: !i64::from_be_bytes(*ts) })
        });
        parsed.ok_or(StoreError::Damaged { what: "the key of an entry" })
    }
}

/// Whether an entry contains a delete marker.
/// Whether an entry has values alone.
pub(super) fn is_all_puts(value: &[u8]) -> bool {
    value.first() == Some(&ALL_PUTS)
}

/// Whether an entry has delete markers.
pub(super) fn has_marks(value: &[u8]) -> bool {
    value.first() == Some(&WITH_KINDS)
}

/// Returns the part of an entry's value that determines its columns.
pub(super) fn columns_of(value: &[u8]) -> Option<&[u8]> {
    let mut reader = Reader { bytes: value, at: 1 };
    let count = reader.varint()?;
    let mut names = 0_usize;
    for _ in 0..count {
        names = names.checked_add(reader.varint()?)?;
    }
    let kinds = if value[0] == ALL_PUTS { 0 } else { count };
    value.get(..reader.at.checked_add(kinds)?.checked_add(names)?)
}

impl Layout {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    /// Adds the layout of an entry's cells; `family` is a number that identifies its family.
    pub(super) fn read(&mut self, family: usize, value: &[u8]) -> Result<EntryLayout, StoreError> {
        self.try_read(family, value).ok_or(StoreError::Damaged { what: "the cells of an entry" })
    }

    /// Returns the cells of an entry with this value.
    pub(super) fn block<'a>(
        &'a self,
        entry: &EntryLayout,
        family: &'a FamilyName,
        ts: i64,
        value: &'a [u8],
    ) -> CellBlock<'a> {
        CellBlock {
            family: family.as_bytes(),
            ts,
            columns: entry.columns,
            names: &value[entry.names.clone()],
            values: &value[entry.values_at..],
            parts: &self.cells[entry.cells.clone()],
        }
    }

    fn try_read(&mut self, family: usize, value: &[u8]) -> Option<EntryLayout> {
        let first = self.cells.len();
        let mut entry = match self.read_known(family, value) {
            Some(entry) => entry,
            None => self.read_head(family, value)?,
        };
        let mut reader = Reader { bytes: value, at: entry.names.end };
        let values_len = self.read_values(first, &mut reader)?;
        entry.values_at = reader.at;
        (entry.values_at.checked_add(values_len)? == value.len()).then_some(entry)
    }

    /// Adds the cells of an entry whose columns are known, with their values still unset.
    fn read_known(&mut self, family: usize, value: &[u8]) -> Option<EntryLayout> {
        let known = self.known.find(family, value)?;
        let first = self.cells.len();
        let part = |qualifier: &Range<u32>| CellParts {
            qualifier: qualifier.clone(),
            value: 0..0,
            kind: CellKind::Put,
        };
        self.cells.extend(known.qualifiers.iter().map(part));
        Some(EntryLayout {
            cells: first..self.cells.len(),
            columns: Some(known.id),
            names: known.names.clone(),
            values_at: 0,
        })
    }

    /// Parses the head of an entry and adds its cells, with their values still unset.
    fn read_head(&mut self, family: usize, value: &[u8]) -> Option<EntryLayout> {
        let has_marks = match *value.first()? {
            ALL_PUTS => false,
            WITH_KINDS => true,
            _ => return None,
        };
        let first = self.cells.len();
        let mut reader = Reader { bytes: value, at: 1 };
        let names_len = self.read_names(&mut reader)?;
        if has_marks {
            self.read_kinds(first, &mut reader)?;
        }
        let names = reader.at..reader.at.checked_add(names_len)?;
        let (head, cells) = (value.get(..names.end)?, first..self.cells.len());
        let qualifiers = self.cells[cells.clone()].iter().map(|parts| parts.qualifier.clone());
        let columns = if has_marks { None } else { self.known.keep(family, head, names.clone(), qualifiers) };
        Some(EntryLayout { cells, columns, names, values_at: 0 })
    }

    fn read_names(&mut self, reader: &mut Reader<'_>) -> Option<usize> {
        let count = reader.varint()?;
        let mut end = 0_u32;
        for _ in 0..count {
            let start = end;
            end = start.checked_add(u32::try_from(reader.varint()?).ok()?)?;
            self.cells.push(CellParts { qualifier: start..end, value: 0..0, kind: CellKind::Put });
        }
        Some(end as usize)
    }

    fn read_kinds(&mut self, first: usize, reader: &mut Reader<'_>) -> Option<()> {
        for parts in &mut self.cells[first..] {
            parts.kind = CellKind::from_code(reader.byte()?)?;
        }
        Some(())
    }

    fn read_values(&mut self, first: usize, reader: &mut Reader<'_>) -> Option<usize> {
        let mut end = 0_u32;
        for parts in &mut self.cells[first..] {
            let start = end;
            end = start.checked_add(u32::try_from(reader.varint()?).ok()?)?;
            parts.value = start..end;
        }
        Some(end as usize)
    }
}

#[derive(Debug)]
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<usize> {
        let mut number = 0_usize;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

fn write_varints(numbers: impl Iterator<Item = usize> + Clone, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    let mut are_short = true;
    bytes.extend(numbers.clone().map(|number| {
        let short = u8::try_from(number).unwrap_or(u8::MAX);
        are_short &= short < 0x80;
        short
    }));
    if !are_short {
        bytes.truncate(start);
        numbers.for_each(|number| write_varint(number, bytes));
    }
}

fn write_varint(mut number: usize, bytes: &mut Vec<u8>) {
    while let more @ 0x80.. = number {
        bytes.push(u8::try_from(more & 0x7f).expect("seven bits") | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).expect("seven bits"));
}

/// Returns the value of an entry with these cells.
#[cfg(test)]
pub(super) fn value_of(cells: &[crate::Cell<'_>]) -> Vec<u8> {
    let (mut flat, mut value) = (FlatRows::default(), Vec::new());
    flat.begin_row(b"r").unwrap();
    for cell in cells {
        flat.push_cell(cell).unwrap();
    }
    write_value(&flat, &(0..cells.len()).collect::<Vec<_>>(), &mut value);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    fn cells() -> Vec<Cell<'static>> {
        let put = |qualifier, value| Cell { family: b"cf", qualifier, ts: 5, kind: CellKind::Put, value };
        vec![put(b"", b"x"), put(b"a", b""), put(b"long name", &[7; 300])]
    }

    fn read(value: &[u8]) -> Result<(bool, usize), StoreError> {
        let entry = Layout::default().read(0, value)?;
        Ok((has_marks(value), entry.cells.len()))
    }

    #[test]
    fn cells_read_back_as_written() {
        let mut marked = cells();
        marked[1].kind = CellKind::DeleteColumn;
        for cells in [cells(), marked] {
            let value = value_of(&cells);
            let mut layout = Layout::default();
            let entry = layout.read(0, &value).unwrap();
            let family = FamilyName::new("cf").unwrap();
            let back: Vec<_> = layout.block(&entry, &family, 5, &value).cells().collect();
            assert_eq!(back, cells);
            assert_eq!(is_all_puts(&value), !cells[1].kind.is_delete());
        }
    }

    #[test]
    fn values_of_any_length_read_back() {
        for len in [127, 128, 129, 255, 256, 16_383, 16_384, 2_097_152] {
            let value = vec![7; len];
            let entry = value_of(&[Cell { value: &value, ..cells()[0] }]);
            let mut layout = Layout::default();
            layout.read(0, &entry).unwrap();
            assert_eq!(layout.cells[0].value, 0..u32::try_from(len).unwrap());
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_table_above() {
        let put = Cell { family: b"cf", qualifier: b"q", ts: 5, kind: CellKind::Put, value: b"vw" };
        let mark = Cell { kind: CellKind::Delete, value: b"", ..put };
        assert_eq!(value_of(&[put]), b"\x00\x01\x01q\x02vw");
        assert_eq!(value_of(&[mark, put]), b"\x01\x02\x01\x01\x08\x04qq\x00\x02vw");
        let mut key = Vec::new();
        write_key(b"r", 5, 1, &mut key);
        assert_eq!(key, b"r\x00\x00\xff\xff\xff\xff\xff\xff\xff\xfa\xff\xff\xff\xff\xff\xff\xff\xfe");
        let parsed = EntryKey::parse(&key).unwrap();
        assert_eq!((parsed.row_code, parsed.ts), (&b"r\x00\x00"[..], 5));
        let mut numbered = Vec::new();
        write_key(b"r", 5, 0, &mut numbered);
        set_sequence(1, &mut numbered);
        assert_eq!(numbered, key);
    }

    #[test]
    fn cut_or_changed_entries_are_refused_without_a_panic() {
        let whole = value_of(&cells());
        assert_eq!(read(&whole).unwrap(), (false, 3));
        for len in 0..whole.len() {
            assert!(read(&whole[..len]).is_err(), "cut to {len}");
        }
        for at in 0..20 {
            for byte in 0..=u8::MAX {
                let mut changed = whole.clone();
                changed[at] = byte;
                // It may decode to something else, but must not panic.
                let _ = read(&changed);
            }
        }
        assert!(read(b"\x00\x80\x80\x80\x80\x80\x00").is_err(), "a number of six bytes");
        assert!(EntryKey::parse(&[0; 15]).is_err());
    }

    #[test]
    fn entries_with_the_same_columns_have_the_same_head() {
        let mut other = cells();
        other[0].value = b"something else";
        let (a, b) = (value_of(&cells()), value_of(&other));
        assert_eq!(columns_of(&a), columns_of(&b));
        assert_ne!(columns_of(&a), columns_of(&value_of(&cells()[1..])));
        assert_eq!(columns_of(&[]), None);
        let mark = |qualifier| Cell { qualifier, kind: CellKind::Delete, value: b"", ..cells()[0] };
        assert_ne!(columns_of(&value_of(&[mark(b"a")])), columns_of(&value_of(&[mark(b"b")])));
    }

    #[test]
    fn columns_met_before_are_known_by_their_id() {
        let mut layout = Layout::default();
        let mut id_of = |family, cells: &[Cell<'_>]| layout.read(family, &value_of(cells)).unwrap().columns;
        let (all, mut other_values) = (cells(), cells());
        other_values[1].value = b"another";
        let id = id_of(0, &all);
        assert!(id.is_some());
        assert_eq!(id_of(0, &other_values), id);
        for (family, others) in [(1, &all[..]), (0, &all[1..]), (0, &all[..2])] {
            assert_ne!(id_of(family, others), id);
        }
        other_values[1].kind = CellKind::DeleteColumn;
        assert_eq!(id_of(0, &other_values), None);
        assert_eq!(id_of(0, &all), id);
    }

    #[test]
    fn more_sets_of_columns_than_are_known_read_back_in_any_order() {
        let names: Vec<String> = (0..40).map(|name| format!("{name:02}")).collect();
        let family = FamilyName::new("cf").unwrap();
        let mut layout = Layout::default();
        for turn in 0..400 {
            let (first, count) = (turn * 7 % 37, turn % 3);
            let cells = names[first..first + count].iter().map(|name| Cell {
                qualifier: name.as_bytes(),
                value: name.as_bytes(),
                ..cells()[0]
            });
            let cells: Vec<Cell<'_>> = cells.collect();
            let value = value_of(&cells);
            layout.clear();
            let entry = layout.read(0, &value).unwrap();
            assert_eq!(layout.block(&entry, &family, 5, &value).cells().collect::<Vec<_>>(), cells);
        }
    }
}
