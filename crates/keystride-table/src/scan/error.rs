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
    /// The order asked for can't be had.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A stored row is none of the design's.
    #[error(transparent)]
    Row(#[from] Box<StoredRowError>),
    /// The row asked for has no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Every row would have to be kept in memory to sort it.
    #[error(
        "rows of this query are not stored by \"{field}\", so all would be sorted in memory: say how many are wanted"
    )]
    SortWithoutLimit {
        /// The time they are to be sorted by.
        field: String,
    },
}
