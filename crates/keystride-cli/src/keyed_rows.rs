//! The keys of a file's rows.

use std::path::Path;
use std::sync::Arc;

use keystride::codec::KeyEncoder;
use keystride::{KeyCodec, Row};
use keystride_table::input::{self, InputOptions, InputReader, Next, RequiredFields, SourceSpec};

use crate::failure::Failure;

/// Reads the rows of a file, or of standard input for `-`, and makes their keys.
pub(crate) struct KeyedRows {
    reader: InputReader,
    encoder: KeyEncoder,
    row: Row,
    key: Vec<u8>,
    count: u64,
    bucket: Option<u32>,
}

impl KeyedRows {
    /// Opens a file, which needs a column only for the fields that the key depends on. A bucket that is not a function of
    /// the row is `bucket`, or else taken in turn.
    pub(crate) fn open(
        codec: &KeyCodec,
        path: &Path,
        options: InputOptions,
        bucket: Option<u32>,
    ) -> Result<Self, Failure> {
        let design = Arc::new(codec.design().clone());
        let options = InputOptions { required: RequiredFields::OfKey, ..options };
        let reader = input::open(&[SourceSpec::parse(path)], design, options)?;
        let (encoder, row) = (codec.encoder(), reader.new_row());
        Ok(Self { reader, encoder, row, key: Vec::new(), count: 0, bucket })
    }

    /// Reads the next row and returns its key, or why it has none; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<Result<&[u8], String>>, Failure> {
        self.key.clear();
        let reason = match self.reader.next(&mut self.row)? {
            Next::End => return Ok(None),
            Next::Rejected(reject) => Some(reject.to_string()),
            Next::Row => {
                self.encoder.supply(self.bucket.map_or(self.count, u64::from));
                let unkeyed = self.encoder.encode(&self.row, &mut self.key).err();
                unkeyed.map(|error| format!("{}: {error}", self.place()))
            }
        };
        self.count += 1;
        Ok(Some(reason.map_or(Ok(&self.key), Err)))
    }

    /// Returns the source and the line of the row read last.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.reader.source(), self.reader.line())
    }

    /// Returns the name of the file.
    pub(crate) fn source(&self) -> &str {
        self.reader.source()
    }

    /// Returns how many rows have been read.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }
}
