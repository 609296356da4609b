//! The first rows of a sample, kept so that designs can be tried on them.

use std::io::Cursor;
use std::sync::Arc;

use keystride::Design;
use keystride_table::input::{Format, InputError, InputOptions, InputReader, Source};
use serde_json::{Map, Value};

/// As many rows are kept, if they have no more bytes than this.
pub const MOST_KEPT: usize = 2_000;
const MOST_KEPT_BYTES: usize = 8 << 20;

/// The first rows of a sample, as texts. Whatever their source was, they are read as JSON lines.
#[derive(Debug, Clone)]
pub struct KeptRows {
    name: String,
    lines: Arc<Vec<u8>>,
    count: usize,
}

/// Takes the first rows of a source.
#[derive(Debug)]
pub(super) struct RowKeeper {
    name: String,
    /// Columns that each row has: without a text, it is the empty one.
    columns: Vec<String>,
    lines: Vec<u8>,
    count: usize,
}

impl RowKeeper {
    pub(super) fn new(name: &str, columns: Vec<String>) -> Self {
        Self { name: name.to_owned(), columns, lines: Vec::new(), count: 0 }
    }

    /// Adds a row, if there is room for one more.
    pub(super) fn add<'a>(&mut self, row: impl Iterator<Item = (&'a str, &'a str)>) {
        if self.count == MOST_KEPT || self.lines.len() > MOST_KEPT_BYTES {
            return;
        }
        let empty = self.columns.iter().map(|name| (name.clone(), Value::String(String::new())));
        let mut object: Map<String, Value> = empty.collect();
        object.extend(row.map(|(name, text)| (name.to_owned(), Value::String(text.to_owned()))));
        // A column without a name is no field.
        object.remove("");
        self.lines.extend_from_slice(Value::Object(object).to_string().as_bytes());
        self.lines.push(b'\n');
        self.count += 1;
    }

    pub(super) fn finish(self) -> KeptRows {
        KeptRows { name: self.name, lines: Arc::new(self.lines), count: self.count }
    }
}

impl KeptRows {
    /// Returns how many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Reads them as rows of a design, from the first; their lines are their numbers from 1.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the design does not allow their columns.
    pub fn reader(&self, design: Arc<Design>) -> Result<InputReader, InputError> {
        let options = InputOptions { format: Some(Format::JsonLines), ..InputOptions::default() };
        let source = Source::reader(self.name.clone(), Cursor::new(SharedBytes(Arc::clone(&self.lines))));
        InputReader::open(design, vec![source], options)
    }
}

struct SharedBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
