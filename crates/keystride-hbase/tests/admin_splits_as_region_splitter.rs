//! Tables split at the points of HBase's split algorithms are split as by its `RegionSplitter`.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod scratch;

use data_encoding::HEXLOWER_PERMISSIVE as HEX;
use keystride_hbase_harness::{Jars, shared};
use scratch::{Scratch, described};

/// Split points from HBase's own classes: algorithm, number of regions, and the points; for `UniformSplit` in hex.
const POINTS: [(&str, u32, &str); 6] = [
    (
        "HexStringSplit",
        16,
        "10000000 20000000 30000000 40000000 50000000 60000000 70000000 80000000 90000000 a0000000 b0000000 c0000000 \
         d0000000 e0000000 f0000000",
    ),
    (
        "HexStringSplit",
        10,
        "19999999 33333332 4ccccccb 66666664 7ffffffd 99999996 b333332f ccccccc8 e6666661",
    ),
    (
        "DecimalStringSplit",
        16,
        "06250000 12500000 18750000 25000000 31250000 37500000 43750000 50000000 56250000 62500000 68750000 75000000 \
         81250000 87500000 93750000",
    ),
    (
        "DecimalStringSplit",
        10,
        "10000000 20000000 30000000 40000000 50000000 60000000 70000000 80000000 90000000",
    ),
    (
        "UniformSplit",
        16,
        "1000000000000000 2000000000000000 3000000000000000 4000000000000000 5000000000000000 6000000000000000 \
         7000000000000000 8000000000000000 9000000000000000 A000000000000000 B000000000000000 C000000000000000 \
         D000000000000000 E000000000000000 F000000000000000",
    ),
    (
        "UniformSplit",
        10,
        "1999999999999999 3333333333333332 4CCCCCCCCCCCCCCB 6666666666666664 7FFFFFFFFFFFFFFD 9999999999999996 \
         B33333333333332F CCCCCCCCCCCCCCC8 E666666666666661",
    ),
];

#[tokio::test]
async fn tables_are_cut_as_region_splitter_cuts_them() {
    let Some(scratch) = Scratch::new("cut_as_region_splitter") else { return };
    scratch
        .run(async {
            for (algorithm, regions, points) in POINTS {
                let points: Vec<Vec<u8>> = points.split(' ').map(|point| key(algorithm, point)).collect();
                let ours = format!("ours_{algorithm}_{regions}");
                let backwards: Vec<_> = points.iter().rev().collect();
                scratch.admin.create_table(&described(&scratch.name(&ours)), &backwards).await.unwrap();
                let theirs = format!("theirs_{algorithm}_{regions}");
                region_splitter(&scratch.text(&theirs), algorithm, regions);

                let starts: Vec<Vec<u8>> = [Vec::new()].into_iter().chain(points).collect();
                assert_eq!(scratch.starts(&ours).await, starts, "{algorithm} {regions}");
                assert_eq!(scratch.starts(&theirs).await, starts, "{algorithm} {regions}");
                let ends = |regions: Vec<keystride_hbase::RegionInfo>| -> Vec<_> {
                    regions.into_iter().map(|region| region.end).collect()
                };
                assert_eq!(ends(scratch.regions(&ours).await), ends(scratch.regions(&theirs).await));
            }
        })
        .await;
}

#[tokio::test]
async fn a_list_of_any_bytes_is_cut_at_all_of_them() {
    let Some(scratch) = Scratch::new("cut_at_a_list") else { return };
    scratch
        .run(async {
            let list: [&[u8]; 7] = [b"zz", b"\x00", b"a,b", b"a", b"\xff\x00", b"a\x00", "\u{e9}".as_bytes()];
            scratch.table("t", &list).await;
            let mut starts = list.to_vec();
            starts.push(b"");
            starts.sort_unstable();
            assert_eq!(scratch.starts("t").await, starts);
        })
        .await;
}

fn key(algorithm: &str, point: &str) -> Vec<u8> {
    if algorithm == "UniformSplit" { HEX.decode(point.as_bytes()).unwrap() } else { point.into() }
}

fn region_splitter(table: &str, algorithm: &str, regions: u32) {
    let site = shared().unwrap().address().client_site();
    Jars::ready().unwrap().region_splitter(table, algorithm, regions, &site).unwrap();
}
