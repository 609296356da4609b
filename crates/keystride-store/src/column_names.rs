use std::sync::atomic::{AtomicU64, Ordering};

use crate::mutation_error::{MutationError, check_column};

/// Columns by number, for rows that have the same ones again and again: a batch finds a name by its number without
/// comparing any.
///
/// Names are added and never change, so a number means one column as long as the columns live.
#[derive(Debug)]
pub struct ColumnNames {
    id: u64,
    names: Vec<ColumnName>,
    longest: usize,
    /// How many of the first names ascend.
    ascending: u32,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ColumnName {
    family: Vec<u8>,
    qualifier: Vec<u8>,
}

/// One cell of a row that is put: its column, and where its value ends among the values of the row, which lie one after
/// the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PutCell {
    /// Its number in [`ColumnNames`].
    pub column: u32,
    /// Offset in bytes.
    pub end: u32,
}

impl ColumnNames {
    /// No columns yet.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), names: Vec::new(), longest: 0, ascending: 0 }
    }

    /// Adds a column; its number, which is one more than the last one's. A name that HBase would refuse is refused when
    /// it is put. Rows are stored soonest when the columns are added by family and qualifier, and their cells given in
    /// that order.
    ///
    /// # Panics
    ///
    /// When there are as many columns as 32 bits can number.
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

    /// Checks that HBase takes a column's name.
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

    /// Family and qualifier of a column.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    pub fn name(&self, column: u32) -> (&[u8], &[u8]) {
        let name = &self.names[column as usize];
        (&name.family, &name.qualifier)
    }

    /// How many bytes family and qualifier have together.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    pub fn name_len(&self, column: u32) -> usize {
        let (family, qualifier) = self.name(column);
        family.len() + qualifier.len()
    }

    /// The most that [`Self::name_len`] is.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// How many of the first names ascend.
    pub(crate) fn ascending(&self) -> u32 {
        self.ascending
    }

    /// Tells these columns from all others of the process.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }
}

impl Default for ColumnNames {
    fn default() -> Self {
        Self::new()
    }
}
