//! The statement for a design of a Phoenix table is that of the table: same types, same order, same salt.

use keystride::SplitPoints;
use keystride::design::{NoColumn, phoenix_table};

use crate::phoenix_table::{Column, Table};
use crate::tally::read;

#[test]
fn a_design_of_a_phoenix_table_gives_its_statement() {
    let mut checked = 0;
    for vector in read("phoenix-keys.json").iter().filter(|vector| vector["row"].is_string()) {
        let Ok(table) = Table::read(vector, "") else { continue };
        match phoenix_table(table.recipe.codec().design(), &SplitPoints::default()) {
            Ok(ours) => {
                let head: Vec<&str> = ours.statement.lines().take(table.columns.len() + 3).collect();
                assert_eq!(head.join("\n"), statement(&table.columns, vector["salt"].as_u64()), "{vector}");
                checked += 1;
            }
            Err(refused) => {
                assert!(table.columns.iter().any(|column| column.nullable), "{vector}: {refused}");
                assert!(
                    refused.parts.iter().all(|(.., reason)| is_about_null(reason)),
                    "{vector}: {refused}"
                );
            }
        }
    }
    assert!(checked > 100, "{checked} statements were checked");
}

/// As far as the properties' first line.
fn statement(columns: &[Column<'_>], salt: Option<u64>) -> String {
    let lines = columns.iter().enumerate().map(|(index, column)| {
        let null = if column.nullable { "" } else { " NOT NULL" };
        format!("  \"k{index}\" {}{null},", sql_type(column.kind))
    });
    let order = |column: &Column<'_>| if column.descending { " DESC" } else { "" };
    let names = columns.iter().enumerate().map(|(index, column)| format!("\"k{index}\"{}", order(column)));
    let key = names.collect::<Vec<_>>().join(", ");
    let first = salt.map_or("COLUMN_ENCODED_BYTES = 0".to_owned(), |count| format!("SALT_BUCKETS = {count}"));
    let lines = lines.collect::<Vec<_>>().join("\n");
    format!("CREATE TABLE \"t\" (\n{lines}\n  CONSTRAINT pk PRIMARY KEY ({key})\n) {first},")
}

fn is_about_null(reason: &NoColumn) -> bool {
    matches!(reason, NoColumn::DescendingNull | NoColumn::LastNull)
}

/// Their bytes are the same.
fn sql_type(kind: &str) -> String {
    if kind == "BINARY" { "BINARY(4)".to_owned() } else { kind.replace("TIME", "DATE") }
}
