//! The table that an earlier demo left on a cluster. In a folder it goes with the folder.

use keystride_store::{Store, TableName, Write};
use keystride_table::DESIGN_ATTRIBUTE;

use super::flights::Candidate;
use super::folder::MARKER;
use crate::backend::Backend;
use crate::failure::Failure;
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::usage::Usage;

/// Drops it, and gives its name if there was one. A table of that name that no demo made is refused, and left alone.
pub(super) fn drop_table(global: &Global, ours: &Candidate) -> Result<Option<TableName>, Failure> {
    let Backend::HBase(_) = global.backend()? else { return Ok(None) };
    let name = TableName::new(&ours.codec.design().table.name)?;
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

/// Says of a table, by a note, that a demo made it, so that the next one may drop it.
pub(super) async fn sign(store: &dyn Store, name: &TableName) -> Result<(), Failure> {
    store.write(name, Write::default().with_note(MARKER, Vec::new())).await?;
    Ok(())
}

/// Whether a table has the sign, and the very design and split points that a demo makes it with: signs may outlive a
/// table that another tool dropped.
async fn is_of_demo(store: &dyn Store, name: &TableName, ours: &Candidate) -> Result<bool, Failure> {
    let found = store.describe(name).await?;
    let design = ours.codec.design().to_toml(Some(&ours.points));
    Ok(found.attributes.get(DESIGN_ATTRIBUTE) == Some(&design) && store.note(name, MARKER).await?.is_some())
}
