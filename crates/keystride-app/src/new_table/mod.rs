//! A table that is to be made, and how others would make it: as HBase's shell, Java, Phoenix and `keystride` do.

mod families;
mod statements;

use std::sync::Arc;

use keystride::{Design, SplitPoints};
use keystride_store::{Family, Store, TableDescription, TableName};
use keystride_table::{Table, TableError};

pub use families::{FamilyError, FamilyWords, NewFamily};
pub use statements::{Statements, hbase_shell, java, java_points, shell_points};

/// What a new table's families are taken from.
#[derive(Debug, Clone)]
pub enum Schema {
    /// A design, which is kept with the table.
    Design(Box<Design>),
    /// Families alone: nothing is known of the table's keys.
    Families(Vec<Family>),
}

/// A table that is to be made.
#[derive(Debug, Clone)]
pub struct NewTable {
    /// Its name.
    pub name: TableName,
    /// Its families.
    pub schema: Schema,
    /// Where it is split.
    pub points: SplitPoints,
}

impl NewTable {
    /// Makes the table.
    ///
    /// # Errors
    ///
    /// [`TableError`]: a table of that name exists, or the store refuses.
    pub async fn create(self, store: Arc<dyn Store>) -> Result<(), TableError> {
        match self.schema {
            Schema::Design(design) => {
                Table::create_as(store, &self.name, *design, &self.points).await.map(drop)
            }
            Schema::Families(families) => {
                let table = TableDescription::new(self.name, families);
                Ok(store.create(&table, &self.points).await?)
            }
        }
    }

    /// Returns the table's families in HBase's words.
    pub fn families(&self) -> Vec<FamilyWords> {
        match &self.schema {
            Schema::Design(design) => FamilyWords::of_design(design),
            Schema::Families(families) => families.iter().map(FamilyWords::from).collect(),
        }
    }
}
