//! Column names, which cells refer to by number.

use super::Span;
use crate::columns_id::ColumnsId;
use crate::mutation_error::Full;

/// The names of columns that cells refer to by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    all: Vec<Name>,
    /// For columns with an id, the number of their first name; a table indexed by [`ColumnsId::place_of`].
    blocks: Vec<Option<(ColumnsId, u32)>>,
    /// Maps the column numbers of a [`ColumnNames`](crate::ColumnNames) to numbers of names.
    renumbered: Renumbered,
}

/// A family by its number, the span of the qualifier, and the length of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) family: u16,
    pub(super) qualifier: Span,
    /// Length of family and qualifier together, in bytes.
    pub(super) len: u32,
}

#[derive(Debug, Clone, Default)]
struct Renumbered {
    /// The id of the columns that are mapped.
    id: u64,
    /// The number of each column's name, or [`NONE`].
    numbers: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Number of slots for sets of columns whose names are shared within a batch.
const BLOCKS: usize = 64;

impl Names {
    /// Adds a name and returns its number.
    pub(super) fn add(&mut self, name: Name) -> Result<u32, Full> {
        let number = self.next()?;
        self.all.push(name);
        Ok(number)
    }

    /// Returns the number that the next name will get.
    pub(super) fn next(&self) -> Result<u32, Full> {
        u32::try_from(self.all.len()).ok().filter(|number| *number != NONE).ok_or(Full)
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Name {
        self.all[number as usize]
    }

    /// Returns the number of the first name of the columns with this id, if they have been added.
    pub(super) fn find_block(&self, id: ColumnsId) -> Option<u32> {
        let (known, first) = (*self.blocks.get(id.place_of(BLOCKS))?)?;
        (known == id).then_some(first)
    }

    pub(super) fn keep_block(&mut self, id: ColumnsId, first: u32) {
        self.blocks.resize(BLOCKS, None);
        self.blocks[id.place_of(BLOCKS)] = Some((id, first));
    }

    /// Discards the mapping of columns unless it is the one of `id`.
    #[inline]
    pub(super) fn renumber(&mut self, id: u64) {
        if self.renumbered.id != id {
            self.renumbered = Renumbered { id, numbers: Vec::new() };
        }
    }

    /// Returns the number of the name of `column`, if it has been added.
    #[inline]
    pub(super) fn renumbered(&self, column: u32) -> Option<u32> {
        self.renumbered.numbers.get(column as usize).copied().filter(|number| *number != NONE)
    }

    pub(super) fn keep_renumbered(&mut self, column: u32, number: u32) {
        let column = column as usize;
        if self.renumbered.numbers.len() <= column {
            self.renumbered.numbers.resize(column + 1, NONE);
        }
        self.renumbered.numbers[column] = number;
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.blocks.clear();
        self.renumbered.numbers.clear();
    }
}
