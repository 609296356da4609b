//! Flushes, compactions and region loads.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod scratch;

use std::time::{Duration, Instant};

use keystride_hbase::{Compaction, CompactionState, Get, RegionInfo, RegionLoad, Scan};
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
            let written: Vec<_> = before.iter().map(|load| load.write_requests).collect();
            assert!(are_counted(&scratch, &written, &[10, 1, 29]), "{written:?}");
            assert!(before.iter().all(|load| load.stores == 1 && load.store_files == 0));

            for i in 0..5 {
                table.get(&Get::new(row(i))).await.unwrap();
            }
            let mut scanner = table.scan(Scan::range("010", "020"));
            while scanner.next_rows().await.unwrap().is_some() {}
            let after = admin.region_loads(&name).await.unwrap();
            let reads: Vec<_> =
                before.iter().zip(&after).map(|(b, a)| a.read_requests - b.read_requests).collect();
            assert!(are_counted(&scratch, &reads[..1], &[5]), "{reads:?}");
            // A scan may or may not read the row after its last one.
            let scans = [[1, 9], [1, 10], [2, 9], [2, 10]];
            assert!(scans.iter().any(|scan| are_counted(&scratch, &reads[1..], scan)), "{reads:?}");
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
            until_compacted(&scratch, &region).await;
            let load = admin.region_loads(&name).await.unwrap().swap_remove(0);
            assert!(load.last_major_compaction_ms.is_some());
            demand_rows(&table, 20).await;
        })
        .await;
}

/// Whether servers counted the wanted requests. Retries may add more.
fn are_counted(scratch: &Scratch, found: &[u64], wanted: &[u64]) -> bool {
    let was_repeated = scratch.client.metrics().retries > 0;
    found == wanted || (was_repeated && found.iter().zip(wanted).all(|(found, wanted)| found >= wanted))
}

/// Waits until all files are merged and the server has finished its work on them.
async fn until_compacted(scratch: &Scratch, region: &RegionInfo) {
    let (admin, begun) = (&scratch.admin, Instant::now());
    while files(scratch).await != [1]
        || admin.compaction_state(region).await.unwrap() != CompactionState::None
        || admin.region_loads(&scratch.name("t")).await.unwrap()[0].compaction != CompactionState::None
    {
        assert!(begun.elapsed() < Duration::from_mins(3), "{:?}", files(scratch).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn files(scratch: &Scratch) -> Vec<u32> {
    let loads = scratch.admin.region_loads(&scratch.name("t")).await.unwrap();
    loads.iter().map(|load| load.store_files).collect()
}
