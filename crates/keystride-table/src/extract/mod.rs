//! Extracts: the rows selected by a predicate, as a folder of Parquet, CSV or JSON files in Hive's layout.
//!
//! [`Table::extract`] divides the ranges of a plan into parts, reads several parts at a time in no particular order,
//! and writes each to one file per partition, such as `dt=2013-03-08/part-00000.parquet`. Until all files are
//! complete they have hidden names; then they get their final names, and `_SUCCESS` is created last. A hidden
//! manifest next to the partitions records the completed parts, so that an interrupted extract can be resumed.

mod day;
mod day_format;
mod dictionaries;
mod durable;
mod error;
mod execution;
mod job;
mod leftovers;
mod manifest;
mod parquet_file;
mod part;
mod part_file;
mod publish;
mod share;
mod text_file;
mod text_form;
mod units;

pub use day::Day;
pub use day_format::{DayFormat, DayFormatError};
pub use error::ExtractError;
pub use text_form::MOST_EXACT_IN_JSON;

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;

use keystride::plan::Comparison;
use keystride::{Design, Predicate};
use keystride_store::Reading;
use tokio::sync::watch;

use crate::Table;
use crate::input::Format;
use job::Job;

/// What to extract, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Extract {
    /// The rows to extract; `None` for all.
    pub predicate: Option<Predicate>,
    /// The format of the files. The default is Parquet; CSV and JSON lines have the texts that a load reads.
    pub format: Format,
    /// How rows are distributed to folders.
    pub partition: Partition,
    /// The name of the partition column. The default is `dt`.
    pub partition_column: String,
    /// How the folders' names write their day. The default is `yyyy-MM-dd`.
    pub day_format: DayFormat,
    /// Indexes of the fields to extract; `None` for all that are not derived.
    pub fields: Option<Vec<usize>>,
    /// What happens to existing files.
    pub existing: Existing,
    /// Number of parts that are read at the same time. The default is the number of cores. For so many, the store of a
    /// folder is best opened as [`Self::reading`] says.
    pub workers: NonZeroUsize,
    /// Minimum number of rows that justify a part, which has a file of its own. The default is 131,072. For large
    /// extracts the parts are larger, because there are at most four per worker, or sixteen in all if that is more.
    /// That many are also made if the store does not know how many rows were written to its regions.
    pub part_rows: NonZeroU64,
}

/// How rows are distributed to folders.
#[derive(Debug, Clone, PartialEq)]
pub enum Partition {
    /// No partitions: the files are in the target folder itself.
    Whole,
    /// One folder per local day of a time field, in the field's time zone. Rows without that time go to
    /// `__HIVE_DEFAULT_PARTITION__`; a time whose year is not 1 to 9999 has no day and is an error.
    ByDay {
        /// Index of the field.
        field: usize,
    },
    /// Only the rows of one day, in a folder that is created even if the day has no rows.
    Day(Day),
}

/// What happens to existing files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// A partition that contains files is an error.
    #[default]
    Refuse,
    /// The files of extracts are removed, partition by partition, once all new files are complete. A partition that
    /// contains other files is an error.
    Overwrite,
    /// Parts that an earlier run of the same extract completed are kept; other files are an error. The earlier run
    /// saw the table as it was at that time.
    Resume,
}

/// What an extract wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// Rows, bytes and files of each partition folder, by its name under the folder extracted to (empty for
    /// [`Partition::Whole`]).
    pub partitions: Vec<(String, Counts)>,
    /// The sum over all partitions.
    pub total: Counts,
    /// Number of parts that an earlier run had completed.
    pub parts_kept: usize,
}

/// How far an extract is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExtractProgress {
    /// Number of parts whose files are complete, including those of an earlier run.
    pub parts_done: usize,
    /// Number of all parts; 0 before it is known.
    pub part_count: usize,
    /// What is in the complete files.
    pub counts: Counts,
}

/// How much was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows.
    pub rows: u64,
    /// Total size of the files in bytes.
    pub bytes: u64,
    /// Files.
    pub files: u64,
}

impl Extract {
    /// Extracts all rows of one day, in its folder.
    pub fn of_day(day: Day) -> Self {
        Self { partition: Partition::Day(day), ..Self::default() }
    }

    /// Returns the predicate combined with that of the day.
    pub(crate) fn whole_predicate(&self) -> Option<Predicate> {
        let day = match &self.partition {
            Partition::Day(day) => {
                vec![day.bound(Comparison::GreaterOrEqual, day.start), day.bound(Comparison::Less, day.end)]
            }
            Partition::Whole | Partition::ByDay { .. } => Vec::new(),
        };
        let all: Vec<Predicate> = day.into_iter().chain(self.predicate.clone()).collect();
        (!all.is_empty()).then_some(Predicate::And(all))
    }

    /// Returns how the store of a folder is best opened for an extract with so many workers: if there are as many as
    /// processors, none is left to read ahead.
    pub fn reading(workers: NonZeroUsize) -> Reading {
        match available_parallelism() {
            Ok(processors) if workers >= processors => Reading::InPlace,
            _ => Reading::Ahead,
        }
    }

    pub(crate) fn field_indexes(&self, design: &Design) -> Vec<usize> {
        self.fields.clone().unwrap_or_else(|| design.source_fields().map(|(index, _)| index).collect())
    }
}

impl Default for Extract {
    fn default() -> Self {
        Self {
            predicate: None,
            format: Format::Parquet,
            partition: Partition::Whole,
            partition_column: "dt".to_owned(),
            day_format: DayFormat::default(),
            fields: None,
            existing: Existing::default(),
            workers: available_parallelism().unwrap_or(NonZeroUsize::MIN),
            part_rows: NonZeroU64::new(1 << 17).expect("131,072 are not 0"),
        }
    }
}

impl Counts {
    pub(crate) fn add(&mut self, other: Self) {
        self.rows += other.rows;
        self.bytes += other.bytes;
        self.files += other.files;
    }
}

impl Table {
    /// Writes what `extract` selects to `folder`, which is created if necessary.
    ///
    /// If it is dropped or interrupted before all files are complete, it leaves only hidden files. If it is
    /// interrupted while they are getting their final names, some partitions are published and others are not. In
    /// both cases [`Existing::Resume`] continues.
    ///
    /// # Errors
    ///
    /// [`ExtractError`]. Until all files are complete, an error leaves no new files under final names.
    pub async fn extract(&self, extract: &Extract, folder: &Path) -> Result<Extracted, ExtractError> {
        self.extract_watched(extract, folder, watch::Sender::default()).await
    }

    /// Like [`Self::extract`], and reports its progress.
    ///
    /// # Errors
    ///
    /// As for [`Self::extract`].
    pub async fn extract_watched(
        &self,
        extract: &Extract,
        folder: &Path,
        progress: watch::Sender<ExtractProgress>,
    ) -> Result<Extracted, ExtractError> {
        let mut job = Job::new(self, extract, folder).await?;
        job.progress = progress;
        Arc::new(job).run().await
    }
}
