//! Servers that return the same rows for ever: the client must not ask for ever.

use super::{Cluster, Fault, Phase, When, ends, scanned, table, with_rows};
use crate::fake::Exception;
use crate::{Error, Order, Scan, TableName};

#[tokio::test]
async fn a_repeating_list_of_regions_is_an_error() {
    let cluster = Cluster::with_table().await;
    cluster.state().settings.ignores_start = true;
    let listed = ends(cluster.client().regions(&TableName::new("t").unwrap())).await;
    let error = listed.unwrap_err();
    let Error::GaveUp { last, .. } = error else { panic!("{error}") };
    assert!(matches!(*last, Error::BadAnswer { .. }), "{last}");
}

#[tokio::test]
async fn a_repeating_scan_is_an_error() {
    let cluster = with_rows().await;
    let client = cluster.client();
    let table = table(&client, "t");
    // Makes the client look up the regions.
    ends(scanned(&table, Scan::all())).await.unwrap();
    cluster.state().settings.ignores_start = true;
    cluster.state().settings.cells_per_answer = 3;
    for (order, row) in
        [(Order::Forward, "a00 came after row a01"), (Order::Reverse, "s04 came after row s03")]
    {
        let lost = Fault::Exception(Exception::unknown_scanner(7));
        cluster.inject(When::scan(Phase::Next).of("t").skip(1), lost);
        let error = ends(scanned(&table, Scan::all().order(order))).await.unwrap_err().to_string();
        assert!(error.contains(row), "{error}");
    }
}
