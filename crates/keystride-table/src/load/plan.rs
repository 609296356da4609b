//! What is known before the first record is read.

use futures_util::TryStreamExt;
use keystride::{KeyRange, SplitPoints};
use keystride_heat::WindowCounter;
use keystride_store::{Bulk, Detail, Region, Scan, Selection, StoreError, Write};
use tokio::runtime::Handle;

use super::counts::Counts;
use super::error::LoadError;
use super::id::design_digest;
use super::intake::Intake;
use super::note::{LoadNote, LoadState};
use super::options::{Check, LoadOptions, Start, Way};
use super::progress::Earlier;
use super::record::Records;
use super::same_key::SameKeys;
use super::same_key_rule::SameKeyRule;
use super::seen::Seen;
use super::stored::StoredRows;
use crate::Table;
use crate::input::InputReader;

/// A load before its first record.
#[derive(Debug)]
pub(super) struct LoadPlan {
    pub(super) table: Table,
    pub(super) options: LoadOptions,
    pub(super) stamp_ms: i64,
    /// What is to be told of an earlier run.
    pub(super) earlier: Option<Earlier>,
    /// The note of the run that is resumed.
    pub(super) resumed: Option<LoadNote>,
    pub(super) regions: Vec<Region>,
    pub(super) same_key: SameKeyRule,
    /// Whether rows are compared with those stored before; not in an empty table.
    pub(super) compares_stored: bool,
}

/// A batch has an end, as its offsets have 32 bits.
const MOST_BATCH_BYTES: u64 = 1 << 30;

/// Smaller inputs are loaded in a moment either way, and then rather so that each batch is safe at once.
const LEAST_SORTED_BYTES: u64 = 16 << 20;

/// Bytes of a record, for a guess at how many there are.
const BYTES_A_RECORD: u64 = 64;

impl LoadPlan {
    pub(super) async fn new(table: Table, options: LoadOptions) -> Result<Self, LoadError> {
        let note = stored_note(&table, &options).await?;
        let stamp_ms = note.as_ref().map_or_else(|| options.clock.now_ms(), |note| note.stamp_ms);
        let earlier = earlier(&options, note.as_ref());
        let resumed = note.filter(|_| options.start == Start::Resume);
        let regions = table.store().regions(table.name()).await?;
        let same_key = SameKeyRule::of(table.design(), table.store().writers());
        let compares_stored = options.check == Check::Stored && !is_empty(&table).await?;
        Ok(Self { table, options, stamp_ms, earlier, resumed, regions, same_key, compares_stored })
    }

    /// A bulk load to fill, where rows are to be sorted.
    pub(super) async fn bulk(&self, reader: &InputReader) -> Result<Option<Box<dyn Bulk>>, LoadError> {
        let is_large = reader.progress().byte_count.is_some_and(|bytes| bytes >= LEAST_SORTED_BYTES);
        let is_wanted = match self.options.way {
            Way::Batches => false,
            Way::Sorted => true,
            Way::Faster => is_large,
        };
        if !is_wanted || self.resumed.is_some() {
            return Ok(None);
        }
        match self.table.store().bulk(self.table.name()).await {
            Err(StoreError::NotEmpty { .. }) => Ok(None),
            bulk => Ok(bulk?),
        }
    }

    /// Who reads and decides, with so much memory to compare rows in.
    pub(super) async fn intake(&self, reader: InputReader, memory_bytes: usize) -> Result<Intake, LoadError> {
        let stored = self.compares_stored.then(|| self.stored_rows());
        let points = split_points(&self.regions)?;
        let records = Records::new(reader, self.table.codec(), self.stamp_ms, self.options.windowing);
        let intake = intake(records, self.same_key, points, &self.options, memory_bytes);
        Ok(intake.with_stored(stored))
    }

    pub(super) fn note(&self, state: LoadState, counts: Counts, input_digest: u64) -> LoadNote {
        let design = design_digest(self.table.design());
        let check = self.options.check.word().to_owned();
        LoadNote { stamp_ms: self.stamp_ms, design, check, state, counts, input_digest }
    }

    /// Keeps the load's timestamp before the first row has it, so that every later run stamps alike.
    pub(super) async fn keep_stamp(&self) -> Result<(), LoadError> {
        let note = self.note(LoadState::UnderWay, Counts::default(), 0).to_note(&self.options.id);
        self.table.store().write(self.table.name(), Write::of_notes(vec![note])).await?;
        Ok(())
    }

    /// What reads the rows stored before.
    fn stored_rows(&self) -> StoredRows {
        StoredRows {
            store: self.table.store().clone(),
            table: self.table.name().clone(),
            runtime: Handle::current(),
            has_cell_time: self.table.design().columns.cell_time.is_some(),
            load_ms: self.stamp_ms,
        }
    }
}

/// What writes take that are prepared ahead: rows come faster, and more of those in files stay in memory while files are
/// merged.
const AHEAD_BYTES: usize = 64 << 20;

impl LoadOptions {
    /// The memory there is, all told.
    pub(super) fn budget_bytes(&self) -> usize {
        self.memory_bytes.max(Self::LEAST_MEMORY_BYTES)
    }

    /// What is left of it to compare rows in beside the store's part and batches on their way.
    pub(super) fn comparing_bytes(&self) -> usize {
        let ahead = if self.prepares_ahead() { AHEAD_BYTES } else { 0 };
        let others = self.others_bytes().saturating_add(ahead);
        self.budget_bytes().saturating_sub(others).max(Self::LEAST_MEMORY_BYTES)
    }

    /// Whether there is memory to make a batch ready while the one before it is written, and a fourth of it to compare rows.
    pub(super) fn prepares_ahead(&self) -> bool {
        let others = self.others_bytes().saturating_add(AHEAD_BYTES);
        others.saturating_add(self.budget_bytes() / 4) <= self.budget_bytes()
    }

    /// How many batches are filled or wait to be taken; one more where there is memory for it, so that reading goes on
    /// while the store waits for its files.
    pub(super) fn waiting_count(&self) -> usize {
        let in_flight = self.in_flight.get() as usize;
        if self.prepares_ahead() { in_flight } else { (in_flight - 1).max(1) }
    }

    /// The store's part, and batches on their way: those that are filled or wait, one that is taken, one that is written,
    /// and what the store makes of these two.
    fn others_bytes(&self) -> usize {
        let batches =
            (self.in_flight.get() as usize).saturating_add(4).saturating_mul(self.batch_bytes.get());
        batches.saturating_add(self.write_buffer_bytes)
    }

    /// The rule that rows of one key were judged by, where they were looked for.
    pub(super) fn same_key(&self, rule: SameKeyRule) -> Option<SameKeyRule> {
        (self.check != Check::None).then_some(rule)
    }

    /// What counts rows per region and window.
    pub(super) fn heat(&self, region_count: usize) -> WindowCounter {
        WindowCounter::new(region_count, self.windowing_of(region_count))
    }

    pub(super) fn stretch_bytes(&self) -> u64 {
        (self.batch_bytes.get() as u64).min(MOST_BATCH_BYTES)
    }
}

fn earlier(options: &LoadOptions, note: Option<&LoadNote>) -> Option<Earlier> {
    match (options.start, note) {
        (Start::Anew, None) => None,
        (Start::Anew, Some(note)) => Some(Earlier::Repeated { stamp_ms: note.stamp_ms }),
        (Start::Resume, None) => Some(Earlier::Nothing),
        (Start::Resume, Some(note)) => Some(match note.state {
            LoadState::UnderWay => Earlier::Broken(note.counts.clone()),
            LoadState::Complete => Earlier::Complete(note.counts.clone()),
        }),
    }
}

/// Who reads records and decides by those before them.
pub(super) fn intake(
    records: Records,
    same_key: SameKeyRule,
    points: SplitPoints,
    options: &LoadOptions,
    memory_bytes: usize,
) -> Intake {
    let expected = records.byte_count().map(|bytes| bytes / BYTES_A_RECORD);
    let seen = || Seen::new(memory_bytes, expected, options.spill_folder.clone());
    let seen = (options.check != Check::None).then(seen);
    let same_keys = SameKeys::new(same_key.rule, seen);
    Intake::new(records, same_keys, points, options.on_error, options.stretch_bytes())
}

async fn stored_note(table: &Table, options: &LoadOptions) -> Result<Option<LoadNote>, LoadError> {
    let id = &options.id;
    let Some(bytes) = table.store().note(table.name(), &id.note_key()).await? else { return Ok(None) };
    let note = LoadNote::from_bytes(&bytes);
    let note = note.ok_or_else(|| LoadError::Note { id: id.clone(), table: table.name().clone() })?;
    if note.design != design_digest(table.design()) {
        return Err(LoadError::OtherDesign { id: id.clone(), table: table.name().clone() });
    }
    if options.start == Start::Resume && note.check != options.check.word() {
        let (begun, asked) = (note.check, options.check.word());
        return Err(LoadError::OtherCheck { id: id.clone(), begun, asked });
    }
    Ok(Some(note))
}

async fn is_empty(table: &Table) -> Result<bool, LoadError> {
    let selection = Selection { detail: Detail::FirstKey, ..Selection::default() };
    let one = Scan { limit: Some(1), selection, ..Scan::of(KeyRange::all()) };
    let mut rows = table.store().scan(table.name(), one).await?;
    Ok(rows.try_next().await?.is_none())
}

fn split_points(regions: &[Region]) -> Result<SplitPoints, LoadError> {
    Ok(Region::split_points(regions).map_err(StoreError::from)?)
}
