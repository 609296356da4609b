//! Every home does what every store must do.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use keystride::SplitPoints;
use keystride_store::conformance::Subject;
use keystride_store::{
    Atomicity, EmbeddedOptions, EmbeddedStore, Family, FamilyName, ManualClock, MemoryStore, Store,
    StoreError, TableDescription, TableName,
};

const NOW_MS: i64 = 1_400_657_685_457;

/// A store, and what has to live as long.
struct Home {
    store: Box<dyn Store>,
    _folder: Option<tempfile::TempDir>,
}

impl Home {
    fn subject(&self) -> Subject<'_> {
        Subject { store: &*self.store, now_ms: NOW_MS }
    }
}

fn in_memory() -> Home {
    Home { store: Box::new(MemoryStore::new(Arc::new(ManualClock::at(NOW_MS)))), _folder: None }
}

async fn embedded() -> Home {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(NOW_MS));
    let options = EmbeddedOptions { clock, ..EmbeddedOptions::default() };
    let store = EmbeddedStore::open(folder.path(), options).await.unwrap();
    Home { store: Box::new(store), _folder: Some(folder) }
}

macro_rules! tests {
    ($($room:ident: $($check:ident)+;)+) => {
        mod memory_store { $(mod $room { $(
            #[tokio::test]
            async fn $check() {
                let home = crate::in_memory();
                keystride_store::conformance::$room::$check(home.subject()).await;
            }
        )+ })+ }

        mod embedded_store { $(mod $room { $(
            #[tokio::test]
            async fn $check() {
                let home = crate::embedded().await;
                keystride_store::conformance::$room::$check(home.subject()).await;
            }
        )+ })+ }
    };
}

keystride_store::for_each_check!(tests);

#[tokio::test]
async fn every_home_loads_a_whole_table_at_once() {
    let family = Family::new(FamilyName::new("f").unwrap());
    let table = TableDescription::new(TableName::new("t").unwrap(), [family]);
    for home in [in_memory(), embedded().await] {
        home.store.create(&table, &SplitPoints::default()).await.unwrap();
        let bulk = home.store.bulk(&table.name).await.unwrap();
        assert_eq!(bulk.map(|bulk| bulk.atomicity()), Some(Atomicity::Table));
    }
}

#[tokio::test]
async fn a_home_that_is_closed_refuses_everything_but_another_close() {
    for home in [in_memory(), embedded().await] {
        home.store.close().await.unwrap();
        home.store.close().await.unwrap();
        assert!(matches!(home.store.list().await, Err(StoreError::Closed)));
        assert!(matches!(home.store.sync().await, Err(StoreError::Closed)));
    }
}
