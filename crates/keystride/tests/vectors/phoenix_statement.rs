//! The statement for a design of a Phoenix table is that of the table: same bytes, same order, same salt.

use keystride::SplitPoints;
use keystride::design::{NoColumn, phoenix_table};

use crate::phoenix_table::Table;
use crate::tally::read;

#[test]
fn a_design_of_a_phoenix_table_gives_its_statement() {
    let mut checked = 0;
    for vector in read("phoenix-keys.json").iter().filter(|vector| vector["row"].is_string()) {
        let Ok(table) = Table::read(vector, "") else { continue };
        match phoenix_table(table.recipe.codec().design(), &SplitPoints::default()) {
            Ok(ours) => {
                let theirs = statement(&table);
                let head: Vec<&str> = ours.statement.lines().take(theirs.lines().count()).collect();
                assert_eq!(head.join("\n"), theirs, "{vector}");
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
    assert!(checked > 0, "no statement was checked");
}

/// As far as the properties' first line.
fn statement(table: &Table<'_>) -> String {
    let (mut lines, mut key) = (Vec::new(), Vec::new());
    for (column, name, held) in table.fields() {
        let null = if column.may_be_null(table.columns.len()) { "" } else { " NOT NULL" };
        let order = if column.descending { " DESC" } else { "" };
        lines.push(format!("  \"{name}\" {}{null},", held.sql));
        key.push(format!("\"{name}\"{order}"));
    }
    let salt = table.salt.map(|count| format!("SALT_BUCKETS = {count}"));
    let first = salt.unwrap_or("COLUMN_ENCODED_BYTES = 0".to_owned());
    format!(
        "CREATE TABLE \"t\" (\n{}\n  CONSTRAINT pk PRIMARY KEY ({})\n) {first},",
        lines.join("\n"),
        key.join(", ")
    )
}

fn is_about_null(reason: &NoColumn) -> bool {
    matches!(reason, NoColumn::DescendingNull | NoColumn::LastNull)
}
