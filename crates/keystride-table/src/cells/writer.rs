use keystride::codec::KeyError;
use keystride::{KeyCodec, Row};
use keystride_store::MutationBatch;

use super::RowError;
use super::image::{RowImage, RowImager};

/// Writes rows as puts, row after row into the caller's batch.
#[derive(Debug)]
pub struct RowWriter {
    imager: RowImager,
    image: RowImage,
}

impl RowWriter {
    /// A writer of a design's rows.
    pub fn new(codec: &KeyCodec) -> Self {
        Self { imager: RowImager::new(codec), image: RowImage::default() }
    }

    /// The number from which a bucket that is no function of the row is taken, see
    /// [`KeyEncoder::supply`](keystride::KeyEncoder::supply).
    pub fn supply(&mut self, number: u64) {
        self.imager.supply(number);
    }

    /// The key of a row.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when it has none.
    pub fn key(&mut self, row: &Row) -> Result<&[u8], KeyError> {
        self.imager.encode_key(row, &mut self.image)?;
        Ok(&self.image.key)
    }

    /// Adds the cells of `row` to `batch`, stamped by the design's `cell_time` where the row has it, else `stamp_ms`;
    /// [`LATEST`](keystride_store::LATEST) asks the store for its own.
    ///
    /// # Errors
    ///
    /// [`RowError`] when the row can't be stored; nothing is added then.
    pub fn write(&mut self, row: &Row, stamp_ms: i64, batch: &mut MutationBatch) -> Result<(), RowError> {
        let Self { imager, image } = self;
        imager.encode(row, stamp_ms, image)?;
        imager.mark_if_empty(image)?;
        Ok(image.put(imager.columns(), batch)?)
    }

    /// Adds further cells of the same row, stamped as [`RowWriter::write`] does.
    ///
    /// # Errors
    ///
    /// [`RowError`] when one can't be stored; the batch may then hold some of them.
    pub fn write_beside(
        &mut self,
        row: &Row,
        cells: &[RawCell],
        stamp_ms: i64,
        batch: &mut MutationBatch,
    ) -> Result<(), RowError> {
        let stamp_ms = self.imager.stamp(row, stamp_ms)?;
        let key = self.key(row)?;
        for RawCell { family, qualifier, value } in cells {
            batch.put(key, family.as_bytes(), qualifier, stamp_ms, value)?;
        }
        Ok(())
    }
}

/// A cell beside those of a row's fields, as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawCell {
    /// Its family.
    pub family: String,
    /// Its qualifier.
    pub qualifier: Vec<u8>,
    /// Its value.
    pub value: Vec<u8>,
}
