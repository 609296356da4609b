//! Writing cells into bytes.

use bytes::Bytes;

use super::{Cell, CellKind, KEY_OVERHEAD};

/// Cells being written, one after the other, as they will travel.
#[derive(Debug, Default, Clone)]
pub struct CellWriter {
    out: Vec<u8>,
    tags: bool,
}

/// A part of a cell that its length can't be written for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part} of {len} bytes is too long: HBase takes at most {limit}")]
pub struct CellTooLarge {
    /// `row`, `family`, `qualifier`, `value` or `tags`.
    pub part: &'static str,
    /// Its length in bytes.
    pub len: usize,
    /// The most there may be.
    pub limit: usize,
}

/// Java's `Short.MAX_VALUE` and `Byte.MAX_VALUE`.
const MAX_ROW: usize = 32_767;
const MAX_FAMILY: usize = 127;
/// The server's own limit is 10 MiB a cell; this one keeps lengths inside Java's `int`.
const MAX_VALUE: usize = 1 << 30;

impl CellWriter {
    /// A writer with room for `bytes` bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes), tags: false }
    }

    /// The same, writing tags too: for connections made [with tags](crate::ClientOptions::tags).
    #[must_use]
    pub fn with_tags(mut self) -> Self {
        self.tags = true;
        self
    }

    /// Appends a cell.
    ///
    /// # Errors
    ///
    /// [`CellTooLarge`]; nothing is written then.
    pub fn push(&mut self, cell: &Cell<'_>) -> Result<(), CellTooLarge> {
        check("row", cell.row.len(), MAX_ROW)?;
        check("family", cell.family.len(), MAX_FAMILY)?;
        check("qualifier", cell.qualifier.len(), MAX_ROW)?;
        check("value", cell.value.len(), MAX_VALUE)?;
        let tags = if self.tags { cell.tags } else { &[] };
        check("tags", tags.len(), MAX_ROW)?;
        let tags_len = if tags.is_empty() { 0 } else { 2 + tags.len() };
        let key = KEY_OVERHEAD + cell.row.len() + cell.family.len() + cell.qualifier.len();
        let whole = 8 + key + cell.value.len() + tags_len;
        self.out.reserve(4 + whole);
        self.put_lengths([whole, key, cell.value.len()]);
        self.put_key(cell);
        self.extend_from(cell.value);
        if !tags.is_empty() {
            self.put_short(tags.len());
            self.extend_from(tags);
        }
        Ok(())
    }

    fn put_lengths(&mut self, lengths: [usize; 3]) {
        for len in lengths {
            self.extend_from(&u32::try_from(len).expect("all parts were checked").to_be_bytes());
        }
    }

    fn put_short(&mut self, len: usize) {
        self.extend_from(&u16::try_from(len).expect("its length was checked").to_be_bytes());
    }

    /// Appends a value.
    ///
    /// # Errors
    ///
    /// As [`Self::push`].
    pub fn put(
        &mut self,
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        ts: i64,
        value: &[u8],
    ) -> Result<(), CellTooLarge> {
        self.push(&Cell { row, family, qualifier, ts, kind: CellKind::Put, value, tags: &[] })
    }

    fn put_key(&mut self, cell: &Cell<'_>) {
        self.put_short(cell.row.len());
        self.extend_from(cell.row);
        self.out.push(u8::try_from(cell.family.len()).expect("its length was checked"));
        self.extend_from(cell.family);
        self.extend_from(cell.qualifier);
        self.extend_from(&cell.ts.to_be_bytes());
        self.out.push(cell.kind.code());
    }

    #[inline]
    fn extend_from(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends all cells of another writer.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.out.extend_from_slice(&other.out);
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The bytes written.
    pub fn as_bytes(&self) -> &[u8] {
        &self.out
    }

    /// Takes back what was written after `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.out.truncate(len);
    }

    /// The cell block written.
    pub fn into_bytes(self) -> Bytes {
        self.out.into()
    }
}

fn check(part: &'static str, len: usize, limit: usize) -> Result<(), CellTooLarge> {
    if len > limit { Err(CellTooLarge { part, len, limit }) } else { Ok(()) }
}
