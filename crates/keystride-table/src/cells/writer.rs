//! Encodes rows into batches of mutations.

use keystride::codec::{KeyError, OpenBucket};
use keystride::{KeyCodec, Row};
use keystride_store::MutationBatch;

use super::RowError;
use super::image::{RowImage, RowImager};

/// Writes rows as puts into the caller's batch.
#[derive(Debug)]
pub struct RowWriter {
    imager: RowImager,
    image: RowImage,
    /// Buffers for rows that are written together.
    images: Vec<(RowImage, Option<OpenBucket>)>,
}

impl RowWriter {
    /// Creates a writer for rows of a design.
    pub fn new(codec: &KeyCodec) -> Self {
        Self { imager: RowImager::new(codec), image: RowImage::default(), images: Vec::new() }
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
        let Self { imager, image, .. } = self;
        imager.encode(row, stamp_ms, image)?;
        imager.mark_if_empty(image)?;
        Ok(image.put(imager.columns(), batch)?)
    }

    /// Adds rows as repeated calls of [`RowWriter::write`] would, up to the first one that can't be stored. Returns
    /// the number of rows added, and the error of that row. If buckets are hashes of keys, this is faster than adding
    /// the rows one by one.
    pub fn write_each(
        &mut self,
        rows: &[Row],
        stamp_ms: i64,
        batch: &mut MutationBatch,
    ) -> (usize, Result<(), RowError>) {
        let (count, encoded) = self.encode_each(rows, stamp_ms);
        let Self { imager, images, .. } = self;
        imager.close(&mut images[..count], |(image, open)| Some(((*open)?, &mut image.key)));
        for (index, (image, _)) in images[..count].iter().enumerate() {
            if let Err(error) = image.put(imager.columns(), batch) {
                return (index, Err(error.into()));
            }
        }
        (count, encoded)
    }

    /// Encodes rows, up to the first one that can't be encoded.
    fn encode_each(&mut self, rows: &[Row], stamp_ms: i64) -> (usize, Result<(), RowError>) {
        let Self { imager, images, .. } = self;
        if images.len() < rows.len() {
            images.resize_with(rows.len(), Default::default);
        }
        for (index, (row, (image, open))) in rows.iter().zip(images).enumerate() {
            let encoded = imager.encode_open(row, stamp_ms, image).and_then(|bucket| {
                *open = bucket;
                Ok(imager.mark_if_empty(image)?)
            });
            if encoded.is_err() {
                return (index, encoded);
            }
        }
        (rows.len(), Ok(()))
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

    fn codec() -> KeyCodec {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"string\" }\n\
            a = { type = \"string\" }\n[key]\nparts = [{ bucket = 16, hash = \"md5\", of = [\"rest\"] }, { field = \"id\" }]";
        KeyCodec::new(Design::from_toml(toml).unwrap())
    }

    fn row(id: Option<&str>, a: Option<&str>) -> Row {
        let mut row = Row::new(2);
        for (field, text) in [id, a].into_iter().enumerate().filter_map(|(field, text)| Some((field, text?)))
        {
            row.set(field, Value::Text(text));
        }
        row
    }

    fn cells(batch: &MutationBatch) -> Vec<String> {
        let of_row = |row: keystride_store::Row<'_>| {
            row.cells().map(|cell| format!("{:?} {cell:?}", row.key())).collect::<Vec<_>>()
        };
        batch.rows().flat_map(of_row).collect()
    }

    #[test]
    fn rows_written_together_are_those_written_one_after_the_other() {
        let mut writer = RowWriter::new(&codec());
        let ids: Vec<String> = (0..40).map(|number| format!("id{number}")).collect();
        let rows: Vec<Row> =
            ids.iter().enumerate().map(|(at, id)| row(Some(id), (at % 3 > 0).then_some("x"))).collect();
        let (mut together, mut alone) = (MutationBatch::new(), MutationBatch::new());
        for count in [0, 1, 17, 22] {
            let start = alone.rows().len();
            for row in &rows[start..start + count] {
                writer.write(row, 7, &mut alone).unwrap();
            }
            assert_eq!(writer.write_each(&rows[start..start + count], 7, &mut together), (count, Ok(())));
        }
        assert_eq!(cells(&together), cells(&alone));
        assert_eq!(alone.rows().len(), 40);
    }

    #[test]
    fn rows_before_the_first_without_a_key_are_written() {
        let mut writer = RowWriter::new(&codec());
        let mut batch = MutationBatch::new();
        let rows = [row(Some("b"), Some("x")), row(None, Some("y")), row(Some("c"), None)];
        let (count, done) = writer.write_each(&rows, 7, &mut batch);
        assert_eq!((count, batch.rows().len()), (1, 1));
        assert!(matches!(done, Err(RowError::Key(_))), "{done:?}");
        // The open bucket of the row without a key does not affect later rows.
        let (mut next, mut alone) = (MutationBatch::new(), MutationBatch::new());
        assert_eq!(writer.write_each(&rows[2..], 7, &mut next), (1, Ok(())));
        writer.write(&rows[2], 7, &mut alone).unwrap();
        assert_eq!(cells(&next), cells(&alone));
    }

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
                assert_eq!(writer.write_each(&[row], 7, &mut MutationBatch::new()).1, written, "{id}");
                refused += u32::from(!reads_back);
            }
            assert!((5..150).contains(&refused), "{refused}");
        }
    }
}
