//! Loads of topics.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use keystride::Design;
use keystride::design::Part;
use keystride_advisor::lint::{Finding, LintId, Severity, Subject, lint};
use keystride_store::StoreAddress;
use keystride_table::Table;
use keystride_table::input::{InputError, InputOptions, MessageFormat, MessageReader};
use keystride_table::load::{LoadError, LoadId, LoadOptions, Start, has_checkpoint};
use keystride_table::source::kafka::{self, KafkaProperties, OutletOptions, TopicAddress};
use keystride_table::source::topic::{
    GivenFields, Tombstones, TopicEnd, TopicError, TopicOutlet, TopicSource, TopicStart,
};

use crate::user_folders::state_folder;

/// What is loaded of a topic of Kafka.
#[derive(Debug, Clone)]
pub struct TopicLoad {
    /// The topic.
    pub address: TopicAddress,
    /// How its brokers are reached.
    pub properties: KafkaProperties,
    /// Where it begins; `None` for where the last load of the topic ended, which must be known then.
    pub start: Option<TopicStart>,
    /// Where it ends.
    pub end: TopicEnd,
    /// The format of the bodies.
    pub format: MessageFormat,
    /// How the bodies are read.
    pub input: InputOptions,
    /// What becomes of records without a body.
    pub tombstones: Tombstones,
    /// What the brokers are told.
    pub outlet: OutletOptions,
}

/// Why a topic can't be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TopicLoadError {
    /// Nobody has said where a topic begins.
    #[error(
        "no load of {topic} into this table is known, so say where it begins: --from earliest for all that the topic still \
         has, latest for what comes from now on, or a time, as in --from 2026-04-06T08:00:00+08:00"
    )]
    NoStart {
        /// The topic.
        topic: String,
    },
    /// A load is to go on that is not known.
    #[error(
        "no load of {topic} into this table is known that could go on: give --from earliest, latest or a time"
    )]
    NothingStored {
        /// The topic.
        topic: String,
    },
    /// Buckets do not follow from rows.
    #[error(
        "the bucket of the key is {hash}: records that are read again after a crash would become other rows; take a hash of \
         fields, such as {{ bucket = {count}, of = [\"partition\", \"offset\"] }}"
    )]
    FreeBucket {
        /// How buckets are chosen.
        hash: String,
        /// The number of buckets.
        count: u32,
    },
    /// Rows of the topic have one key.
    #[error("error[{id}]: {message}; {help}; if that is as it should be, say so under [lint] allow")]
    Finding {
        /// The lint.
        id: &'static str,
        /// What it found.
        message: String,
        /// What would do.
        help: String,
    },
    /// The key of a record does not make a row's key.
    #[error(
        "tombstones can't delete rows: the row's key is also made of {field}, which a record without a body does not have"
    )]
    TombstonesWithoutKey {
        /// The field.
        field: String,
    },
    /// The topic can't be read.
    #[error(transparent)]
    Topic(#[from] TopicError),
    /// The bodies do not fit the design.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The table can't tell what was loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// How long a record waits at most for others of its batch.
const ACKNOWLEDGE_WITHIN: Duration = Duration::from_millis(200);

impl TopicLoad {
    /// Returns the id under which the topic's progress is kept.
    pub fn id(&self) -> LoadId {
        LoadId::new(format!("kafka-{}", self.address.topic()))
    }

    /// Adapts the options of a load to a topic. Where `store` does not keep its progress, a folder of the user's does.
    pub fn options(&self, store: &StoreAddress, options: LoadOptions) -> LoadOptions {
        let notes_folder = progress_folder(store);
        LoadOptions { acknowledge_within: ACKNOWLEDGE_WITHIN, notes_folder, ..options }
    }

    /// Checks that the records of a topic always become the same rows of a design, each of its own.
    ///
    /// # Errors
    ///
    /// [`TopicLoadError`] if not.
    pub fn check(&self, design: &Design) -> Result<(), TopicLoadError> {
        for part in design.parts() {
            if let Part::Bucket(bucket) = part
                && !bucket.is_computed()
            {
                let (hash, count) = (bucket.hash.name().to_owned(), bucket.count.get());
                return Err(TopicLoadError::FreeBucket { hash, count });
            }
        }
        if let Some(Finding { id, message, help, fix, .. }) = finding(design) {
            let help = help.or(fix.map(|fix| fix.title)).unwrap_or_default();
            return Err(TopicLoadError::Finding { id: id.name(), message, help });
        }
        if self.tombstones == Tombstones::Delete {
            let (given, for_key) = (GivenFields::of(design), design.fields_for_key());
            let is_of_body = |field: &usize| for_key[*field] && !given.is_of_key(*field);
            if let Some(field) = (0..for_key.len()).find(is_of_body) {
                let field = design.fields()[field].name.clone();
                return Err(TopicLoadError::TombstonesWithoutKey { field });
            }
        }
        Ok(())
    }

    /// Returns how a load of the topic into a table starts.
    ///
    /// # Errors
    ///
    /// [`TopicLoadError`] if nothing says where it begins.
    pub async fn start(
        &self,
        table: &Table,
        options: &LoadOptions,
    ) -> Result<(TopicStart, Start), TopicLoadError> {
        let topic = || self.address.topic().to_owned();
        match self.start {
            Some(TopicStart::Stored) | None if has_checkpoint(table, options).await? => {
                Ok((TopicStart::Stored, Start::Resume))
            }
            Some(TopicStart::Stored) => Err(TopicLoadError::NothingStored { topic: topic() }),
            None => Err(TopicLoadError::NoStart { topic: topic() }),
            Some(start) => Ok((start, Start::Anew)),
        }
    }

    /// Opens the topic, from `start`, for rows of a design. This blocks until a broker has answered.
    ///
    /// # Errors
    ///
    /// [`TopicLoadError`] if it can't be read, or its bodies do not fit the design.
    pub fn open(&self, design: Arc<Design>, start: TopicStart) -> Result<TopicSource, TopicLoadError> {
        let given = GivenFields::of(&design).indexes();
        let (format, name) = (self.format.clone(), self.address.topic());
        let reader = MessageReader::new(name, design, &given, format, self.input)?;
        let log = kafka::open(&self.address, &self.properties)?;
        Ok(TopicSource::new(log, reader, start, self.end.clone())?.with_tombstones(self.tombstones))
    }

    /// Opens what tells the brokers how far the load is and what it rejects; `None` if nothing does. This blocks.
    ///
    /// # Errors
    ///
    /// [`TopicLoadError`] if they can't be reached.
    pub fn open_outlet(&self) -> Result<Option<Box<dyn TopicOutlet>>, TopicLoadError> {
        if self.outlet == OutletOptions::default() {
            return Ok(None);
        }
        Ok(Some(kafka::open_outlet(&self.address, &self.properties, self.outlet.clone())?))
    }
}

/// Returns the folder for the progress of loads into a store, below the [`state_folder`].
fn progress_folder(store: &StoreAddress) -> Option<PathBuf> {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let store: String = store.to_string().chars().map(letter).collect();
    Some(state_folder()?.join("loads").join(store))
}

/// Returns what lets several records of a topic have one key, if the design does not say that they may.
fn finding(design: &Design) -> Option<Finding> {
    let codec = keystride::KeyCodec::new(design.clone());
    let is_of_topics = |finding: &Finding| {
        let is_error = finding.severity == Severity::Error && finding.silenced.is_none();
        is_error && matches!(finding.id, LintId::Unq03 | LintId::Unq04)
    };
    lint(&Subject::new(&codec)).into_iter().find(is_of_topics)
}
