//! The outcome of reading a stretch of the input.

use super::counts::Counts;
use super::reject::Rejected;
use super::stored::StoredReads;
use crate::source::Checkpoint;

/// What to report, count and record once the rows of a stretch are stored.
#[derive(Debug)]
pub(super) struct Tally {
    /// Counts of the load so far.
    pub(super) counts: Counts,
    /// Digest of the keys of all records so far.
    pub(super) input_digest: u64,
    /// The position of the source after all records so far, if it has any.
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) bytes_read: u64,
    /// How many records of each part of a log are still to be read.
    pub(super) lags: Vec<(u32, u64)>,
    /// Whether the source has not answered for some seconds.
    pub(super) is_silent: bool,
    /// What comparing with stored rows has cost so far, if they are compared.
    pub(super) stored_reads: Option<StoredReads>,
    /// The time and region of each stored row.
    pub(super) hits: Vec<Hit>,
    pub(super) rejects: Vec<Rejected>,
    pub(super) end: Option<End>,
    /// Whether the stretch ended because no record came.
    pub(super) is_idle: bool,
}

/// The data of a row that region heat is counted by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) event_ms: Option<i64>,
    pub(super) region: usize,
}

/// Why reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The end of the input was reached.
    Input,
    /// A row was rejected, and the load was to stop at the first reject.
    Reject,
}
