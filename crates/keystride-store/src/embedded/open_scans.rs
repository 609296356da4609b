//! Open scans, and what they keep the engine from removing.
//!
//! A reader keeps everything as it was when it was made: rows that were replaced since stay in memory or in files, and so
//! do files that were merged. A caller may leave a scan open for long without asking for rows. Therefore, each time
//! rows in memory are moved to files, a scan that has read nothing since the time before loses its reader. If it is asked
//! again, it goes on after its last row with a new one. A scan that is asked steadily keeps its reader.

use std::mem::replace;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::row_reader::RowReader;

/// The places of all scans of a store that are open, and of some that have ended.
#[derive(Default)]
pub(super) struct OpenScans(Mutex<Vec<Weak<ScanPosition>>>);

/// Where a scan is between two batches.
pub(super) struct ScanPosition(Mutex<Waiting>);

struct Waiting {
    at: NextRow,
    /// Whether rows were moved to files since the scan last read any.
    is_idle: bool,
}

pub(super) enum NextRow {
    /// At the current row of a reader, or before the first row.
    At(Box<RowReader>),
    /// After the row with this key; before the first row if it is empty.
    After(Vec<u8>),
}

impl OpenScans {
    /// Adds a scan that begins, and returns its place.
    pub(super) fn add(&self, reader: RowReader) -> Arc<ScanPosition> {
        let waiting = Waiting { at: NextRow::At(Box::new(reader)), is_idle: false };
        let place = Arc::new(ScanPosition(Mutex::new(waiting)));
        let mut places = lock(&self.0);
        if places.len() == places.capacity() {
            places.retain(|place| place.strong_count() > 0);
            // Room for as many again, so that ended scans are seldom looked for.
            let open_count = places.len();
            places.reserve(open_count + 1);
        }
        places.push(Arc::downgrade(&place));
        place
    }

    /// Notes that rows are moved to files. Takes the readers of scans that have read nothing since the last time.
    pub(super) fn rows_go_to_files(&self) {
        lock(&self.0).iter().filter_map(Weak::upgrade).for_each(|place| place.rest());
    }
}

impl ScanPosition {
    /// Takes what a scan goes on with. Until it is put back, nothing happens to it.
    pub(super) fn take(&self) -> NextRow {
        replace(&mut lock(&self.0).at, NextRow::After(Vec::new()))
    }

    /// Puts a reader back that has read something.
    pub(super) fn put(&self, reader: Box<RowReader>) {
        *lock(&self.0) = Waiting { at: NextRow::At(reader), is_idle: false };
    }

    /// Lets go of the reader if the scan was idle already.
    fn rest(&self) {
        let mut waiting = lock(&self.0);
        if replace(&mut waiting.is_idle, true)
            && let NextRow::At(reader) = &waiting.at
        {
            waiting.at = NextRow::After(reader.key().to_vec());
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // Everything that is locked is changed in single steps, so a panic leaves it consistent.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use fjall::AbstractTree;
    use futures_util::StreamExt;
    use keystride::KeyRange;

    use super::super::fixture::{create, open};
    use super::super::open_store::OpenStore;
    use super::super::scan::BATCHES_ON_DEMAND;
    use super::super::write_buffer::Tables;
    use super::*;
    use crate::{MutationBatch, Scan, TableName, Write};

    const ROWS: usize = 1_000;

    fn filled(folder: &Path) -> (Arc<OpenStore>, TableName) {
        let store = open(folder);
        let name = create(&store, "t");
        write_all(&store, &name);
        (Arc::new(store), name)
    }

    fn write_all(store: &OpenStore, name: &TableName) {
        let mut batch = MutationBatch::new();
        for row in 0..ROWS {
            batch.put(format!("{row:05}").as_bytes(), b"f", b"q", 1, b"v").unwrap();
        }
        store.write(name, Write::of(batch)).unwrap();
    }

    /// How many open scans have a reader.
    fn reader_count(store: &OpenStore) -> usize {
        let places = lock(&store.open_scans.0);
        let has_reader = |place: &Arc<ScanPosition>| matches!(lock(&place.0).at, NextRow::At(_));
        places.iter().filter_map(Weak::upgrade).filter(has_reader).count()
    }

    #[tokio::test]
    async fn a_scan_that_is_left_alone_keeps_nothing_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let (store, name) = filled(folder.path());
        let mut scan = store.scan(&name, Scan::of(KeyRange::all())).unwrap();
        let first = scan.next().await.unwrap().unwrap();
        write_all(&store, &name);
        let later = {
            let table = store.table(&name).unwrap();
            let keyspace = &table.state().unwrap().keyspaces[0];
            Arc::downgrade(&keyspace.tree.active_memtable())
        };
        // The workers that write files let go of what is in them shortly afterwards.
        let is_let_go_of = |tries: u32| {
            (0..tries).any(|_| {
                store.release().unwrap();
                later.strong_count() == 0
            })
        };
        store.flush(&name).unwrap();
        assert!(!is_let_go_of(10), "the scan may go on soon");
        store.flush(&name).unwrap();
        assert_eq!(reader_count(&store), 0);
        assert!(is_let_go_of(1_000));
        let mut rows = first.len();
        while let Some(batch) = scan.next().await {
            rows += batch.unwrap().len();
        }
        assert_eq!(rows, ROWS);
    }

    #[tokio::test]
    async fn a_batch_that_was_read_ahead_keeps_nothing_either() {
        let folder = tempfile::tempdir().unwrap();
        let (store, name) = filled(folder.path());
        let mut scan = store.scan(&name, Scan::of(KeyRange::all())).unwrap();
        let mut rows = 0;
        for _ in 0..3 {
            rows += scan.next().await.unwrap().unwrap().len() as u64;
        }
        while store.rows_read.load(std::sync::atomic::Ordering::Relaxed) == rows || reader_count(&store) == 0
        {
            tokio::task::yield_now().await;
        }
        store.flush(&name).unwrap();
        store.flush(&name).unwrap();
        assert_eq!(reader_count(&store), 0);
        drop(scan);
    }

    #[tokio::test]
    async fn a_scan_that_is_asked_in_between_keeps_its_reader() {
        let folder = tempfile::tempdir().unwrap();
        let (store, name) = filled(folder.path());
        let mut scan = store.scan(&name, Scan::of(KeyRange::all())).unwrap();
        // The first batches are read on demand; after those, another thread may have the reader.
        for _ in 1..BATCHES_ON_DEMAND {
            scan.next().await.unwrap().unwrap();
            store.flush(&name).unwrap();
            assert_eq!(reader_count(&store), 1);
        }
    }

    #[tokio::test]
    async fn ended_scans_are_forgotten_and_keep_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (store, name) = filled(folder.path());
        for _ in 0..1_000 {
            drop(store.scan(&name, Scan::of(KeyRange::all())).unwrap());
        }
        assert!(lock(&store.open_scans.0).len() < 10);
        let mut scan = store.scan(&name, Scan { limit: Some(1), ..Scan::of(KeyRange::all()) }).unwrap();
        scan.next().await.unwrap().unwrap();
        assert_eq!(reader_count(&store), 0);
    }
}
