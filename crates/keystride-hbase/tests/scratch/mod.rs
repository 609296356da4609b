//! A test's own tables, snapshots and namespaces on the shared cluster. They are removed when the test ends, even if it
//! fails.

#![allow(dead_code, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::panic::{AssertUnwindSafe, resume_unwind};

use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt, TryStreamExt};
use keystride_hbase::{
    Admin, Client, Error, FamilyDescriptor, FamilyName, Get, Mutation, RegionInfo, Row, Scan, Table,
    TableDescriptor, TableName,
};
use keystride_hbase_harness::Address;

pub(crate) struct Scratch {
    pub(crate) client: Client,
    /// Of another client, so that `client` has to discover its changes.
    pub(crate) admin: Admin,
    prefix: String,
    master: String,
}

impl Scratch {
    /// `None` if tests with a real HBase are skipped.
    pub(crate) fn new(test: &str) -> Option<Self> {
        let hbase = keystride_hbase_harness::shared_or_skip(test)?;
        Some(Self::on(hbase.address(), test))
    }

    pub(crate) fn on(hbase: &Address, test: &str) -> Self {
        let client = || Client::new(&format!("hbase+rpc://{}", hbase.master())).unwrap();
        let prefix = format!("{test}_{}", std::process::id());
        Self { client: client(), admin: client().admin(), prefix, master: hbase.master().to_string() }
    }

    /// The address of the cluster's master, for clients with other options.
    pub(crate) fn master(&self) -> &str {
        &self.master
    }

    /// A unique name for a table or a snapshot.
    pub(crate) fn text(&self, what: &str) -> String {
        format!("{}_{what}", self.prefix)
    }

    pub(crate) fn name(&self, what: &str) -> TableName {
        TableName::new(&self.text(what)).unwrap()
    }

    /// A table with the family `f`, split at each of `splits`.
    pub(crate) async fn table(&self, what: &str, splits: &[&[u8]]) -> Table {
        self.admin.create_table(&described(&self.name(what)), splits).await.unwrap();
        self.client.table(self.name(what))
    }

    /// A table's regions in hbase:meta.
    pub(crate) async fn regions(&self, what: &str) -> Vec<RegionInfo> {
        let regions = self.client.regions(&self.name(what)).await.unwrap();
        regions.into_iter().map(|(region, _)| region).collect()
    }

    pub(crate) async fn starts(&self, what: &str) -> Vec<Vec<u8>> {
        self.regions(what).await.into_iter().map(|region| region.start.to_vec()).collect()
    }

    /// Runs a test, and cleans up after it.
    pub(crate) fn run<'a>(&'a self, test: impl Future<Output = ()> + 'a) -> LocalBoxFuture<'a, ()> {
        let test = Box::pin(test);
        let cleaned = async move {
            let outcome = AssertUnwindSafe(test).catch_unwind().await;
            let cleaned = self.clean().await;
            if let Err(panic) = outcome {
                resume_unwind(panic);
            }
            cleaned.unwrap();
        };
        cleaned.boxed_local()
    }

    async fn clean(&self) -> Result<(), Error> {
        for snapshot in self.admin.snapshots().await? {
            if snapshot.name().starts_with(&self.prefix) {
                self.admin.delete_snapshot(snapshot.name()).await?;
            }
        }
        for table in self.admin.table_names().await? {
            if table.qualifier().starts_with(&self.prefix) || table.namespace().starts_with(&self.prefix) {
                if self.admin.is_enabled(&table).await? {
                    self.admin.disable_table(&table).await?;
                }
                self.admin.delete_table(&table).await?;
            }
        }
        for namespace in self.admin.namespaces().await? {
            if namespace.name().starts_with(&self.prefix) {
                self.admin.delete_namespace(namespace.name()).await?;
            }
        }
        Ok(())
    }
}

pub(crate) fn described(name: &TableName) -> TableDescriptor {
    let mut table = TableDescriptor::new(name.clone());
    table.set_family(FamilyDescriptor::new(FamilyName::new("f").unwrap()));
    table
}

/// Row key *i* of [`fill`]: three digits.
pub(crate) fn row(i: u32) -> String {
    format!("{i:03}")
}

/// Writes rows 000, 001, ...
pub(crate) async fn fill(table: &Table, rows: u32) {
    for i in 0..rows {
        table.mutate(Mutation::put(row(i)).value("f", "q", i.to_be_bytes())).await.unwrap();
    }
}

/// All row keys, by a scan.
pub(crate) async fn keys(table: &Table) -> Vec<String> {
    keys_of(table, Scan::all().rows_per_call(7)).await.unwrap()
}

/// The row keys of a scan.
pub(crate) async fn keys_of(table: &Table, scan: Scan) -> Result<Vec<String>, Error> {
    let key = |row: Row| String::from_utf8(row.key().to_vec()).unwrap();
    table.scan(scan).map_ok(key).try_collect().await
}

/// Asserts that rows 000, 001, ... exist, each once, by a scan and by gets.
pub(crate) async fn demand_rows(table: &Table, rows: u32) {
    assert_eq!(keys(table).await, (0..rows).map(row).collect::<Vec<_>>());
    for i in (0..rows).step_by(9) {
        let found = table.get(&Get::new(row(i))).await.unwrap();
        assert_eq!(found.value(b"f", b"q"), Some(&i.to_be_bytes()[..]), "row {i}");
    }
}
