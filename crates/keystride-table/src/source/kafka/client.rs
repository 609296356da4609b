//! A topic of Kafka, read on a thread of its own.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::cluster::Cluster;
use super::reader::Reader;
use super::thread::{self, ended};
use super::{KafkaProperties, TopicAddress};
use crate::source::topic::{Bounds, Fetched, Offsets, Topic, TopicError, TopicLog};

/// A topic, read by krafka on a thread with a runtime of its own. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct KafkaLog {
    topic: Topic,
    brokers: String,
    requests: UnboundedSender<Request>,
    feed: Receiver<Result<Fetched, TopicError>>,
}

/// What the thread is asked to do.
#[derive(Debug)]
pub(super) enum Request {
    Bounds(SyncSender<Result<BTreeMap<u32, Bounds>, TopicError>>),
    OffsetsFrom(i64, SyncSender<Result<Offsets, TopicError>>),
    Start(Offsets, SyncSender<Result<(), TopicError>>),
}

/// So many fetches of records may be waiting to be taken, besides the one that is made.
const WAITING: usize = 1;

impl KafkaLog {
    pub(super) fn open(address: &TopicAddress, properties: &KafkaProperties) -> Result<Self, TopicError> {
        let (requests, asked) = unbounded_channel();
        let (send, feed) = sync_channel(WAITING);
        let (there, properties) = (address.clone(), properties.clone());
        let topic = thread::begin("kafka", address.brokers(), |told| async move {
            let opened = match Cluster::connect(&there, &properties).await {
                Ok(cluster) => cluster.topic().await.map(|topic| (cluster, topic)),
                Err(error) => Err(error),
            };
            let (cluster, (topic, partitions)) = match opened {
                Ok(opened) => opened,
                Err(error) => return drop(told.send(Err(error))),
            };
            let reader = Reader::new(&cluster, (topic.clone(), &partitions), send);
            // Whoever opened it may be gone.
            let _ = told.send(Ok(topic));
            reader.run(asked).await;
            cluster.close().await;
        })?;
        Ok(Self { topic, brokers: address.brokers().to_owned(), requests, feed })
    }

    fn ask<T>(
        &self,
        request: impl FnOnce(SyncSender<Result<T, TopicError>>) -> Request,
    ) -> Result<T, TopicError> {
        let (reply, replied) = sync_channel(1);
        // If the thread has ended, nobody replies.
        let _ = self.requests.send(request(reply));
        replied.recv().unwrap_or_else(|_| Err(ended(&self.brokers)))
    }
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
            Err(RecvTimeoutError::Disconnected) => Err(ended(&self.brokers)),
        }
    }
}
