//! Regions are split, merged and moved while they are used.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod scratch;

use keystride_hbase::{Admin, Error, Mutation, RegionInfo, Scan, ServerName, TableName};
use scratch::{Scratch, demand_rows, fill, row};

#[tokio::test]
async fn a_split_table_is_read_and_written_as_before() {
    let Some(scratch) = Scratch::new("a_split_table") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[]).await;
            fill(&table, 40).await;
            let whole = scratch.regions("t").await.swap_remove(0);
            admin.split_table(&name, b"020").await.unwrap();
            demand_rows(&table, 40).await;
            fill(&table, 40).await;

            let starts = [&b""[..], b"020"];
            assert_eq!(scratch.starts("t").await, starts);

            let gone = admin.split_region(&whole, Some(b"030")).await;
            assert!(
                matches!(&gone, Err(Error::RegionGone { region }) if *region == whole.to_string()),
                "{gone:?}"
            );
            let gone = admin.flush_region(&whole).await;
            assert!(matches!(gone, Err(Error::RegionGone { .. })), "{gone:?}");
            let gone = admin.move_region(&whole, None).await;
            assert!(matches!(gone, Err(Error::RegionGone { .. })), "{gone:?}");
        })
        .await;
}

#[tokio::test]
async fn a_region_is_split_where_its_server_finds_best() {
    let Some(scratch) = Scratch::new("split_where_best") else { return };
    scratch
        .run(async {
            let admin = &scratch.admin;
            let table = scratch.table("t", &[]).await;
            let region = scratch.regions("t").await.swap_remove(0);
            assert_eq!(admin.best_split_point(&region).await.unwrap(), None);
            let value = vec![7_u8; 20_000];
            for i in 0..40 {
                table.mutate(Mutation::put(row(i)).value("f", "q", &value)).await.unwrap();
            }
            admin.flush_table(&scratch.name("t")).await.unwrap();
            let best = admin.best_split_point(&region).await.unwrap().expect("it has a file of many blocks");
            assert!((&b"010"[..]..b"030").contains(&&*best), "{best:?}");
            admin.split_region(&region, None).await.unwrap();
            assert_eq!(scratch.starts("t").await, [b"", &best[..]]);
            assert_eq!(scratch::keys(&table).await.len(), 40);
        })
        .await;
}

#[tokio::test]
async fn merged_regions_are_read_and_written_as_before() {
    let Some(scratch) = Scratch::new("merged_regions") else { return };
    scratch
        .run(async {
            let admin = &scratch.admin;
            let table = scratch.table("t", &[b"010", b"020", b"030"]).await;
            fill(&table, 40).await;
            let at_start = admin.split_table(&scratch.name("t"), b"020").await.unwrap_err();
            assert!(at_start.to_string().contains("equal to startkey"), "{at_start}");
            let regions = scratch.regions("t").await;
            admin.merge_regions(&regions[1..3], false).await.unwrap();
            demand_rows(&table, 40).await;
            fill(&table, 40).await;
            assert_eq!(scratch.starts("t").await, [&b""[..], b"010", b"030"]);

            let gone = admin.merge_regions(&regions[1..3], false).await;
            assert!(matches!(gone, Err(Error::RegionGone { .. })), "{gone:?}");
            let apart = [regions[0].clone(), regions[3].clone()];
            let apart = admin.merge_regions(&apart, false).await.unwrap_err();
            assert!(apart.to_string().to_lowercase().contains("adjacent"), "{apart}");
            let one = admin.merge_regions(&regions[..1], false).await;
            assert!(matches!(one, Err(Error::BadRequest { .. })));
        })
        .await;
}

#[tokio::test]
async fn a_moved_region_is_found_where_it_went() {
    let Some(scratch) = Scratch::new("a_moved_region") else { return };
    scratch
        .run(async {
            let admin = &scratch.admin;
            let table = scratch.table("t", &[b"020"]).await;
            fill(&table, 40).await;
            for turn in 0..2 {
                let (region, from) = placed(&scratch).await;
                let servers = admin.cluster_status().await.unwrap().servers;
                let to = servers.iter().map(|status| &status.server).find(|&server| *server != from).unwrap();
                admin.move_region(&region, (turn == 0).then_some(to)).await.unwrap();
                let (_, now) = placed(&scratch).await;
                assert!(if turn == 0 { now == *to } else { now != from });
                demand_rows(&table, 40).await;
                fill(&table, 40).await;
            }
        })
        .await;
}

#[tokio::test]
async fn a_scan_sees_every_row_once_while_regions_change() {
    let Some(scratch) = Scratch::new("a_scan_while_regions_change") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            // Different regions are split and merged: new regions have reference files for minutes.
            let table = scratch.table("t", &[b"030", b"035", b"040", b"050"]).await;
            fill(&table, 60).await;
            let mut scanner = table.scan(Scan::all().rows_per_call(5));
            let mut seen = Vec::new();
            for turn in 0.. {
                let Some(rows) = scanner.next_rows().await.unwrap() else { break };
                seen.extend(rows.iter().map(|row| String::from_utf8(row.key().to_vec()).unwrap()));
                match turn {
                    0 => admin.split_table(&name, b"015").await.unwrap(),
                    2 => admin.move_region(&scratch.regions("t").await[1], None).await.unwrap(),
                    3 => admin.split_table(&name, b"045").await.unwrap(),
                    5 => admin.merge_regions(&scratch.regions("t").await[2..4], false).await.unwrap(),
                    _ => {}
                }
            }
            assert_eq!(seen, (0..60).map(row).collect::<Vec<_>>());
            let starts = ["", "015", "030", "040", "045", "050"].map(Vec::from);
            assert_eq!(scratch.starts("t").await, starts);
        })
        .await;
}

#[tokio::test]
async fn a_region_taken_from_its_server_waits_to_be_assigned() {
    let Some(scratch) = Scratch::new("a_region_taken") else { return };
    scratch
        .run(async {
            let admin = &scratch.admin;
            let table = scratch.table("t", &[b"020"]).await;
            fill(&table, 40).await;
            let (region, _) = placed(&scratch).await;
            let name = scratch.name("t");
            assert_eq!(states(admin, &name, &region).await, ["OPEN", "OPEN"]);
            admin.unassign_region(&region).await.unwrap();
            let loads = admin.region_loads(&name).await.unwrap();
            assert_eq!(loads.len(), 1);
            assert_eq!(states(admin, &name, &region).await, ["CLOSED", "OPEN"]);
            admin.assign_region(&region).await.unwrap();
            demand_rows(&table, 40).await;
        })
        .await;
}

/// The states of two regions, the first one's first.
async fn states(admin: &Admin, table: &TableName, first: &RegionInfo) -> Vec<String> {
    let mut regions = admin.region_states(table).await.unwrap();
    assert!(regions.iter().all(|status| status.server.is_some() && status.replicas.is_empty()));
    regions.sort_by_key(|status| status.region != *first);
    regions.into_iter().map(|status| status.state.into()).collect()
}

#[tokio::test]
async fn the_region_of_meta_is_listed() {
    let Some(scratch) = Scratch::new("the_region_of_meta") else { return };
    let meta = TableName::new("hbase:meta").unwrap();
    let regions = scratch.client.regions(&meta).await.unwrap();
    assert_eq!(regions.len(), 1);
    assert_eq!(regions[0].0.encoded_name(), "1588230740");
    assert!(scratch.admin.is_enabled(&meta).await.unwrap());
    let families = scratch.admin.table(&meta).await.unwrap();
    assert!(families.families().iter().any(|family| family.name.as_str() == "info"));
    let loads = scratch.admin.region_loads(&meta).await.unwrap();
    assert_eq!((loads.len(), Some(&loads[0].server)), (1, regions[0].1.as_ref()));
}

/// The first region and its server.
async fn placed(scratch: &Scratch) -> (RegionInfo, ServerName) {
    let (region, server) = scratch.client.regions(&scratch.name("t")).await.unwrap().swap_remove(0);
    (region, server.unwrap())
}
