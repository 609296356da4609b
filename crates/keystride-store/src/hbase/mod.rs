//! Tables on an Apache HBase cluster, over its own protocol.
//!
//! `description` says a table in HBase's words and back, `families` finds out which a table has without asking for
//! that, `write` and `read` turn batches and reads into calls, `scan` chains the scans of several ranges, `regions`
//! asks servers what they know of theirs, `counts` keeps what servers don't count, `notes` is a table of its own.

mod atomic;
mod cluster_error;
mod counts;
mod description;
mod families;
mod notes;
mod read;
mod regions;
mod scan;
mod write;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use keystride::{Key, KeyRange, SplitPoints};
use keystride_hbase::{Client, Compaction, Get, Mutation};

use self::counts::Counts;
use self::description::{describe, descriptor};
use self::families::Families;
use self::read::Reads;
use self::write::{Rows, Tally};
use crate::atomic::Deltas;
use crate::{
    AfterTruncate, Amount, Appended, Bulk, Check, MutationBatch, Region, RowBatch, RowStream, Scan,
    Selection, Store, StoreError, TableDescription, TableName, TableReader, Write, Writers, Written,
};

/// A store whose tables are those of an HBase cluster; its shell and Java's clients see plain tables.
///
/// What is acknowledged is in the log of a region server. Rows are applied each whole; a batch that fails may have
/// been applied in part. Notes are kept in a table of their own, `keystride.notes`, which is made when it is first
/// needed and not listed.
///
/// Rows are read and written with the grants for that alone, and without the master: no table's description is asked
/// for.
///
/// Of what passed through a region, rows written are the servers' count since the region was opened there; cells,
/// bytes and rows read are those of this store alone. [`Region::load`] has the rows that all clients read. A server that
/// does not answer within 3 s is passed over, and the state of its regions says so.
#[derive(Debug)]
pub struct HBaseStore {
    client: Client,
    /// Families that tables were found to have. They seldom change; an error says when they did.
    families: Families,
    counts: Arc<Counts>,
    rows_read: Arc<AtomicU64>,
    is_closed: AtomicBool,
}

/// How long a master is looked for that describes a table, or lists them.
const DESCRIBE_WITHIN: Duration = Duration::from_secs(3);

impl HBaseStore {
    /// The store of a client's cluster.
    pub fn new(client: Client) -> Self {
        Self {
            client,
            families: Families::default(),
            counts: Arc::default(),
            rows_read: Arc::default(),
            is_closed: AtomicBool::new(false),
        }
    }

    /// The client it talks through.
    pub fn client(&self) -> &Client {
        &self.client
    }

    fn open(&self) -> Result<&Client, StoreError> {
        if self.is_closed.load(Ordering::Relaxed) { Err(StoreError::Closed) } else { Ok(&self.client) }
    }

    fn forget(&self, table: &TableName) {
        self.families.forget(table);
        self.client.forget_regions(table);
    }

    /// An error of that table; what was known of it may be wrong.
    fn failed(&self, table: &TableName, error: keystride_hbase::Error) -> StoreError {
        self.forget(table);
        StoreError::cluster(table, error)
    }

    /// Disables a table, which some changes ask for. One that is disabled already stays so.
    async fn disable(&self, table: &TableName) -> Result<(), StoreError> {
        match self.open()?.admin().disable_table(table).await {
            Ok(()) | Err(keystride_hbase::Error::TableDisabled { .. }) => Ok(()),
            Err(error) => Err(self.failed(table, error)),
        }
    }
}

#[async_trait]
impl TableReader for HBaseStore {
    async fn describe(&self, table: &TableName) -> Result<TableDescription, StoreError> {
        // Where rows are what is wanted, a design from elsewhere will do.
        let descriptor = self.open()?.admin().with_master_timeout(DESCRIBE_WITHIN).table(table).await;
        describe(&descriptor.map_err(|error| self.failed(table, error))?)
    }

    async fn exists(&self, table: &TableName) -> Result<bool, StoreError> {
        let exists = self.open()?.admin().table_exists(table).await;
        exists.map_err(|error| StoreError::cluster(table, error))
    }

    async fn list(&self) -> Result<Vec<TableName>, StoreError> {
        let admin = self.open()?.admin().with_master_timeout(DESCRIBE_WITHIN);
        let names = match admin.table_names().await {
            Err(keystride_hbase::Error::NoMaster { .. }) => admin.table_names_in_meta().await,
            names => names,
        };
        let mut names = names.map_err(StoreError::of_cluster)?;
        names.retain(|name| *name != notes::table());
        names.sort();
        Ok(names)
    }

    async fn regions(&self, table: &TableName) -> Result<Vec<Region>, StoreError> {
        self.read_regions(table).await
    }

    async fn split_points(&self, table: &TableName) -> Result<SplitPoints, StoreError> {
        self.read_split_points(table).await
    }

    async fn get(
        &self,
        table: &TableName,
        keys: &[&[u8]],
        selection: &Selection,
    ) -> Result<RowBatch, StoreError> {
        let row = keys.first().copied().unwrap_or_default();
        // Servers look at those of the columns.
        self.demand_families(table, row, selection.filter_families()).await?;
        for key in keys {
            Key::new(*key)?;
        }
        let asked = read::wire_selection(selection);
        let gets = keys.iter().map(|key| Get::new(key).select(asked.clone()).into());
        let gets: Vec<keystride_hbase::Operation> = gets.collect();
        let mut reads = Reads::new(gets.len());
        self.client.table(table.clone()).run(&gets, &mut reads).await;
        self.rows_read.fetch_add(keys.len() as u64, Ordering::Relaxed);
        let rows = reads.finish(&self.counts).map_err(|error| self.failed(table, error))?;
        read::answer(keys, &rows, selection)
    }

    async fn scan(&self, table: &TableName, scan: Scan) -> Result<RowStream, StoreError> {
        let ranges = scan.checked_ranges()?;
        let row = ranges.first().map_or(&b""[..], KeyRange::start);
        self.demand_families(table, row, scan.selection.families()).await?;
        let open = scan::Open {
            table: self.client.table(table.clone()),
            counts: Arc::clone(&self.counts),
            rows_read: Arc::clone(&self.rows_read),
        };
        Ok(scan::rows(open, scan, ranges))
    }

    fn rows_read(&self) -> u64 {
        self.rows_read.load(Ordering::Relaxed)
    }

    fn retries(&self) -> u64 {
        self.client.metrics().retries
    }

    async fn cluster_id(&self) -> Result<Option<String>, StoreError> {
        self.open()?.cluster_id().await.map(Some).map_err(StoreError::of_cluster)
    }

    async fn servers(&self) -> Result<Vec<String>, StoreError> {
        let admin = self.open()?.admin().with_master_timeout(DESCRIBE_WITHIN);
        let status = admin.cluster_status().await.map_err(StoreError::of_cluster)?;
        Ok(status.servers.iter().map(|status| status.server.to_string()).collect())
    }

    fn writers(&self) -> Writers {
        Writers::Others
    }
}

#[async_trait]
impl Store for HBaseStore {
    async fn create(&self, table: &TableDescription, splits: &SplitPoints) -> Result<(), StoreError> {
        let table = table.clone().checked()?;
        let keys: Vec<&[u8]> = splits.keys().iter().map(Key::as_bytes).collect();
        self.forget(&table.name);
        let made = self.open()?.admin().create_table(&descriptor(&table), &keys).await;
        match made {
            Ok(()) => self.forget_notes(&table.name).await,
            Err(error) => Err(StoreError::cluster(&table.name, error)),
        }
    }

    async fn alter(&self, change: &TableDescription) -> Result<(), StoreError> {
        let admin = self.open()?.admin();
        let failed = |error| StoreError::cluster(&change.name, error);
        let mut descriptor = admin.table(&change.name).await.map_err(failed)?;
        describe(&descriptor)?.altered(change)?;
        description::apply(change, &mut descriptor);
        let altered = admin.modify_table(&descriptor).await.map_err(failed);
        self.forget(&change.name);
        altered
    }

    async fn split(&self, table: &TableName, at: &Key) -> Result<(), StoreError> {
        let client = self.open()?;
        let failed = |error| StoreError::cluster(table, error);
        let regions = client.regions(table).await.map_err(failed)?;
        if regions.iter().any(|(region, _)| *region.start == *at.as_bytes()) {
            return Err(StoreError::SplitExists { table: table.clone(), key: at.clone() });
        }
        client.admin().split_table(table, at.as_bytes()).await.map_err(failed)
    }

    async fn truncate(&self, table: &TableName, splits: AfterTruncate) -> Result<(), StoreError> {
        self.disable(table).await?;
        // It is enabled again when it is empty.
        let truncated = self.open()?.admin().truncate_table(table, splits).await;
        truncated.map_err(|error| self.failed(table, error))?;
        self.forget(table);
        self.forget_notes(table).await
    }

    async fn drop_table(&self, table: &TableName) -> Result<(), StoreError> {
        self.disable(table).await?;
        let dropped = self.open()?.admin().delete_table(table).await;
        dropped.map_err(|error| self.failed(table, error))?;
        self.forget(table);
        self.forget_notes(table).await
    }

    async fn write(&self, table: &TableName, write: Write) -> Result<Written, StoreError> {
        self.open()?;
        let mut tally = Tally::new(&write.batch);
        let rows = Rows { batch: &write.batch };
        self.client.table(table.clone()).run(&rows, &mut tally).await;
        let written = tally.finish(&self.counts).map_err(|error| self.failed(table, error))?;
        self.keep_notes(table, &write.notes).await?;
        Ok(written)
    }

    async fn increment(
        &self,
        table: &TableName,
        row: &Key,
        amounts: &[Amount<'_>],
    ) -> Result<RowBatch, StoreError> {
        self.change(table, &Deltas::of_amounts(row, amounts)?, |row| Mutation::increment(row)).await
    }

    async fn append(
        &self,
        table: &TableName,
        row: &Key,
        values: &[Appended<'_>],
    ) -> Result<RowBatch, StoreError> {
        self.change(table, &Deltas::of_values(row, values)?, |row| Mutation::append(row)).await
    }

    async fn check_and_mutate(
        &self,
        table: &TableName,
        check: &Check,
        batch: MutationBatch,
    ) -> Result<bool, StoreError> {
        check.allow(&batch)?;
        // Servers look at those of the batch only where the condition holds, and never at those of a filter.
        let (row, selection) = (check.row.as_bytes(), check.selection());
        self.demand_families(table, row, selection.families().chain(batch.flat.family_names())).await?;
        self.change_if(table, check, &batch).await
    }

    async fn note(&self, table: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.demand_table(table).await?;
        self.read_note(table, key).await
    }

    async fn bulk(&self, table: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        self.demand_table(table).await?;
        Ok(None)
    }

    async fn flush(&self, table: &TableName) -> Result<(), StoreError> {
        let flushed = self.open()?.admin().flush_table(table).await;
        flushed.map_err(|error| self.failed(table, error))
    }

    async fn compact(&self, table: &TableName) -> Result<(), StoreError> {
        let asked = self.open()?.admin().compact_table(table, Compaction::Major).await;
        asked.map_err(|error| self.failed(table, error))
    }

    async fn sync(&self) -> Result<(), StoreError> {
        self.open().map(|_| ())
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.is_closed.store(true, Ordering::Relaxed);
        Ok(())
    }
}
