//! Tables of the program are cut as HBase's own tool cuts them, by what hbase:meta says.

use bytes::Bytes;
use keystride_hbase::{Client, TableName};
use keystride_hbase_harness::{Jars, shared_or_skip};

use super::on_hbase::Both;

/// Algorithms, and numbers of regions that divide their space and that don't.
const ALGORITHMS: [&str; 3] = ["HexStringSplit", "DecimalStringSplit", "UniformSplit"];
const REGION_COUNTS: [u32; 2] = [7, 16];

fn design(algorithm: &str, regions: u32) -> String {
    format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"string\" }}\n\
         [key]\nparts = [ {{ field = \"id\" }} ]\n[split]\nby = \"{algorithm}\"\nregions = {regions}\n"
    )
}

/// Where the regions of a table begin and end.
async fn bounds(client: &Client, table: &TableName) -> Vec<(Bytes, Bytes)> {
    let regions = client.regions(table).await.unwrap();
    regions.into_iter().map(|(region, _)| (region.start, region.end)).collect()
}

#[tokio::test]
async fn tables_are_cut_as_region_splitter_cuts_them() {
    let Some(hbase) = shared_or_skip("tables_are_cut_as_region_splitter_cuts_them") else { return };
    let (jars, site) = (Jars::ready().unwrap(), hbase.address().client_site());
    for algorithm in ALGORITHMS {
        for regions in REGION_COUNTS {
            let both =
                Both::new(hbase.address(), &format!("{algorithm}_{regions}"), &design(algorithm, regions));
            let theirs = TableName::new(&format!("{}_theirs", both.table())).unwrap();
            jars.region_splitter(&theirs.to_string(), algorithm, regions, &site).unwrap();
            let client = both.client();
            let ours = bounds(&client, &both.table()).await;
            assert_eq!(ours.len(), regions as usize);
            assert_eq!(ours, bounds(&client, &theirs).await, "{algorithm} {regions}");
            client.admin().disable_table(&theirs).await.unwrap();
            client.admin().delete_table(&theirs).await.unwrap();
        }
    }
}
