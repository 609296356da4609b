//! What is asked of a topic's brokers.

use std::collections::BTreeMap;
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use krafka::KrafkaError;
use krafka::consumer::{AutoOffsetReset, Consumer, FetchMetadataResult, IsolationLevel};
use krafka::error::ErrorCode;
use tokio::time::{Instant, sleep};

use super::connect::{client_error, connect};
use super::{KafkaProperties, TopicAddress};
use crate::source::topic::{Bounds, Offsets, Topic, TopicError, TopicRecord};

/// A topic and a consumer of it.
pub(super) struct Cluster {
    brokers: String,
    topic: String,
    consumer: Consumer,
}

/// Where the partitions of a topic are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Positions {
    /// Where each one goes on.
    pub(super) next: Offsets,
    /// Where each one ends, as far as it is known.
    pub(super) ends: Offsets,
    /// Whether none has answered for some seconds.
    pub(super) is_silent: bool,
}

/// How long no broker must answer to be silent; while a topic is idle, they answer every half second.
const SILENCE: Duration = Duration::from_secs(5);

/// How long a question is asked again while no broker answers, or none knows the answer yet.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(100);

/// As many records fit into the client's memory, and each fetch has so many bytes of a partition at most. What does not fit
/// is fetched again, so the records must be more than the partitions' fetches hold.
const BUFFERED_RECORDS: i32 = 20_000;
const PARTITION_BYTES: i32 = 256 << 10;

/// A fetch has so many bytes at most, however many partitions there are. Some four of them are in memory.
const FETCH_BYTES: i32 = 8 << 20;

/// Times of Kafka's protocol that stand for a partition's ends.
const LATEST: i64 = -1;
const EARLIEST: i64 = -2;

impl Cluster {
    pub(super) async fn connect(
        address: &TopicAddress,
        properties: &KafkaProperties,
    ) -> Result<Self, TopicError> {
        let failed = |cause| client_error(address.brokers(), cause);
        let consumer = connect(address, properties)
            .await?
            .consumer_without_group()
            .auto_offset_reset(AutoOffsetReset::None)
            .enable_auto_commit(false)
            .isolation_level(IsolationLevel::ReadCommitted)
            .lag_staleness_threshold(SILENCE)
            .max_poll_records(BUFFERED_RECORDS)
            .max_buffered_records(BUFFERED_RECORDS)
            .max_partition_fetch_bytes(PARTITION_BYTES)
            .fetch_max_bytes(FETCH_BYTES)
            .build()
            .await
            .map_err(failed)?;
        Ok(Self { brokers: address.brokers().to_owned(), topic: address.topic().to_owned(), consumer })
    }

    /// Returns the topic, and the numbers of its partitions. Brokers that do not answer are asked for some seconds.
    pub(super) async fn topic(&self) -> Result<(Topic, Vec<u32>), TopicError> {
        self.topic_of(patiently(async || self.consumer.fetch_metadata(Some(&self.topic)).await).await)
    }

    /// Returns the same, if a broker answers at once.
    pub(super) async fn topic_now(&self) -> Result<(Topic, Vec<u32>), TopicError> {
        self.topic_of(self.consumer.fetch_metadata(Some(&self.topic)).await)
    }

    fn topic_of(
        &self,
        found: Result<FetchMetadataResult, KrafkaError>,
    ) -> Result<(Topic, Vec<u32>), TopicError> {
        let unknown = || TopicError::UnknownTopic { topic: self.topic.clone() };
        let found = match found {
            Err(error) if is_unknown(&error) => return Err(unknown()),
            found => found.map_err(|cause| self.error(cause))?,
        };
        let found = found.topics.into_iter().find(|found| found.name == self.topic).ok_or_else(unknown)?;
        // A topic without partitions is none: this is how metadata say so.
        if found.partitions.is_empty() {
            return Err(unknown());
        }
        // As Kafka's own tools print it.
        let id = (found.topic_id != [0; 16]).then(|| BASE64URL_NOPAD.encode(&found.topic_id));
        let mut partitions: Vec<u32> =
            found.partitions.keys().filter_map(|number| number_of(*number)).collect();
        partitions.sort_unstable();
        Ok((Topic { name: found.name, id }, partitions))
    }

    pub(super) async fn bounds(&self) -> Result<BTreeMap<u32, Bounds>, TopicError> {
        let [firsts, ends] = self.offsets_at([EARLIEST, LATEST]).await?;
        let bounds = |(partition, first): (u32, i64)| {
            let bounds = Bounds { first: offset_of(first)?, end: offset_of(*ends.get(&partition)?)? };
            Some((partition, bounds))
        };
        Ok(firsts.into_iter().filter_map(bounds).collect())
    }

    /// Returns the offsets of the first records of a time, or where there is none, the ends.
    pub(super) async fn offsets_from(&self, time_ms: i64) -> Result<Offsets, TopicError> {
        let [found, ends] = self.offsets_at([time_ms, LATEST]).await?;
        let offset = |(partition, found): (u32, i64)| {
            Some((partition, offset_of(found).or_else(|| offset_of(*ends.get(&partition)?))?))
        };
        Ok(found.into_iter().filter_map(offset).collect())
    }

    /// Reads partitions from these offsets; the others go on.
    pub(super) async fn assign(&self, all: &[u32], from: &Offsets) -> Result<(), TopicError> {
        let numbers = all.iter().filter_map(|partition| i32::try_from(*partition).ok()).collect();
        self.consumer.assign(&self.topic, numbers).await.map_err(|cause| self.error(cause))?;
        for (partition, offset) in from {
            let (Ok(partition), Ok(offset)) = (i32::try_from(*partition), i64::try_from(*offset)) else {
                continue;
            };
            self.consumer.seek(&self.topic, partition, offset).await.map_err(|cause| self.error(cause))?;
        }
        Ok(())
    }

    /// Returns records, waiting for some for up to `wait`.
    pub(super) async fn poll(&self, wait: Duration) -> Result<Vec<TopicRecord>, KrafkaError> {
        let records = self.consumer.poll(wait).await?;
        Ok(records.into_iter().filter_map(record_of).collect())
    }

    /// Returns where the partitions are after the records returned so far.
    pub(super) async fn positions(&self) -> Positions {
        let mut positions = Positions { is_silent: true, ..Positions::default() };
        for (partition, lag) in self.consumer.lag().await {
            let Some(number) = number_of(partition.partition) else { continue };
            positions.is_silent &= lag.stale;
            positions.next.extend(lag.position.and_then(offset_of).map(|offset| (number, offset)));
            let end = lag.last_stable_offset.or(lag.high_watermark).and_then(offset_of);
            positions.ends.extend(end.map(|offset| (number, offset)));
        }
        positions
    }

    pub(super) async fn close(&self) {
        // The process is done with it either way.
        let _ = self.consumer.close().await;
    }

    pub(super) fn error(&self, cause: KrafkaError) -> TopicError {
        client_error(&self.brokers, cause)
    }

    /// Returns for each of the times the offset of each partition.
    async fn offsets_at(&self, times: [i64; 2]) -> Result<[BTreeMap<u32, i64>; 2], TopicError> {
        let (_, partitions) = self.topic().await?;
        let number = |partition: &u32| Some((self.topic.as_str(), i32::try_from(*partition).ok()?));
        let partitions: Vec<(&str, i32)> = partitions.iter().filter_map(number).collect();
        let [one, other] = times.map(|time_ms| self.offsets_of(&partitions, time_ms));
        Ok([one.await?, other.await?])
    }

    async fn offsets_of(
        &self,
        partitions: &[(&str, i32)],
        time_ms: i64,
    ) -> Result<BTreeMap<u32, i64>, TopicError> {
        let asked = patiently(async || {
            let found = self.consumer.offsets_for_times(partitions, time_ms).await;
            let found = found.into_iter().map(|((_, partition), offset)| Ok((partition, offset?)));
            let found = found.collect::<Result<Vec<_>, KrafkaError>>();
            if found.is_err() {
                // A partition may have another leader. If nobody tells, the old one is asked again.
                let _ = self.consumer.fetch_metadata(Some(&self.topic)).await;
            }
            found
        });
        let found = asked.await.map_err(|cause| self.error(cause))?;
        Ok(found.into_iter().filter_map(|(number, offset)| Some((number_of(number)?, offset))).collect())
    }
}

/// Asks again as long as that may help.
async fn patiently<T>(ask: impl AsyncFn() -> Result<T, KrafkaError>) -> Result<T, KrafkaError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match ask().await {
            Err(error) if error.is_retriable() && !is_unknown(&error) && Instant::now() < until => {
                sleep(PAUSE).await;
            }
            answered => return answered,
        }
    }
}

pub(super) fn is_unknown(error: &KrafkaError) -> bool {
    matches!(
        error,
        KrafkaError::UnknownTopic { .. }
            | KrafkaError::Broker { code: ErrorCode::UnknownTopicOrPartition, .. }
    )
}

fn record_of(record: krafka::ConsumerRecord) -> Option<TopicRecord> {
    Some(TopicRecord {
        partition: number_of(record.partition)?,
        offset: offset_of(record.offset)?,
        time_ms: Some(record.timestamp).filter(|time| *time >= 0),
        key: record.key,
        value: record.value,
        headers: record.headers,
    })
}

/// Partitions and offsets are never negative.
fn number_of(partition: i32) -> Option<u32> {
    u32::try_from(partition).ok()
}

fn offset_of(offset: i64) -> Option<u64> {
    u64::try_from(offset).ok()
}
