//! Extracts: what a predicate selects, as a folder of Parquet files in the layout of Hive.
//!
//! [`Table::extract`] reads the ranges of a plan in parts, several at a time and in no order, and writes each part to a
//! file a partition: `dt=2013-03-08/part-00000.parquet`. While it runs its files have hidden names; when all are whole
//! they get their final ones, and `_SUCCESS` comes last. A hidden manifest beside the partitions holds what is done, so
//! that an extract that was cut off goes on where it stopped.

mod columns;
mod day;
mod dictionaries;
mod error;
mod job;
mod leftovers;
mod manifest;
mod part;
mod publish;
mod run;
mod schema;
mod share;
mod texts;
mod units;

pub use day::Day;
pub use error::ExtractError;

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::sync::Arc;

use keystride::plan::Comparison;
use keystride::{Design, Predicate};

use crate::Table;
use job::Job;

/// What to extract, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Extract {
    /// The rows wanted; `None` for all.
    pub predicate: Option<Predicate>,
    /// How they are shared out to folders.
    pub partition: Partition,
    /// The name of the partitions' column, `dt` unless said otherwise.
    pub partition_column: String,
    /// Indexes of the fields wanted; `None` for all that are not derived.
    pub fields: Option<Vec<usize>>,
    /// What becomes of files that are there already.
    pub existing: Existing,
    /// How many parts are read at the same time; the machine's cores unless said otherwise.
    pub workers: NonZeroUsize,
    /// How many rows are worth a part, which has a file of its own: 131,072 unless said otherwise. Of many rows the parts
    /// are larger: there are not more than four for each worker or sixteen in all, and as many where a store does not know
    /// what was written to its regions.
    pub part_rows: NonZeroU64,
}

/// How rows are shared out to folders.
#[derive(Debug, Clone, PartialEq)]
pub enum Partition {
    /// Not at all: files stand in the folder itself.
    Whole,
    /// One folder for each local day of a time field, in its zone; rows without the time go to
    /// `__HIVE_DEFAULT_PARTITION__`.
    ByDay {
        /// Index of the field.
        field: usize,
    },
    /// Only the rows of one day, in its folder, which is there also when the day has no rows.
    Day(Day),
}

/// What becomes of files that are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// A partition that has some is an error.
    #[default]
    Refuse,
    /// They go when the new ones are whole, partition by partition.
    Overwrite,
    /// Parts that an earlier run of the same extract finished are kept; other files are an error. The earlier run saw
    /// the table as it was then.
    Resume,
}

/// What an extract wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// Rows, bytes and files of each partition folder, by its name under the folder extracted to (empty for
    /// [`Partition::Whole`]).
    pub partitions: Vec<(String, Counts)>,
    /// The sum over all.
    pub total: Counts,
    /// Parts that an earlier run had finished.
    pub parts_kept: usize,
}

/// How much was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows.
    pub rows: u64,
    /// Bytes of files.
    pub bytes: u64,
    /// Files.
    pub files: u64,
}

impl Extract {
    /// All rows of one day, in its folder.
    pub fn of_day(day: Day) -> Self {
        Self { partition: Partition::Day(day), ..Self::default() }
    }

    /// The predicate with that of the day.
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

    pub(crate) fn field_indexes(&self, design: &Design) -> Vec<usize> {
        let plain =
            || (0..design.fields.len()).filter(|&field| design.fields[field].from.is_none()).collect();
        self.fields.clone().unwrap_or_else(plain)
    }
}

impl Default for Extract {
    fn default() -> Self {
        Self {
            predicate: None,
            partition: Partition::Whole,
            partition_column: "dt".to_owned(),
            fields: None,
            existing: Existing::default(),
            workers: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
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
    /// Writes what `extract` selects to `folder`, which is made if need be.
    ///
    /// Dropped before it is done, or cut off, it leaves hidden files only, with which
    /// [`Existing::Resume`] goes on.
    ///
    /// # Errors
    ///
    /// [`ExtractError`]; nothing then stands under a final name that did not before.
    pub async fn extract(&self, extract: &Extract, folder: &Path) -> Result<Extracted, ExtractError> {
        let job = Arc::new(Job::new(self, extract, folder)?);
        job.run().await
    }
}
