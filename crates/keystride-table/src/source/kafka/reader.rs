//! Reads a topic on the thread of its client.

use std::sync::mpsc::SyncSender;
use std::time::Duration;

use krafka::KrafkaError;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep};

use super::client::Request;
use super::cluster::{Cluster, Positions, is_unknown};
use crate::source::topic::{Fetched, Topic, TopicError, TopicRecord, check};

/// How long the client waits for records before the requests are looked at again.
const WAIT: Duration = Duration::from_millis(500);

/// How long is waited after a failure that may pass.
const PAUSE: Duration = Duration::from_millis(200);

/// How often new partitions are looked for, and for how long a topic may be unknown, as while brokers start.
const LOOK: Duration = Duration::from_secs(5);
const MOST_UNKNOWN: u32 = 3;

/// Reads a topic on its thread.
pub(super) struct Reader<'c> {
    cluster: &'c Cluster,
    topic: Topic,
    feed: SyncSender<Result<Fetched, TopicError>>,
    /// The partitions that are read; empty before the start.
    partitions: Vec<u32>,
    /// The last partition that is known, whether it is read or not.
    last: u32,
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
    pub(super) fn new(
        cluster: &'c Cluster,
        (topic, known): (Topic, &[u32]),
        feed: SyncSender<Result<Fetched, TopicError>>,
    ) -> Self {
        let (looked, told) = (Instant::now(), Positions::default());
        let last = known.last().copied().unwrap_or(0);
        Self { cluster, topic, feed, partitions: Vec::new(), last, looked, unknown: 0, told }
    }

    /// Serves until nobody asks any more, or the topic can't be read further.
    pub(super) async fn run(mut self, mut asked: UnboundedReceiver<Request>) {
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
                    self.last = partitions.last().copied().unwrap_or(0).max(self.last);
                    self.partitions = partitions;
                }
                drop(reply.send(started));
            }
        }
    }

    /// Returns what was read, if anything is new.
    async fn fetched(&mut self, records: Vec<TopicRecord>) -> Result<Option<Fetched>, TopicError> {
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
        let new: Vec<u32> = partitions.into_iter().filter(|partition| *partition > self.last).collect();
        let Some(&last) = new.last() else { return Ok(()) };
        // What fails now is tried again at the next look.
        let Ok(bounds) = self.cluster.bounds().await else { return Ok(()) };
        let from =
            new.iter().filter_map(|partition| Some((*partition, bounds.get(partition)?.first))).collect();
        tracing::info!(topic = %self.topic.name, partitions = ?new, "new partitions");
        let all = [self.partitions.as_slice(), &new].concat();
        if self.cluster.assign(&all, &from).await.is_ok() {
            (self.partitions, self.last) = (all, last);
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
        let topic = &self.topic.name;
        let checked = check(topic, &next.collect(), &bounds);
        // Brokers that say so and then do not are not believed.
        checked.err().unwrap_or_else(|| TopicError::Gone { topic: topic.clone(), gaps: Vec::new() })
    }

    /// Passes on what was read. An error ends the reading.
    fn send(&self, fetched: Result<Option<Fetched>, TopicError>) -> Go {
        let is_last = fetched.is_err();
        let is_taken = fetched.transpose().is_none_or(|fetched| self.feed.send(fetched).is_ok());
        if is_last || !is_taken { Go::End } else { Go::On }
    }
}
