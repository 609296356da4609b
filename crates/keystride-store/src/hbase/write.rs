//! Batches as actions of a Multi.

use keystride_hbase::{
    ActionWriter, Actions, CellKind, CellTooLarge, Error, Mutation, RegionInfo, Row as WireRow, Sink,
};

use super::counts::Counts;
use crate::cell::Cell;
use crate::{MutationBatch, RegionId, RegionWrite, Row, Written};

/// The rows of a batch. Each is written whole: values as a put, marks as a delete, both together as a group.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    pub(super) batch: &'a MutationBatch,
}

impl Actions for Rows<'_> {
    fn len(&self) -> usize {
        self.batch.flat.row_count()
    }

    fn row(&self, at: usize) -> &[u8] {
        self.batch.flat.row(at).key()
    }

    fn write(&self, at: usize, out: &mut ActionWriter<'_>) -> Result<(), CellTooLarge> {
        let row = self.batch.flat.row(at);
        let key = row.key();
        if row.cells().all(|cell| cell.kind == CellKind::Put) {
            return out.put(key, |cells| {
                row.cells()
                    .try_for_each(|cell| cells.value_at(cell.family, cell.qualifier, cell.ts, cell.value))
            });
        }
        match &mutations(row)[..] {
            [one] => out.mutation(one),
            several => out.row_mutations(several),
        }
    }
}

/// What is written to a row: a put of its values, a delete of its marks, or both.
pub(super) fn mutations(row: Row<'_>) -> Vec<Mutation> {
    let of = |is_put: bool| row.cells().filter(move |cell| (cell.kind == CellKind::Put) == is_put);
    let put = fill(Mutation::put(row.key()), of(true));
    let delete = fill(Mutation::delete(row.key()), of(false));
    [put, delete].into_iter().filter(|mutation| mutation.cell_count() > 0).collect()
}

fn fill<'a>(mutation: Mutation, cells: impl Iterator<Item = Cell<'a>>) -> Mutation {
    cells.fold(mutation, |mutation, cell| match cell.kind {
        CellKind::Put => mutation.value_at(cell.family, cell.qualifier, cell.ts, cell.value),
        kind => mutation.delete_marker(kind, cell.family, cell.qualifier, cell.ts),
    })
}

/// Adds up what each region got.
#[derive(Debug)]
pub(super) struct Tally<'a> {
    batch: &'a MutationBatch,
    regions: Vec<Share>,
    /// Which of them did the action before.
    last: usize,
    failed: Option<(usize, Error)>,
}

/// The rows that one region got.
#[derive(Debug)]
struct Share {
    region: RegionInfo,
    places: Vec<usize>,
}

impl<'a> Tally<'a> {
    pub(super) fn new(batch: &'a MutationBatch) -> Self {
        Self { batch, regions: Vec::new(), last: 0, failed: None }
    }

    /// What was written, or the first failure.
    pub(super) fn finish(mut self, counts: &Counts) -> Result<Written, Error> {
        self.regions.sort_by(|a, b| a.region.start.cmp(&b.region.start));
        let regions: Vec<RegionWrite> =
            self.regions.into_iter().map(|share| share.add_up(self.batch)).collect();
        for region in &regions {
            counts.wrote(region.region.as_str(), region.cells, region.bytes);
        }
        match self.failed {
            Some((_, error)) => Err(error),
            None => Ok(Written { regions }),
        }
    }

    fn share_of(&mut self, region: &RegionInfo) -> &mut Share {
        let is_it = |share: &Share| share.region.name() == region.name();
        if !self.regions.get(self.last).is_some_and(is_it) {
            self.last = self.regions.iter().position(is_it).unwrap_or_else(|| {
                self.regions.push(Share { region: region.clone(), places: Vec::new() });
                self.regions.len() - 1
            });
        }
        &mut self.regions[self.last]
    }
}

impl Share {
    fn add_up(mut self, batch: &MutationBatch) -> RegionWrite {
        let flat = &batch.flat;
        let region = RegionId::new(self.region.encoded_name());
        let mut sum = RegionWrite { region, rows: 0, cells: 0, bytes: 0 };
        for &place in &self.places {
            let row = flat.row(place);
            sum.cells += row.cell_count() as u64;
            sum.bytes += row.byte_count();
        }
        self.places.sort_unstable_by_key(|&place| flat.row(place).key());
        self.places.dedup_by_key(|place| flat.row(*place).key());
        sum.rows = self.places.len() as u64;
        sum
    }
}

impl Sink for Tally<'_> {
    fn done(&mut self, region: &RegionInfo, place: usize, _: WireRow) {
        self.share_of(region).places.push(place);
    }

    fn failed(&mut self, place: usize, error: Error) {
        // The first in the order of the batch speaks for all.
        if self.failed.as_ref().is_none_or(|(first, _)| place < *first) {
            self.failed = Some((place, error));
        }
    }
}
