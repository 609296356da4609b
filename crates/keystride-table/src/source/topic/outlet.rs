//! What a load tells a topic's brokers.

use std::fmt;

use super::{Offsets, TopicError};

/// Where a load tells how far it is, and sends what it rejects. The calls block.
pub trait TopicOutlet: fmt::Debug + Send {
    /// Tells monitors at which offsets the load would go on. It decides nothing, so that a failure is only logged.
    fn publish(&mut self, next: &Offsets);

    /// Sends a rejected record, sooner or later.
    fn reject(&mut self, rejected: RejectedRecord);

    /// Waits until all that was rejected is acknowledged.
    ///
    /// # Errors
    ///
    /// [`TopicError`] when some of it is not.
    fn flush(&mut self) -> Result<(), TopicError>;

    /// Waits, for some seconds at most, until all that was published is known.
    fn close(&mut self);
}

/// A record that was rejected, as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRecord {
    /// The partition that it comes from, as in `calls-3`.
    pub partition: String,
    /// Its offset there.
    pub offset: u64,
    /// The column at fault, if there is one.
    pub column: Option<String>,
    /// Why it was rejected.
    pub reason: String,
    /// Its body.
    pub body: Vec<u8>,
}
