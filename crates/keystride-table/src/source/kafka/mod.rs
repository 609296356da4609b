//! Topics of Kafka.
//!
//! [`TopicAddress`] names one, [`KafkaProperties`] says how its brokers are reached, [`open`] opens it. The client is
//! krafka, behind the feature `kafka`; without it opening is [`TopicError::NotBuilt`].

mod address;
#[cfg(feature = "kafka")]
mod client;
#[cfg(feature = "kafka")]
mod cluster;
#[cfg(feature = "kafka")]
mod connect;
#[cfg(feature = "kafka")]
mod outlet;
mod properties;
mod properties_text;
#[cfg(feature = "kafka")]
mod reader;
#[cfg(feature = "kafka")]
mod thread;

use super::topic::{TopicError, TopicLog, TopicOutlet};

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

/// What is told to a topic's brokers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutletOptions {
    /// The group under which offsets are published, if they are. It must have no members.
    pub group: Option<String>,
    /// The topic that rejected records are sent to, if they are. It must exist.
    pub reject_topic: Option<String>,
}

/// Opens what sends to a topic's brokers, on a thread of its own until it is dropped.
///
/// # Errors
///
/// As for [`open`].
#[cfg(feature = "kafka")]
pub fn open_outlet(
    address: &TopicAddress,
    properties: &KafkaProperties,
    options: OutletOptions,
) -> Result<Box<dyn TopicOutlet>, TopicError> {
    Ok(Box::new(outlet::KafkaOutlet::open(address, properties, options)?))
}

/// Opens what sends to a topic's brokers, if the feature `kafka` is built in.
///
/// # Errors
///
/// [`TopicError::NotBuilt`].
#[cfg(not(feature = "kafka"))]
pub fn open_outlet(
    _: &TopicAddress,
    _: &KafkaProperties,
    _: OutletOptions,
) -> Result<Box<dyn TopicOutlet>, TopicError> {
    Err(TopicError::NotBuilt)
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
