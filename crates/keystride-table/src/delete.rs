//! Rows out of a table.

use futures_util::TryStreamExt;
use keystride::Predicate;
use keystride_store::{Family, LATEST, MutationBatch, StoreError, Write};

use crate::Table;
use crate::scan::{Query, ReadError};

impl Table {
    /// Deletes the rows that `predicate` is true of, in every family of the table, as the store's clock stands; how many
    /// they were. Rows written while it runs may or may not be seen. Cut off in between, it has deleted some.
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

/// The deletion of rows, in every one of these families.
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
