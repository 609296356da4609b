//! Records written and read by Java, as lines of text.

use super::KafkaClient;
use crate::HarnessError;
use crate::java::JavaCommand;

const PRODUCE: &str = "Produce";

/// How records are written.
#[derive(Debug, Clone, Default)]
pub struct ProduceOptions {
    /// Commits after so many records, and after the last; without it there are no transactions.
    pub transaction: Option<u64>,
    /// Aborts every so many-th transaction, after all of its records were sent: they take offsets, and do not count.
    pub abort: Option<u64>,
    /// Properties of the producer, name and value: `compression.type`, `batch.size`, ...
    pub properties: Vec<(String, String)>,
}

impl KafkaClient {
    /// Writes records, one a line with tabs between, and returns how many are stored and committed:
    ///
    /// ```text
    /// partition  timestamp  key  value  [header=value ...]
    /// ```
    ///
    /// Without a partition the key or the client chooses it, without a timestamp (ms) it is the clock's. Key and values are
    /// text; `base64:` in front means bytes, `\N` means none, which as a record's value is a tombstone.
    ///
    /// # Errors
    ///
    /// A line is of another form, or Kafka cannot be reached or refuses: the error has all that Java printed.
    pub fn produce(
        &self,
        topic: &str,
        lines: impl AsRef<[u8]>,
        options: &ProduceOptions,
    ) -> Result<u64, HarnessError> {
        let arguments = options.arguments(topic);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let text = self.text(PRODUCE, &arguments, lines.as_ref())?;
        text.trim_end().parse().map_err(|_| HarnessError::Answer { program: PRODUCE, output: text })
    }

    /// What [`produce`](Self::produce) runs, for its caller to start and to feed, on a machine that compiles as well as
    /// Java can. It sends each line as it comes, and prints how many are stored after the end of its input.
    ///
    /// # Errors
    ///
    /// Java or Maven is missing, or its settings could not be written.
    pub fn producer(
        &self,
        topic: &str,
        options: &ProduceOptions,
        heap_mib: u32,
    ) -> Result<JavaCommand, HarnessError> {
        let arguments = options.arguments(topic);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.command(PRODUCE, &arguments, heap_mib)
    }

    /// The committed records of a topic up to where its partitions ended at the start, as [`produce`](Self::produce) takes
    /// them, with the offset in front:
    ///
    /// ```text
    /// offset  partition  timestamp  key  value  [header=value ...]
    /// ```
    ///
    /// They are ordered by partition and offset. What does not stand in a line as text is written as `base64:`. Properties
    /// of the consumer are `name=value`: with `isolation.level=read_uncommitted` those of aborted transactions come too.
    ///
    /// # Errors
    ///
    /// There is no such topic, or Kafka cannot be reached or refuses: the error has all that Java printed.
    pub fn consume(&self, topic: &str, properties: &[&str]) -> Result<String, HarnessError> {
        self.text("Consume", &[&[topic], properties].concat(), &[])
    }
}

impl ProduceOptions {
    fn arguments(&self, topic: &str) -> Vec<String> {
        let mut arguments = vec![topic.to_owned()];
        arguments.extend(self.transaction.map(|count| format!("transaction={count}")));
        arguments.extend(self.abort.map(|count| format!("abort={count}")));
        arguments.extend(self.properties.iter().map(|(name, value)| format!("{name}={value}")));
        arguments
    }
}
