//! The values of one row, field by field.

use std::ops::Range;

use crate::key::Float as _;

mod read;
pub(crate) mod reader;
pub(crate) mod text;

pub use read::ValueError;
pub(crate) use read::{has_version, read_short};
pub use reader::ValueReader;
pub(crate) use text::{bytes_text, time_ms, write_text};

/// One value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// `string` and `digits`.
    Text(&'a str),
    /// Whole numbers, and times in their field's unit.
    Int(i128),
    /// `f32`.
    F32(f32),
    /// `f64`.
    F64(f64),
    /// `bool`.
    Bool(bool),
    /// `bytes`.
    Bytes(&'a [u8]),
    /// `uuid`.
    Uuid([u8; 16]),
}

impl Value<'_> {
    /// Returns its type, in words.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Int(_) => "a whole number",
            Self::F32(_) => "a number of 32 bits",
            Self::F64(_) => "a number of 64 bits",
            Self::Bool(_) => "true or false",
            Self::Bytes(_) => "bytes",
            Self::Uuid(_) => "a UUID",
        }
    }
}

/// The values of one row, in one buffer that is reused for every row: reading a row allocates nothing once the buffer
/// has grown.
///
/// There is one slot for each of [`Design::fields`](crate::Design::fields), in their order. Those of derived fields stay
/// empty, as these are computed where they are needed, except in rows that are decoded from a key.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Empty, or followed by [`SLACK`].
    texts: String,
    bytes: Vec<u8>,
    slots: Vec<Slot>,
}

/// Padding after the texts, so that a whole [`CHUNK`] can be read from the start of each of them.
const SLACK: &str = "                ";

/// The number of bytes that can be read starting at any position in a text, its end included.
pub(crate) const CHUNK: usize = SLACK.len();

#[derive(Debug, Clone, Copy, PartialEq)]
enum Slot {
    Absent,
    Text { start: u32, end: u32 },
    Bytes { start: u32, end: u32 },
    Int(i128),
    F32(f32),
    F64(f64),
    Bool(bool),
    Uuid([u8; 16]),
}

/// Which end of a text is cut out. As a mask, it selects how many of the surplus bytes lie before the cut: none or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Side {
    Left = 0,
    Right = u32::MAX,
}

impl Row {
    /// Creates an empty row with this many fields.
    pub fn new(field_count: usize) -> Self {
        Self { texts: String::new(), bytes: Vec::new(), slots: vec![Slot::Absent; field_count] }
    }

    /// Empties every slot.
    pub fn clear(&mut self) {
        self.texts.clear();
        self.bytes.clear();
        self.slots.fill(Slot::Absent);
    }

    /// Empties every slot and takes the text of a record whose parts become values: see [`ValueReader::read_parts`].
    pub fn begin(&mut self, record: &str) {
        self.clear();
        self.texts.push_str(record);
        self.texts.push_str(SLACK);
    }

    /// Returns the number of fields.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether it has no fields at all.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the value of a field; `None` when it is absent.
    #[inline]
    pub fn get(&self, field: usize) -> Option<Value<'_>> {
        match *self.slots.get(field)? {
            Slot::Absent => None,
            Slot::Text { start, end } => Some(Value::Text(&self.texts[start as usize..end as usize])),
            Slot::Bytes { start, end } => Some(Value::Bytes(&self.bytes[start as usize..end as usize])),
            Slot::Int(number) => Some(Value::Int(number)),
            Slot::F32(number) => Some(Value::F32(number)),
            Slot::F64(number) => Some(Value::F64(number)),
            Slot::Bool(value) => Some(Value::Bool(value)),
            Slot::Uuid(bytes) => Some(Value::Uuid(bytes)),
        }
    }

    /// Returns the text of a field; `None` also for a value of another type.
    #[inline]
    pub(crate) fn text(&self, field: usize) -> Option<&str> {
        match self.slots.get(field)? {
            Slot::Text { start, end } => Some(&self.texts[*start as usize..*end as usize]),
            _ => None,
        }
    }

    /// Returns the bytes of a field's text; `None` also for a value of another type.
    #[inline]
    pub(crate) fn text_bytes(&self, field: usize) -> Option<&[u8]> {
        match self.slots.get(field)? {
            Slot::Text { start, end } => self.texts.as_bytes().get(*start as usize..*end as usize),
            _ => None,
        }
    }

    /// Returns the bytes that start where a field's text starts, and the length of the text, which may be greater;
    /// `None` also for a value of another type.
    ///
    /// Copying a chunk of constant length is faster than copying a few bytes.
    #[inline]
    pub(crate) fn text_chunk(&self, field: usize) -> Option<(&[u8; CHUNK], usize)> {
        let Slot::Text { start, end } = self.slots.get(field)? else { return None };
        let at = *start as usize;
        let chunk = self.texts.as_bytes().get(at..at + CHUNK)?.first_chunk()?;
        Some((chunk, end.wrapping_sub(*start) as usize))
    }

    /// Returns the eight bytes that start where the first or last `count` bytes of a field's text start, the first one
    /// highest; `None` if the text has fewer than `count` bytes, or the value is not a text.
    #[inline]
    pub(crate) fn text_word(&self, field: usize, count: u32, from: Side) -> Option<u64> {
        let Slot::Text { start, end } = self.slots.get(field)? else { return None };
        let more = end.wrapping_sub(*start).checked_sub(count)?;
        let at = start.wrapping_add(more & from as u32) as usize;
        let bytes = self.texts.as_bytes().get(at..at + 8)?.first_chunk()?;
        Some(u64::from_be_bytes(*bytes))
    }

    /// Appends the bytes of a field's text; returns `false`, and appends nothing, also for a value of another type.
    #[inline]
    pub(crate) fn append_text(&self, field: usize, out: &mut Vec<u8>) -> bool {
        match self.text_chunk(field) {
            Some((chunk, len)) if len <= CHUNK => {
                out.extend_from_slice(chunk);
                out.truncate(out.len() - CHUNK + len);
            }
            _ => {
                let Some(text) = self.text_bytes(field) else { return false };
                out.extend_from_slice(text);
            }
        }
        true
    }

    /// Returns the whole number of a field; `None` also for a value of another type.
    #[inline]
    pub(crate) fn int(&self, field: usize) -> Option<i128> {
        match self.slots.get(field)? {
            Slot::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// Sets a text, unchecked as in [`Row::set`].
    #[inline]
    pub(crate) fn set_text(&mut self, field: usize, text: &str) {
        self.texts.truncate(self.texts.len().saturating_sub(CHUNK));
        let start = place(self.texts.len());
        self.texts.push_str(text);
        self.slots[field] = Slot::Text { start, end: place(self.texts.len()) };
        self.texts.push_str(SLACK);
    }

    /// Makes a part of the record's text the value of a field.
    #[inline]
    fn set_part(&mut self, field: usize, part: Range<usize>) {
        assert!(part.start <= part.end, "{part:?} is no part of a record");
        self.slots[field] = Slot::Text { start: place(part.start), end: place(part.end) };
    }

    /// Sets a whole number, unchecked as in [`Row::set`].
    #[inline]
    fn set_int(&mut self, field: usize, number: i128) {
        self.slots[field] = Slot::Int(number);
    }

    /// Whether a slot is empty or does not exist.
    #[inline]
    pub(crate) fn is_absent(&self, field: usize) -> bool {
        matches!(self.slots.get(field), None | Some(Slot::Absent))
    }

    /// Sets a value without checking it against the field's limits, as [`Row::read`] does. Every NaN becomes the same one,
    /// Java's, so that values that compare as equal have one key.
    pub fn set(&mut self, field: usize, value: Value<'_>) {
        let slot = match value {
            Value::Text(text) => return self.set_text(field, text),
            Value::Bytes(bytes) => {
                let start = place(self.bytes.len());
                self.bytes.extend_from_slice(bytes);
                Slot::Bytes { start, end: place(self.bytes.len()) }
            }
            Value::Int(number) => return self.set_int(field, number),
            Value::F32(number) => Slot::F32(number.with_canonical_nan()),
            Value::F64(number) => Slot::F64(number.with_canonical_nan()),
            Value::Bool(value) => Slot::Bool(value),
            Value::Uuid(bytes) => Slot::Uuid(bytes),
        };
        self.slots[field] = slot;
    }

    /// Empties one slot.
    pub fn set_absent(&mut self, field: usize) {
        self.slots[field] = Slot::Absent;
    }
}

/// An offset in a row's buffers. Rows are far below 4 GiB: a cell has at most 10 MiB.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Rows are equal when their values are, wherever their bytes are stored.
impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|field| self.get(field) == other.get(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nan_is_the_same_one() {
        let mut row = Row::new(2);
        row.set(0, Value::F64(f64::from_bits(0xfff0_0000_0000_0001)));
        row.set(1, Value::F32(-f32::NAN));
        let bits = [0, 1].map(|field| match row.get(field) {
            Some(Value::F64(number)) => number.to_bits(),
            Some(Value::F32(number)) => number.to_bits().into(),
            _ => 0,
        });
        assert_eq!(bits, [0x7ff8_0000_0000_0000, 0x7fc0_0000]);
    }

    #[test]
    fn every_text_begins_a_chunk_wherever_it_comes_from() {
        let mut row = Row::new(3);
        row.begin("ab,cd");
        row.set_part(0, 3..5);
        row.set(1, Value::Text("later"));
        row.set(2, Value::Text(""));
        assert_eq!([0, 1, 2].map(|field| row.text(field)), [Some("cd"), Some("later"), Some("")]);
        let chunks = [0, 1, 2].map(|field| row.text_chunk(field).map(|(chunk, len)| &chunk[..len]));
        assert_eq!(chunks, [Some("cd"), Some("later"), Some("")].map(|text| text.map(str::as_bytes)));
        row.clear();
        row.set(0, Value::Text("again"));
        assert_eq!(row.text_chunk(0).map(|(chunk, len)| (&chunk[..5], len)), Some((b"again".as_slice(), 5)));
    }

    #[test]
    fn words_begin_with_a_cut_of_a_text_that_is_long_enough() {
        let mut row = Row::new(2);
        row.set(0, Value::Text("20200406"));
        row.set(1, Value::Int(1));
        let cut = |count: u32, from| row.text_word(0, count, from).map(|word| word >> (64 - 8 * count));
        assert_eq!(cut(4, Side::Left), Some(u64::from(u32::from_be_bytes(*b"2020"))));
        assert_eq!(cut(4, Side::Right), Some(u64::from(u32::from_be_bytes(*b"0406"))));
        assert_eq!([cut(8, Side::Left), cut(8, Side::Right)], [Some(u64::from_be_bytes(*b"20200406")); 2]);
        assert_eq!(row.text_word(0, 9, Side::Left), None);
        assert_eq!(row.text_word(1, 1, Side::Left), None);
    }

    #[test]
    fn rows_are_equal_if_their_values_are_wherever_these_are_stored() {
        let row = |len: usize, texts: &[&str]| {
            let mut row = Row::new(len);
            for text in texts {
                row.set(0, Value::Text(text));
            }
            row
        };
        assert_eq!(row(2, &["a"]), row(2, &["b", "a"]));
        assert_ne!(row(2, &["a"]), row(2, &["b"]));
        assert_ne!(row(2, &["a"]), row(2, &[]));
        assert_ne!(row(2, &["a"]), row(1, &["a"]));
        assert!(Row::new(0).is_empty() && !Row::new(1).is_empty());
    }
}
