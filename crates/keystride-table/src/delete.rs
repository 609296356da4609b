//! Deletion of rows.

use futures_util::TryStreamExt;
use keystride::Predicate;
use keystride_store::{Family, LATEST, MutationBatch, StoreError, Write};

use crate::Table;
use crate::scan::{Query, ReadError};

impl Table {
    /// Deletes the rows that satisfy `predicate`, in all families of the table and up to the store's current time,
    /// and returns their number. Rows written while it runs may or may not be deleted. If it is interrupted, some of
    /// the rows are deleted.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the rows can't be found or the store refuses.
    pub async fn delete_rows(&self, predicate: &Predicate) -> Result<u64, ReadError> {
        let key_only = Query { fields: Some(Vec::new()), ..Query::of(predicate.clone()) };
        let families = self.store().describe(self.name()).await?.families;
        let mut found = self.query(&key_only)?;
        let mut deleted = 0;
        while let Some(rows) = found.try_next().await? {
            let batch = deletes(rows.iter().map(|row| row.key()), &families)?;
            deleted += rows.len() as u64;
            self.store().write(self.name(), Write::of(batch)).await?;
        }
        Ok(deleted)
    }
}

/// Creates the mutations that delete rows in all of these families.
fn deletes<'k>(
    keys: impl Iterator<Item = &'k [u8]>,
    families: &[Family],
) -> Result<MutationBatch, StoreError> {
    let mut batch = MutationBatch::new();
    for key in keys {
        for family in families {
            batch.delete_family(key, family.name.as_bytes(), LATEST)?;
        }
    }
    Ok(batch)
}
