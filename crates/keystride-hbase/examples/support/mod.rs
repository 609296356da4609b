//! Shared code of the examples: the address from the command line, and a temporary table.

#![allow(dead_code, reason = "each example takes what it needs")]

use std::pin::Pin;

use keystride_hbase::{
    Admin, Client, Error, FamilyDescriptor, FamilyName, Table, TableDescriptor, TableName,
};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// The cluster's address, the only argument.
pub(crate) fn address() -> Result<String, Failure> {
    std::env::args()
        .nth(1)
        .ok_or_else(|| "name a cluster: hbase://zk1:2181/hbase, or hbase+rpc://master:16000".into())
}

/// Creates a table with the family `f`, split at each of `splits`, runs `work` with it, and removes it.
pub(crate) async fn with_table(
    name: &str,
    splits: &[&str],
    work: impl FnOnce(Client, Table) -> Pin<Box<dyn Future<Output = Result<(), Failure>>>>,
) -> Result<(), Failure> {
    let client = Client::new(&address()?)?;
    let admin = client.admin();
    let mut descriptor = TableDescriptor::new(TableName::new(name)?);
    descriptor.set_family(FamilyDescriptor::new(FamilyName::new("f")?));
    remove(&admin, &descriptor.name).await?;
    admin.create_table(&descriptor, splits).await?;
    let done = work(client.clone(), client.table(descriptor.name.clone())).await;
    remove(&admin, &descriptor.name).await?;
    done
}

/// Removes a table if it exists.
pub(crate) async fn remove(admin: &Admin, table: &TableName) -> Result<(), Error> {
    if !admin.table_exists(table).await? {
        return Ok(());
    }
    if admin.is_enabled(table).await? {
        admin.disable_table(table).await?;
    }
    admin.delete_table(table).await
}
