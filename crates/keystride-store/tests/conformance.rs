//! Every home does what every store must do.

use keystride_store::conformance::Subject;
use keystride_store::{ManualClock, MemoryStore, Store};
use std::sync::Arc;

const NOW_MS: i64 = 1_400_657_685_457;

/// A store to check.
struct Home {
    store: Box<dyn Store>,
}

impl Home {
    fn subject(&self) -> Subject<'_> {
        Subject { store: &*self.store, now_ms: NOW_MS }
    }
}

fn in_memory() -> Home {
    Home { store: Box::new(MemoryStore::new(Arc::new(ManualClock::at(NOW_MS)))) }
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
    };
}

keystride_store::for_each_check!(tests);
