//! Java's client of a Kafka: the programs in `java/`, and Kafka's own tools.

use std::fs;
use std::path::Path;

use super::properties::{self, Properties};
use crate::java::{JavaCommand, java};
use crate::jvm::Life;
use crate::{HarnessError, Jars, KafkaVersion, Tool};

/// How Java's client reaches a Kafka; each call runs a Java machine of its own, about a second.
///
/// The client is that of the usual version, whichever version the brokers have.
///
/// ```no_run
/// use keystride_hbase_harness::{KafkaClient, ProduceOptions};
///
/// let client = KafkaClient::new("127.0.0.1:9092");
/// client.create_topic("flights", 2, &[])?;
/// client.produce("flights", "0\t1400657685457\trow 1\tEWR\n", &ProduceOptions::default())?;
/// assert_eq!(client.consume("flights", &[])?, "0\t0\t1400657685457\trow 1\tEWR\n");
/// # Ok::<(), keystride_hbase_harness::HarnessError>(())
/// ```
#[derive(Debug, Clone)]
pub struct KafkaClient {
    properties: Properties,
}

impl KafkaClient {
    /// The client of the Kafka that answers at `bootstrap`: `host:port`, or several with commas between.
    pub fn new(bootstrap: &str) -> Self {
        Self { properties: properties::owned(&[("bootstrap.servers", bootstrap)]) }
    }

    /// With a property of Kafka's clients, such as `security.protocol`.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "numbers and texts alike, without a sign of borrowing")]
    pub fn with_property(mut self, name: &str, value: impl ToString) -> Self {
        self.properties.push((name.to_owned(), value.to_string()));
        self
    }

    /// A program of Kafka's own, such as `org.apache.kafka.tools.ConsumerPerformance`, for its caller to start, on a
    /// machine that compiles as well as Java can. It is told by its arguments alone where to go.
    ///
    /// # Errors
    ///
    /// Java or Maven is missing, or its settings could not be written.
    pub fn tool(&self, class: &str, arguments: &[&str], heap_mib: u32) -> Result<JavaCommand, HarnessError> {
        let jars = Jars::kafka(&KafkaVersion::default())?;
        let run: Vec<String> = [&[class], arguments].concat().into_iter().map(str::to_owned).collect();
        JavaCommand::new((Life::Long, heap_mib), &jars.class_path(), &run, |conf| self.write_to(conf))
    }

    /// What a program of `java/` prints, demanding that it ends with 0.
    pub(crate) fn text(
        &self,
        program: &str,
        arguments: &[&str],
        input: &[u8],
    ) -> Result<String, HarnessError> {
        let (class_path, run) = compiled(program, arguments)?;
        let output = java(&class_path, &run, input, |conf| self.write_to(conf))?;
        Tool::Java.demand_success(&output)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A program of `java/` for its caller to start, on a machine that compiles as well as Java can.
    pub(crate) fn command(
        &self,
        program: &str,
        arguments: &[&str],
        heap_mib: u32,
    ) -> Result<JavaCommand, HarnessError> {
        let (class_path, run) = compiled(program, arguments)?;
        JavaCommand::new((Life::Long, heap_mib), &class_path, &run, |conf| self.write_to(conf))
    }

    fn write_to(&self, conf: &Path) -> Result<(), HarnessError> {
        write_log_settings(conf)?;
        let file = conf.join("client.properties");
        fs::write(&file, properties::text(&self.properties)).map_err(HarnessError::file(file))
    }
}

/// The class path of a program of `java/`, and its main class with its arguments.
fn compiled(program: &str, arguments: &[&str]) -> Result<(String, Vec<String>), HarnessError> {
    let jars = Jars::kafka(&KafkaVersion::default())?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("java").join(format!("{program}.java"));
    let classes = jars.compile(&source)?;
    let run = [&[program], arguments].concat().into_iter().map(str::to_owned).collect();
    Ok((format!("{}:{}", classes.display(), jars.class_path()), run))
}

/// Writes a folder for a class path: warnings go to standard error, with the time in front.
pub(crate) fn write_log_settings(conf: &Path) -> Result<(), HarnessError> {
    let settings = properties::owned(&[
        ("org.slf4j.simpleLogger.defaultLogLevel", "warn"),
        ("org.slf4j.simpleLogger.showDateTime", "true"),
        ("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS"),
        ("org.slf4j.simpleLogger.showThreadName", "false"),
    ]);
    fs::create_dir_all(conf).map_err(HarnessError::file(conf))?;
    let file = conf.join("simplelogger.properties");
    fs::write(&file, properties::text(&settings)).map_err(HarnessError::file(file))
}
