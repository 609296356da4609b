//! The records of a file.
//!
//! A file begins with [`MAGIC`], followed by records: the length of the content in four bytes, its checksum (XXH3) in
//! eight, both big-endian, and the content. Its first byte says what it is: a server's name in UTF-8, or a layer's number
//! and a column as [`Column::write_to`] writes it, whose boundaries are left out if they are those of the layer's
//! column before.

use keystride_heat::live::{Axis, Closed, Column, Layers};
use xxhash_rust::xxh3::xxh3_64;

pub(super) const MAGIC: &[u8] = b"keystride heat 1\n";

const SERVER: u8 = 1;
const COLUMN: u8 = 2;

/// A record that was read.
#[derive(Debug)]
pub(super) enum Record {
    Server(Box<str>),
    Column(Closed),
}

/// The boundaries of the last column of each layer.
#[derive(Debug, Clone, Default)]
pub(super) struct LastAxes([Option<Axis>; Layers::COUNT]);

impl LastAxes {
    /// Appends the record of a column.
    pub(super) fn write_column(&mut self, closed: &Closed, out: &mut Vec<u8>) {
        let Some(last) = self.0.get_mut(closed.layer) else { return };
        // There are four layers.
        let layer = u8::try_from(closed.layer).unwrap_or(u8::MAX);
        let mut content = vec![COLUMN, layer];
        closed.column.write_to(last.as_ref(), &mut content);
        write_content(&content, out);
        if let Some(axis) = closed.column.axis() {
            *last = Some(axis.clone());
        }
    }

    /// Takes the first record from bytes; `None` if there is none that is whole.
    pub(super) fn read(&mut self, bytes: &mut &[u8]) -> Option<Record> {
        let (len, rest) = bytes.split_first_chunk()?;
        let (checksum, rest) = rest.split_first_chunk()?;
        let (content, rest) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*len)).ok()?)?;
        if xxh3_64(content) != u64::from_be_bytes(*checksum) {
            return None;
        }
        let record = self.parse(content)?;
        *bytes = rest;
        Some(record)
    }

    fn parse(&mut self, content: &[u8]) -> Option<Record> {
        match content.split_first()? {
            (&SERVER, name) => Some(Record::Server(str::from_utf8(name).ok()?.into())),
            (&COLUMN, content) => {
                let (&layer, bytes) = content.split_first()?;
                let layer = usize::from(layer);
                let last = self.0.get(layer)?;
                // The layers of a table mostly have the same boundaries, which are kept once.
                let any = self.0.iter().flatten().next();
                let column = Column::read_from(bytes, last.as_ref().or(any)).ok()?;
                if let Some(axis) = column.axis() {
                    self.0[layer] = Some(axis.clone());
                }
                Some(Record::Column(Closed { layer, column: column.into() }))
            }
            _ => None,
        }
    }
}

/// Appends the record of a server's name.
pub(super) fn write_server(name: &str, out: &mut Vec<u8>) {
    write_content(&[&[SERVER], name.as_bytes()].concat(), out);
}

fn write_content(content: &[u8], out: &mut Vec<u8>) {
    // A column has at most some MiB.
    let Ok(len) = u32::try_from(content.len()) else { return };
    out.extend_from_slice(&len.to_be_bytes());
    out.extend_from_slice(&xxh3_64(content).to_be_bytes());
    out.extend_from_slice(content);
}
