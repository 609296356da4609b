//! Tables.

mod atomic;
mod batch;
#[cfg(test)]
mod fuzz;
mod rows;
mod timeline;

pub use atomic::Checked;
pub use timeline::TimelineRow;

use crate::{Client, TableName};

/// A table of a cluster, to read and write its rows. It is cheap to clone.
#[derive(Debug, Clone)]
pub struct Table {
    client: Client,
    name: TableName,
}

impl Table {
    pub(crate) fn new(client: Client, name: TableName) -> Self {
        Self { client, name }
    }

    /// Its name.
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// The client of its cluster.
    pub fn client(&self) -> &Client {
        &self.client
    }
}
