//! Topics of Kafka.
//!
//! [`TopicAddress`] names one, [`KafkaProperties`] says how its brokers are reached, [`open`] opens it. The client is
//! krafka, behind the feature `kafka`; without it opening is [`TopicError::NotBuilt`].

mod address;
#[cfg(feature = "kafka")]
mod client;
#[cfg(feature = "kafka")]
mod cluster;
mod properties;

use super::topic::{TopicError, TopicLog};

pub use address::{InvalidTopicAddress, TopicAddress};
pub use properties::{KafkaProperties, PropertiesError, Sasl, SaslMechanism, Tls};

/// Opens a topic. The client runs on a thread of its own until the result is dropped; this blocks until it knows the topic.
///
/// # Errors
///
/// [`TopicError`] when no broker answers within ten seconds or so, refuses, or has no such topic.
#[cfg(feature = "kafka")]
pub fn open(address: &TopicAddress, properties: &KafkaProperties) -> Result<Box<dyn TopicLog>, TopicError> {
    Ok(Box::new(client::KafkaLog::open(address, properties)?))
}

/// Opens a topic, if the feature `kafka` is built in.
///
/// # Errors
///
/// [`TopicError::NotBuilt`].
#[cfg(not(feature = "kafka"))]
pub fn open(_: &TopicAddress, _: &KafkaProperties) -> Result<Box<dyn TopicLog>, TopicError> {
    Err(TopicError::NotBuilt)
}
