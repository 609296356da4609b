//! The state of the cluster, and its switches.

mod scratch;

use std::time::{Duration, Instant};

use keystride_hbase::Switch;
use scratch::{Scratch, fill};
use tokio::sync::Mutex;

/// The tests change and read the same switches.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

#[tokio::test]
async fn a_cluster_tells_its_servers_and_tables() {
    let Some(scratch) = Scratch::new("a_cluster_tells") else { return };
    let _turn = ONE_AT_A_TIME.lock().await;
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[b"a", b"b"]).await;
            fill(&table, 3).await;
            let status = admin.cluster_status().await.unwrap();
            assert!(status.version.starts_with("2."), "{}", status.version);
            assert_eq!(status.cluster_id, scratch.client.cluster_id().await.unwrap());
            assert_eq!(status.master, Some(admin.master().await.unwrap()));
            assert!(status.servers.is_sorted_by(|a, b| a.server < b.server) && !status.servers.is_empty());
            for server in &status.servers {
                assert!(server.max_heap_bytes >= server.used_heap_bytes && server.max_heap_bytes > 0);
                assert!(server.report_end_ms > 0);
            }
            let counts = status.tables.iter().find(|counts| counts.table == name).unwrap();
            assert_eq!((counts.open, counts.total, counts.in_transition), (3, 3, 0));
            assert!(status.average_load() > 0.0);
            assert_eq!(status.is_balancer_on, admin.is_on(Switch::Balancer).await.unwrap());
            for (_, server) in scratch.client.regions(&name).await.unwrap() {
                assert!(status.servers.iter().any(|status| Some(&status.server) == server.as_ref()));
            }
        })
        .await;
}

#[tokio::test]
async fn switches_are_turned_and_turned_back() {
    let Some(scratch) = Scratch::new("switches_are_turned") else { return };
    let _turn = ONE_AT_A_TIME.lock().await;
    scratch
        .run(async {
            let admin = &scratch.admin;
            scratch.table("t", &[]).await;
            for switch in [Switch::Balancer, Switch::Normalizer, Switch::Split, Switch::Merge] {
                let was = admin.is_on(switch).await.unwrap();
                assert_eq!(admin.set_switch(switch, !was).await.unwrap(), was, "{switch:?}");
                let turned = admin.is_on(switch).await;
                assert_eq!(admin.set_switch(switch, was).await.unwrap(), !was, "{switch:?}");
                assert_eq!(turned.unwrap(), !was, "{switch:?}");
                assert_eq!(admin.is_on(switch).await.unwrap(), was, "{switch:?}");
            }

            let was = admin.set_switch(Switch::Split, false).await.unwrap();
            let split = admin.split_table(&scratch.name("t"), b"m").await;
            admin.set_switch(Switch::Split, was).await.unwrap();
            let split = split.unwrap_err().to_string();
            assert!(split.contains("switch"), "{split}");

            let was = admin.set_switch(Switch::Balancer, false).await.unwrap();
            assert!(!admin.balance().await.unwrap().has_run);
            admin.set_switch(Switch::Balancer, true).await.unwrap();
            let (begun, mut balanced) = (Instant::now(), admin.balance().await);
            // The balancer does not run while any region is in transition.
            while balanced.as_ref().is_ok_and(|balanced| !balanced.has_run)
                && begun.elapsed() < Duration::from_mins(1)
            {
                tokio::time::sleep(Duration::from_millis(100)).await;
                balanced = admin.balance().await;
            }
            admin.set_switch(Switch::Balancer, was).await.unwrap();
            assert!(balanced.unwrap().has_run);

            let was = admin.set_switch(Switch::Normalizer, false).await.unwrap();
            let off = admin.normalize().await;
            admin.set_switch(Switch::Normalizer, was).await.unwrap();
            assert!(!off.unwrap());
        })
        .await;
}
