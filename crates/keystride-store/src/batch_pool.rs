//! Batches whose memory is reused.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::MutationBatch;
use crate::flat::FlatRows;

/// A pool of batches that reclaims the memory of each batch when it is dropped, wherever that happens. For callers
/// that fill batches one after another. It holds as many buffers as there were batches alive at the same time.
///
/// ```
/// # use keystride_store::BatchPool;
/// let pool = BatchPool::new();
/// let mut batch = pool.batch();
/// batch.put(b"row", b"f", b"q", 1, b"value")?;
/// drop(batch);
/// assert!(pool.batch().is_empty());
/// # Ok::<(), keystride_store::MutationError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct BatchPool {
    spare: Arc<Mutex<Vec<FlatRows>>>,
}

impl BatchPool {
    /// Creates a pool that holds no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty batch, equivalent to [`MutationBatch::new`].
    pub fn batch(&self) -> MutationBatch {
        let flat = self.spare().pop().unwrap_or_default();
        MutationBatch::in_memory_of(self.clone(), flat)
    }

    pub(crate) fn keep(&self, mut flat: FlatRows) {
        flat.clear();
        self.spare().push(flat);
    }

    fn spare(&self) -> MutexGuard<'_, Vec<FlatRows>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Write;

    #[test]
    fn memory_of_a_dropped_batch_is_the_next_ones() {
        let pool = BatchPool::new();
        let (mut first, second) = (pool.batch(), pool.batch());
        first.put(b"r", b"f", b"q", 1, &vec![b'v'; 100_000]).unwrap();
        let room = first.flat.room();
        assert!(room >= 100_000);
        drop(Write::of(first));
        assert_eq!(pool.spare().len(), 1);
        let again = pool.batch();
        assert!(again.is_empty() && again.rows().len() == 0 && again.byte_count() == 0);
        assert_eq!(again.flat.room(), room);
        drop((second, again));
        assert_eq!(pool.spare().len(), 2);
    }

    #[test]
    fn a_batch_outlives_its_pool_and_a_copy_goes_back_too() {
        let pool = BatchPool::new();
        let batch = pool.batch();
        let copy = batch.clone();
        drop(batch);
        drop(copy);
        assert_eq!(pool.spare().len(), 2);
        let mut batch = pool.batch();
        drop(pool);
        batch.put(b"r", b"f", b"q", 1, b"v").unwrap();
        assert_eq!(batch.len(), 1);
    }
}
