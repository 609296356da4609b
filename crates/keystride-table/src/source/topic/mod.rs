//! A topic as a source: records in numbered partitions, each with an offset in its partition.
//!
//! [`TopicLog`] is what a client of a topic does, [`MemoryTopic`] a topic in memory. [`TopicSource`] reads its records as
//! rows. Its checkpoints say where each partition goes on, and in which topic: one that was made anew under its name is
//! another one.

mod error;
mod given;
mod log;
mod memory;
mod outlet;
mod range;
mod topic_source;

pub use error::{Gap, TopicError};
pub use given::GivenFields;
pub use log::{Bounds, Fetched, Offsets, Topic, TopicLog, TopicRecord};
pub use memory::{MemoryTopic, MemoryTopicLog};
pub use outlet::{RejectedRecord, TopicOutlet};
#[cfg(feature = "kafka")]
pub(super) use range::check;
pub use range::{TopicEnd, TopicStart, offsets_of};
pub use topic_source::{Tombstones, TopicSource};
