//! Creating, enabling, disabling, truncating and deleting tables.

use bytes::Bytes;

use super::Admin;
use crate::bytes_text::Escaped;
use crate::{Error, TableDescriptor, TableName, proto};

/// The regions of a table after a truncate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterTruncate {
    /// The same regions as before.
    KeepSplits,
    /// A single region.
    OneRegion,
}

impl Admin {
    /// Creates a table with a region boundary at each of `splits`: *n* split keys make *n* + 1 regions. Completes when
    /// all regions are open.
    ///
    /// # Errors
    ///
    /// [`Error::TableExists`]; [`Error::BadRequest`] for an empty or repeated split key; the master's exception for a
    /// descriptor it refuses.
    pub async fn create_table(
        &self,
        table: &TableDescriptor,
        splits: &[impl AsRef<[u8]>],
    ) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::CreateTableRequest {
            table_schema: schema(table),
            split_keys: split_keys(splits)?,
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let name = &table.name;
        let created = async {
            let answer: proto::CreateTableResponse = self.call("CreateTable", &request).await?;
            self.finish("creating the table", answer.proc_id, self.table_exists(name)).await
        };
        created.await.map_err(|error| error.about_table(name))?;
        self.client.forget_regions(name);
        self.wait_until_served(name, b"", b"").await
    }

    /// Enables a table. Completes when all its regions are open.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`], [`Error::TableEnabled`].
    pub async fn enable_table(&self, table: &TableName) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::EnableTableRequest {
            table_name: table.to_proto(),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let enabled = async {
            let answer: proto::EnableTableResponse = self.call("EnableTable", &request).await?;
            self.finish("enabling the table", answer.proc_id, self.is_enabled(table)).await
        };
        enabled.await.map_err(|error| error.about_table(table))?;
        self.wait_until_served(table, b"", b"").await
    }

    /// Disables a table: no server serves its rows until it is enabled again.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`], [`Error::TableDisabled`].
    pub async fn disable_table(&self, table: &TableName) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::DisableTableRequest {
            table_name: table.to_proto(),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let disabled = async {
            let answer: proto::DisableTableResponse = self.call("DisableTable", &request).await?;
            let is_done = async { Ok(!self.is_enabled(table).await?) };
            self.finish("disabling the table", answer.proc_id, is_done).await
        };
        disabled.await.map_err(|error| error.about_table(table))?;
        self.client.forget_regions(table);
        Ok(())
    }

    /// Deletes a disabled table with all its rows.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`], [`Error::TableEnabled`].
    pub async fn delete_table(&self, table: &TableName) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::DeleteTableRequest {
            table_name: table.to_proto(),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let deleted = async {
            let answer: proto::DeleteTableResponse = self.call("DeleteTable", &request).await?;
            let is_done = async { Ok(!self.table_exists(table).await?) };
            self.finish("deleting the table", answer.proc_id, is_done).await
        };
        deleted.await.map_err(|error| error.about_table(table))?;
        self.client.forget_regions(table);
        Ok(())
    }

    /// Deletes the rows of a disabled table and enables it. Completes when all its regions are open.
    ///
    /// Before HBase 2, a table that keeps its splits is deleted and created again.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`], [`Error::TableEnabled`].
    pub async fn truncate_table(&self, table: &TableName, splits: AfterTruncate) -> Result<(), Error> {
        // The master of HBase 1 gives a region and the region split from it the same name, fails, and retries for ever:
        // the table is lost.
        if splits == AfterTruncate::KeepSplits && self.is_before_2(table).await? {
            return self.make_anew(table).await;
        }
        let nonce = self.nonce();
        let request = proto::TruncateTableRequest {
            table_name: table.to_proto(),
            preserve_splits: Some(splits == AfterTruncate::KeepSplits),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let truncated = async {
            let answer: proto::TruncateTableResponse = self.call("truncateTable", &request).await?;
            self.finish("truncating the table", answer.proc_id, self.is_enabled(table)).await
        };
        truncated.await.map_err(|error| error.about_table(table))?;
        self.client.forget_regions(table);
        self.wait_until_served(table, b"", b"").await
    }
}

impl Admin {
    /// Deletes a disabled table and creates it again with the same splits.
    async fn make_anew(&self, table: &TableName) -> Result<(), Error> {
        let descriptor = self.table(table).await?;
        let regions = self.client.meta_rows(table).await?;
        let starts = regions.into_iter().map(|row| row.region.start).filter(|start| !start.is_empty());
        let starts: Vec<Bytes> = starts.collect();
        self.delete_table(table).await?;
        self.create_table(&descriptor, &starts).await
    }
}

/// A descriptor for the master. Before HBase 2 the master has no default for the number of versions and fails.
pub(super) fn schema(table: &TableDescriptor) -> proto::TableSchema {
    const VERSIONS: &[u8] = b"VERSIONS";
    let mut schema = table.to_proto();
    for family in &mut schema.column_families {
        if family.attributes.iter().all(|pair| pair.first != VERSIONS) {
            let (first, second) = (Bytes::from_static(VERSIONS), Bytes::from_static(b"1"));
            family.attributes.push(proto::BytesBytesPair { first, second });
        }
    }
    schema
}

/// Sorted split keys: the master makes regions from adjacent keys in the given order.
fn split_keys(splits: &[impl AsRef<[u8]>]) -> Result<Vec<Bytes>, Error> {
    let mut keys: Vec<Bytes> = splits.iter().map(|key| Bytes::copy_from_slice(key.as_ref())).collect();
    keys.sort();
    if keys.first().is_some_and(Bytes::is_empty) {
        return Err(Error::BadRequest { reason: "a split key is empty".into() });
    }
    match keys.array_windows().find(|[a, b]| a == b) {
        Some([key, _]) => {
            Err(Error::BadRequest { reason: format!("split key {} is given twice", Escaped(key)) })
        }
        None => Ok(keys),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_keys_are_sorted_as_unsigned_bytes() {
        assert_eq!(
            split_keys(&[&b"\xff"[..], b"a", b"\x00", b"ab"]).unwrap(),
            [&b"\x00"[..], b"a", b"ab", b"\xff"]
        );
        assert!(split_keys(&[] as &[&[u8]]).unwrap().is_empty());
    }

    #[test]
    fn empty_and_doubled_split_keys_are_refused() {
        let refused = |keys: &[&str]| split_keys(keys).unwrap_err().to_string();
        assert_eq!(refused(&["b", ""]), "a split key is empty");
        assert_eq!(refused(&["b\n", "a", "b\n"]), "split key b\\x0A is given twice");
    }
}
