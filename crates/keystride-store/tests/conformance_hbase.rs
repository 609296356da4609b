//! The store on a real HBase does what every store must do.

use keystride_hbase::Client;
use keystride_hbase_harness::Shared;
use keystride_store::HBaseStore;
use keystride_store::conformance::Subject;

fn store(hbase: &Shared) -> HBaseStore {
    let address = format!("hbase+rpc://{}", hbase.address().master());
    HBaseStore::new(Client::new(&address).expect("the harness gives an address"))
}

macro_rules! tests {
    ($($room:ident: $($check:ident)+;)+) => {
        $(mod $room { $(
            #[tokio::test]
            async fn $check() {
                let name = concat!("hbase_store::", stringify!($room), "::", stringify!($check));
                let Some(hbase) = keystride_hbase_harness::shared_or_skip(name) else { return };
                let store = crate::store(hbase);
                let now_ms = keystride_store::Clock::now_ms(&keystride_store::SystemClock);
                let subject = crate::Subject { store: &store, now_ms };
                keystride_store::conformance::$room::$check(subject).await;
            }
        )+ })+
    };
}

keystride_store::for_each_check!(tests);
