//! Writing cells.

use bytes::Bytes;

use super::{Cell, CellKind, KEY_OVERHEAD};

/// Writes cells one after the other, in wire format.
#[derive(Debug, Default, Clone)]
pub struct CellWriter {
    pub(super) out: Vec<u8>,
    tags: bool,
}

/// A part of a cell that is too long for its length field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part} of {len} bytes is too long: HBase takes at most {limit}")]
pub struct CellTooLarge {
    /// `row`, `family`, `qualifier`, `value` or `tags`.
    pub part: &'static str,
    /// Its length in bytes.
    pub len: usize,
    /// The maximum length.
    pub limit: usize,
}

/// Java's `Short.MAX_VALUE` and `Byte.MAX_VALUE`.
const MAX_ROW: usize = 32_767;
const MAX_FAMILY: usize = 127;
/// The server limits a cell to 10 MiB by default; these limits keep lengths within Java's `int`.
pub(super) const MAX_QUALIFIER: usize = 1 << 29;
pub(super) const MAX_VALUE: usize = 1 << 30;

impl CellWriter {
    /// A writer with capacity for `bytes` bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes), tags: false }
    }

    /// Writes tags too. For clients that ask for [tags](crate::ClientOptions::tags).
    #[must_use]
    pub fn with_tags(mut self) -> Self {
        self.tags = true;
        self
    }

    /// Appends a cell.
    ///
    /// # Errors
    ///
    /// [`CellTooLarge`]; then nothing is written.
    #[inline]
    pub fn push(&mut self, cell: &Cell<'_>) -> Result<(), CellTooLarge> {
        let tags = if self.tags { cell.tags } else { &[] };
        let lens = Lengths::of(cell, tags).ok_or_else(|| CellTooLarge::of(cell, tags))?;
        self.reserve(4 + lens.whole as usize);
        // Few calls, with fixed lengths where possible: each one checks the capacity.
        self.out.extend_from_slice(&lens.head());
        self.out.extend_from_slice(cell.row);
        self.out.push(lens.family);
        self.out.extend_from_slice(cell.family);
        self.out.extend_from_slice(cell.qualifier);
        self.out.extend_from_slice(&tail(cell));
        self.out.extend_from_slice(cell.value);
        if !tags.is_empty() {
            self.out.extend_from_slice(&lens.tags.to_be_bytes());
            self.out.extend_from_slice(tags);
        }
        Ok(())
    }

    pub(crate) fn make_room(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }

    /// Reserves capacity for this many more bytes; the first time for several cells, because few rows have only one.
    #[inline]
    pub(super) fn reserve(&mut self, bytes: usize) {
        let is_first = self.out.capacity() == 0;
        self.out.reserve(if is_first { bytes + (3 * bytes).min(FIRST_BYTES) } else { bytes });
    }

    /// Appends a value.
    ///
    /// # Errors
    ///
    /// As [`Self::push`].
    #[inline]
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

    pub(crate) fn extend(&mut self, cells: &[u8]) {
        self.out.extend_from_slice(cells);
    }

    /// Number of bytes written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The bytes written.
    pub fn as_bytes(&self) -> &[u8] {
        &self.out
    }

    /// Removes what was written after the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.out.truncate(len);
    }

    /// The cell block written.
    pub fn into_bytes(self) -> Bytes {
        self.out.into()
    }
}

/// Size of the lengths at the start of a cell.
pub(super) const LENGTHS: usize = 12;

/// Additional capacity reserved with the first cell.
const FIRST_BYTES: usize = 1 << 10;

struct Lengths {
    whole: u32,
    key: u32,
    value: u32,
    row: u16,
    family: u8,
    tags: u16,
}

impl Lengths {
    /// `None` if a part is too long.
    #[inline]
    fn of(cell: &Cell<'_>, tags: &[u8]) -> Option<Self> {
        let fits = cell.row.len() <= MAX_ROW
            && cell.family.len() <= MAX_FAMILY
            && cell.qualifier.len() <= MAX_QUALIFIER
            && cell.value.len() <= MAX_VALUE
            && tags.len() <= MAX_ROW;
        if !fits {
            return None;
        }
        let key = KEY_OVERHEAD + cell.row.len() + cell.family.len() + cell.qualifier.len();
        let tags_len = if tags.is_empty() { 0 } else { 2 + tags.len() };
        let whole = 8 + key + cell.value.len() + tags_len;
        Some(Self {
            whole: u32::try_from(whole).ok()?,
            key: u32::try_from(key).ok()?,
            value: u32::try_from(cell.value.len()).ok()?,
            row: u16::try_from(cell.row.len()).ok()?,
            family: u8::try_from(cell.family.len()).ok()?,
            tags: u16::try_from(tags.len()).ok()?,
        })
    }

    /// All bytes before the row.
    #[inline]
    fn head(&self) -> [u8; LENGTHS + 2] {
        let mut head = [0; LENGTHS + 2];
        head[..LENGTHS].copy_from_slice(&lengths(self.whole, self.key, self.value));
        head[LENGTHS..].copy_from_slice(&self.row.to_be_bytes());
        head
    }
}

/// The start of a cell: its own length without this field, and the lengths of its key and its value.
#[inline]
pub(super) fn lengths(whole: u32, key: u32, value: u32) -> [u8; LENGTHS] {
    let mut lengths = [0; LENGTHS];
    lengths[..4].copy_from_slice(&whole.to_be_bytes());
    lengths[4..8].copy_from_slice(&key.to_be_bytes());
    lengths[8..].copy_from_slice(&value.to_be_bytes());
    lengths
}

/// The bytes between qualifier and value.
#[inline]
pub(super) fn tail(cell: &Cell<'_>) -> [u8; 9] {
    let mut tail = [cell.kind.code(); 9];
    tail[..8].copy_from_slice(&cell.ts.to_be_bytes());
    tail
}

impl CellTooLarge {
    #[cold]
    pub(super) fn of(cell: &Cell<'_>, tags: &[u8]) -> Self {
        let parts = [
            ("row", cell.row, MAX_ROW),
            ("family", cell.family, MAX_FAMILY),
            ("qualifier", cell.qualifier, MAX_QUALIFIER),
            ("value", cell.value, MAX_VALUE),
            ("tags", tags, MAX_ROW),
        ];
        let too_long = parts.into_iter().find(|(_, bytes, limit)| bytes.len() > *limit);
        let (part, bytes, limit) = too_long.expect("lengths within all limits are written");
        Self { part, len: bytes.len(), limit }
    }
}
