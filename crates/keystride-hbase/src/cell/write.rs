//! Writing cells into bytes.

use bytes::Bytes;

use super::{Cell, CellKind, KEY_OVERHEAD};

/// Cells being written, one after the other, as they will travel.
#[derive(Debug, Default, Clone)]
pub struct CellWriter {
    pub(super) out: Vec<u8>,
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
/// The server's own limit is 10 MiB a cell; these keep lengths inside Java's `int`.
pub(super) const MAX_QUALIFIER: usize = 1 << 29;
pub(super) const MAX_VALUE: usize = 1 << 30;

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
    #[inline]
    pub fn push(&mut self, cell: &Cell<'_>) -> Result<(), CellTooLarge> {
        let tags = if self.tags { cell.tags } else { &[] };
        let lens = Lengths::of(cell, tags).ok_or_else(|| CellTooLarge::of(cell, tags))?;
        self.reserve(4 + lens.whole as usize);
        // Few pieces, and those of a fixed length whole: each costs a look at the room that is left.
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

    /// Room for so many bytes more.
    pub(crate) fn make_room(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }

    /// Room for so many bytes, and at first for some cells more: few rows have only one.
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

    /// Appends cells that another writer wrote.
    pub(crate) fn extend(&mut self, cells: &[u8]) {
        self.out.extend_from_slice(cells);
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

/// Bytes of the lengths that a cell begins with.
pub(super) const LENGTHS: usize = 12;

/// Beyond what a first cell takes.
const FIRST_BYTES: usize = 1 << 10;

/// What is written of the lengths of a cell's parts.
struct Lengths {
    whole: u32,
    key: u32,
    value: u32,
    row: u16,
    family: u8,
    tags: u16,
}

impl Lengths {
    /// `None` where one is too long.
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

    /// All that comes before the row.
    #[inline]
    fn head(&self) -> [u8; LENGTHS + 2] {
        let mut head = [0; LENGTHS + 2];
        head[..LENGTHS].copy_from_slice(&lengths(self.whole, self.key, self.value));
        head[LENGTHS..].copy_from_slice(&self.row.to_be_bytes());
        head
    }
}

/// What a cell begins with: its own length without this, that of its key, and that of its value.
#[inline]
pub(super) fn lengths(whole: u32, key: u32, value: u32) -> [u8; LENGTHS] {
    let mut lengths = [0; LENGTHS];
    lengths[..4].copy_from_slice(&whole.to_be_bytes());
    lengths[4..8].copy_from_slice(&key.to_be_bytes());
    lengths[8..].copy_from_slice(&value.to_be_bytes());
    lengths
}

/// What comes between the qualifier and the value.
#[inline]
pub(super) fn tail(cell: &Cell<'_>) -> [u8; 9] {
    let mut tail = [cell.kind.code(); 9];
    tail[..8].copy_from_slice(&cell.ts.to_be_bytes());
    tail
}

impl CellTooLarge {
    /// The first part that is too long.
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
