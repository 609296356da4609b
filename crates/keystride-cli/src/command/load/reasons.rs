//! The commonest reasons for which rows are rejected.

use std::collections::BTreeMap;

use keystride_advisor::grouped;
use keystride_table::load::{RejectKind, Rejected};

/// Counts rejected rows by the kind of their reason and their column.
#[derive(Debug, Default)]
pub(super) struct Reasons(BTreeMap<(RejectKind, Option<String>), Reason>);

#[derive(Debug)]
struct Reason {
    count: u64,
    /// The first row that was rejected for it.
    first: String,
}

/// Rows of further columns are not counted.
const MOST_COUNTED: usize = 1_000;

/// The number of reasons that are told.
const TOLD: usize = 3;

impl Reasons {
    pub(super) fn count(&mut self, rejected: &Rejected) {
        let key = (rejected.reason.kind(), rejected.column.clone());
        if let Some(reason) = self.0.get_mut(&key) {
            reason.count += 1;
        } else if self.0.len() < MOST_COUNTED {
            self.0.insert(key, Reason { count: 1, first: rejected.to_string() });
        }
    }

    /// Returns a line for each of the commonest reasons, the commonest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut reasons: Vec<&Reason> = self.0.values().collect();
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
        let line = |reason: &&Reason| match reason.count - 1 {
            0 => format!("rejected {}", reason.first),
            more => format!("rejected {} (and {} more like it)", reason.first, grouped(more)),
        };
        reasons.iter().take(TOLD).map(line).collect()
    }
}
