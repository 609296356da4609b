//! What a client of a topic does.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;

use super::TopicError;

/// An offset of each partition, by the partition's number.
pub type Offsets = BTreeMap<u32, u64>;

/// One topic, read by one reader that belongs to no group. The calls block; no runtime is needed.
pub trait TopicLog: fmt::Debug + Send {
    /// Returns the topic.
    fn topic(&self) -> &Topic;

    /// Returns which offsets each partition has now.
    ///
    /// # Errors
    ///
    /// [`TopicError`] when the topic can't be asked.
    fn bounds(&mut self) -> Result<BTreeMap<u32, Bounds>, TopicError>;

    /// Returns for each partition the offset of the first record of a time or later, in milliseconds since 1970; where
    /// there is none, the partition's end.
    ///
    /// # Errors
    ///
    /// [`TopicError`] when the topic can't be asked.
    fn offsets_at(&mut self, time_ms: i64) -> Result<Offsets, TopicError>;

    /// Starts reading each partition at its offset. Partitions that come later are read from their beginning.
    ///
    /// # Errors
    ///
    /// [`TopicError`] when reading can't start.
    fn start(&mut self, from: &Offsets) -> Result<(), TopicError>;

    /// Returns records that were read since the last call, those of each partition by ascending offset. If there are none,
    /// waits for some for up to `wait`; `None` if nothing is new then.
    ///
    /// # Errors
    ///
    /// [`TopicError`] when the topic can't be read further. An outage is none: there are just no records.
    fn poll(&mut self, wait: Duration) -> Result<Option<Fetched>, TopicError>;
}

/// A topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// The name.
    pub name: String,
    /// The id, which a topic that is made anew does not have; `None` from brokers that do not tell.
    pub id: Option<String>,
}

/// The offsets of a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The first one that is still there.
    pub first: u64,
    /// The next one after the last that can be read.
    pub end: u64,
}

/// What a poll has brought.
#[derive(Debug, Default)]
pub struct Fetched {
    /// The records.
    pub records: Vec<TopicRecord>,
    /// Where each partition goes on after them: beyond its last record, where nothing else was written behind it.
    pub next: Offsets,
    /// The end of each partition, as far as it is known.
    pub ends: Offsets,
    /// Whether no broker has answered for some seconds.
    pub is_silent: bool,
}

/// A record of a topic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TopicRecord {
    /// The number of its partition.
    pub partition: u32,
    /// Its offset in the partition.
    pub offset: u64,
    /// Its time in milliseconds since 1970: its producer's, or the broker's. `None` if it has none.
    pub time_ms: Option<i64>,
    /// The key.
    pub key: Option<Bytes>,
    /// The body; `None` for a tombstone.
    pub value: Option<Bytes>,
    /// The headers in their order; a name may be there several times.
    pub headers: Vec<(String, Option<Bytes>)>,
}

impl TopicRecord {
    /// Returns its approximate size in bytes.
    pub(super) fn byte_count(&self) -> u64 {
        let len = |bytes: &Option<Bytes>| bytes.as_ref().map_or(0, Bytes::len);
        (len(&self.key) + len(&self.value)) as u64
    }
}
