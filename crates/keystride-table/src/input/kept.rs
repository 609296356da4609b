//! Records that are kept while later ones are read.

#[cfg(feature = "parquet")]
use super::parquet::KeptRow;

/// The original of a record, for callers that decide later whether to reject it. The memory of a text is reused for
/// the next one.
#[derive(Debug)]
pub struct KeptRecord(Kept);

#[derive(Debug)]
enum Kept {
    Text(Vec<u8>),
    #[cfg(feature = "parquet")]
    Row(KeptRow),
}

impl KeptRecord {
    /// Returns the record in the form of [`Reject::raw`](super::Reject::raw); empty if none is kept.
    pub fn raw(&self) -> Vec<u8> {
        match &self.0 {
            Kept::Text(text) => text.clone(),
            #[cfg(feature = "parquet")]
            Kept::Row(row) => row.raw(),
        }
    }

    /// Returns the size of the text; 0 for rows of Parquet, which share their batch.
    pub fn byte_count(&self) -> usize {
        match &self.0 {
            Kept::Text(text) => text.len(),
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
        match &mut self.0 {
            Kept::Text(text) => {
                text.clear();
                text.extend_from_slice(raw);
            }
            #[cfg(feature = "parquet")]
            Kept::Row(_) => self.0 = Kept::Text(raw.to_vec()),
        }
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
