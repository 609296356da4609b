//! Batches.

mod get_each_outcome_right;
mod survive;

use super::{Cluster, When, ends};
use crate::{Get, Mutation, Operation, Outcome, Row, Table};

/// Thirty rows over four regions on two servers. The value of each row is its key.
async fn thirty() -> (Cluster, Vec<String>) {
    let cluster = Cluster::start(2).await;
    cluster.state().create("t", &["b", "c", "d"]);
    let rows: Vec<String> =
        (0..30).map(|number| format!("{}{number}", ["a", "b", "c", "d"][number % 4])).collect();
    for row in &rows {
        cluster.write("t", row, "q", row);
    }
    (cluster, rows)
}

fn gets(rows: &[String]) -> Vec<Operation> {
    rows.iter().map(|row| Get::new(row).into()).collect()
}

fn puts(rows: &[String]) -> Vec<Operation> {
    rows.iter().map(|row| Mutation::put(row).value("f", "w", row).into()).collect()
}

fn increments(rows: &[String]) -> Vec<Operation> {
    rows.iter().map(|row| Mutation::increment(row).amount("f", "n", 1).into()).collect()
}

fn value(row: &Row, column: &str) -> String {
    String::from_utf8_lossy(row.value(b"f", column.as_bytes()).unwrap_or_default()).into()
}

fn assert_own(outcomes: &[Outcome], rows: &[String]) {
    assert_eq!(outcomes.len(), rows.len());
    for (outcome, row) in outcomes.iter().zip(rows) {
        assert_eq!(value(outcome.as_ref().unwrap(), "q"), *row);
    }
}

async fn batch(table: &Table, operations: Vec<Operation>) -> Vec<Outcome> {
    ends(table.batch(operations)).await
}

fn multi() -> When {
    When::calling("Multi")
}
