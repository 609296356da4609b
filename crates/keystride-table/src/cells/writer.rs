//! Encodes rows into batches of mutations.

use keystride::codec::KeyError;
use keystride::{KeyCodec, Row};
use keystride_store::MutationBatch;

use super::RowError;
use super::image::{RowImage, RowImager};

/// Writes rows as puts into the caller's batch.
#[derive(Debug)]
pub struct RowWriter {
    imager: RowImager,
    image: RowImage,
}

impl RowWriter {
    /// Creates a writer for rows of a design.
    pub fn new(codec: &KeyCodec) -> Self {
        Self { imager: RowImager::new(codec), image: RowImage::default() }
    }

    /// Sets the number from which a bucket that does not depend on the row is derived, see
    /// [`KeyEncoder::supply`](keystride::KeyEncoder::supply).
    pub fn supply(&mut self, number: u64) {
        self.imager.supply(number);
    }

    /// Returns the key of a row.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when no key can be made.
    pub fn key(&mut self, row: &Row) -> Result<&[u8], KeyError> {
        self.imager.encode_key(row, &mut self.image)?;
        Ok(&self.image.key)
    }

    /// Adds the cells of `row` to `batch`, stamped with the design's `cell_time` if the row has it, or else
    /// `stamp_ms`. [`LATEST`](keystride_store::LATEST) asks for the store's time.
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

    /// Adds further cells to a row, stamped as by [`RowWriter::write`].
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

/// A cell in addition to those of a row's fields, as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawCell {
    /// Its family.
    pub family: String,
    /// Its qualifier.
    pub qualifier: Vec<u8>,
    /// Its value.
    pub value: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use keystride::{Design, Value};

    use super::*;

    #[test]
    fn rows_whose_keys_would_be_read_as_others_are_refused_and_no_others() {
        for hash in ["", "hash = \"md5\", "] {
            let toml = format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"int\" }}\n\
                 [key]\nparts = [{{ bucket = 16, {hash}of = [\"rest\"], width = 1 }}, {{ field = \"id\" }}]"
            );
            let codec = KeyCodec::new(Design::from_toml(&toml).unwrap());
            let mut writer = RowWriter::new(&codec);
            let mut refused = 0;
            for id in 0..200 {
                let mut row = Row::new(1);
                row.set(0, Value::Int(id));
                let key = writer.key(&row).unwrap().to_vec();
                let reads_back = codec.decode(&key).is_ok_and(|decoded| decoded.row == row);
                let written = writer.write(&row, 7, &mut MutationBatch::new());
                let unclear = RowError::UnclearBucket { key, field: "id".to_owned() };
                assert_eq!(written, if reads_back { Ok(()) } else { Err(unclear) }, "{id}");
                refused += u32::from(!reads_back);
            }
            assert!((5..150).contains(&refused), "{refused}");
        }
    }
}
