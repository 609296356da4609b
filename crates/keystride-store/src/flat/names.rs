use super::Span;
use crate::columns_id::ColumnsId;
use crate::mutation_error::Full;

/// Names of columns that cells have the numbers of.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    all: Vec<Name>,
    /// The first name of blocks whose columns have an id, each in its place of the table.
    blocks: Vec<Option<(ColumnsId, u32)>>,
    /// The numbers here of columns that have others elsewhere.
    renumbered: Renumbered,
}

/// A family, by its number, where the qualifier lies, and how long both are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) family: u16,
    pub(super) qualifier: Span,
    /// Bytes of family and qualifier.
    pub(super) len: u32,
}

#[derive(Debug, Clone, Default)]
struct Renumbered {
    /// Whose columns these are.
    id: u64,
    /// [`NONE`] for a column that has no number here.
    numbers: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// How many sets of columns of one batch share their names.
const BLOCKS: usize = 64;

impl Names {
    /// Adds a name; its number.
    pub(super) fn add(&mut self, name: Name) -> Result<u32, Full> {
        let number = self.next()?;
        self.all.push(name);
        Ok(number)
    }

    /// The number of the name that is added next.
    pub(super) fn next(&self) -> Result<u32, Full> {
        u32::try_from(self.all.len()).ok().filter(|number| *number != NONE).ok_or(Full)
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Name {
        self.all[number as usize]
    }

    /// The number of the first name of columns that have an id, where they are there already.
    pub(super) fn find_block(&self, id: ColumnsId) -> Option<u32> {
        let (known, first) = (*self.blocks.get(id.place_of(BLOCKS))?)?;
        (known == id).then_some(first)
    }

    pub(super) fn keep_block(&mut self, id: ColumnsId, first: u32) {
        self.blocks.resize(BLOCKS, None);
        self.blocks[id.place_of(BLOCKS)] = Some((id, first));
    }

    /// Forgets how other columns than those of `id` were numbered.
    #[inline]
    pub(super) fn renumber(&mut self, id: u64) {
        if self.renumbered.id != id {
            self.renumbered = Renumbered { id, numbers: Vec::new() };
        }
    }

    /// The number here of a column that has the number `column` elsewhere.
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
