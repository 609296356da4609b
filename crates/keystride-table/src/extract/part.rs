//! Writes one part of an extract: hidden files in the partitions of its rows.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use arrow_array::{RecordBatch, UInt32Array};
use arrow_select::take::take_record_batch;

use super::ExtractError;
use super::job::Job;
use super::manifest::PartFile;
use super::part_file::OpenFile;
use super::publish::check_place;
use crate::arrow::ColumnRows;

/// Limits of what a part holds at a time; they may be exceeded by one batch of rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Number of rows of few partitions that are passed to the Parquet writer at a time.
    batch_rows: usize,
    /// Size in memory at which a row group ends.
    group_bytes: usize,
    /// Maximum size of the rows waiting to be written.
    waiting_bytes: usize,
    /// Maximum number of open row groups, each of which holds one encoder per column. If there are more partitions, row
    /// groups are ended early.
    groups: usize,
    /// Maximum number of open files. If more partitions have many rows, some of them get several files.
    files: usize,
    /// Maximum number of ended column chunks in open files, which are described in memory until the file is closed.
    chunks: usize,
}

/// Memory for the rows that wait in all parts that are written at the same time.
const WAITING_BYTES: usize = 256 << 20;

/// Memory for the empty encoders of the columns of a part's row groups.
const ENCODERS_BYTES: usize = 64 << 20;
const ENCODER_BYTES: usize = 64 << 10;

impl Limits {
    /// Returns the limits of each of `workers` parts whose files have `columns` columns.
    fn of(columns: usize, workers: usize) -> Self {
        let encoders = ENCODERS_BYTES / ENCODER_BYTES;
        Self {
            batch_rows: 32_768,
            group_bytes: 64 << 20,
            waiting_bytes: (WAITING_BYTES / workers.max(1)).clamp(16 << 20, 64 << 20),
            groups: (encoders / columns.max(1)).clamp(1, 4),
            files: 128,
            chunks: 16_384,
        }
    }
}

/// Writer of the files of one part.
pub(super) struct PartWriter<'a> {
    job: &'a Job,
    unit: usize,
    limits: Limits,
    /// Whether files of other extracts may exist, which are removed once the new ones are complete.
    replaces: bool,
    partitions: Vec<PartitionWriter>,
    /// Each partition's number, by its name.
    numbers: BTreeMap<String, PartitionNumber>,
    done: Vec<PartFile>,
    /// The rows waiting to be written, of all partitions.
    rows: ColumnRows,
    /// The partition of each of these.
    partition_of: Vec<PartitionNumber>,
    /// Counts writes, to determine which partition was used last.
    clock: u64,
}

/// Identifies a partition within one [`PartWriter`].
pub(super) type PartitionNumber = usize;

/// The part's share of one partition.
struct PartitionWriter {
    name: String,
    file: Option<OpenFile>,
    /// Number of files started.
    begun: usize,
    used: u64,
}

impl<'a> PartWriter<'a> {
    /// Creates a writer without files. `spare` is what [`Self::finish`] of an earlier part returned.
    pub(super) fn new(job: &'a Job, unit: usize, replaces: bool, spare: Option<ColumnRows>) -> Self {
        Self {
            job,
            unit,
            limits: Limits::of(job.schema().fields().len(), job.extract.workers.get()),
            replaces,
            partitions: Vec::new(),
            numbers: BTreeMap::new(),
            done: Vec::new(),
            rows: spare.unwrap_or_else(|| job.column_rows()),
            partition_of: Vec::new(),
            clock: 0,
        }
    }

    /// Returns the number of a partition. To be called when the partition changes, so that names are not looked up
    /// for each row.
    pub(super) fn number_of(&mut self, partition: &str) -> PartitionNumber {
        if let Some(&number) = self.numbers.get(partition) {
            return number;
        }
        let number = self.partitions.len();
        let name = partition.to_owned();
        self.numbers.insert(name.clone(), number);
        self.partitions.push(PartitionWriter { name, file: None, begun: 0, used: 0 });
        number
    }

    /// Adds a row to a partition by means of `add`.
    pub(super) fn push(
        &mut self,
        partition: PartitionNumber,
        add: impl FnOnce(&mut ColumnRows) -> Result<(), ExtractError>,
    ) -> Result<(), ExtractError> {
        add(&mut self.rows)?;
        self.partition_of.push(partition);
        Ok(())
    }

    /// Whether all texts of waiting rows are UTF-8.
    pub(super) fn are_utf8(&mut self) -> bool {
        self.rows.are_utf8()
    }

    /// Ends a batch of rows, whose texts must be UTF-8. Rows are written once there are enough. Those of many partitions
    /// wait for longer, so that row groups do not become too small.
    pub(super) fn end_rows(&mut self) -> Result<(), ExtractError> {
        let is_long =
            self.rows.len() >= self.limits.batch_rows && self.partitions.len() <= self.limits.groups;
        if is_long || self.rows.byte_count() > self.limits.waiting_bytes { self.write_rows() } else { Ok(()) }
    }

    /// Completes all files and syncs them to disk. Returns them, and memory for the rows of the next part.
    pub(super) fn finish(mut self) -> Result<(Vec<PartFile>, Option<ColumnRows>), ExtractError> {
        self.write_rows()?;
        for partition in std::mem::take(&mut self.numbers).into_values() {
            self.close(partition)?;
        }
        Ok((self.done, Some(self.rows)))
    }

    /// Writes all waiting rows, one partition after the other.
    fn write_rows(&mut self) -> Result<(), ExtractError> {
        let partition_of = std::mem::take(&mut self.partition_of);
        let rows = self.rows.take();
        if let Some(&first) = partition_of.first()
            && partition_of.iter().all(|&partition| partition == first)
        {
            return self.write(first, &rows);
        }
        let mut places: BTreeMap<PartitionNumber, Vec<u32>> = BTreeMap::new();
        for (place, partition) in (0..).zip(partition_of) {
            places.entry(partition).or_default().push(place);
        }
        for (partition, places) in places {
            let rows = take_record_batch(&rows, &UInt32Array::from(places))
                .expect("the places are those of rows of the batch");
            self.write(partition, &rows)?;
        }
        Ok(())
    }

    /// Writes rows to the file of their partition.
    fn write(&mut self, partition: PartitionNumber, rows: &RecordBatch) -> Result<(), ExtractError> {
        self.clock += 1;
        self.partitions[partition].used = self.clock;
        if self.partitions[partition].file.is_none() {
            self.make_room()?;
            self.open(partition, rows)?;
        }
        if let Some(file) = &mut self.partitions[partition].file {
            file.write(self.job, rows, self.limits.group_bytes)?;
        }
        self.end_old_groups()?;
        self.close_long_files()
    }

    /// Opens a file whose first rows will be `first`.
    fn open(&mut self, partition: PartitionNumber, first: &RecordBatch) -> Result<(), ExtractError> {
        let writer = &mut self.partitions[partition];
        let name = match writer.begun {
            0 => format!("part-{:05}", self.unit),
            more => format!("part-{:05}-{more}", self.unit),
        };
        check_place(self.job, &writer.name, self.replaces)?;
        writer.begun += 1;
        writer.file = Some(OpenFile::create(self.job, &writer.name, &name, first)?);
        Ok(())
    }

    fn close(&mut self, partition: PartitionNumber) -> Result<(), ExtractError> {
        let PartitionWriter { name, file, .. } = &mut self.partitions[partition];
        self.done.extend(file.take().map(|file| file.finish(name)).transpose()?);
        Ok(())
    }

    /// Closes the least recently used file if no more may be open.
    fn make_room(&mut self) -> Result<(), ExtractError> {
        let partitions = self.partitions.iter().enumerate();
        let open: Vec<_> = partitions.filter(|(_, writer)| writer.file.is_some()).collect();
        if open.len() < self.limits.files {
            return Ok(());
        }
        let oldest = open.iter().min_by_key(|(_, writer)| writer.used).map(|(number, _)| *number);
        oldest.map_or(Ok(()), |oldest| self.close(oldest))
    }

    /// Closes the files with the most column chunks while open files have too many.
    fn close_long_files(&mut self) -> Result<(), ExtractError> {
        let chunks = |writer: &PartitionWriter| writer.file.as_ref().map_or(0, OpenFile::chunk_count);
        while self.partitions.iter().map(chunks).sum::<usize>() > self.limits.chunks {
            let partitions = self.partitions.iter().enumerate();
            let Some((longest, _)) = partitions.max_by_key(|(_, writer)| chunks(writer)) else { break };
            self.close(longest)?;
        }
        Ok(())
    }

    /// Ends the row groups of all but the most recently used partitions.
    fn end_old_groups(&mut self) -> Result<(), ExtractError> {
        let mut groups: Vec<(u64, &mut OpenFile)> = Vec::new();
        for writer in &mut self.partitions {
            let begun = writer.file.as_mut().filter(|file| file.group_rows() > 0);
            groups.extend(begun.map(|file| (writer.used, file)));
        }
        groups.sort_by_key(|(used, _)| Reverse(*used));
        let mut bytes = 0;
        for (number, (_, file)) in groups.into_iter().enumerate() {
            bytes += file.group_bytes();
            if number >= self.limits.groups || (number > 0 && bytes > self.limits.group_bytes) {
                file.end_group()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::Path;
    use std::sync::Arc;

    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    use keystride::{Design, Row, SplitPoints, Value};
    use keystride_store::MemoryStore;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use proptest::prelude::*;

    use super::*;
    use crate::Table;
    use crate::extract::Extract;

    async fn job(folder: &Path) -> Job {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                    [key]\nparts = [{ field = \"id\" }]";
        let store = Arc::new(MemoryStore::default());
        let table =
            Table::create(store, Design::from_toml(toml).unwrap(), &SplitPoints::default()).await.unwrap();
        Job::new(&table, &Extract::default(), folder).await.unwrap()
    }

    /// Returns the numbers in a file, in order.
    fn numbers(path: &Path) -> Vec<i64> {
        let reader =
            ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().build().unwrap();
        reader
            .flat_map(|batch| batch.unwrap().column(0).as_primitive::<Int64Type>().values().to_vec())
            .collect()
    }

    /// Returns the partitions with a row group that has not ended.
    fn with_groups<'w>(writer: &'w PartWriter<'_>) -> Vec<&'w str> {
        let has_group = |file: &OpenFile| file.group_rows() > 0;
        let open = writer.partitions.iter().filter(|writer| writer.file.as_ref().is_some_and(has_group));
        open.map(|writer| writer.name.as_str()).collect()
    }

    #[tokio::test]
    async fn what_was_used_longest_ago_is_ended_first() {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path()).await;
        let mut row = Row::new(1);
        row.set(0, Value::Int(1));
        for (group_bytes, expected) in [(1_000, vec!["p=b", "p=d"]), (1, vec![])] {
            let limits = Limits { batch_rows: 1, group_bytes, groups: 2, files: 3, ..Limits::of(1, 1) };
            let mut writer = PartWriter { limits, ..PartWriter::new(&job, 0, false, None) };
            for name in ["p=a", "p=b", "p=c", "p=a", "p=b", "p=d", "p=b"] {
                let partition = writer.number_of(name);
                let add = |rows: &mut ColumnRows| {
                    rows.push(job.design(), &row);
                    Ok(rows.end_row(b"")?)
                };
                writer.push(partition, add).unwrap();
                writer.end_rows().unwrap();
                writer.write_rows().unwrap();
            }
            let open: Vec<bool> = writer.partitions.iter().map(|writer| writer.file.is_some()).collect();
            assert_eq!((open, with_groups(&writer)), (vec![true, true, false, true], expected));
        }
    }

    /// Writes rows to the given partitions in batches of `run` rows, and checks the files.
    async fn check(limits: Limits, partitions: &[usize], run: usize) {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path()).await;
        let mut writer = PartWriter { limits, ..PartWriter::new(&job, 3, false, None) };
        let mut row = Row::new(1);
        for (number, partition) in partitions.iter().enumerate() {
            row.set(0, Value::Int(number.try_into().unwrap()));
            let add = |rows: &mut ColumnRows| {
                rows.push(job.design(), &row);
                Ok(rows.end_row(b"")?)
            };
            let partition = writer.number_of(&format!("p={partition}"));
            writer.push(partition, add).unwrap();
            if number % run == 0 {
                writer.end_rows().unwrap();
                assert!(writer.rows.byte_count() <= limits.waiting_bytes);
            }
            assert_eq!(writer.rows.len(), writer.partition_of.len());
            let groups = with_groups(&writer).len();
            assert!(groups <= limits.groups, "{groups} row groups are open");
            let open = writer.partitions.iter().filter(|writer| writer.file.is_some()).count();
            assert!(open <= limits.files, "{open} files are open");
            let files = writer.partitions.iter().filter_map(|writer| writer.file.as_ref());
            let chunks = files.map(OpenFile::chunk_count).sum::<usize>();
            assert!(chunks <= limits.chunks, "{chunks} column chunks have ended");
        }
        let mut found: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        let (files, _) = writer.finish().unwrap();
        for file in &files {
            let numbers = numbers(&job.partition_folder(&file.partition).join(job.hidden_name(&file.name)));
            assert_eq!(numbers.len() as u64, file.counts.rows);
            found.entry(file.partition.clone()).or_default().extend(numbers);
        }
        let mut expected: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for (number, partition) in partitions.iter().enumerate() {
            expected.entry(format!("p={partition}")).or_default().push(number.try_into().unwrap());
        }
        for numbers in found.values_mut() {
            numbers.sort_unstable();
        }
        assert_eq!(found, expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

        #[test]
        fn every_row_is_in_its_partition_whatever_the_limits(
            partitions in prop::collection::vec((0..6usize, 1..6usize), 0..40),
            (batch_rows, group_bytes, waiting_bytes) in (1..20usize, 1..2_000usize, 8..300usize),
            (groups, files, chunks) in (1..4usize, 1..4usize, 0..9usize),
            run in 1..9usize,
        ) {
            let limits = Limits { batch_rows, group_bytes, waiting_bytes, groups, files, chunks };
            let rows = partitions.iter().map(|&(partition, rows)| vec![partition; rows]);
            let partitions: Vec<usize> = rows.flatten().collect();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(check(limits, &partitions, run));
        }
    }
}
