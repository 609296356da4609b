//! Offsets and rejected records that are sent to Kafka, on a thread of their own.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use krafka::admin::AlterConsumerGroupOffsetsOptions;
use krafka::consumer::TopicPartition;
use krafka::producer::Producer;
use krafka::{Kafka, KrafkaError, Record};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::connect::{client_error, connect};
use super::thread::{self, ended};
use super::{KafkaProperties, OutletOptions, TopicAddress};
use crate::source::topic::{Offsets, RejectedRecord, TopicError, TopicOutlet};

/// Sends to a topic's brokers by krafka. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct KafkaOutlet {
    brokers: String,
    requests: UnboundedSender<Request>,
}

#[derive(Debug)]
enum Request {
    Publish(Offsets),
    Reject(RejectedRecord),
    /// Replies when all before is done, with the first failure of a rejected record.
    Settle(SyncSender<Result<(), TopicError>>),
}

/// What the thread sends with.
struct Sender {
    kafka: Kafka,
    producer: Producer,
    brokers: String,
    topic: String,
    options: OutletOptions,
    failed: Option<KrafkaError>,
}

/// How long the end of a load waits for what it has published.
const CLOSING: Duration = Duration::from_secs(3);

impl KafkaOutlet {
    pub(super) fn open(
        address: &TopicAddress,
        properties: &KafkaProperties,
        options: OutletOptions,
    ) -> Result<Self, TopicError> {
        let brokers = address.brokers().to_owned();
        let (requests, asked) = unbounded_channel();
        let (address, properties) = (address.clone(), properties.clone());
        thread::begin("kafka outlet", &brokers, |told| async move {
            match Sender::new(&address, &properties, options).await {
                Ok(sender) => {
                    // Whoever opened it may be gone.
                    let _ = told.send(Ok(()));
                    sender.run(asked).await;
                }
                Err(error) => drop(told.send(Err(error))),
            }
        })?;
        Ok(Self { brokers, requests })
    }

    fn ask(&self, request: Request) {
        // A thread that has ended is told by the next settling.
        let _ = self.requests.send(request);
    }
}

impl TopicOutlet for KafkaOutlet {
    fn publish(&mut self, next: &Offsets) {
        self.ask(Request::Publish(next.clone()));
    }

    fn reject(&mut self, rejected: RejectedRecord) {
        self.ask(Request::Reject(rejected));
    }

    fn flush(&mut self) -> Result<(), TopicError> {
        let (reply, replied) = sync_channel(1);
        self.ask(Request::Settle(reply));
        replied.recv().unwrap_or_else(|_| Err(ended(&self.brokers)))
    }

    fn close(&mut self) {
        let (reply, replied) = sync_channel(1);
        self.ask(Request::Settle(reply));
        let _ = replied.recv_timeout(CLOSING);
    }
}

impl Sender {
    async fn new(
        address: &TopicAddress,
        properties: &KafkaProperties,
        options: OutletOptions,
    ) -> Result<Self, TopicError> {
        let brokers = address.brokers().to_owned();
        let kafka = connect(address, properties).await?;
        let producer = kafka.producer().build().await.map_err(|cause| client_error(&brokers, cause))?;
        Ok(Self { kafka, producer, brokers, topic: address.topic().to_owned(), options, failed: None })
    }

    async fn run(mut self, mut asked: UnboundedReceiver<Request>) {
        while let Some(request) = asked.recv().await {
            match request {
                Request::Publish(next) => self.publish(&next).await,
                Request::Reject(rejected) => self.reject(rejected).await,
                Request::Settle(reply) => {
                    let flushed = self.producer.flush().await;
                    let settled = self.failed.take().map_or(flushed, Err);
                    // Who asked may be gone.
                    let _ = reply.send(settled.map_err(|cause| client_error(&self.brokers, cause)));
                }
            }
        }
        let _ = self.producer.close().await;
    }

    async fn publish(&self, next: &Offsets) {
        let Some(group) = &self.options.group else { return };
        let offsets = next.iter().filter_map(|(partition, offset)| {
            let partition = TopicPartition::new(&self.topic, i32::try_from(*partition).ok()?);
            Some((partition, i64::try_from(*offset).ok()?))
        });
        let offsets: Vec<_> = offsets.collect();
        let options = AlterConsumerGroupOffsetsOptions::default();
        let told = self.kafka.admin().alter_consumer_group_offsets(group, offsets, options).await;
        let failed = told.and_then(|told| told.into_values().collect::<Result<Vec<()>, _>>());
        if let Err(error) = failed {
            tracing::warn!(%group, %error, "the offsets of the group are not published");
        }
    }

    async fn reject(&mut self, rejected: RejectedRecord) {
        let Some(topic) = &self.options.reject_topic else { return };
        let RejectedRecord { partition, offset, column, reason, body } = rejected;
        let mut record = Record::new(topic, body)
            .header("keystride.partition", partition)
            .header("keystride.offset", offset.to_string())
            .header("keystride.reason", reason);
        if let Some(column) = column {
            record = record.header("keystride.column", column);
        }
        if let Err(error) = self.producer.enqueue(record).await {
            self.failed.get_or_insert(error);
        }
    }
}
