//! Records that are kept while later ones are read.

use keystride::escape;

#[cfg(feature = "parquet")]
use super::parquet::KeptRow;

/// The original of a record, for callers that decide later whether to reject it. The memory of a text is reused for
/// the next one.
#[derive(Debug)]
pub struct KeptRecord(Kept);

#[derive(Debug)]
enum Kept {
    Text(Vec<u8>),
    /// Bytes that are no text.
    Bytes(Vec<u8>),
    #[cfg(feature = "parquet")]
    Row(KeptRow),
}

impl KeptRecord {
    /// Returns the record in the form of [`Reject::raw`](super::Reject::raw); empty if none is kept.
    pub fn raw(&self) -> Vec<u8> {
        match &self.0 {
            Kept::Text(text) => text.clone(),
            Kept::Bytes(bytes) => escape::to_escaped(bytes).into_bytes(),
            #[cfg(feature = "parquet")]
            Kept::Row(row) => row.raw(),
        }
    }

    /// Returns the size of the text or bytes; 0 for rows of Parquet, which share their batch.
    pub fn byte_count(&self) -> usize {
        match &self.0 {
            Kept::Text(bytes) | Kept::Bytes(bytes) => bytes.len(),
            #[cfg(feature = "parquet")]
            Kept::Row(_) => 0,
        }
    }

    /// Forgets the record.
    pub fn clear(&mut self) {
        self.set_text(&[]);
    }

    /// Keeps a record that was read as this text.
    pub fn set_text(&mut self, raw: &[u8]) {
        self.set(raw, Kept::Text);
    }

    /// Keeps a record that was read as these bytes, which are no text.
    pub fn set_bytes(&mut self, raw: &[u8]) {
        self.set(raw, Kept::Bytes);
    }

    fn set(&mut self, raw: &[u8], kept: impl FnOnce(Vec<u8>) -> Kept) {
        let mut bytes = match std::mem::replace(&mut self.0, Kept::Text(Vec::new())) {
            Kept::Text(bytes) | Kept::Bytes(bytes) => bytes,
            #[cfg(feature = "parquet")]
            Kept::Row(_) => Vec::new(),
        };
        bytes.clear();
        bytes.extend_from_slice(raw);
        self.0 = kept(bytes);
    }

    #[cfg(feature = "parquet")]
    pub(super) fn of_row(row: KeptRow) -> Self {
        Self(Kept::Row(row))
    }
}

impl Default for KeptRecord {
    fn default() -> Self {
        Self(Kept::Text(Vec::new()))
    }
}
