//! Daughter regions are split and merged as soon as possible.

mod scratch;

use keystride_hbase_harness::{Cluster, ClusterOptions, Site, quick};
use scratch::{Scratch, demand_rows, fill};

#[tokio::test]
async fn what_was_just_split_is_split_and_merged_again() {
    const TEST: &str = "split_again";
    if quick(TEST) {
        return;
    }
    // A separate cluster: with the default setting it takes two minutes until a compacted region releases its parents'
    // files.
    let site = Site::new().with("hbase.hfile.compaction.discharger.interval", 500);
    let options = ClusterOptions::small(site);
    let cluster = Cluster::start(&options).expect("it is a cluster as any other");
    let scratch = Scratch::on(cluster.address(), TEST);
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[]).await;
            fill(&table, 40).await;
            for at in ["020", "030", "035"] {
                admin.split_table(&name, at.as_bytes()).await.unwrap();
            }
            assert_eq!(scratch.starts("t").await, ["", "020", "030", "035"].map(Vec::from));
            demand_rows(&table, 40).await;
            let regions = scratch.regions("t").await;
            admin.merge_regions(&regions[1..3], false).await.unwrap();
            assert_eq!(scratch.starts("t").await, ["", "020", "035"].map(Vec::from));
            demand_rows(&table, 40).await;
        })
        .await;
}
