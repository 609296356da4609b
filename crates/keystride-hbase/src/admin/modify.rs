//! Changing table descriptors.

use super::Admin;
use super::tables::schema;
use crate::{Error, FamilyDescriptor, TableDescriptor, proto};

impl Admin {
    /// Replaces a table's whole descriptor: read it, change it, pass it back. The table's regions are reopened.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`]; the master's exception for a descriptor it refuses.
    pub async fn modify_table(&self, table: &TableDescriptor) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::ModifyTableRequest {
            table_name: table.name.to_proto(),
            table_schema: schema(table),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
            reopen_regions: None,
        };
        let modified = async {
            let answer: proto::ModifyTableResponse = self.call("ModifyTable", &request).await?;
            let is_done = async { Ok(has_all(&self.table(&table.name).await?, table)) };
            self.finish("changing the table", answer.proc_id, is_done).await
        };
        modified.await.map_err(|error| error.about_table(&table.name))
    }
}

/// Whether a table has all the settings asked for. Servers add settings of their own, and move some.
fn has_all(found: &TableDescriptor, asked: &TableDescriptor) -> bool {
    let has_family = |family: &FamilyDescriptor| {
        let found = found.family(&family.name);
        found.is_some_and(|found| {
            family.attributes.iter().all(|(name, value)| found.attributes.get(name) == Some(value))
        })
    };
    found.families().len() == asked.families().len()
        && asked.families().iter().all(has_family)
        && asked.attributes.iter().all(|(name, value)| found.attributes.get(name) == Some(value))
}
