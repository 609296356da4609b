//! A view on the wire: a head for programs, and a block of numbers.

use serde::Serialize;

use super::{Scale, View};
use crate::live::Metric;

/// The head of a view: all but the numbers of its cells.
#[derive(Debug, Clone, Serialize)]
pub struct ViewDocument {
    metric: Metric,
    mode: &'static str,
    /// The time of each column in ms: when it begins, when it ends.
    columns: Vec<[i64; 2]>,
    /// The indexes of the columns of which nothing is known.
    gaps: Vec<usize>,
    rows: usize,
    /// The keys between rows in hexadecimal, one less than rows.
    bounds: Vec<String>,
    /// The names to which the servers of the block refer.
    servers: Vec<String>,
    scale: Scale,
    block: BlockDocument,
}

/// What a view's block has: numbers column by column, each from the first row on.
#[derive(Debug, Clone, Serialize)]
pub struct BlockDocument {
    byte_order: &'static str,
    /// The offset of the codes, two bytes each.
    codes: usize,
    /// The offset of the servers, two bytes each; `null` if there are none.
    servers: Option<usize>,
    /// The offset of the flags, one byte each.
    flags: usize,
    bytes: usize,
}

impl View {
    /// Describes the view and its block. `servers` are the names of those of the columns.
    pub fn document(&self, servers: &[Box<str>]) -> ViewDocument {
        let with_servers = self.filled.servers.is_some();
        ViewDocument {
            metric: self.metric,
            mode: self.mode,
            columns: self.columns.iter().map(|column| [column.t0_ms, column.t1_ms]).collect(),
            gaps: (0..self.columns.len()).filter(|&column| self.columns[column].is_gap).collect(),
            rows: self.rows.cell_count(),
            bounds: self.rows.bounds().map(to_hex).collect(),
            servers: servers.iter().filter(|_| with_servers).map(ToString::to_string).collect(),
            scale: self.scale,
            block: BlockDocument::of(self.filled.codes.len(), with_servers),
        }
    }

    /// Returns the numbers: the codes of all columns in two bytes each, big-endian; then the servers in two bytes each, if they
    /// were asked for; then the flags in a byte each.
    pub fn block(&self) -> Vec<u8> {
        let filled = &self.filled;
        let mut block = Vec::with_capacity(5 * filled.codes.len());
        let numbers = filled.codes.iter().chain(filled.servers.iter().flatten());
        numbers.for_each(|number| block.extend_from_slice(&number.to_be_bytes()));
        block.extend_from_slice(&filled.flags);
        block
    }
}

impl BlockDocument {
    fn of(cells: usize, with_servers: bool) -> Self {
        let flags = if with_servers { 4 * cells } else { 2 * cells };
        let servers = with_servers.then_some(2 * cells);
        Self { byte_order: "big-endian", codes: 0, servers, flags, bytes: flags + cells }
    }
}

/// Writes bytes in hexadecimal.
pub(in crate::live) fn to_hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from_digit(u32::from(digit), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
