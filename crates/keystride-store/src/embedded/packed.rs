use std::sync::Arc;

use fjall::{Keyspace, OwnedWriteBatch};

use super::entry;
use super::pack::Packing;
use super::slab::{Chunk, Slab};
use crate::flat::FlatRows;
use crate::intake::family_places;
use crate::regions::{RegionMap, WriteTally};
use crate::{StoreError, TableDescription};

/// A batch converted to entries of the engine, except for the batch number, which is set when it is written.
#[derive(Debug)]
pub(super) struct Packed {
    chunks: Vec<Chunk>,
    pub(super) entry_count: usize,
    /// Bytes of all keys and values.
    pub(super) entry_bytes: u64,
    tally: WriteTally,
    /// The families that the entries belong to.
    table: Arc<TableDescription>,
    /// The regions that the tally refers to.
    regions: Arc<RegionMap>,
}

impl Packed {
    /// Converts a batch whose cells all have their final timestamps.
    pub(super) fn of(
        flat: &FlatRows,
        table: &Arc<TableDescription>,
        regions: &Arc<RegionMap>,
    ) -> Result<Self, StoreError> {
        let places = family_places(flat, table)?;
        let packing = Packing { flat, places: &places, sequence: 0, regions };
        let (mut slab, mut entry_count, mut entry_bytes) = (Slab::default(), 0, 0);
        let tally = packing.pack(|place, key, value| {
            entry_count += 1;
            entry_bytes += (key.len() + value.len()) as u64;
            slab.add(place, key, value);
            Ok(())
        })?;
        let chunks = slab.into_chunks();
        let (table, regions) = (Arc::clone(table), Arc::clone(regions));
        Ok(Self { chunks, entry_count, entry_bytes, tally, table, regions })
    }

    /// Whether it was made for exactly this table as it is: another one has other families and regions, and so has this one
    /// after it was altered or split.
    pub(super) fn is_for(&self, table: &Arc<TableDescription>, regions: &Arc<RegionMap>) -> bool {
        Arc::ptr_eq(&self.table, table) && Arc::ptr_eq(&self.regions, regions)
    }

    /// Adds the entries to a batch of the engine, with `sequence` as their batch number.
    pub(super) fn give(
        self,
        sequence: u64,
        keyspaces: &[Keyspace],
        batch: &mut OwnedWriteBatch,
    ) -> WriteTally {
        for chunk in self.chunks {
            chunk.give(
                |key| entry::set_sequence(sequence, key),
                |place, key, value| batch.insert(&keyspaces[place], key, value),
            );
        }
        self.tally
    }
}
