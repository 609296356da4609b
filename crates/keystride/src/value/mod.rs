//! The values of one row, field by field.

use std::ops::Range;

mod read;
mod reader;
mod short_number;
mod text;

pub use read::ValueError;
pub use reader::ValueReader;
pub(crate) use text::{bytes_text, write_text};

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

/// One row's values in one buffer, used again for every row: reading a row allocates nothing once the buffer has grown.
///
/// Slots are in step with [`Design::fields`](crate::Design::fields); those of derived fields stay empty, as they are
/// computed where they are needed.
#[derive(Debug, Clone, Default)]
pub struct Row {
    texts: String,
    bytes: Vec<u8>,
    slots: Vec<Slot>,
}

/// What stands behind a record, so that each of its short texts begins a chunk of so many bytes.
const SLACK: &str = "                ";
const CHUNK: usize = SLACK.len();

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

impl Row {
    /// An empty row of so many fields.
    pub fn new(field_count: usize) -> Self {
        Self { texts: String::new(), bytes: Vec::new(), slots: vec![Slot::Absent; field_count] }
    }

    /// Empties every slot.
    pub fn clear(&mut self) {
        self.texts.clear();
        self.bytes.clear();
        self.slots.fill(Slot::Absent);
    }

    /// Empties every slot and takes the text of a record, of which values are parts: see [`ValueReader::read_parts`].
    pub fn begin(&mut self, record: &str) {
        self.clear();
        self.texts.push_str(record);
        self.texts.push_str(SLACK);
    }

    /// How many fields it has.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether it has no fields at all.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The value of a field; `None` when absent.
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

    /// The text of a field; `None` for a value of another type too.
    #[inline]
    pub(crate) fn text(&self, field: usize) -> Option<&str> {
        match self.slots.get(field)? {
            Slot::Text { start, end } => Some(&self.texts[*start as usize..*end as usize]),
            _ => None,
        }
    }

    /// The bytes of a field's text; `None` for a value of another type too.
    #[inline]
    pub(crate) fn text_bytes(&self, field: usize) -> Option<&[u8]> {
        match self.slots.get(field)? {
            Slot::Text { start, end } => self.texts.as_bytes().get(*start as usize..*end as usize),
            _ => None,
        }
    }

    /// Appends the bytes of a field's text; `false`, and nothing is appended, for a value of another type too.
    ///
    /// A chunk of a length that is known is sooner copied than a few bytes.
    #[inline]
    pub(crate) fn append_text(&self, field: usize, out: &mut Vec<u8>) -> bool {
        let Some(Slot::Text { start, end }) = self.slots.get(field) else { return false };
        let (bytes, len) = (&self.texts.as_bytes()[*start as usize..], (end - start) as usize);
        match bytes.first_chunk::<CHUNK>() {
            Some(chunk) if len <= CHUNK => {
                out.extend_from_slice(chunk);
                out.truncate(out.len() - CHUNK + len);
            }
            _ => out.extend_from_slice(&bytes[..len]),
        }
        true
    }

    /// The whole number of a field; `None` for a value of another type too.
    #[inline]
    pub(crate) fn int(&self, field: usize) -> Option<i128> {
        match self.slots.get(field)? {
            Slot::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// Puts a text, unchecked as [`Row::set`] does.
    #[inline]
    pub(crate) fn set_text(&mut self, field: usize, text: &str) {
        let start = place(self.texts.len());
        self.texts.push_str(text);
        self.slots[field] = Slot::Text { start, end: place(self.texts.len()) };
    }

    /// Makes a part of the record's text a value.
    #[inline]
    fn set_part(&mut self, field: usize, part: Range<usize>) {
        self.slots[field] = Slot::Text { start: place(part.start), end: place(part.end) };
    }

    /// Puts a whole number, unchecked as [`Row::set`] does.
    #[inline]
    fn set_int(&mut self, field: usize, number: i128) {
        self.slots[field] = Slot::Int(number);
    }

    /// Whether a slot is empty, or is none.
    #[inline]
    pub(crate) fn is_absent(&self, field: usize) -> bool {
        matches!(self.slots.get(field), None | Some(Slot::Absent))
    }

    /// Puts a value, unchecked against the field's limits, which [`Row::read`] checks.
    pub fn set(&mut self, field: usize, value: Value<'_>) {
        let slot = match value {
            Value::Text(text) => return self.set_text(field, text),
            Value::Bytes(bytes) => {
                let start = place(self.bytes.len());
                self.bytes.extend_from_slice(bytes);
                Slot::Bytes { start, end: place(self.bytes.len()) }
            }
            Value::Int(number) => return self.set_int(field, number),
            Value::F32(number) => Slot::F32(number),
            Value::F64(number) => Slot::F64(number),
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

/// Rows are equal when their values are, wherever the bytes lie.
impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|field| self.get(field) == other.get(field))
    }
}
