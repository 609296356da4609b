//! What a load of a topic tells the topic's brokers.

use std::io;
use std::time::{Duration, Instant};

use keystride_table::load::Rejected;
use keystride_table::source::Checkpoint;
use keystride_table::source::topic::{RejectedRecord, TopicOutlet, offsets_of};

/// Publishes positions now and then, and sends rejected records.
#[derive(Debug)]
pub(super) struct Outlet {
    sender: Box<dyn TopicOutlet>,
    /// The last position, if it is not published.
    reached: Option<Checkpoint>,
    published: Option<Instant>,
}

/// How often positions are published.
const PUBLISH: Duration = Duration::from_secs(5);

impl Outlet {
    pub(super) fn new(sender: Box<dyn TopicOutlet>) -> Self {
        Self { sender, reached: None, published: None }
    }

    /// Notes that everything up to a position is acknowledged.
    pub(super) fn reached(&mut self, checkpoint: &Checkpoint) {
        self.reached = Some(checkpoint.clone());
        if self.published.is_none_or(|published| published.elapsed() >= PUBLISH) {
            self.publish();
        }
    }

    pub(super) fn reject(&mut self, rejected: &Rejected) {
        self.sender.reject(RejectedRecord {
            partition: rejected.source.clone(),
            offset: rejected.line,
            column: rejected.column.clone(),
            reason: rejected.reason.to_string(),
            body: rejected.raw.clone(),
        });
    }

    /// Waits until all rejected records are acknowledged.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.sender.flush().map_err(io::Error::other)
    }

    /// Publishes the last position.
    pub(super) fn close(&mut self) {
        self.publish();
        self.sender.close();
    }

    fn publish(&mut self) {
        if let Some(next) = self.reached.take().as_ref().and_then(offsets_of) {
            self.sender.publish(&next);
            self.published = Some(Instant::now());
        }
    }
}
