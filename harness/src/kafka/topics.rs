//! Topics and what is known of them, by `java/Topic.java`.

use super::KafkaClient;
use crate::HarnessError;

const PROGRAM: &str = "Topic";

/// The offsets that a partition has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffsetRange {
    /// The partition's number, from 0.
    pub partition: i32,
    /// Its first offset.
    pub earliest: i64,
    /// The one that the next record gets.
    pub latest: i64,
}

/// Where a group goes on in a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommittedOffset {
    /// The topic's name.
    pub topic: String,
    /// The partition's number, from 0.
    pub partition: i32,
    /// The offset of the record that it reads next.
    pub offset: i64,
}

/// # Errors
///
/// All fail where Kafka cannot be reached or refuses: the error has all that Java printed.
impl KafkaClient {
    /// Makes a topic, with configurations `name=value`, and returns its id when every partition has a leader.
    ///
    /// # Errors
    ///
    /// There is one of that name, or see above.
    pub fn create_topic(
        &self,
        name: &str,
        partitions: u32,
        configs: &[&str],
    ) -> Result<String, HarnessError> {
        let partitions = partitions.to_string();
        self.line(&[&["create", name, &partitions], configs].concat())
    }

    /// Deletes a topic.
    ///
    /// # Errors
    ///
    /// There is none of that name, or see above.
    pub fn delete_topic(&self, name: &str) -> Result<(), HarnessError> {
        self.line(&["delete", name]).map(drop)
    }

    /// Adds partitions to a topic, up to `total`.
    ///
    /// # Errors
    ///
    /// It has as many, or see above.
    pub fn add_partitions(&self, name: &str, total: u32) -> Result<(), HarnessError> {
        self.line(&["add-partitions", name, &total.to_string()]).map(drop)
    }

    /// Deletes the records of a partition before an offset.
    ///
    /// # Errors
    ///
    /// The partition does not reach so far, or see above.
    pub fn delete_records(&self, name: &str, partition: i32, before: i64) -> Result<(), HarnessError> {
        self.line(&["delete-records", name, &partition.to_string(), &before.to_string()]).map(drop)
    }

    /// The id that a topic has as long as it lives.
    ///
    /// # Errors
    ///
    /// There is none of that name, or see above.
    pub fn topic_id(&self, name: &str) -> Result<String, HarnessError> {
        self.line(&["id", name])
    }

    /// The first and the next offset of each partition, in order.
    ///
    /// # Errors
    ///
    /// There is none of that name, or see above.
    pub fn offsets(&self, name: &str) -> Result<Vec<OffsetRange>, HarnessError> {
        self.table(&["offsets", name], |fields| match fields {
            [partition, earliest, latest] => Some(OffsetRange {
                partition: partition.parse().ok()?,
                earliest: earliest.parse().ok()?,
                latest: latest.parse().ok()?,
            }),
            _ => None,
        })
    }

    /// What a group has committed, by topic and partition; nothing where there is no such group.
    ///
    /// # Errors
    ///
    /// See above.
    pub fn committed(&self, group: &str) -> Result<Vec<CommittedOffset>, HarnessError> {
        self.table(&["group", group], |fields| match fields {
            [topic, partition, offset] => Some(CommittedOffset {
                topic: (*topic).to_owned(),
                partition: partition.parse().ok()?,
                offset: offset.parse().ok()?,
            }),
            _ => None,
        })
    }

    fn line(&self, arguments: &[&str]) -> Result<String, HarnessError> {
        Ok(self.text(PROGRAM, arguments, &[])?.trim_end().to_owned())
    }

    fn table<T>(
        &self,
        arguments: &[&str],
        row: impl Fn(&[&str]) -> Option<T>,
    ) -> Result<Vec<T>, HarnessError> {
        let text = self.text(PROGRAM, arguments, &[])?;
        let rows = text.lines().map(|line| row(&line.split('\t').collect::<Vec<_>>()));
        rows.collect::<Option<_>>().ok_or(HarnessError::Answer { program: PROGRAM, output: text })
    }
}
