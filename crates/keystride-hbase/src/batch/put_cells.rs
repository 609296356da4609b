//! Writing the cells of a put.

use crate::cell::{CellKind, CellTooLarge, CellWriter, LATEST, Names};

/// Writes the cells of a put directly, without a [`Mutation`](crate::Mutation).
#[derive(Debug)]
pub struct PutCells<'a> {
    row: &'a [u8],
    cells: &'a mut CellWriter,
    count: u32,
    /// The row, and the family written last.
    names: Names,
}

impl<'a> PutCells<'a> {
    /// Lets `write` write the cells of a row, and returns their number. On an error nothing is written.
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

    /// Writes a value with the server's timestamp.
    ///
    /// # Errors
    ///
    /// [`CellTooLarge`].
    #[inline]
    pub fn value(&mut self, family: &[u8], qualifier: &[u8], value: &[u8]) -> Result<(), CellTooLarge> {
        self.value_at(family, qualifier, LATEST, value)
    }

    /// Writes a value with the given timestamp.
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
            self.cells.push_sharing(&self.names, qualifier, ts, CellKind::Put, value)?;
        } else {
            let start = self.cells.len();
            self.cells.put(self.row, family, qualifier, ts, value)?;
            self.names = self.cells.names_at(start, self.row.len());
        }
        self.count += 1;
        Ok(())
    }
}
