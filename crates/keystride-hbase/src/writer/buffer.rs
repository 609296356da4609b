//! Buffered changes.

use crate::batch::PutCells;
use crate::cell::{CellBlock, CellWriter, row_of_checked};
use crate::{ActionWriter, Actions, CellTooLarge, Mutation};

/// Changes in order. Plain puts, as most are, are stored only as their cells, all in one buffer.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    cells: CellWriter,
    changes: Vec<Change>,
    /// Size of the changes stored as mutations, in bytes.
    whole_bytes: usize,
}

#[derive(Debug)]
enum Change {
    /// A put; its cells start where those of the previous put end.
    Put {
        start: usize,
        end: usize,
        cell_count: u32,
    },
    Whole(Box<Mutation>),
}

/// Approximate size of a mutation without its cells, in bytes.
const MUTATION_BYTES: usize = 160;

impl Buffer {
    pub(super) fn push(&mut self, mutation: Mutation) {
        if mutation.is_plain_put() {
            let start = self.cells.len();
            self.cells.extend(mutation.cell_writer().as_bytes());
            self.changes.push(Change::Put {
                start,
                end: self.cells.len(),
                cell_count: mutation.cell_count(),
            });
        } else {
            self.whole_bytes += mutation.byte_count() + MUTATION_BYTES;
            self.changes.push(Change::Whole(Box::new(mutation)));
        }
    }

    /// Adds a put. Returns whether it has cells; without any it is not added.
    pub(super) fn put(
        &mut self,
        row: &[u8],
        write: impl FnOnce(&mut PutCells<'_>) -> Result<(), CellTooLarge>,
    ) -> Result<bool, CellTooLarge> {
        let start = self.cells.len();
        let cell_count = PutCells::write(row, &mut self.cells, write)?;
        if cell_count > 0 {
            self.changes.push(Change::Put { start, end: self.cells.len(), cell_count });
        }
        Ok(cell_count > 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    pub(super) fn byte_count(&self) -> usize {
        self.cells.len() + self.changes.len() * size_of::<Change>() + self.whole_bytes
    }

    /// Removes all changes, but keeps the capacity.
    pub(super) fn clear(&mut self) {
        self.cells.truncate(0);
        self.changes.clear();
        self.whole_bytes = 0;
    }

    /// The change, as it was pushed.
    pub(super) fn mutation(&self, at: usize) -> Mutation {
        match &self.changes[at] {
            Change::Whole(mutation) => (**mutation).clone(),
            Change::Put { start, end, .. } => {
                let cells = CellBlock::cells(&self.cells.as_bytes()[*start..*end]);
                let put = Mutation::put(self.row(at));
                cells.fold(put, |put, cell| put.value_at(cell.family, cell.qualifier, cell.ts, cell.value))
            }
        }
    }
}

impl Actions for Buffer {
    fn len(&self) -> usize {
        self.changes.len()
    }

    fn row(&self, at: usize) -> &[u8] {
        match &self.changes[at] {
            Change::Whole(mutation) => mutation.row(),
            Change::Put { start, end, .. } => row_of_checked(&self.cells.as_bytes()[*start..*end]),
        }
    }

    fn write(&self, at: usize, out: &mut ActionWriter<'_>) -> Result<(), CellTooLarge> {
        match &self.changes[at] {
            Change::Whole(mutation) => out.mutation(mutation),
            Change::Put { start, end, cell_count } => {
                out.put_written(self.row(at), *cell_count, &self.cells.as_bytes()[*start..*end]);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pushed_comes_back() {
        let mut buffer = Buffer::default();
        buffer.push(Mutation::put("a").value_at("f", "q", 7, "v").value("f", "r", "w"));
        buffer.push(Mutation::delete("b").column("f", "q"));
        assert!(buffer.put(b"c", |cells| cells.value(b"f", b"q", b"v")).unwrap());
        assert!(!buffer.put(b"d", |_| Ok(())).unwrap());
        let rows: Vec<&[u8]> = (0..buffer.len()).map(|at| buffer.row(at)).collect();
        assert_eq!(rows, [b"a", b"b", b"c"]);
        let first = buffer.mutation(0);
        let pushed = Mutation::put("a").value_at("f", "q", 7, "v").value("f", "r", "w");
        assert_eq!(first.cell_writer().as_bytes(), pushed.cell_writer().as_bytes());
        assert_eq!((first.cell_count(), buffer.mutation(1).row()), (2, &"b".into()));
    }

    #[test]
    fn a_put_that_is_too_large_leaves_nothing() {
        let mut buffer = Buffer::default();
        let long = [b'f'; 200];
        let outcome = buffer.put(b"a", |cells| {
            cells.value(b"f", b"q", b"v")?;
            cells.value(&long, b"q", b"v")
        });
        assert_eq!(outcome.unwrap_err().part, "family");
        assert!(buffer.is_empty() && buffer.byte_count() == 0);
    }
}
