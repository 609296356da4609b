use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies the sequence of columns that the cells of a row belong to.
///
/// Rows with the same id have the same columns, whichever batches they are in. Rows with different ids, or with none,
/// may still have the same columns: a store assigns ids only as far as it happens to learn which rows are alike. A
/// caller that has derived something from the columns of one row can reuse it for all rows with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColumnsId(NonZeroU64);

impl ColumnsId {
    /// Returns an id that has not been used before.
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NonZeroU64::new(NEXT.fetch_add(1, Ordering::Relaxed));
        Self(number.unwrap_or(NonZeroU64::MAX))
    }

    /// Returns the slot of the id in a table of `count` slots; several ids share a slot. Ids that were assigned one
    /// after another have adjacent slots.
    ///
    /// # Panics
    ///
    /// When `count` is 0.
    pub fn place_of(self, count: usize) -> usize {
        usize::try_from(self.0.get() % count as u64).unwrap_or_default()
    }
}
