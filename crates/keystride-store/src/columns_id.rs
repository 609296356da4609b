use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// Stands for the columns that the cells of a row are of, in their order.
///
/// Rows with one id have the same columns, whichever batches they are in. Rows with two ids, or with none, may have
/// them as well: a store gives ids as far as it learns by the way which rows are alike. Whoever has found out something
/// about the columns of a row need not find it out again for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColumnsId(NonZeroU64);

impl ColumnsId {
    /// One that was not given before.
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NonZeroU64::new(NEXT.fetch_add(1, Ordering::Relaxed));
        Self(number.unwrap_or(NonZeroU64::MAX))
    }

    /// Its place in a table of so many, which it shares with others. Ids that are given one after the other have places
    /// side by side.
    ///
    /// # Panics
    ///
    /// When the table has no place.
    pub fn place_of(self, count: usize) -> usize {
        usize::try_from(self.0.get() % count as u64).unwrap_or_default()
    }
}
