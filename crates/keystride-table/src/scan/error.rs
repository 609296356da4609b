use keystride::codec::KeyError;
use keystride::plan::PlanError;
use keystride_store::StoreError;

use crate::cells::StoredRowError;

/// Why rows can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The requested order is not available.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A stored row does not match the design.
    #[error(transparent)]
    Row(#[from] Box<StoredRowError>),
    /// No key can be made of the requested row's fields.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Keys of one bucket lie between those of another.
    #[error(
        "rows of several buckets can't be read in the order of keys: the bucket is too narrow for its largest numbers, so \
         that keys of one lie between those of another; leave out the order, or ask for rows of one bucket"
    )]
    NestedBuckets,
    /// Sorting would require keeping all rows in memory.
    #[error(
        "rows of this query are not stored by \"{field}\", so all would be sorted in memory: say how many are wanted"
    )]
    SortWithoutLimit {
        /// The time field to sort by.
        field: String,
    },
}
