//! Cells as the servers store them, and their encoding.

use bytes::{Buf, BufMut, Bytes, BytesMut};

pub(crate) const PUT: u8 = 4;
pub(crate) const DELETE: u8 = 8;
pub(crate) const DELETE_FAMILY_VERSION: u8 = 10;
pub(crate) const DELETE_COLUMN: u8 = 12;
pub(crate) const DELETE_FAMILY: u8 = 14;

/// A cell that owns its memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) row: Bytes,
    pub(crate) family: Bytes,
    pub(crate) qualifier: Bytes,
    pub(crate) ts: i64,
    pub(crate) kind: u8,
    pub(crate) value: Bytes,
}

impl Stored {
    pub(crate) fn put(row: &Bytes, family: &str, qualifier: &str, ts: i64, value: impl Into<Bytes>) -> Self {
        Self {
            row: row.clone(),
            family: Bytes::copy_from_slice(family.as_bytes()),
            qualifier: Bytes::copy_from_slice(qualifier.as_bytes()),
            ts,
            kind: PUT,
            value: value.into(),
        }
    }

    /// Takes the first cell of a block. `None` if there is no whole cell.
    pub(crate) fn take(block: &mut Bytes) -> Option<Self> {
        let whole = u32::from_be_bytes(block.get(..4)?.try_into().ok()?) as usize;
        let mut cell = block.get(4..4 + whole).map(Bytes::copy_from_slice)?;
        let key_len = cell.try_get_u32().ok()? as usize;
        let value_len = cell.try_get_u32().ok()? as usize;
        if whole != 8 + key_len + value_len || key_len < 12 {
            return None;
        }
        let row_len = usize::from(cell.get_u16());
        let family_len = usize::from(*cell.get(row_len)?);
        let qualifier_len = key_len.checked_sub(12 + row_len + family_len)?;
        block.advance(4 + whole);
        let row = cell.split_to(row_len);
        cell.advance(1);
        let family = cell.split_to(family_len);
        let qualifier = cell.split_to(qualifier_len);
        Some(Self { row, family, qualifier, ts: cell.get_i64(), kind: cell.get_u8(), value: cell })
    }

    pub(crate) fn write(&self, out: &mut BytesMut) {
        let key = 12 + self.row.len() + self.family.len() + self.qualifier.len();
        for len in [8 + key + self.value.len(), key, self.value.len()] {
            out.put_u32(u32::try_from(len).unwrap());
        }
        out.put_u16(u16::try_from(self.row.len()).unwrap());
        out.put_slice(&self.row);
        out.put_u8(u8::try_from(self.family.len()).unwrap());
        out.put_slice(&self.family);
        out.put_slice(&self.qualifier);
        out.put_i64(self.ts);
        out.put_u8(self.kind);
        out.put_slice(&self.value);
    }
}

pub(crate) fn block<'a>(cells: impl IntoIterator<Item = &'a Stored>) -> BytesMut {
    let mut out = BytesMut::new();
    for cell in cells {
        cell.write(&mut out);
    }
    out
}
