//! A real Kafka on this machine, for tests, and Java's own client to fill and read it.
//!
//! In reading order: `broker` is the whole of it, `node` one of its processes, `launch` starts them with what `properties`,
//! `secure` and, for old ones, `zookeeper` say, and `metadata` asks whether they serve. `shared` keeps one for all tests.
//! `client` runs the Java programs, `topics` and `records` say what for.

mod broker;
mod client;
mod launch;
mod metadata;
mod node;
mod properties;
mod records;
mod secure;
mod shared;
mod topics;
mod version;
mod zookeeper;

pub use broker::{Broker, BrokerOptions};
pub use client::KafkaClient;
pub use node::Node;
pub use records::ProduceOptions;
pub use secure::Secure;
pub use shared::{KAFKA_VARIABLE, SharedKafka, kafka_or_skip, kafka_quick, running_kafka, shared_kafka};
pub use topics::{CommittedOffset, OffsetRange};
pub use version::KafkaVersion;
