use std::sync::atomic::{AtomicU64, Ordering};

use crate::mutation_error::{MutationError, check_column};

/// Numbered columns, for rows that repeatedly have the same ones: a batch finds a column's name by its number,
/// without comparing names.
///
/// Names are only added and never changed, so a number identifies the same column for as long as this value lives.
#[derive(Debug)]
pub struct ColumnNames {
    id: u64,
    names: Vec<ColumnName>,
    longest: usize,
    /// Length of the longest prefix of the names that is in strictly ascending order.
    ascending: u32,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ColumnName {
    family: Vec<u8>,
    qualifier: Vec<u8>,
}

/// One cell of a row to put: its column, and where its value ends. The values of a row are stored back to back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PutCell {
    /// The column's number in [`ColumnNames`].
    pub column: u32,
    /// Offset in bytes of the end of the value among the row's values.
    pub end: u32,
}

impl ColumnNames {
    /// Creates an empty set of columns.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), names: Vec::new(), longest: 0, ascending: 0 }
    }

    /// Adds a column and returns its number, which is one more than that of the column before it. A name that HBase
    /// would reject is rejected when a cell of the column is put. Rows are stored fastest when columns are added in
    /// the order of family and qualifier, and cells are given in that order.
    ///
    /// # Panics
    ///
    /// When the columns can no longer be numbered with 32 bits.
    pub fn add(&mut self, family: &[u8], qualifier: &[u8]) -> u32 {
        let number = u32::try_from(self.names.len()).expect("names fill the memory before");
        let name = ColumnName { family: family.to_vec(), qualifier: qualifier.to_vec() };
        if self.ascending == number && self.names.last().is_none_or(|last| *last < name) {
            self.ascending += 1;
        }
        self.names.push(name);
        self.longest = self.longest.max(family.len() + qualifier.len());
        number
    }

    /// Checks that HBase accepts a column's name.
    ///
    /// # Errors
    ///
    /// [`MutationError::Family`] or [`MutationError::Qualifier`].
    ///
    /// # Panics
    ///
    /// When there is no such column.
    pub fn check(&self, column: u32) -> Result<(), MutationError> {
        let (family, qualifier) = self.name(column);
        check_column(family, qualifier)
    }

    /// Returns the family and the qualifier of a column.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    pub fn name(&self, column: u32) -> (&[u8], &[u8]) {
        let name = &self.names[column as usize];
        (&name.family, &name.qualifier)
    }

    /// Returns the length of a column's family and qualifier together, in bytes.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    pub fn name_len(&self, column: u32) -> usize {
        let (family, qualifier) = self.name(column);
        family.len() + qualifier.len()
    }

    /// Returns the largest [`Self::name_len`] of all columns.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Length of the longest prefix of the names that is in strictly ascending order.
    pub(crate) fn ascending(&self) -> u32 {
        self.ascending
    }

    /// Returns an id that is unique to these columns within the process.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }
}

impl Default for ColumnNames {
    fn default() -> Self {
        Self::new()
    }
}
