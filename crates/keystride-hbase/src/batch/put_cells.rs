//! The cells of one put, while they are written.

use crate::cell::{CellKind, CellTooLarge, CellWriter, LATEST, Names};

/// Takes the cells of one put, without a [`Mutation`](crate::Mutation) in between.
#[derive(Debug)]
pub struct PutCells<'a> {
    row: &'a [u8],
    cells: &'a mut CellWriter,
    count: u32,
    /// Of the row and of the family written last.
    names: Names,
}

impl<'a> PutCells<'a> {
    /// Lets `write` write the cells of a row; gives how many it wrote. What fails leaves no trace.
    #[inline]
    pub(crate) fn write(
        row: &'a [u8],
        cells: &'a mut CellWriter,
        write: impl FnOnce(&mut PutCells<'_>) -> Result<(), CellTooLarge>,
    ) -> Result<u32, CellTooLarge> {
        let before = cells.len();
        let mut put = PutCells { row, cells, count: 0, names: Names::default() };
        match write(&mut put) {
            Ok(()) => Ok(put.count),
            Err(error) => {
                put.cells.truncate(before);
                Err(error)
            }
        }
    }

    /// A value at the server's time.
    ///
    /// # Errors
    ///
    /// [`CellTooLarge`].
    #[inline]
    pub fn value(&mut self, family: &[u8], qualifier: &[u8], value: &[u8]) -> Result<(), CellTooLarge> {
        self.value_at(family, qualifier, LATEST, value)
    }

    /// A value at a time of one's own.
    ///
    /// # Errors
    ///
    /// [`CellTooLarge`].
    #[inline]
    pub fn value_at(
        &mut self,
        family: &[u8],
        qualifier: &[u8],
        ts: i64,
        value: &[u8],
    ) -> Result<(), CellTooLarge> {
        if self.cells.is_family(&self.names, family) {
            self.cells.push_beside(&self.names, qualifier, ts, CellKind::Put, value)?;
        } else {
            let start = self.cells.len();
            self.cells.put(self.row, family, qualifier, ts, value)?;
            self.names = self.cells.names_at(start, self.row.len());
        }
        self.count += 1;
        Ok(())
    }
}
