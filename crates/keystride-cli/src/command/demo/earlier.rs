//! Drops the table that an earlier demo left on a cluster. A table in a folder is removed with the folder.

use keystride_store::{Store, StoreAddress, TableName, Write};
use keystride_table::DESIGN_ATTRIBUTE;

use super::flights::Candidate;
use super::folder::MARKER;
use crate::failure::Failure;
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::usage::Usage;

/// Drops the table, and returns its name if there was one. A table of that name that was not made by a demo is left
/// alone, and is an error.
pub(super) fn drop_table(global: &Global, ours: &Candidate) -> Result<Option<TableName>, Failure> {
    let StoreAddress::HBase(_) = global.backend()? else { return Ok(None) };
    let name = TableName::new(&ours.codec.design().table().name)?;
    with_store(global, Missing::Fail, async |store| {
        if !store.exists(&name).await? {
            return Ok(None);
        }
        if !is_of_demo(&*store, &name, ours).await? {
            let backend = global.backend()?.to_string();
            return Err(Usage::DemoTable { table: name.to_string(), backend }.into());
        }
        store.drop_table(&name).await?;
        Ok(Some(name))
    })
}

/// Marks a table, by a note, as made by a demo, so that the next demo may drop it.
pub(super) async fn sign(store: &dyn Store, name: &TableName) -> Result<(), Failure> {
    store.write(name, Write::default().with_note(MARKER, Vec::new())).await?;
    Ok(())
}

/// Whether a table is marked, and has exactly the design and split points that a demo makes it with; marks may outlive
/// a table that was dropped by another tool.
async fn is_of_demo(store: &dyn Store, name: &TableName, ours: &Candidate) -> Result<bool, Failure> {
    let found = store.describe(name).await?;
    let design = ours.codec.design().to_toml(Some(&ours.points));
    Ok(found.attributes.get(DESIGN_ATTRIBUTE) == Some(&design) && store.note(name, MARKER).await?.is_some())
}
