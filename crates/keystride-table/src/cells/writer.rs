use keystride::codec::{KeyError, OpenBucket};
use keystride::{KeyCodec, Row};
use keystride_store::MutationBatch;

use super::RowError;
use super::image::{RowImage, RowImager};

/// Writes rows as puts, row after row into the caller's batch.
#[derive(Debug)]
pub struct RowWriter {
    imager: RowImager,
    image: RowImage,
    /// Of rows that are written together.
    images: Vec<(RowImage, Option<OpenBucket>)>,
}

impl RowWriter {
    /// A writer of a design's rows.
    pub fn new(codec: &KeyCodec) -> Self {
        Self { imager: RowImager::new(codec), image: RowImage::default(), images: Vec::new() }
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
        let Self { imager, image, .. } = self;
        imager.encode(row, stamp_ms, image)?;
        imager.mark_if_empty(image)?;
        Ok(image.put(imager.columns(), batch)?)
    }

    /// Adds rows as [`RowWriter::write`] does one after the other, up to the first that can't be stored: how many were
    /// added, and why that one was not. Some rows at a time take less than one after the other where buckets are hashes
    /// of keys.
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

    /// Makes images of rows, up to the first that has none.
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
        // What was left open of the row without a key is in nobody's way.
        let (mut next, mut alone) = (MutationBatch::new(), MutationBatch::new());
        assert_eq!(writer.write_each(&rows[2..], 7, &mut next), (1, Ok(())));
        writer.write(&rows[2], 7, &mut alone).unwrap();
        assert_eq!(cells(&next), cells(&alone));
    }
}
