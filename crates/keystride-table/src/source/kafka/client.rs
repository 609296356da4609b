//! A topic of Kafka, read on a thread of its own.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use krafka::KrafkaError;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep};

use super::cluster::{Cluster, Positions, is_unknown};
use super::{KafkaProperties, TopicAddress};
use crate::source::topic::{Bounds, Fetched, Gap, Offsets, Topic, TopicError, TopicLog};

/// A topic, read by krafka on a thread with a runtime of its own. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct KafkaLog {
    topic: Topic,
    requests: UnboundedSender<Request>,
    feed: Receiver<Result<Fetched, TopicError>>,
}

/// What the thread is asked to do.
#[derive(Debug)]
enum Request {
    Bounds(SyncSender<Result<BTreeMap<u32, Bounds>, TopicError>>),
    OffsetsFrom(i64, SyncSender<Result<Offsets, TopicError>>),
    Start(Offsets, SyncSender<Result<(), TopicError>>),
}

/// So many fetches of records may be waiting to be taken, besides the one that is made.
const WAITING: usize = 1;

/// How long the client waits for records before the requests are looked at again.
const WAIT: Duration = Duration::from_millis(500);

/// How long is waited after a failure that may pass.
const PAUSE: Duration = Duration::from_millis(200);

/// How often new partitions are looked for, and for how long a topic may be unknown, as while brokers start.
const LOOK: Duration = Duration::from_secs(5);
const MOST_UNKNOWN: u32 = 3;

impl KafkaLog {
    pub(super) fn open(address: &TopicAddress, properties: &KafkaProperties) -> Result<Self, TopicError> {
        let failed =
            |cause| TopicError::Client { brokers: address.brokers().to_owned(), cause: Box::new(cause) };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let (requests, asked) = unbounded_channel();
        let (send, feed) = sync_channel(WAITING);
        let (told, opened) = sync_channel(1);
        let (address_there, properties) = (address.clone(), properties.clone());
        let run = move || {
            runtime.block_on(async move {
                let cluster = match Cluster::connect(&address_there, &properties).await {
                    Ok(cluster) => cluster,
                    Err(error) => return drop(told.send(Err(error))),
                };
                let topic = cluster.topic().await;
                let reader = topic.as_ref().ok().map(|(topic, _)| Reader::new(&cluster, topic.clone(), send));
                // Whoever opened it may be gone.
                let _ = told.send(topic.map(|(topic, _)| topic));
                if let Some(reader) = reader {
                    reader.run(asked).await;
                }
                cluster.close().await;
            });
        };
        thread::Builder::new().name("kafka".to_owned()).spawn(run).map_err(failed)?;
        let topic = opened.recv().unwrap_or_else(|_| Err(ended(address.topic())))?;
        Ok(Self { topic, requests, feed })
    }

    fn ask<T>(
        &self,
        request: impl FnOnce(SyncSender<Result<T, TopicError>>) -> Request,
    ) -> Result<T, TopicError> {
        let (reply, replied) = sync_channel(1);
        // If the thread has ended, nobody replies.
        let _ = self.requests.send(request(reply));
        replied.recv().unwrap_or_else(|_| Err(ended(&self.topic.name)))
    }
}

fn ended(topic: &str) -> TopicError {
    let cause = "the thread that reads the topic has ended".into();
    TopicError::Client { brokers: topic.to_owned(), cause }
}

impl TopicLog for KafkaLog {
    fn topic(&self) -> &Topic {
        &self.topic
    }

    fn bounds(&mut self) -> Result<BTreeMap<u32, Bounds>, TopicError> {
        self.ask(Request::Bounds)
    }

    fn offsets_at(&mut self, time_ms: i64) -> Result<Offsets, TopicError> {
        self.ask(|reply| Request::OffsetsFrom(time_ms, reply))
    }

    fn start(&mut self, from: &Offsets) -> Result<(), TopicError> {
        self.ask(|reply| Request::Start(from.clone(), reply))
    }

    fn poll(&mut self, wait: Duration) -> Result<Option<Fetched>, TopicError> {
        match self.feed.recv_timeout(wait) {
            Ok(fetched) => fetched.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(ended(&self.topic.name)),
        }
    }
}

/// Reads a topic on its thread.
struct Reader<'c> {
    cluster: &'c Cluster,
    topic: Topic,
    feed: SyncSender<Result<Fetched, TopicError>>,
    /// The partitions that are read; empty before the start.
    partitions: Vec<u32>,
    looked: Instant,
    /// How often in succession the topic was unknown.
    unknown: u32,
    /// What was told last.
    told: Positions,
}

/// Whether reading goes on.
enum Go {
    On,
    End,
}

impl<'c> Reader<'c> {
    fn new(cluster: &'c Cluster, topic: Topic, feed: SyncSender<Result<Fetched, TopicError>>) -> Self {
        let (looked, told) = (Instant::now(), Positions::default());
        Self { cluster, topic, feed, partitions: Vec::new(), looked, unknown: 0, told }
    }

    /// Serves until nobody asks any more, or the topic can't be read further.
    async fn run(mut self, mut asked: UnboundedReceiver<Request>) {
        loop {
            let is_reading = !self.partitions.is_empty();
            tokio::select! {
                biased;
                request = asked.recv() => match request {
                    Some(request) => self.serve(request).await,
                    None => return,
                },
                polled = self.cluster.poll(WAIT), if is_reading => {
                    let fetched = match polled {
                        Ok(records) => self.fetched(records).await,
                        Err(error) => self.recover(error).await,
                    };
                    if let Go::End = self.send(fetched) {
                        return;
                    }
                }
            }
        }
    }

    async fn serve(&mut self, request: Request) {
        // Who asked may be gone.
        match request {
            Request::Bounds(reply) => drop(reply.send(self.cluster.bounds().await)),
            Request::OffsetsFrom(time_ms, reply) => {
                drop(reply.send(self.cluster.offsets_from(time_ms).await));
            }
            Request::Start(from, reply) => {
                let partitions: Vec<u32> = from.keys().copied().collect();
                let started = self.cluster.assign(&partitions, &from).await;
                if started.is_ok() {
                    self.partitions = partitions;
                }
                drop(reply.send(started));
            }
        }
    }

    /// Returns what was read, if anything is new.
    async fn fetched(
        &mut self,
        records: Vec<crate::source::topic::TopicRecord>,
    ) -> Result<Option<Fetched>, TopicError> {
        if self.looked.elapsed() >= LOOK {
            self.look().await?;
        }
        let told = self.cluster.positions().await;
        if records.is_empty() && told == self.told {
            return Ok(None);
        }
        self.told.clone_from(&told);
        let Positions { next, ends, is_silent } = told;
        Ok(Some(Fetched { records, next, ends, is_silent }))
    }

    /// Looks for new partitions, and whether the topic is still the same.
    async fn look(&mut self) -> Result<(), TopicError> {
        let found = self.cluster.topic_now().await;
        self.looked = Instant::now();
        let (topic, partitions) = match found {
            Ok(found) => found,
            Err(TopicError::UnknownTopic { topic }) => {
                self.unknown += 1;
                return if self.unknown < MOST_UNKNOWN {
                    Ok(())
                } else {
                    Err(TopicError::UnknownTopic { topic })
                };
            }
            // Brokers that do not answer now may do so later.
            Err(_) => return Ok(()),
        };
        self.unknown = 0;
        if let (Some(stored), Some(found)) = (&self.topic.id, topic.id)
            && *stored != found
        {
            return Err(TopicError::OtherTopic { topic: topic.name, stored: stored.clone(), found });
        }
        let last = self.partitions.last().copied().unwrap_or(0);
        let new: Vec<u32> = partitions.into_iter().filter(|partition| *partition > last).collect();
        if new.is_empty() {
            return Ok(());
        }
        // What fails now is tried again at the next look.
        let Ok(bounds) = self.cluster.bounds().await else { return Ok(()) };
        let from =
            new.iter().filter_map(|partition| Some((*partition, bounds.get(partition)?.first))).collect();
        tracing::info!(topic = %self.topic.name, partitions = ?new, "new partitions");
        let all = [self.partitions.as_slice(), &new].concat();
        if self.cluster.assign(&all, &from).await.is_ok() {
            self.partitions = all;
        }
        Ok(())
    }

    /// Waits after a failure that may pass, or returns why it does not.
    async fn recover(&mut self, error: KrafkaError) -> Result<Option<Fetched>, TopicError> {
        match error {
            KrafkaError::NoOffset { .. } => Err(self.gone().await),
            error if error.is_retriable() || is_unknown(&error) => {
                tracing::warn!(topic = %self.topic.name, %error, "reading again");
                sleep(PAUSE).await;
                self.fetched(Vec::new()).await
            }
            error => Err(self.cluster.error(error)),
        }
    }

    /// Returns the error of positions that are no longer there.
    async fn gone(&self) -> TopicError {
        let bounds = match self.cluster.bounds().await {
            Ok(bounds) => bounds,
            Err(error) => return error,
        };
        let Positions { next, .. } = self.cluster.positions().await;
        let next = self.told.next.iter().chain(&next).map(|(partition, next)| (*partition, *next));
        let next: Offsets = next.collect();
        let bounds_of = |partition: &u32| bounds.get(partition).copied();
        for (partition, next) in &next {
            if let Some(Bounds { end, .. }) = bounds_of(partition).filter(|bounds| bounds.end < *next) {
                let topic = self.topic.name.clone();
                return TopicError::Shrunk { topic, partition: *partition, next: *next, end };
            }
        }
        let gap = |(partition, next): (&u32, &u64)| {
            let first = bounds_of(partition)?.first;
            (first > *next).then_some(Gap { partition: *partition, next: *next, first })
        };
        TopicError::Gone { topic: self.topic.name.clone(), gaps: next.iter().filter_map(gap).collect() }
    }

    /// Passes on what was read. An error ends the reading.
    fn send(&self, fetched: Result<Option<Fetched>, TopicError>) -> Go {
        let is_last = fetched.is_err();
        let is_taken = fetched.transpose().is_none_or(|fetched| self.feed.send(fetched).is_ok());
        if is_last || !is_taken { Go::End } else { Go::On }
    }
}
