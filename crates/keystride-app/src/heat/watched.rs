//! The watches of one kind: one per table, and their past in one folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use keystride_store::TableName;

use super::HeatWatch;
use super::archive::{Archive, ArchiveSender};
use super::watch::Running;

/// The watches of one kind.
#[derive(Debug)]
pub(super) struct Watched {
    archive: Mutex<Option<Archive>>,
    slots: Mutex<BTreeMap<TableName, Slot>>,
}

/// A watch as it is kept for the next one who asks.
#[derive(Debug)]
enum Slot {
    /// Reading costs nothing, so it goes on.
    Kept(HeatWatch),
    /// It goes on while somebody has it.
    Shared(Weak<Running>),
}

impl Watched {
    /// Watches nothing yet; what is watched is kept in the folder.
    pub(super) fn kept_in(folder: Option<&Path>) -> Self {
        Self { archive: Mutex::new(folder.map(Archive::begin)), slots: Mutex::default() }
    }

    /// Returns the watch of a table, if it goes on.
    pub(super) fn living(&self, table: &TableName) -> Option<HeatWatch> {
        lock(&self.slots).get(table).and_then(Slot::living)
    }

    /// Returns the watch of a table, which `begin` begins if there is none. It goes on while somebody has it, and also
    /// without that if it is to be kept.
    pub(super) fn watch(
        &self,
        table: &TableName,
        is_kept: bool,
        begin: impl FnOnce(Option<ArchiveSender>) -> HeatWatch,
    ) -> HeatWatch {
        let mut slots = lock(&self.slots);
        if let Some(watch) = slots.get(table).and_then(Slot::living) {
            return watch;
        }
        slots.retain(|_, slot| slot.living().is_some());
        let watch = begin(lock(&self.archive).as_ref().map(Archive::sender));
        let slot =
            if is_kept { Slot::Kept(watch.clone()) } else { Slot::Shared(Arc::downgrade(watch.running())) };
        slots.insert(table.clone(), slot);
        watch
    }

    /// Ends the watch of a table that is dropped, and forgets its past: a new one of this name has another.
    pub(super) fn forget(&self, table: &TableName) {
        if let Some(watch) = lock(&self.slots).remove(table).and_then(|slot| slot.watch()) {
            watch.stop();
        }
        if let Some(archive) = &*lock(&self.archive) {
            archive.sender().forget(table);
        }
    }

    /// Ends all watches, and waits until their past is written.
    pub(super) async fn close(&self) {
        let slots = std::mem::take(&mut *lock(&self.slots));
        let archive = lock(&self.archive).take();
        let sender = archive.as_ref().map(Archive::sender);
        for watch in slots.values().filter_map(Slot::watch) {
            match &sender {
                Some(sender) => watch.finish(sender),
                None => watch.stop(),
            }
        }
        drop((slots, sender));
        if let Some(archive) = archive {
            // It fails only if the runtime ends meanwhile.
            let _ = tokio::task::spawn_blocking(|| archive.close()).await;
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slot {
    fn watch(&self) -> Option<HeatWatch> {
        match self {
            Self::Kept(watch) => Some(watch.clone()),
            Self::Shared(running) => running.upgrade().map(HeatWatch::of),
        }
    }

    fn living(&self) -> Option<HeatWatch> {
        self.watch().filter(|watch| !watch.has_ended())
    }
}
