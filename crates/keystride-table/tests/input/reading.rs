//! Designs to read with, and readings short enough to compare.

use std::sync::Arc;

use keystride::{Design, Row};
use keystride_table::input::*;

/// A phone, an instant, a city and a count; `other` as given.
pub(crate) fn calls(other: &str) -> Arc<Design> {
    with_fields(
        r#"
        phone = { type = "digits", len = 5 }
        ts = { type = "time", unit = "ms" }
        city = { type = "string", max_len = 12 }
        n = { type = "int", min = 0, max = 1000 }
        "#,
        other,
    )
}

/// A design whose key is its field `phone`.
pub(crate) fn with_fields(fields: &str, other: &str) -> Arc<Design> {
    let design = Design::from_toml(&format!(
        r#"
        format = 1
        [table]
        name = "t"
        families = ["f", "x"]
        [fields]
        {fields}
        [key]
        parts = [ {{ field = "phone" }} ]
        [columns]
        other = "{other}"
        [input]
        null = ["", "NA"]
        "#
    ));
    Arc::new(design.unwrap())
}

/// The rows and rejects of one text under the name `name`.
pub(crate) fn read(name: &str, text: impl AsRef<[u8]>) -> Result<Vec<String>, InputError> {
    read_with(&calls("error"), name, text, InputOptions::default())
}

pub(crate) fn read_with(
    design: &Arc<Design>,
    name: &str,
    text: impl AsRef<[u8]>,
    options: InputOptions,
) -> Result<Vec<String>, InputError> {
    read_sources(design, vec![source(name, text)], options)
}

/// A reader that gives a few bytes at a time, as pipes do.
pub(crate) fn source(name: &str, text: impl AsRef<[u8]>) -> Source {
    Source::reader(name, Trickle(text.as_ref().to_vec(), 0))
}

pub(crate) fn read_sources(
    design: &Arc<Design>,
    sources: Vec<Source>,
    options: InputOptions,
) -> Result<Vec<String>, InputError> {
    let mut reader = InputReader::open(Arc::clone(design), sources, options)?;
    read_on(&mut reader)
}

/// What is still to come.
pub(crate) fn read_on(reader: &mut InputReader) -> Result<Vec<String>, InputError> {
    let mut row = reader.new_row();
    let mut told = Vec::new();
    loop {
        match reader.next(&mut row)? {
            Next::Row => told.push(tell(reader, &row)),
            Next::Rejected(reject) => told.push(format!("rejected {reject}")),
            Next::End => return Ok(told),
        }
    }
}

/// `line: value|value|… name=other …`, with `-` for no value.
fn tell(reader: &InputReader, row: &Row) -> String {
    let design = reader.design();
    let values: Vec<_> =
        (0..row.len()).map(|field| design.value_text(row, field).unwrap_or_else(|| "-".to_owned())).collect();
    let mut told = format!("{}: {}", reader.line(), values.join("|"));
    for (name, text) in reader.others() {
        told.push_str(&format!(" {name}={text}"));
    }
    told
}

struct Trickle(Vec<u8>, usize);

impl std::io::Read for Trickle {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let rest = &self.0[self.1..];
        let len = rest.len().min(into.len()).min(7);
        into[..len].copy_from_slice(&rest[..len]);
        self.1 += len;
        Ok(len)
    }
}
