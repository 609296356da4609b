//! One Kafka for all tests of a process, or of a whole test run.

use std::env;
use std::sync::OnceLock;

use super::{Broker, BrokerOptions, KafkaClient};
use crate::HarnessError;
use crate::shared::skips;

/// A Kafka that is already there, `host:port`: nothing is started.
pub const KAFKA_VARIABLE: &str = "KEYSTRIDE_KAFKA";

/// A Kafka that tests share: each makes topics with names of its own.
#[derive(Debug)]
pub struct SharedKafka {
    bootstrap: String,
    /// Never dropped, for it is in a static: the watchdog ends it with this process.
    _started: Option<Broker>,
}

impl SharedKafka {
    /// Where clients begin: `host:port`.
    pub fn bootstrap(&self) -> &str {
        &self.bootstrap
    }

    /// Java's client of it.
    pub fn client(&self) -> KafkaClient {
        KafkaClient::new(&self.bootstrap)
    }

    fn find_or_start() -> Result<Self, HarnessError> {
        if let Some(bootstrap) = running_kafka() {
            return Ok(Self { bootstrap, _started: None });
        }
        let broker = Broker::start(&BrokerOptions::shared())?;
        Ok(Self { bootstrap: broker.bootstrap().to_owned(), _started: Some(broker) })
    }
}

/// The Kafka that `KEYSTRIDE_KAFKA` names, or one that is started on first need.
///
/// # Errors
///
/// It could not be started: every call then returns that first error.
pub fn shared_kafka() -> Result<&'static SharedKafka, &'static HarnessError> {
    static SHARED: OnceLock<Result<SharedKafka, HarnessError>> = OnceLock::new();
    SHARED.get_or_init(SharedKafka::find_or_start).as_ref()
}

/// The shared Kafka, or `None` and a line on standard error where `KEYSTRIDE_TEST_QUICK` is `1`.
///
/// ```no_run
/// # fn reads_what_it_wrote() {
/// let Some(kafka) = keystride_hbase_harness::kafka_or_skip("reads_what_it_wrote") else { return };
/// let bootstrap = kafka.bootstrap();
/// # }
/// ```
///
/// # Panics
///
/// It could not be started; the message says why and what would do.
pub fn kafka_or_skip(test: &str) -> Option<&'static SharedKafka> {
    if kafka_quick(test) {
        return None;
    }
    match shared_kafka() {
        Ok(shared) => Some(shared),
        Err(error) => panic!("{test} takes a real Kafka: {error}"),
    }
}

/// Whether `KEYSTRIDE_TEST_QUICK` is `1`: then a line on standard error says that the test is skipped.
///
/// For tests that start a Kafka of their own.
pub fn kafka_quick(test: &str) -> bool {
    skips(test, "Kafka")
}

/// The Kafka that `KEYSTRIDE_KAFKA` names, if it names one.
pub fn running_kafka() -> Option<String> {
    env::var(KAFKA_VARIABLE).ok().filter(|value| !value.is_empty())
}
