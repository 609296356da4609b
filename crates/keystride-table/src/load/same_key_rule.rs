//! The rule for rows with the same key, and where it comes from.

use keystride::Design;
use keystride::design::OnSameKey;
use keystride_store::Writers;

/// How a load treats two different rows with the same key.
///
/// If the design does not specify a rule, the store determines it: without other writers, the later row is rejected;
/// with other writers, it replaces the earlier one, like any put in HBase. In a source without an end, where not all rows
/// can be compared, it replaces the earlier one in any store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SameKeyRule {
    /// The rule.
    pub rule: OnSameKey,
    /// Where the rule comes from.
    pub said_by: SaidBy,
    /// Who may write to the table besides the load.
    pub writers: Writers,
}

/// The origin of a [`SameKeyRule`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaidBy {
    /// The design.
    Design,
    /// The store, because the design does not specify it.
    Store,
    /// The source, for the same reason.
    Source,
}

impl SameKeyRule {
    /// Determines the rule for a design in a store with such writers.
    pub fn of(design: &Design, writers: Writers) -> Self {
        let (rule, said_by) = match (design.table().on_same_key, writers) {
            (Some(rule), _) => (rule, SaidBy::Design),
            (None, Writers::Alone) => (OnSameKey::Error, SaidBy::Store),
            (None, Writers::Others) => (OnSameKey::Replace, SaidBy::Store),
        };
        Self { rule, said_by, writers }
    }

    /// Returns the rule for the rows of a source.
    pub(super) fn for_source(self, is_endless: bool) -> Self {
        if is_endless && self.said_by == SaidBy::Store {
            return Self { rule: OnSameKey::Replace, said_by: SaidBy::Source, ..self };
        }
        self
    }

    /// Whether other writers can intervene between a load's check of a key and its write. In that case, a row that
    /// should be rejected because of theirs may overwrite it.
    pub fn is_race(&self) -> bool {
        self.rule == OnSameKey::Error && self.writers == Writers::Others
    }
}
