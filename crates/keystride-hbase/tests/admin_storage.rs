//! Tables are flushed and compacted, and servers count what passes.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod scratch;

use std::time::Duration;

use keystride_hbase::{Compaction, CompactionState, Get, RegionLoad, Scan};
use scratch::{Scratch, demand_rows, fill, row};

#[tokio::test]
async fn loads_count_what_was_written_and_read() {
    let Some(scratch) = Scratch::new("loads_count") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[b"010", b"010\x00"]).await;
            fill(&table, 40).await;
            let before = admin.region_loads(&name).await.unwrap();
            let regions = scratch.client.regions(&name).await.unwrap();
            let of = |load: &RegionLoad| (load.region.clone(), Some(load.server.clone()));
            let placed: Vec<_> =
                regions.iter().map(|(region, server)| (region.name().clone(), server.clone())).collect();
            assert_eq!(before.iter().map(of).collect::<Vec<_>>(), placed);
            assert_eq!(before.iter().map(|load| load.write_requests).collect::<Vec<_>>(), [10, 1, 29]);
            assert!(before.iter().all(|load| load.stores == 1 && load.store_files == 0));

            for i in 0..5 {
                table.get(&Get::new(row(i))).await.unwrap();
            }
            let mut scanner = table.scan(Scan::range("010", "020"));
            while scanner.next_rows().await.unwrap().is_some() {}
            let after = admin.region_loads(&name).await.unwrap();
            let reads: Vec<_> =
                before.iter().zip(&after).map(|(b, a)| a.read_requests - b.read_requests).collect();
            assert_eq!(reads[0], 5);
            assert!((1..=2).contains(&reads[1]) && (9..=10).contains(&reads[2]), "{reads:?}");
        })
        .await;
}

#[tokio::test]
async fn a_flushed_table_is_in_files() {
    let Some(scratch) = Scratch::new("a_flushed_table") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[b"010"]).await;
            fill(&table, 20).await;
            admin.flush_table(&name).await.unwrap();
            assert_eq!(files(&scratch).await, [1, 1]);
            fill(&table, 5).await;
            for region in scratch.regions("t").await {
                admin.flush_region(&region).await.unwrap();
            }
            assert_eq!(files(&scratch).await, [2, 1]);
            demand_rows(&table, 20).await;
        })
        .await;
}

#[tokio::test]
async fn a_major_compaction_leaves_one_file() {
    let Some(scratch) = Scratch::new("a_major_compaction") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[]).await;
            for _ in 0..2 {
                fill(&table, 20).await;
                admin.flush_table(&name).await.unwrap();
            }
            assert_eq!(files(&scratch).await, [2]);
            let region = scratch.regions("t").await.swap_remove(0);
            admin.compact_table(&name, Compaction::Minor).await.unwrap();
            admin.compact_region(&region, Compaction::Major).await.unwrap();
            for _ in 0..600 {
                if files(&scratch).await == [1] {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            assert_eq!(files(&scratch).await, [1]);
            assert_eq!(admin.compaction_state(&region).await.unwrap(), CompactionState::None);
            let load = admin.region_loads(&name).await.unwrap().swap_remove(0);
            assert!(load.last_major_compaction_ms.is_some());
            assert_eq!(load.compaction, CompactionState::None);
            demand_rows(&table, 20).await;
        })
        .await;
}

async fn files(scratch: &Scratch) -> Vec<u32> {
    let loads = scratch.admin.region_loads(&scratch.name("t")).await.unwrap();
    loads.iter().map(|load| load.store_files).collect()
}
