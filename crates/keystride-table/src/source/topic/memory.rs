//! A topic in memory.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Bounds, Fetched, Offsets, Topic, TopicError, TopicLog, TopicRecord};

/// A topic in memory, for tests of what reads topics: records are appended to it for as long as anybody likes, and its
/// readers can be made to see them late, twice or not at all.
///
/// ```
/// # use std::time::Duration;
/// # use keystride_table::source::topic::*;
/// let topic = MemoryTopic::new("calls", 2);
/// topic.append(1, "7,Li");
/// let mut reader = topic.reader();
/// reader.start(&Offsets::from([(0, 0), (1, 0)]))?;
/// let fetched = reader.poll(Duration::ZERO)?.unwrap();
/// assert_eq!((fetched.records.len(), fetched.next[&1]), (1, 1));
/// # Ok::<(), TopicError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MemoryTopic(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    topic: Topic,
    state: Mutex<State>,
    appended: Condvar,
}

#[derive(Debug)]
struct State {
    partitions: Vec<Partition>,
    /// What polls do before they return what there is.
    faults: VecDeque<Fault>,
}

#[derive(Debug, Default)]
struct Partition {
    first: u64,
    end: u64,
    records: BTreeMap<u64, TopicRecord>,
}

/// What a poll does instead of returning what comes next.
#[derive(Debug)]
enum Fault {
    Stall,
    Rewind(u64),
    Fail(TopicError),
}

/// Reads a [`MemoryTopic`].
#[derive(Debug)]
pub struct MemoryTopicLog {
    topic: MemoryTopic,
    next: Offsets,
}

/// Records that a poll returns at most.
const MOST_RECORDS: usize = 1_000;

impl MemoryTopic {
    /// Creates an empty topic.
    pub fn new(name: &str, partition_count: u32) -> Self {
        let topic = Topic { name: name.to_owned(), id: Some(format!("{name}, the first")) };
        let partitions = (0..partition_count).map(|_| Partition::default()).collect();
        let state = Mutex::new(State { partitions, faults: VecDeque::new() });
        Self(Arc::new(Shared { topic, state, appended: Condvar::new() }))
    }

    /// Appends a body to a partition, which must exist.
    pub fn append(&self, partition: u32, value: impl Into<bytes::Bytes>) {
        self.append_record(TopicRecord { partition, value: Some(value.into()), ..TopicRecord::default() });
    }

    /// Appends a record to its partition, which must exist and gives it its offset.
    pub fn append_record(&self, record: TopicRecord) {
        let mut state = self.state();
        let partition = &mut state.partitions[record.partition as usize];
        partition.records.insert(partition.end, TopicRecord { offset: partition.end, ..record });
        partition.end += 1;
        drop(state);
        self.0.appended.notify_all();
    }

    /// Lets a partition pass over offsets, as after a transaction or where records were compacted away.
    pub fn skip(&self, partition: u32, offsets: u64) {
        self.state().partitions[partition as usize].end += offsets;
    }

    /// Removes the records of a partition before an offset.
    pub fn remove_before(&self, partition: u32, first: u64) {
        let mut state = self.state();
        let partition = &mut state.partitions[partition as usize];
        partition.records = partition.records.split_off(&first);
        partition.first = first;
    }

    /// Adds a partition.
    pub fn add_partition(&self) {
        self.state().partitions.push(Partition::default());
    }

    /// Lets the next poll return nothing, whatever there is.
    pub fn stall(&self) {
        self.state().faults.push_back(Fault::Stall);
    }

    /// Lets the next poll return so many records of each partition once more.
    pub fn rewind(&self, records: u64) {
        self.state().faults.push_back(Fault::Rewind(records));
    }

    /// Lets the next poll fail.
    pub fn fail(&self, error: TopicError) {
        self.state().faults.push_back(Fault::Fail(error));
    }

    /// Creates a reader.
    pub fn reader(&self) -> MemoryTopicLog {
        MemoryTopicLog { topic: self.clone(), next: Offsets::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_more(&self, next: &Offsets) -> bool {
        let numbered = (0..).zip(&self.partitions);
        numbered
            .into_iter()
            .any(|(number, partition)| next.get(&number).copied().unwrap_or(0) < partition.end)
    }

    fn fetch(&self, next: &mut Offsets) -> Fetched {
        let mut fetched = Fetched::default();
        for (number, partition) in (0..).zip(&self.partitions) {
            let next = next.entry(number).or_insert(partition.first);
            let room = MOST_RECORDS - fetched.records.len();
            let more: Vec<_> =
                partition.records.range(*next..).take(room).map(|(_, record)| record.clone()).collect();
            *next = if more.len() < room {
                partition.end
            } else {
                more.last().map_or(*next, |last| last.offset + 1)
            };
            fetched.records.extend(more);
            fetched.next.insert(number, *next);
            fetched.ends.insert(number, partition.end);
        }
        fetched
    }
}

impl TopicLog for MemoryTopicLog {
    fn topic(&self) -> &Topic {
        &self.topic.0.topic
    }

    fn bounds(&mut self) -> Result<BTreeMap<u32, Bounds>, TopicError> {
        let bounds = |partition: &Partition| Bounds { first: partition.first, end: partition.end };
        Ok((0..).zip(self.topic.state().partitions.iter().map(bounds)).collect())
    }

    fn offsets_at(&mut self, time_ms: i64) -> Result<Offsets, TopicError> {
        let is_late = |record: &&TopicRecord| record.time_ms.is_some_and(|time| time >= time_ms);
        let offset = |partition: &Partition| {
            partition.records.values().find(is_late).map_or(partition.end, |record| record.offset)
        };
        Ok((0..).zip(self.topic.state().partitions.iter().map(offset)).collect())
    }

    fn start(&mut self, from: &Offsets) -> Result<(), TopicError> {
        self.next.clone_from(from);
        Ok(())
    }

    fn poll(&mut self, wait: Duration) -> Result<Option<Fetched>, TopicError> {
        let mut state = self.topic.state();
        match state.faults.pop_front() {
            None => {}
            Some(Fault::Stall) => return Ok(None),
            Some(Fault::Fail(error)) => return Err(error),
            Some(Fault::Rewind(records)) => {
                self.next.values_mut().for_each(|next| *next = next.saturating_sub(records));
            }
        }
        let is_idle = |state: &mut State| !state.has_more(&self.next);
        let waited = self.topic.0.appended.wait_timeout_while(state, wait, is_idle);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        Ok(Some(state.fetch(&mut self.next)))
    }
}
