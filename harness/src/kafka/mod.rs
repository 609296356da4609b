//! A real Kafka on this machine, for tests, and Java's own client to fill and read it.
//!
//! In reading order: `broker` starts it, `node` is one of its processes, `properties` has what each is told, `metadata`
//! asks whether it serves, `secure` adds TLS and passwords. `shared` keeps one for all tests. `client` runs the Java programs, `topics` and `records` say
//! what for.

mod broker;
mod client;
mod metadata;
mod node;
mod properties;
mod records;
mod secure;
mod shared;
mod topics;
mod version;

pub use broker::{Broker, BrokerOptions};
pub use client::KafkaClient;
pub use node::Node;
pub use records::ProduceOptions;
pub use secure::Secure;
pub use shared::{KAFKA_VARIABLE, SharedKafka, kafka_or_skip, kafka_quick, running_kafka, shared_kafka};
pub use topics::{CommittedOffset, OffsetRange};
pub use version::KafkaVersion;
