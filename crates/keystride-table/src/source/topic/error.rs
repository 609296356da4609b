//! Errors of topics.

use std::error::Error;
use std::fmt;

/// Why a topic can't be read, or not further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TopicError {
    /// There is no such topic.
    #[error("there is no topic {topic}")]
    UnknownTopic {
        /// Its name.
        topic: String,
    },
    /// Records after a stored position are no longer there.
    #[error(
        "{} of {topic} are gone, which were not read: {}; give --from earliest, latest or a time to go on without them",
        records_text(.gaps.iter().map(|gap| gap.first - gap.next).sum()),
        Listed(gaps)
    )]
    Gone {
        /// The topic.
        topic: String,
        /// The partitions at fault.
        gaps: Vec<Gap>,
    },
    /// A partition ends before a stored position.
    #[error(
        "partition {partition} of {topic} ends at offset {end}, before {next}, where the load is to go on: the topic was \
         cut or made anew; give --from earliest, latest or a time to load what it holds now"
    )]
    Shrunk {
        /// The topic.
        topic: String,
        /// The partition.
        partition: u32,
        /// The stored position.
        next: u64,
        /// The end of the partition.
        end: u64,
    },
    /// A topic of the same name is another one.
    #[error(
        "topic {topic} was made anew since the last load: its id is {found}, not {stored}; give --from earliest, latest or \
         a time to load the new one"
    )]
    OtherTopic {
        /// The name.
        topic: String,
        /// The id that was stored.
        stored: String,
        /// The id that it has now.
        found: String,
    },
    /// A partition is no longer there.
    #[error(
        "topic {topic} has no partition {partition} any more; give --from earliest, latest or a time to load the others"
    )]
    NoPartition {
        /// The topic.
        topic: String,
        /// The number of the partition.
        partition: u32,
    },
    /// What is stored is no position of a topic.
    #[error("what is stored of the load is no position in a topic: \"{found}\"")]
    Checkpoint {
        /// What is stored.
        found: String,
    },
    /// Reading has no beginning.
    #[error("nothing says where reading topic {topic} begins")]
    NoStart {
        /// The topic.
        topic: String,
    },
    /// The program was built without a client of topics.
    #[error("this program was built without Kafka")]
    NotBuilt,
    /// The brokers refuse this user, or can't prove who they are.
    #[error("{brokers}: {cause}")]
    Denied {
        /// The brokers' addresses.
        brokers: String,
        /// Why.
        #[source]
        cause: Box<dyn Error + Send + Sync>,
    },
    /// The topic can't be reached, or its client failed.
    #[error("{brokers}: {cause}")]
    Client {
        /// The brokers' addresses.
        brokers: String,
        /// Why.
        #[source]
        cause: Box<dyn Error + Send + Sync>,
    },
}

/// Records of a partition that are gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The partition.
    pub partition: u32,
    /// The offset to go on at.
    pub next: u64,
    /// The first offset that is still there.
    pub first: u64,
}

fn records_text(count: u64) -> String {
    if count == 1 { "1 record".to_owned() } else { format!("{count} records") }
}

/// The first of many gaps.
struct Listed<'a>(&'a [Gap]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 8;
        for (index, Gap { partition, next, first }) in self.0.iter().take(MOST).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}partition {partition} begins at offset {first}, not {next}")?;
        }
        match self.0.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => write!(f, ", and {more} more"),
        }
    }
}
