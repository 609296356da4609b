//! What reading a stretch of the input came to.

use super::counts::Counts;
use super::reject::Rejected;

/// What is to be told, counted and noted when the rows of a stretch are stored.
#[derive(Debug)]
pub(super) struct Tally {
    /// Counts of the load up to here.
    pub(super) counts: Counts,
    /// Digest of the keys of all records up to here.
    pub(super) input_digest: u64,
    pub(super) bytes_read: u64,
    /// The time and the region of each row stored.
    pub(super) hits: Vec<Hit>,
    pub(super) rejects: Vec<Rejected>,
    pub(super) end: Option<End>,
}

/// A row on its way: what the heat is counted by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) event_ms: Option<i64>,
    pub(super) region: usize,
}

/// Why there is nothing more to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The input is at its end.
    Input,
    /// A row was rejected that was to end the load.
    Reject,
}
