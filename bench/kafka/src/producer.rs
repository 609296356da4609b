//! Java's client, which writes records as fast as it is fed.

use std::io::{BufWriter, Read as _, Write as _};
use std::process::{Child, ChildStdin, Stdio};

use keystride_hbase_harness::{Broker, JavaCommand, ProduceOptions};

use crate::Failure;

/// A producer at work. It ends with the thread that started it.
#[derive(Debug)]
pub(crate) struct Producer {
    child: Child,
    input: BufWriter<ChildStdin>,
    /// Keeps what a Java program needs.
    _java: JavaCommand,
}

const HEAP_MIB: u32 = 512;

impl Producer {
    /// Makes a topic, and starts a producer of its records.
    ///
    /// # Errors
    ///
    /// There is a topic of that name, or Java can't be started.
    pub(crate) fn start(
        broker: &Broker,
        topic: &str,
        partitions: u32,
        properties: &[(&str, &str)],
    ) -> Result<Self, Failure> {
        broker.client().create_topic(topic, partitions, &[])?;
        let properties = properties.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let options = ProduceOptions { properties: properties.collect(), ..ProduceOptions::default() };
        let mut java = broker.client().producer(topic, &options, HEAP_MIB)?;
        let mut child = java.command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("a process has no pipe")?;
        Ok(Self { child, input: BufWriter::new(input), _java: java })
    }

    /// Writes all bodies, one after the other to each of the topic's partitions, and waits until they are stored.
    ///
    /// # Errors
    ///
    /// One is not; why not, Java prints.
    pub(crate) fn write_all<T: AsRef<str>>(
        mut self,
        partitions: u32,
        bodies: impl IntoIterator<Item = T>,
    ) -> Result<(), Failure> {
        let mut count = 0;
        for (partition, body) in (0..partitions).cycle().zip(bodies) {
            self.write(partition, body.as_ref())?;
            count += 1;
        }
        self.finish(count)
    }

    /// Writes a record without a key; its time is the producer's clock's.
    ///
    /// # Errors
    ///
    /// The producer has ended.
    pub(crate) fn write(&mut self, partition: u32, body: &str) -> Result<(), Failure> {
        let written = writeln!(self.input, "{partition}\t\t\\N\t{body}");
        Ok(written.map_err(|error| format!("the producer has ended: {error}"))?)
    }

    /// Hands on what was written.
    ///
    /// # Errors
    ///
    /// The producer has ended.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.input.flush().map_err(|error| format!("the producer has ended: {error}"))?)
    }

    /// Waits until `count` records are stored, which are all that were written.
    ///
    /// # Errors
    ///
    /// One is not.
    pub(crate) fn finish(self, count: u64) -> Result<(), Failure> {
        let Self { mut child, mut input, _java } = self;
        let flushed = input.flush();
        drop(input);
        let mut said = String::new();
        child.stdout.take().map_or(Ok(0), |mut stdout| stdout.read_to_string(&mut said))?;
        let status = child.wait()?;
        flushed?;
        match said.trim_end().parse::<u64>() {
            Ok(stored) if stored == count && status.success() => Ok(()),
            _ => {
                Err(format!("the producer ended with {status}: {said:?}, where {count} were written").into())
            }
        }
    }
}
