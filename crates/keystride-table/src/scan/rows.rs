//! The result of a query: keys and values of many rows in a few contiguous buffers.

use keystride::{Row, Value};

/// Rows of a query, in the requested order.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    field_count: usize,
    /// Keys, texts and bytes.
    arena: Vec<u8>,
    keys: Vec<Span>,
    /// `field_count` for each row.
    slots: Vec<Slot>,
}

/// A view of one row of [`Rows`].
#[derive(Debug, Clone, Copy)]
pub struct RowView<'a> {
    rows: &'a Rows,
    index: usize,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

#[derive(Debug, Clone, Copy)]
enum Slot {
    Absent,
    Text(Span),
    Bytes(Span),
    Int(i128),
    F32(f32),
    F64(f64),
    Bool(bool),
    Uuid([u8; 16]),
}

impl Rows {
    pub(crate) fn new(field_count: usize) -> Self {
        Self { field_count, ..Self::default() }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the total size of its keys, texts and byte strings.
    pub fn byte_count(&self) -> usize {
        self.arena.len()
    }

    /// Returns the row at `index`, counted from 0.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, index: usize) -> RowView<'_> {
        assert!(index < self.len(), "row {index} of {}", self.len());
        RowView { rows: self, index }
    }

    /// Returns an iterator over the rows.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = RowView<'_>> + ExactSizeIterator {
        (0..self.len()).map(|index| RowView { rows: self, index })
    }

    /// Adds a row without values; [`Rows::set`] sets them.
    pub(crate) fn begin_row(&mut self, key: &[u8]) {
        let key = self.keep(key);
        self.keys.push(key);
        self.slots.resize(self.slots.len() + self.field_count, Slot::Absent);
    }

    /// Sets a field of the last row.
    #[inline]
    pub(crate) fn set(&mut self, field: usize, value: Value<'_>) {
        let slot = match value {
            Value::Text(text) => Slot::Text(self.keep(text.as_bytes())),
            Value::Bytes(bytes) => Slot::Bytes(self.keep(bytes)),
            Value::Int(number) => Slot::Int(number),
            Value::F32(number) => Slot::F32(number),
            Value::F64(number) => Slot::F64(number),
            Value::Bool(value) => Slot::Bool(value),
            Value::Uuid(bytes) => Slot::Uuid(bytes),
        };
        let row = self.slots.len() - self.field_count;
        self.slots[row + field] = slot;
    }

    /// Appends bytes to the arena. [`super::gather::Gatherer`] ensures that batches stay far below 4 GiB.
    fn keep(&mut self, bytes: &[u8]) -> Span {
        let place = |at: usize| u32::try_from(at).expect("a batch of rows ends after some MiB");
        let start = place(self.arena.len());
        self.arena.extend_from_slice(bytes);
        Span { start, end: place(self.arena.len()) }
    }

    fn slice(&self, span: Span) -> &[u8] {
        &self.arena[span.start as usize..span.end as usize]
    }
}

impl<'a> RowView<'a> {
    /// Returns the key.
    pub fn key(&self) -> &'a [u8] {
        self.rows.slice(self.rows.keys[self.index])
    }

    /// Returns the value of the design's field at index `field`; `None` if the row has no value or the field was not
    /// requested.
    pub fn get(&self, field: usize) -> Option<Value<'a>> {
        let fields = &self.rows.slots[self.index * self.rows.field_count..][..self.rows.field_count];
        match *fields.get(field)? {
            Slot::Absent => None,
            // Always valid UTF-8, because `set` stored it from a `str`.
            Slot::Text(span) => std::str::from_utf8(self.rows.slice(span)).ok().map(Value::Text),
            Slot::Bytes(span) => Some(Value::Bytes(self.rows.slice(span))),
            Slot::Int(number) => Some(Value::Int(number)),
            Slot::F32(number) => Some(Value::F32(number)),
            Slot::F64(number) => Some(Value::F64(number)),
            Slot::Bool(value) => Some(Value::Bool(value)),
            Slot::Uuid(bytes) => Some(Value::Uuid(bytes)),
        }
    }

    /// Copies the values to an owned row.
    pub fn to_row(&self) -> Row {
        let mut row = Row::new(self.rows.field_count);
        for field in 0..self.rows.field_count {
            if let Some(value) = self.get(field) {
                row.set(field, value);
            }
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_comes_back() {
        let values = [
            Value::Text("é"),
            Value::Bytes(b"\xff"),
            Value::Int(i128::from(u64::MAX)),
            Value::F32(0.5),
            Value::F64(-0.25),
            Value::Bool(true),
            Value::Uuid([7; 16]),
        ];
        let mut rows = Rows::new(values.len() + 1);
        for key in [b"k1", b"k2"] {
            rows.begin_row(key);
            values.iter().enumerate().for_each(|(field, &value)| rows.set(field, value));
        }
        for (row, key) in rows.iter().zip([b"k1", b"k2"]) {
            assert_eq!(row.key(), key);
            let read: Vec<_> = (0..values.len()).filter_map(|field| row.get(field)).collect();
            assert_eq!(read, values);
            assert_eq!((row.get(values.len()), row.get(99)), (None, None));
        }
    }
}
