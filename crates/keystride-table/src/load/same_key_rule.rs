//! What rows of one key mean to a load, and who said so.

use keystride::Design;
use keystride::design::OnSameKey;
use keystride_store::Writers;

/// What two different rows that make one key mean to a load.
///
/// A design that does not say it leaves it to the store: with no other writers the later row is rejected; with others
/// it lies over the earlier one, as any put of HBase does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SameKeyRule {
    /// The rule.
    pub rule: OnSameKey,
    /// Who said it.
    pub said_by: SaidBy,
    /// Who else writes to the table.
    pub writers: Writers,
}

/// Who said what rows of one key mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaidBy {
    /// The design.
    Design,
    /// The store, as the design does not.
    Store,
}

impl SameKeyRule {
    /// The rule for rows of a design in a store with such writers.
    pub fn of(design: &Design, writers: Writers) -> Self {
        let (rule, said_by) = match (design.table.on_same_key, writers) {
            (Some(rule), _) => (rule, SaidBy::Design),
            (None, Writers::Alone) => (OnSameKey::Error, SaidBy::Store),
            (None, Writers::Others) => (OnSameKey::Replace, SaidBy::Store),
        };
        Self { rule, said_by, writers }
    }

    /// Whether other writers can get between a load's look at a key and its write: then a row that is to be rejected for
    /// theirs may lie over it.
    pub fn is_race(&self) -> bool {
        self.rule == OnSameKey::Error && self.writers == Writers::Others
    }
}
