//! Topics of Kafka on the command line.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use keystride::time::{Unit, Zone, read_iso8601};
use keystride_app::load::TopicLoad;
#[cfg(not(feature = "kafka"))]
use keystride_app::load::TopicLoadError;
use keystride_table::input::{Format, InputOptions, MessageFormat};
use keystride_table::source::kafka::{KafkaProperties, OutletOptions, TopicAddress};
#[cfg(not(feature = "kafka"))]
use keystride_table::source::topic::TopicError;
use keystride_table::source::topic::{Offsets, Tombstones, TopicEnd, TopicStart};

use crate::failure::Failure;
use crate::global::Global;
use crate::output::say;
use crate::text_file::read_text_within;
use crate::usage::Usage;

/// How a topic is loaded.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Options of topics")]
pub(super) struct TopicArgs {
    /// Where to begin: earliest, latest, stored (where the last load ended) or a time such as 2026-04-06T08:00:00+08:00
    /// [default: stored; it is needed the first time]
    #[arg(long, value_name = "WHERE", value_parser = parse_start)]
    from: Option<TopicStart>,
    /// Where to end: now (what is there now), an offset of all partitions, or some as in 0:500,1:700 [default: never]
    #[arg(long, value_name = "WHERE", value_parser = parse_end)]
    until: Option<TopicEnd>,
    /// The columns of CSV bodies, separated by commas [default: the design's fields in their order]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// The bodies are Avro; FILE is the schema that they were written with, as JSON (.avsc)
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// What to do with records that have no body
    #[arg(long, value_enum, default_value = "pass")]
    tombstones: TombstonesArg,
    /// The group under which progress is published, for monitors of lag; the load does not read it [default: group.id of the
    /// properties]
    #[arg(long, value_name = "ID")]
    group: Option<String>,
    /// A topic to which rejected records are sent, beside the file that keeps them
    #[arg(long, value_name = "TOPIC")]
    reject_topic: Option<String>,
    /// A file with the properties of Kafka's clients, for TLS, users and passwords
    #[arg(long, value_name = "FILE", env = "KEYSTRIDE_KAFKA_PROPERTIES")]
    kafka_properties: Option<PathBuf>,
}

/// No file of properties is larger.
const PROPERTIES_MIB: u64 = 1;

/// No schema is larger.
#[cfg(feature = "kafka")]
const SCHEMA_MIB: u64 = 4;

/// What to do with records that have no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TombstonesArg {
    /// Count them
    Pass,
    /// Delete the row whose key is made of the record's key
    Delete,
}

impl TopicArgs {
    /// Whether any of the options is given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let Self { from, until, columns, schema, tombstones, group, reject_topic, .. } = self;
        let given = [
            (from.is_some(), "--from"),
            (until.is_some(), "--until"),
            (columns.is_some(), "--columns"),
            (group.is_some(), "--group"),
            (reject_topic.is_some(), "--reject-topic"),
            (schema.is_some(), "--schema"),
            (*tombstones == TombstonesArg::Delete, "--tombstones"),
        ];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }

    /// Returns the file with the schema of the bodies.
    pub(super) fn schema(&self) -> Option<&Path> {
        self.schema.as_deref()
    }

    /// Returns what is loaded of a topic.
    pub(super) fn topic_load(
        &self,
        global: &Global,
        address: TopicAddress,
        input: InputOptions,
        resume: bool,
    ) -> Result<TopicLoad, Failure> {
        let format = self.format(input.format)?;
        let start = match (self.from, resume) {
            (Some(_), true) => return Err(Usage::FromAndResume.into()),
            (None, true) => Some(TopicStart::Stored),
            (from, false) => from,
        };
        let properties = self.properties(global)?;
        let group = self.group.clone().or_else(|| properties.group_id.clone());
        Ok(TopicLoad {
            address,
            properties,
            start,
            end: self.until.clone().unwrap_or_default(),
            format,
            input,
            tombstones: match self.tombstones {
                TombstonesArg::Pass => Tombstones::Pass,
                TombstonesArg::Delete => Tombstones::Delete,
            },
            outlet: OutletOptions { group, reject_topic: self.reject_topic.clone() },
        })
    }

    fn format(&self, input: Option<Format>) -> Result<MessageFormat, Failure> {
        Ok(match (&self.schema, input, &self.columns) {
            (_, Some(Format::Parquet), _) => return Err(Usage::FormatOfTopic.into()),
            (Some(_), Some(_), _) => return Err(Usage::SchemaAndFormat.into()),
            (Some(_), None, Some(_)) => return Err(Usage::ColumnsOfAvro.into()),
            (Some(path), None, None) => avro(path)?,
            (None, Some(Format::JsonLines), Some(_)) => return Err(Usage::ColumnsOfJson.into()),
            (None, Some(Format::JsonLines), None) => MessageFormat::Json,
            (None, Some(Format::Csv) | None, columns) => MessageFormat::Csv { columns: columns.clone() },
        })
    }

    fn properties(&self, global: &Global) -> Result<KafkaProperties, Failure> {
        let Some(path) = &self.kafka_properties else { return Ok(KafkaProperties::default()) };
        let properties: KafkaProperties = read_text_within(path, PROPERTIES_MIB)?
            .parse()
            .map_err(|cause| Failure::KafkaProperties { path: path.clone(), cause })?;
        if !properties.unused.is_empty() {
            say(global, &format!("{}: not used: {}", path.display(), properties.unused.join(", ")));
        }
        Ok(properties)
    }
}

#[cfg(feature = "kafka")]
fn avro(path: &Path) -> Result<MessageFormat, Failure> {
    let schema = read_text_within(path, SCHEMA_MIB)?.parse();
    let schema = schema.map_err(|cause| Failure::AvroSchema { path: path.to_owned(), cause })?;
    Ok(MessageFormat::Avro { schema })
}

#[cfg(not(feature = "kafka"))]
fn avro(_: &Path) -> Result<MessageFormat, Failure> {
    Err(Failure::Topic(Box::new(TopicLoadError::Topic(TopicError::NotBuilt))))
}

fn parse_start(text: &str) -> Result<TopicStart, String> {
    Ok(match text {
        "earliest" => TopicStart::Earliest,
        "latest" => TopicStart::Latest,
        "stored" => TopicStart::Stored,
        time => {
            let nanos = read_iso8601(time.as_bytes(), &Zone::utc());
            let ms = nanos.ok().and_then(|nanos| i64::try_from(Unit::Ms.of_nanos(nanos)).ok());
            let time_ms = ms.filter(|ms| *ms >= 0);
            let expected = "expected earliest, latest, stored or a time such as 2026-04-06T08:00:00+08:00";
            TopicStart::At { time_ms: time_ms.ok_or_else(|| expected.to_owned())? }
        }
    })
}

fn parse_end(text: &str) -> Result<TopicEnd, String> {
    if text == "now" {
        return Ok(TopicEnd::Now);
    }
    if let Ok(offset) = text.parse() {
        return Ok(TopicEnd::Before(offset));
    }
    let each = |part: &str| {
        let (partition, offset) = part.split_once(':')?;
        Some((partition.parse().ok()?, offset.parse().ok()?))
    };
    let offsets: Option<Offsets> = text.split(',').map(each).collect();
    let expected = "expected now, an offset, or partitions with offsets as in 0:500,1:700";
    offsets.map(TopicEnd::BeforeEach).ok_or_else(|| expected.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_a_word_or_a_time() {
        assert_eq!(parse_start("latest"), Ok(TopicStart::Latest));
        let time_ms = 1_586_131_200_000;
        assert_eq!(parse_start("2020-04-06T08:00:00+08:00"), Ok(TopicStart::At { time_ms }));
        assert_eq!(parse_start("2020-04-06T00:00:00Z"), Ok(TopicStart::At { time_ms }));
        for text in ["", "now", "5", "1969-12-31T00:00:00Z"] {
            assert!(parse_start(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_end_is_now_or_offsets() {
        assert_eq!((parse_end("now"), parse_end("7")), (Ok(TopicEnd::Now), Ok(TopicEnd::Before(7))));
        let each = TopicEnd::BeforeEach(Offsets::from([(0, 5), (2, 7)]));
        assert_eq!(parse_end("0:5,2:7"), Ok(each));
        for text in ["", "-1", "0:", "0:5,", "latest"] {
            assert!(parse_end(text).is_err(), "{text}");
        }
    }
}
