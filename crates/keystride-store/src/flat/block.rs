//! A block of cells that share family and timestamp.

use std::ops::Range;

use crate::CellKind;
use crate::cell::Cell;
use crate::columns_id::ColumnsId;

/// Cells of one family and timestamp, with all their qualifiers in one slice and all their values in another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellBlock<'a> {
    pub(crate) family: &'a [u8],
    pub(crate) ts: i64,
    pub(crate) columns: Option<ColumnsId>,
    pub(crate) names: &'a [u8],
    pub(crate) values: &'a [u8],
    pub(crate) parts: &'a [CellParts],
}

/// The ranges of a cell's qualifier and value in its block.
#[derive(Debug, Clone)]
pub(crate) struct CellParts {
    pub(crate) qualifier: Range<u32>,
    pub(crate) value: Range<u32>,
    pub(crate) kind: CellKind,
}

impl<'a> CellBlock<'a> {
    pub(crate) fn cells(self) -> impl Iterator<Item = Cell<'a>> + Clone {
        self.parts.iter().map(move |parts| Cell {
            family: self.family,
            qualifier: &self.names[parts.qualifier.start as usize..parts.qualifier.end as usize],
            ts: self.ts,
            kind: parts.kind,
            value: &self.values[parts.value.start as usize..parts.value.end as usize],
        })
    }
}
