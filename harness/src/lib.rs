//! A real HBase and a real Kafka on this machine, for tests: HBase 2.6.1 and Kafka 4.3.1, or another version where one is
//! asked for.
//!
//! Maven brings the published jars once, into a folder under `~/.cache`; from then on an HBase is ready in some ten
//! seconds, a Kafka in three. It ends with the process that started it, however that ends, and leaves nothing behind.
//!
//! Nothing here knows keystride: what tests compare with must not share its rules.
//!
//! ```no_run
//! use keystride_hbase_harness::{Cluster, ClusterOptions};
//!
//! let cluster = Cluster::start(&ClusterOptions::default())?;
//! assert!(cluster.address().master().starts_with("localhost:"));
//! # Ok::<(), keystride_hbase_harness::HarnessError>(())
//! ```
//!
//! In reading order: `cluster` starts all servers in one process, `shared` keeps one such cluster for all tests, `servers`
//! starts a process for each, which a test may kill.
//! `watchdog` ends them, `ready` waits for them, `jars` has what they are made of, `brought` how that comes here, `java` runs HBase's own programs and
//! ours beside them. `kafka` is a room of its own with the same parts; `run` is what the two programs share.

mod address;
mod brought;
mod cluster;
mod error;
mod jars;
mod java;
mod jvm;
mod kafka;
mod ports;
mod ready;
mod run;
mod server;
mod servers;
mod shared;
mod site;
mod tls;
mod tool;
mod version;
mod watchdog;

pub use address::Address;
pub use brought::{Brought, Kept};
pub use cluster::{Cluster, ClusterOptions};
pub use error::HarnessError;
pub use jars::Jars;
pub use java::{JavaCommand, JavaProgram};
pub use kafka::{
    Broker, BrokerOptions, CommittedOffset, KAFKA_VARIABLE, KafkaClient, KafkaVersion, Node, OffsetRange,
    ProduceOptions, Secure, SharedKafka, kafka_or_skip, kafka_quick, running_kafka, shared_kafka,
};
pub use run::{exit_code, run_command, say};
pub use server::Server;
pub use servers::{ServerCluster, ServerOptions};
pub use shared::{
    CERTIFICATE_VARIABLE, MASTER_VARIABLE, QUICK_VARIABLE, Shared, VERSION_VARIABLE, ZOOKEEPER_VARIABLE,
    quick, running, shared, shared_or_skip, skips,
};
pub use site::Site;
pub use tls::Tls;
pub use tool::Tool;
pub use version::HBaseVersion;
pub use watchdog::Watchdog;
