//! Prints a design as Apache Phoenix's `CREATE TABLE`, if Phoenix makes the same keys.
//!
//! Parts that Phoenix has no column for are rejected, one by one. What Phoenix reads differently, or does on its own,
//! is reported as a note.

mod key;
mod sql_type;

use std::fmt;

pub use self::key::NoColumn;
use self::key::{Key, KeyColumn};
pub use self::sql_type::NoType;
use self::sql_type::SqlType;
use super::{Column, Design, Family, OtherColumns, SplitRule, Steps};
use crate::SplitPoints;

/// A statement for Phoenix, and what to know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhoenixTable {
    /// `CREATE TABLE …`, without a semicolon.
    pub statement: String,
    /// Sentences without their full stops.
    pub notes: Vec<String>,
}

/// The parts of a key that Phoenix has no column for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotPhoenix {
    /// Each part's index, its name and the reason; at least one.
    pub parts: Vec<(usize, String, NoColumn)>,
}

/// Returns the table of Phoenix whose keys are those of a design, byte for byte.
///
/// # Errors
///
/// [`NotPhoenix`] with every part of the key that Phoenix has no column for.
///
/// ```
/// # use keystride::{Design, SplitPoints, design};
/// let design = Design::from_toml(
///     r#"
///     format = 1
///     table = { name = "calls", families = ["f"] }
///     fields = { phone = { type = "digits", len = 11 }, ts = { type = "time", unit = "ms" } }
///     [key]
///     parts = [
///       { bucket = 16, hash = "phoenix", of = ["rest"] },
///       { field = "phone" },
///       { field = "ts", as = "phoenix", desc = "invert" },
///     ]
///     "#,
/// )?;
/// let table = design::phoenix_table(&design, &SplitPoints::default())?;
/// let lines: Vec<&str> = table.statement.lines().collect();
/// assert_eq!(lines[1..5], [
///     "  \"phone\" CHAR(11) NOT NULL,",
///     "  \"ts\" DATE NOT NULL,",
///     "  CONSTRAINT pk PRIMARY KEY (\"phone\", \"ts\" DESC)",
///     ") SALT_BUCKETS = 16,",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn phoenix_table(design: &Design, points: &SplitPoints) -> Result<PhoenixTable, NotPhoenix> {
    let key = Key::of(design);
    if !key.refused.is_empty() {
        let named = |(part, reason)| (part, design.part_name(part), reason);
        return Err(NotPhoenix { parts: key.refused.into_iter().map(named).collect() });
    }
    let mut notes = vec![
        "Phoenix puts an empty cell into every row that it writes, and reads no row without; keystride writes none"
            .to_owned(),
    ];
    let mut lines: Vec<String> = key.columns.iter().map(|column| column_line(design, *column)).collect();
    lines.extend(design.columns.cells.iter().map(|cell| cell_line(design, cell, &mut notes)));
    lines.push(constraint(design, &key.columns));
    notes.extend(key.columns.iter().filter_map(|column| column_note(design, *column)));
    notes.extend(table_notes(design));
    let properties = properties(design, &key, &mut notes);
    let split = split_clause(design, &key, points, &mut notes);
    let statement = format!(
        "CREATE TABLE {} (\n  {}\n) {}{split}",
        table_name(&design.table.name),
        lines.join(",\n  "),
        properties.join(",\n  ")
    );
    Ok(PhoenixTable { statement, notes })
}

fn column_line(design: &Design, column: KeyColumn) -> String {
    let null = if column.is_nullable && column.sql.is_variable() { "" } else { " NOT NULL" };
    format!("{} {}{null}", quoted(&design.fields[column.field].name), column.sql)
}

/// A cell that no type can read is declared as bytes.
fn cell_line(design: &Design, cell: &Column, notes: &mut Vec<String>) -> String {
    let (field, family) = (&design.fields[cell.field], &design.table.families[cell.family]);
    let steps = Steps { encoding: cell.encoding, ..Steps::default() };
    let sql = match SqlType::of(&field.kind, &steps) {
        Ok(SqlType::Char(_)) => SqlType::Varchar,
        Ok(sql) => sql,
        Err(reason) => {
            notes.push(format!("column {}:{} is bytes to Phoenix: {reason}", family.name, cell.qualifier));
            SqlType::Varbinary
        }
    };
    format!("{}.{} {sql}", quoted(&family.name), quoted(&cell.qualifier))
}

fn constraint(design: &Design, columns: &[KeyColumn]) -> String {
    let columns = columns.iter().map(|column| {
        let order = if column.is_descending { " DESC" } else { "" };
        format!("{}{order}", quoted(&design.fields[column.field].name))
    });
    format!("CONSTRAINT pk PRIMARY KEY ({})", columns.collect::<Vec<_>>().join(", "))
}

fn column_note(design: &Design, column: KeyColumn) -> Option<String> {
    let name = &design.fields[column.field].name;
    (column.sql == SqlType::Boolean && column.is_descending)
        .then(|| format!("Phoenix finds rows by a descending BOOLEAN, but reads \"{name}\" as false always"))
}

fn table_notes(design: &Design) -> Vec<String> {
    let mut notes = Vec::new();
    if design.table.name.contains(':') {
        notes.push("a namespace needs phoenix.schema.isNamespaceMappingEnabled = true".to_owned());
    }
    if matches!(design.columns.other, OtherColumns::Store(_)) {
        notes.push(
            "columns that no field names are dynamic columns: a query names them with their types".to_owned(),
        );
    }
    notes
}

fn properties(design: &Design, key: &Key, notes: &mut Vec<String>) -> Vec<String> {
    let families = &design.table.families;
    let mut words: Vec<String> =
        key.salt_buckets.map(|count| format!("SALT_BUCKETS = {count}")).into_iter().collect();
    // Otherwise Phoenix would replace the qualifiers by numbers.
    words.push("COLUMN_ENCODED_BYTES = 0".to_owned());
    words.push(format!("DEFAULT_COLUMN_FAMILY = '{}'", families[0].name));
    let ttl_s = families[0].ttl_s;
    if families.iter().any(|family| family.ttl_s != ttl_s) {
        notes.push("Phoenix has one TTL for all families: set theirs with HBase".to_owned());
    } else {
        words.extend(ttl_s.map(|seconds| format!("TTL = {seconds}")));
    }
    let has_column = |place: usize| design.columns.cells.iter().any(|cell| cell.family == place);
    for (place, family) in families.iter().enumerate() {
        if place == 0 && design.columns.cells.is_empty() {
            words.extend(family_words(family, ""));
        } else if has_column(place) {
            words.extend(family_words(family, &format!("{}.", quoted(&family.name))));
        } else {
            notes.push(format!(
                "family {} has no column, so Phoenix takes no attributes of it: set them with HBase",
                family.name
            ));
        }
    }
    words
}

/// Returns a family's attributes, each after `prefix`; its block encoding is always included, as Phoenix's default
/// differs from HBase's. Without a column, an attribute is that of all families.
fn family_words(family: &Family, prefix: &str) -> Vec<String> {
    const PHOENIX_DEFAULT: &str = "DATA_BLOCK_ENCODING";
    let attributes =
        family.hbase_attributes().into_iter().filter(|(name, _)| !["TTL", PHOENIX_DEFAULT].contains(name));
    let encoding = (PHOENIX_DEFAULT, family.encoding.hbase_name().to_owned());
    let word = |(name, value): (&str, String)| {
        let is_bare = value == "true" || value.bytes().all(|byte| byte.is_ascii_digit());
        let quote = if is_bare { "" } else { "'" };
        format!("{prefix}{name} = {quote}{value}{quote}")
    };
    attributes.chain([encoding]).map(word).collect()
}

/// Phoenix splits a salted table at its salts. It takes other points as texts; the zeros that it appends to them
/// separate no keys.
fn split_clause(design: &Design, key: &Key, points: &SplitPoints, notes: &mut Vec<String>) -> String {
    let by_bucket =
        |rule: &SplitRule| matches!(rule, SplitRule::Bucket { regions: None, suffix } if suffix.is_empty());
    if let Some(count) = key.salt_buckets {
        if !design.split.as_ref().is_some_and(|split| by_bucket(&split.rule)) {
            notes.push(format!("Phoenix cuts the table into {count} regions, one for each salt"));
        }
        return String::new();
    }
    if points.keys().is_empty() {
        return String::new();
    }
    let texts = points.keys().iter().map(|point| {
        let text = std::str::from_utf8(point.as_bytes()).ok()?;
        text.bytes()
            .all(|byte| (b' '..=b'~').contains(&byte) && byte != b'\\')
            .then(|| text.replace('\'', "''"))
    });
    match texts.collect::<Option<Vec<String>>>() {
        Some(texts) => format!("\nSPLIT ON ('{}')", texts.join("', '")),
        None => {
            notes.push("SPLIT ON takes texts: make the table and its regions with HBase first".to_owned());
            String::new()
        }
    }
}

fn table_name(name: &str) -> String {
    name.split(':').map(quoted).collect::<Vec<_>>().join(".")
}

/// Quotes a name, so that it keeps its case.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl fmt::Display for NotPhoenix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Phoenix makes no such key")?;
        for (part, name, reason) in &self.parts {
            write!(f, "\n  part {part}, {name}: {reason}")?;
        }
        Ok(())
    }
}

impl std::error::Error for NotPhoenix {}
