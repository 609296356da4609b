//! Planning of a load before the first record is read.

use futures_util::TryStreamExt;
use keystride::{Design, KeyRange, SplitPoints};
use keystride_heat::WindowCounter;
use keystride_store::{Bulk, Detail, Region, Scan, Selection, StoreError};
use tokio::runtime::Handle;

use super::counts::Counts;
use super::error::LoadError;
use super::id::design_digest;
use super::intake::{Intake, StretchLimits};
use super::note::{LoadNote, LoadState};
use super::note_place::{self, NotePlace};
use super::options::{Check, LoadOptions, Start, Way};
use super::progress::Earlier;
use super::record::RecordReader;
use super::same_key::SameKeys;
use super::same_key_rule::SameKeyRule;
use super::seen::Seen;
use super::stored::{StoredReads, StoredRows};
use crate::Table;
use crate::cells::ROW_MARK;
use crate::source::{Checkpoint, RecordSource};

/// The plan of a load.
#[derive(Debug)]
pub(super) struct LoadPlan {
    pub(super) table: Table,
    pub(super) options: LoadOptions,
    pub(super) stamp_ms: i64,
    /// What to report about an earlier run.
    pub(super) earlier: Option<Earlier>,
    /// The note of the run to resume.
    pub(super) resumed: Option<LoadNote>,
    pub(super) regions: Vec<Region>,
    pub(super) same_key: SameKeyRule,
    /// Whether rows are compared with those stored before; `false` if the table is empty.
    pub(super) compares_stored: bool,
}

/// Maximum size of a batch, whose offsets have 32 bits.
const MOST_BATCH_BYTES: u64 = 1 << 30;

/// Minimum input size for a sorted load. Smaller inputs are loaded quickly either way, and batches are durable
/// immediately.
const LEAST_SORTED_BYTES: u64 = 16 << 20;

impl LoadPlan {
    pub(super) async fn new(table: Table, options: LoadOptions) -> Result<Self, LoadError> {
        let note = stored_note(&table, &options).await?;
        let stamp_ms = note.as_ref().map_or_else(|| options.clock.now_ms(), |note| note.stamp_ms);
        let earlier = earlier(&options, note.as_ref(), table.design());
        let resumed = note.filter(|_| options.start == Start::Resume);
        let regions = table.store().regions(table.name()).await?;
        let same_key = SameKeyRule::of(table.design(), table.store().writers());
        let compares_stored = options.check == Check::Stored && !is_empty(&table).await?;
        Ok(Self { table, options, stamp_ms, earlier, resumed, regions, same_key, compares_stored })
    }

    /// Whether rows are to be sorted, if the table is empty and the store supports it.
    pub(super) fn wants_sorting(&self, source: &dyn RecordSource) -> bool {
        let is_large = || source.progress().byte_count.is_some_and(|bytes| bytes >= LEAST_SORTED_BYTES);
        let is_wanted = match self.options.way {
            Way::Batches => false,
            Way::Sorted => true,
            Way::Faster => is_large(),
        };
        is_wanted && self.resumed.is_none() && !source.is_endless()
    }

    /// Starts a bulk load; `None` if the table is not empty, or the store does not support it.
    pub(super) async fn bulk(&self) -> Result<Option<Box<dyn Bulk>>, LoadError> {
        match self.table.store().bulk(self.table.name()).await {
            Err(StoreError::NotEmpty { .. }) => Ok(None),
            bulk => Ok(bulk?),
        }
    }

    /// Creates the intake, with `memory_bytes` for comparing rows.
    pub(super) fn intake(
        &self,
        source: Box<dyn RecordSource>,
        memory_bytes: usize,
    ) -> Result<Intake, LoadError> {
        let stored = self.compares_stored.then(|| self.stored_rows());
        let points = split_points(&self.regions)?;
        let records = RecordReader::new(source, self.table.codec(), self.stamp_ms, &self.options);
        let intake = intake(records, self.same_key, points, &self.options, memory_bytes);
        Ok(intake.with_stored(stored))
    }

    pub(super) fn keeps_notes(&self) -> bool {
        self.options.start != Start::Unrecorded
    }

    pub(super) fn note(
        &self,
        state: LoadState,
        counts: Counts,
        input_digest: u64,
        checkpoint: Option<Checkpoint>,
    ) -> LoadNote {
        let design = design_digest(self.table.design());
        let check = self.options.check.word().to_owned();
        LoadNote { stamp_ms: self.stamp_ms, design, check, state, counts, input_digest, checkpoint }
    }

    /// Stores the load's timestamp, and where its source begins, before any row is written, so that later runs use the same.
    /// Returns where notes are kept; `None` if they are not.
    pub(super) async fn keep_stamp(&self, begin: Option<Checkpoint>) -> Result<Option<NotePlace>, LoadError> {
        if !self.keeps_notes() {
            return Ok(None);
        }
        let note = match &self.resumed {
            Some(note) => note.clone(),
            None => self.note(LoadState::UnderWay, Counts::default(), 0, begin),
        };
        NotePlace::begin(&self.table, &self.options, note.to_note(&self.options.id)).await.map(Some)
    }

    /// Creates the reader of rows stored before the load.
    fn stored_rows(&self) -> StoredRows {
        StoredRows {
            store: self.table.store().clone(),
            table: self.table.name().clone(),
            runtime: Handle::current(),
            load_ms: self.stamp_ms,
            mark_family: self.table.design().table().families[ROW_MARK.0].name.clone().into_bytes(),
            reads: StoredReads::default(),
        }
    }
}

impl LoadOptions {
    /// Returns the rule applied to rows with the same key, if they are detected.
    pub(super) fn same_key(&self, rule: SameKeyRule) -> Option<SameKeyRule> {
        (self.check != Check::None).then_some(rule)
    }

    /// Creates the counter of rows per region and window.
    pub(super) fn heat(&self, region_count: usize) -> WindowCounter {
        WindowCounter::new(region_count, self.windowing_of(region_count))
    }

    pub(super) fn stretch_bytes(&self) -> u64 {
        (self.batch_bytes.get() as u64).min(MOST_BATCH_BYTES)
    }
}

fn earlier(options: &LoadOptions, note: Option<&LoadNote>, design: &Design) -> Option<Earlier> {
    let cell_time = || design.columns().cell_time.map(|field| design.fields()[field].name.clone());
    match (options.start, note) {
        (Start::Anew, None) | (Start::Unrecorded, _) => None,
        (Start::Anew, Some(note)) => {
            Some(Earlier::Repeated { stamp_ms: note.stamp_ms, cell_time: cell_time() })
        }
        (Start::Resume, None) => Some(Earlier::Nothing),
        (Start::Resume, Some(note)) => Some(match note.state {
            LoadState::UnderWay => Earlier::Broken(note.counts.clone()),
            LoadState::Complete => Earlier::Complete(note.counts.clone()),
        }),
    }
}

/// Creates an intake that compares records with those before them.
pub(super) fn intake(
    records: RecordReader,
    same_key: SameKeyRule,
    points: SplitPoints,
    options: &LoadOptions,
    memory_bytes: usize,
) -> Intake {
    let seen = || {
        let folder = options.spill_folder.clone();
        if records.is_endless() { Seen::latest(memory_bytes) } else { Seen::all(memory_bytes, folder) }
    };
    let seen = (options.check != Check::None).then(seen);
    let same_keys = SameKeys::new(same_key.rule, seen);
    let limits = StretchLimits { bytes: options.stretch_bytes(), time: options.acknowledge_within };
    Intake::new(records, same_keys, points, options.on_error, limits)
}

/// Whether an earlier run of a load has left a position in its source, at which it can go on.
///
/// # Errors
///
/// [`LoadError`] when the store can't tell, or what it has is no note of a load.
pub async fn has_checkpoint(table: &Table, options: &LoadOptions) -> Result<bool, LoadError> {
    let note = stored_note(table, options).await;
    match note {
        // A load of files has this id.
        Err(LoadError::OtherDesign { .. }) => Ok(false),
        note => Ok(note?.is_some_and(|note| note.checkpoint.is_some())),
    }
}

async fn stored_note(table: &Table, options: &LoadOptions) -> Result<Option<LoadNote>, LoadError> {
    if options.start == Start::Unrecorded {
        return Ok(None);
    }
    let id = &options.id;
    let Some(bytes) = note_place::stored(table, options).await? else { return Ok(None) };
    let note = LoadNote::from_bytes(&bytes);
    let note = note.ok_or_else(|| LoadError::Note { id: id.clone(), table: table.name().clone() })?;
    // What is read again of a log is what was not stored, so a design that may follow may be used.
    if note.checkpoint.is_none() && note.design != design_digest(table.design()) {
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
