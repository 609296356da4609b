//! The row HBase uses just before a row is not checked: keystride scans backwards from an exact bound.

use keystride::range::{after_prefix, next_key};

use crate::tally::{check_file, hex, same};

#[test]
fn prefix_scans_stop_where_those_of_hbase_do() {
    check_file("prefix-stop.json", |vector| {
        let prefix = hex(vector, "prefix");
        let stop = Some(hex(vector, "stop")).filter(|stop| !stop.is_empty());
        same(&(after_prefix(&prefix), next_key(&prefix)), &(stop, hex(vector, "after")))
    });
}
