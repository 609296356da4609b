//! Filters pass the rows that HBase's filters pass.

use super::Subject;
use super::trial::{Trial, all_versions, columns, family, scan_of};
use crate::{Compare, Filter, Missing, Order, Scan, Selection};

const ROWS: [&str; 5] =
    ["put r1 a:n 1 1", "put r2 a:n 1 2", "put r3 a:n 1 3", "put r4 a:n 1 22", "put r5 b:n 1 2"];

fn compare(comparison: Compare, value: &str) -> Filter {
    column("a:n", comparison, value, Missing::Fails)
}

fn column(name: &str, comparison: Compare, value: &str, missing: Missing) -> Filter {
    let (of, qualifier) = name.split_once(':').unwrap();
    Filter::Column {
        family: family(of),
        qualifier: qualifier.into(),
        comparison,
        value: value.into(),
        missing,
    }
}

async fn keys(trial: &Trial<'_>, filter: Filter) -> Vec<String> {
    trial.keys(scan_of(Selection { filter: Some(filter), ..Selection::default() })).await
}

/// Each comparison compares the stored value with the given one, as unsigned bytes.
pub async fn each_comparison_reads_stored_against_given(subject: Subject<'_>) {
    let trial = Trial::new(subject, "compared").await;
    trial.write(&ROWS).await;
    let cases: [(Compare, &[&str]); 6] = [
        (Compare::Less, &["r1"]),
        (Compare::LessOrEqual, &["r1", "r2"]),
        (Compare::Equal, &["r2"]),
        (Compare::NotEqual, &["r1", "r3", "r4"]),
        (Compare::GreaterOrEqual, &["r2", "r3", "r4"]),
        (Compare::Greater, &["r3", "r4"]),
    ];
    for (comparison, expected) in cases {
        assert_eq!(keys(&trial, compare(comparison, "2")).await, expected, "{comparison:?}");
    }
}

/// A row without the column passes or fails as specified.
pub async fn a_missing_column_passes_or_fails_as_said(subject: Subject<'_>) {
    let trial = Trial::new(subject, "missing").await;
    trial.write(&ROWS).await;
    let equal = |missing| column("a:n", Compare::Equal, "2", missing);
    assert_eq!(keys(&trial, equal(Missing::Fails)).await, ["r2"]);
    assert_eq!(keys(&trial, equal(Missing::Passes)).await, ["r2", "r5"]);
    let selection = Selection { filter: Some(equal(Missing::Fails)), ..Selection::default() };
    assert_eq!(trial.get(&["r1", "r2", "r5"], &selection).await, ["r1", "r2 a:n@1=2", "r5"]);
}

/// Conditions can be nested.
pub async fn conditions_nest(subject: Subject<'_>) {
    let trial = Trial::new(subject, "nested").await;
    trial.write(&ROWS).await;
    let between = Filter::All(vec![compare(Compare::Greater, "1"), compare(Compare::Less, "3")]);
    assert_eq!(keys(&trial, between.clone()).await, ["r2", "r4"]);
    let either = Filter::Any(vec![between, compare(Compare::Equal, "1")]);
    assert_eq!(keys(&trial, either).await, ["r1", "r2", "r4"]);
}

/// A filter sees columns and families that the read does not return.
pub async fn a_filter_sees_columns_the_read_leaves_out(subject: Subject<'_>) {
    let trial = Trial::new(subject, "unseen").await;
    trial.write(&["put r a:n 1 1", "put r a:m 1 x", "put r b:m 1 y", "put s a:n 1 2", "put s a:m 1 z"]).await;
    let filter = Some(compare(Compare::Equal, "1"));
    let same_family = Selection { columns: columns(&["a:m"]), filter: filter.clone(), ..all_versions() };
    assert_eq!(trial.visible(same_family).await, ["r a:m@1=x"]);
    let other_family = Selection { columns: columns(&["b:m"]), filter, ..all_versions() };
    assert_eq!(trial.visible(other_family).await, ["r b:m@1=y"]);
}

/// A filter sees only the newest version of a column.
pub async fn a_filter_sees_the_newest_version_only(subject: Subject<'_>) {
    let trial = Trial::new(subject, "newest").await;
    trial.write(&["put r a:n 1 1", "put r a:n 2 2"]).await;
    let filtered = |value| Selection { filter: Some(compare(Compare::Equal, value)), ..all_versions() };
    assert_eq!(trial.visible(filtered("2")).await, ["r a:n@2=2 a:n@1=1"]);
    assert!(trial.visible(filtered("1")).await.is_empty());
}

/// Rows rejected by a filter do not count towards the limit.
pub async fn filtered_rows_do_not_count_for_the_limit(subject: Subject<'_>) {
    let trial = Trial::new(subject, "limit").await;
    trial.write(&ROWS).await;
    let selection = Selection { filter: Some(compare(Compare::Greater, "1")), ..Selection::default() };
    let ascending = Scan { limit: Some(2), ..scan_of(selection) };
    assert_eq!(trial.keys(ascending.clone()).await, ["r2", "r3"]);
    assert_eq!(trial.keys(Scan { order: Order::Descending, ..ascending }).await, ["r4", "r3"]);
}
