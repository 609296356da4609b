//! A design and rows for it.

use std::fs;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keystride::{Design, Row};
use keystride_table::input::{InputOptions, InputReader, Next, Source};

use crate::RecommendLog;

/// Rows in memory, as CSV with a line of names.
#[derive(Debug, Clone)]
pub struct Input {
    /// What they are.
    pub name: &'static str,
    /// The design of their table.
    pub design: Arc<Design>,
    /// The text.
    pub text: Arc<[u8]>,
    /// How many rows it has.
    pub row_count: u64,
}

impl Input {
    /// So many rows of [`RecommendLog`] over ten days.
    ///
    /// # Panics
    ///
    /// When the example's design can't be read.
    pub fn recommend_log(row_count: u64) -> Self {
        let mut text = Vec::new();
        RecommendLog::new(row_count, 10, 1)
            .read_to_end(&mut text)
            .expect("rows that are made up can be read");
        Self { name: "log", design: design("seed-003"), text: text.into(), row_count }
    }

    /// The same rows in ten columns: all goods in one of them, and a number for the session. A row has 136 bytes on
    /// average, about as those have that the targets were set with.
    ///
    /// # Panics
    ///
    /// When the design can't be read.
    pub fn ten_columns(row_count: u64) -> Self {
        let wide = Self::recommend_log(row_count);
        let wide = str::from_utf8(&wide.text).expect("the log is ASCII");
        let mut text = Vec::with_capacity(wide.len() / 8 * 9);
        for line in wide.lines() {
            ten_columns(line, &mut text);
        }
        let design = Arc::new(Design::from_toml(TEN_COLUMNS).expect("the design is one"));
        Self { name: "ten columns", design, text: text.into(), row_count }
    }

    /// The first rows of the flights, which are 336,776.
    ///
    /// # Panics
    ///
    /// When the example's files can't be read.
    pub fn flights(most_rows: usize) -> Self {
        let packed =
            fs::File::open(examples().join("flights/flights.csv.zst")).expect("the flights are there");
        let text = zstd::decode_all(packed).expect("the flights are packed by zstd");
        let lines = text.split_inclusive(|&byte| byte == b'\n').take(most_rows + 1);
        let (count, len) = lines.fold((0, 0), |(count, len), line| (count + 1, len + line.len()));
        Self { name: "flights", design: design("flights"), text: text[..len].into(), row_count: count - 1 }
    }

    /// The same rows for the same table with so many buckets, found by the hash of new designs.
    ///
    /// # Panics
    ///
    /// When there can't be so many.
    #[must_use]
    pub fn with_buckets(&self, count: usize) -> Self {
        let text =
            self.design.to_toml(None).replace(LOG_BUCKET, &format!("bucket = {count}, of = [\"rest\"]"));
        let design = Design::from_toml(&text).expect("a design with another number of buckets");
        assert_eq!(design.leading_bucket().map(|bucket| bucket.count.get() as usize), Some(count));
        Self { design: Arc::new(design), ..self.clone() }
    }

    /// A reader of the rows.
    ///
    /// # Panics
    ///
    /// When the text does not fit the design.
    pub fn reader(&self) -> InputReader {
        let source = Source::reader("rows.csv", Cursor::new(Arc::clone(&self.text)));
        let source = source.with_byte_count(self.text.len() as u64);
        let reader = InputReader::open(Arc::clone(&self.design), vec![source], InputOptions::default());
        reader.expect("the names in the first line are those of the design")
    }

    /// Gives each row to `take`.
    ///
    /// # Panics
    ///
    /// When a record is no row.
    pub fn for_each(&self, mut take: impl FnMut(&Row)) {
        let mut reader = self.reader();
        let mut row = reader.new_row();
        loop {
            match reader.next(&mut row) {
                Ok(Next::Row) => take(&row),
                Ok(Next::End) => return,
                other => panic!("every record is a row: {other:?}"),
            }
        }
    }
}

/// The design of the log in ten columns.
const TEN_COLUMNS: &str = r#"
format = 1
[table]
name = "recommend_log"
families = ["cf1"]
[fields]
opera_time = { type = "time", format = "yyyyMMddHHmmss" }
phone = { type = "digits", len = 11 }
rec_id = { type = "string", max_len = 32, alphabet = "0-9a-f" }
recommend_type = { type = "string", max_len = 8 }
activity_id = { type = "string", max_len = 16 }
rule_id = { type = "string", max_len = 16 }
channel_code = { type = "string", max_len = 16 }
recommend_position = { type = "string", max_len = 16 }
goods = { type = "string", max_len = 128 }
session = { type = "string", max_len = 16 }
[key]
parts = [
  { bucket = 16, hash = "md5-hex1", of = ["rest"], width = 3 },
  { field = "opera_time" },
  { field = "phone" },
  { field = "rec_id" },
]
[split]
by = "bucket"
"#;

/// Appends a line of the log with its goods in one column, and its id, backwards, for a session.
fn ten_columns(line: &str, out: &mut Vec<u8>) {
    const BEFORE_GOODS: usize = 8;
    let cells: Vec<&str> = line.split(',').collect();
    let (before, goods) = cells.split_at(BEFORE_GOODS);
    let is_header = before[3] == "rec_id";
    let goods: Vec<&str> = goods.iter().copied().filter(|text| !text.is_empty()).collect();
    let goods = if is_header { "goods".to_owned() } else { goods.join(";") };
    let session = if is_header { "session".to_owned() } else { before[3].chars().rev().collect() };
    out.extend_from_slice(format!("{},{goods},{session}\n", before.join(",")).as_bytes());
}

/// The bucket of the log's design.
const LOG_BUCKET: &str = "bucket = 16, hash = \"md5-hex1\", of = [\"rest\"], width = 3";

fn design(example: &str) -> Arc<Design> {
    let text = fs::read_to_string(examples().join(example).join("design.toml"));
    let text = text.expect("the example's design is there");
    Arc::new(Design::from_toml(&text).expect("the example's design is one"))
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}
