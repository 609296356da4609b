//! Gives a table a design that its stored rows allow.

use keystride::design::{Alteration, Difference, SplitRule};
use keystride::{Design, SplitPoints};
use keystride_store::TableDescription;
use serde::Serialize;

use crate::table::{DESIGN_ATTRIBUTE, Table, TableError, store_family};

/// A word of a table's design that was altered.
#[derive(Debug, Clone, Serialize)]
pub struct AlteredWord {
    word: String,
    was: Option<String>,
    is: Option<String>,
}

impl From<Difference> for AlteredWord {
    fn from(difference: Difference) -> Self {
        Self { word: difference.path, was: difference.ours, is: difference.theirs }
    }
}

impl Table {
    /// Replaces the table's stored design by another one that leaves its rows as they are, and returns what differs.
    /// Families are added, and those with other settings are changed. This `Table` keeps the design it was opened by.
    ///
    /// # Errors
    ///
    /// [`TableError::Conflicts`] when stored keys or cells would have another meaning; nothing is changed then.
    pub async fn alter(&self, new: Design) -> Result<Vec<AlteredWord>, TableError> {
        let new = Self::bind(self.store().clone(), self.name().clone(), new, self.kept())?;
        let Alteration { changes, conflicts } = self.design().alteration(new.design());
        if !conflicts.is_empty() {
            return Err(TableError::Conflicts { table: self.name().clone(), conflicts });
        }
        let known = &self.design().table().families;
        let families = new.design().table().families.iter().filter(|family| !known.contains(family));
        let families = families.map(store_family).collect::<Result<Vec<_>, _>>()?;
        let points = self.points_at_creation();
        let change = TableDescription::new(self.name().clone(), families)
            .with_attribute(DESIGN_ATTRIBUTE, new.design().to_toml(points.as_ref()));
        self.store().alter(&change).await?;
        Ok(changes.into_iter().map(AlteredWord::from).collect())
    }

    /// Returns the split points that are listed in the stored design.
    fn points_at_creation(&self) -> Option<SplitPoints> {
        match &self.design().split()?.rule {
            SplitRule::List(points) => SplitPoints::new(points).ok(),
            _ => None,
        }
    }
}
