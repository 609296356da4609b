//! Waiting for the engine's workers, and not for ever.
//!
//! fjall holds a writer back while too much of what was written waits for its workers. A worker that fails, at a full
//! disk say, ends and poisons the database; a writer that is held back then would wait without end. So writers wait
//! here, before the engine would make them, and look whether it is still sound.

use std::time::Duration;

use fjall::{Keyspace, PersistMode};

use super::engine::{Engine, engine_error};
use crate::StoreError;

/// The engine holds writers back from 4 on.
const MOST_SEALED_MEMTABLES: usize = 2;

/// The engine holds writers back from 30 sorted runs on; a run may have several tables.
const MOST_YOUNG_TABLES: usize = 24;

const STEP: Duration = Duration::from_millis(5);

impl Engine {
    /// Returns when none of the keyspaces would hold a writer back.
    pub(super) fn wait_for_room(&self, keyspaces: &[Keyspace]) -> Result<(), StoreError> {
        let is_full = |keyspace: &Keyspace| {
            keyspace.sealed_memtable_count() > MOST_SEALED_MEMTABLES
                || keyspace.l0_table_count() > MOST_YOUNG_TABLES
        };
        self.wait_while(|| keyspaces.iter().any(is_full))
    }

    /// Moves what a keyspace has in memory to its files.
    pub(super) fn flush(&self, keyspace: &Keyspace) -> Result<(), StoreError> {
        self.check_soundness()?;
        keyspace.rotate_memtable().map_err(engine_error("move memory to files"))?;
        self.wait_while(|| keyspace.sealed_memtable_count() > 0)
    }

    fn wait_while(&self, is_busy: impl Fn() -> bool) -> Result<(), StoreError> {
        while is_busy() {
            self.check_soundness()?;
            std::thread::sleep(STEP);
        }
        Ok(())
    }

    /// Bringing the journal to the system costs little, and is refused by an engine that gave up.
    fn check_soundness(&self) -> Result<(), StoreError> {
        self.db().persist(PersistMode::Buffer).map_err(engine_error("write to disk"))
    }
}
