//! Conditional and atomic changes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use keystride_hbase::{Comparator, Compare, Condition, Error, Filter, Get, Mutation, Table};
use scratch::Scratch;

fn put(value: &str) -> Vec<Mutation> {
    vec![Mutation::put("r").value("f", "q", value)]
}

async fn check(table: &Table, condition: Condition, mutations: Vec<Mutation>) -> bool {
    table.check_and_mutate(&condition, mutations).await.unwrap().is_applied
}

async fn value(table: &Table, qualifier: &str) -> Option<String> {
    let row = table.get(&Get::new("r")).await.unwrap();
    row.value(b"f", qualifier.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned())
}

fn column() -> keystride_hbase::ConditionColumn {
    Condition::column("f", "q")
}

#[tokio::test]
async fn a_change_is_made_only_where_its_condition_holds() {
    let Some(scratch) = Scratch::new("a_change_is_made_only_where_its_condition_holds") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[]).await;
            assert!(!check(&table, column().equals("1"), put("never")).await);
            assert!(check(&table, column().is_absent(), put("1")).await);
            assert!(!check(&table, column().is_absent(), put("never")).await);
            assert!(check(&table, column().equals("1"), put("5")).await);
            assert_eq!(value(&table, "q").await.as_deref(), Some("5"));
            assert!(check(&table, column().is_present(), vec![Mutation::delete("r").column("f", "q")]).await);
            assert_eq!(value(&table, "q").await, None);
        })
        .await;
}

#[tokio::test]
async fn comparisons_read_what_is_stored_against_what_is_given() {
    let Some(scratch) = Scratch::new("comparisons_read_stored_against_given") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[]).await;
            table.mutate(Mutation::put("r").value("f", "q", "5")).await.unwrap();
            let cases = [
                (Compare::Less, "6", "5"),
                (Compare::LessOrEqual, "5", "4"),
                (Compare::Greater, "4", "5"),
                (Compare::GreaterOrEqual, "5", "6"),
                (Compare::NotEqual, "4", "5"),
                (Compare::Equal, "5", "4"),
            ];
            for (compare, holds, fails) in cases {
                assert!(
                    check(&table, column().is(compare, Comparator::binary(holds)), put("5")).await,
                    "{compare:?}"
                );
                assert!(
                    !check(&table, column().is(compare, Comparator::binary(fails)), put("x")).await,
                    "{compare:?}"
                );
            }
            let filter = Filter::column_value("f", "q", Compare::Equal, Comparator::substring("5"));
            assert!(check(&table, Condition::filter(filter), put("by filter")).await);
            assert_eq!(value(&table, "q").await.as_deref(), Some("by filter"));
        })
        .await;
}

#[tokio::test]
async fn only_one_of_many_conditional_changes_is_made() {
    let Some(scratch) = Scratch::new("only_one_of_many_conditional_changes_is_made") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[]).await;
            let tasks: Vec<_> = (0..20)
                .map(|at| {
                    let table = table.clone();
                    tokio::spawn(
                        async move { check(&table, column().is_absent(), put(&at.to_string())).await },
                    )
                })
                .collect();
            let mut winners = 0;
            for task in tasks {
                winners += usize::from(task.await.unwrap());
            }
            assert_eq!(winners, 1);
        })
        .await;
}

#[tokio::test]
async fn changes_of_a_row_are_made_together() {
    let Some(scratch) = Scratch::new("changes_of_a_row_are_made_together") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[]).await;
            table.mutate(Mutation::put("r").value("f", "old", "1")).await.unwrap();
            let swap =
                || vec![Mutation::put("r").value("f", "new", "2"), Mutation::delete("r").column("f", "old")];
            table.mutate_row(swap()).await.unwrap();
            assert_eq!(
                (value(&table, "old").await, value(&table, "new").await.as_deref()),
                (None, Some("2"))
            );
            assert!(check(&table, Condition::column("f", "old").is_absent(), swap()).await);

            let broken =
                vec![Mutation::put("r").value("f", "half", "1"), Mutation::put("r").value("no", "q", "1")];
            table.mutate_row(broken).await.unwrap_err();
            assert_eq!(value(&table, "half").await, None);
            let two = vec![Mutation::put("r").value("f", "q", "1"), Mutation::put("s").value("f", "q", "1")];
            assert!(matches!(table.mutate_row(two).await, Err(Error::BadRequest { .. })));
            assert!(matches!(table.mutate_row(vec![]).await, Err(Error::BadRequest { .. })));
            let counted = vec![Mutation::increment("r").amount("f", "n", 4)];
            let checked =
                table.check_and_mutate(&Condition::column("f", "new").equals("2"), counted).await.unwrap();
            assert_eq!(checked.row.value(b"f", b"n"), Some(&4_i64.to_be_bytes()[..]));
        })
        .await;
}
