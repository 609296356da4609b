//! Every home does what every store must do.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use keystride_store::conformance::Subject;
use keystride_store::{EmbeddedOptions, EmbeddedStore, ManualClock, MemoryStore, Store};

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
