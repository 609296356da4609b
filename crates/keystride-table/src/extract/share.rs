//! Distributes the rows of one part to its partitions.

use keystride_store::RowBatch;

use super::day::Days;
use super::job::Job;
use super::manifest::PartFile;
use super::part::{PartWriter, PartitionNumber};
use super::{ExtractError, Partition};
use crate::arrow::ColumnRows;
use crate::scan::Gatherer;

/// Decodes stored rows and adds them to the files of their partitions.
pub(super) struct RowSharer<'a> {
    job: &'a Job,
    gatherer: Gatherer,
    writer: PartWriter<'a>,
    /// Determines the partition of each row; `None` if all rows have the same one.
    days: Option<Days>,
    /// The name of the current row's partition.
    name: String,
    partition: Option<PartitionNumber>,
}

impl<'a> RowSharer<'a> {
    /// Creates a sharer for the part `unit`. `spare` is what [`Self::finish`] of an earlier part returned.
    pub(super) fn new(
        job: &'a Job,
        unit: usize,
        replaces: bool,
        spare: Option<ColumnRows>,
    ) -> Result<Self, ExtractError> {
        let days = match job.extract.partition {
            Partition::ByDay { field } => {
                Some(Days::new(job.design(), field, job.extract.day_format.clone())?)
            }
            Partition::Whole | Partition::Day(_) => None,
        };
        Ok(Self {
            job,
            gatherer: Gatherer::with_late(&job.prepared, &job.late),
            writer: PartWriter::new(job, unit, replaces, spare),
            days,
            name: job.partition.clone().unwrap_or_default(),
            partition: None,
        })
    }

    /// Adds the rows of a batch that are wanted.
    pub(super) fn add(&mut self, batch: &RowBatch) -> Result<(), ExtractError> {
        let added = self.add_rows(batch);
        if added.is_err() {
            // An earlier row may have an invalid text that has not been checked yet; its error takes precedence.
            self.look_at_texts(batch)?;
        }
        added
    }

    fn add_rows(&mut self, batch: &RowBatch) -> Result<(), ExtractError> {
        for stored in batch.rows() {
            let Some(row) = self.gatherer.read(stored)? else { continue };
            let day = self.days.as_mut().map(|days| days.name_of(self.job.design(), row));
            if let Some(day) = day.transpose().map_err(|number| self.job.no_day(stored.key(), number))?
                && self.name.rsplit('=').next() != Some(day)
            {
                self.name = format!("{}={day}", self.job.extract.partition_column);
                self.partition = None;
            }
            let partition = *self.partition.get_or_insert_with(|| self.writer.number_of(&self.name));
            self.writer.push(partition, |rows| {
                rows.push(self.job.design(), self.gatherer.row());
                self.gatherer.read_late(stored, rows)?;
                Ok(rows.end_row(stored.key())?)
            })?;
        }
        self.look_at_texts(batch)?;
        self.writer.end_rows()
    }

    /// Checks that the texts of `batch` are UTF-8. If one is not, each value of the batch is validated individually
    /// to report the first invalid one.
    fn look_at_texts(&mut self, batch: &RowBatch) -> Result<(), ExtractError> {
        if self.writer.are_utf8() {
            return Ok(());
        }
        Ok(self.gatherer.check_each(batch.rows())?)
    }

    /// Completes all files and syncs them to disk. Returns them, and memory for the rows of the next part.
    pub(super) fn finish(self) -> Result<(Vec<PartFile>, Option<ColumnRows>), ExtractError> {
        self.writer.finish()
    }
}
