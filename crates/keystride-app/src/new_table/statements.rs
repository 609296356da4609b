use keystride::{Key, SplitPoints};
use serde::Serialize;

use super::{FamilyWords, NewTable, Schema};
use crate::shell_word::quoted;
use crate::splits::splits_argument;

/// The statements that make a table elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statements {
    /// A line of HBase's shell.
    hbase_shell: String,
    /// Java: a table descriptor and its split points.
    java: String,
    /// Apache Phoenix's CREATE TABLE; `None` where Phoenix can't make the same keys.
    phoenix: Option<String>,
    /// A command of this program. With a design it names the file `design.toml`.
    command: String,
}

impl Statements {
    /// Returns the statements for a table.
    pub fn of(table: &NewTable) -> Self {
        let (name, families) = (table.name.to_string(), table.families());
        let phoenix = match &table.schema {
            Schema::Design(design) => keystride::design::phoenix_table(design, &table.points).ok(),
            Schema::Families(_) => None,
        };
        Self {
            hbase_shell: hbase_shell(&name, &families, &table.points),
            java: java(&name, &families, &table.points),
            phoenix: phoenix.map(|table| format!("{};", table.statement)),
            command: command(table, &name, &families),
        }
    }
}

fn command(table: &NewTable, name: &str, families: &[FamilyWords]) -> String {
    let mut line = format!("keystride table create -t {}", quoted(name));
    match table.schema {
        Schema::Design(_) => line.push_str(" -d design.toml"),
        Schema::Families(_) => {
            for FamilyWords { name, attributes } in families {
                let settings = attributes.iter().map(|(name, value)| format!(",{name}={value}"));
                let family = format!("{name}{}", settings.collect::<String>());
                line.push_str(&format!(" --family {}", quoted(&family)));
            }
        }
    }
    if !table.points.keys().is_empty() {
        line.push_str(&format!(" --splits {}", splits_argument(&table.points)));
    }
    line
}

/// Returns `create 'ns:t', {NAME => 'f', …}, SPLITS => [...]`, a line of HBase's shell.
pub fn hbase_shell(table: &str, families: &[FamilyWords], points: &SplitPoints) -> String {
    let mut line = format!("create '{table}'");
    for FamilyWords { name, attributes } in families {
        let words = attributes.iter().map(|(name, value)| format!(", {name} => '{value}'"));
        line.push_str(&format!(", {{NAME => '{}'{}}}", escaped(name, '\''), words.collect::<String>()));
    }
    if !points.keys().is_empty() {
        line.push_str(&format!(", SPLITS => [{}]", shell_points(points)));
    }
    line
}

/// Returns points as HBase's shell takes them: texts in single quotes, which it passes to `toBytesBinary`; that reads
/// `\x00`, and a quote itself is `\x27`.
pub fn shell_points(points: &SplitPoints) -> String {
    let quoted = |key: &Key| format!("'{}'", key.to_string().replace('\'', "\\x27"));
    points.keys().iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// Returns Java's statements: the split points, a descriptor, and the call that makes the table.
pub fn java(table: &str, families: &[FamilyWords], points: &SplitPoints) -> String {
    let mut code = java_points(points);
    code.push_str(&format!(
        "\nTableDescriptor table = TableDescriptorBuilder.newBuilder(TableName.valueOf(\"{table}\"))\n"
    ));
    for FamilyWords { name, attributes } in families {
        let value =
            |(name, value): &(&str, String)| format!("\n            .setValue(\"{name}\", \"{value}\")");
        code.push_str(&format!(
            "    .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(\"{}\")){}.build())\n",
            escaped(name, '"'),
            attributes.iter().map(value).collect::<String>()
        ));
    }
    code.push_str("    .build();\nadmin.createTable(table, splits);");
    code
}

/// Returns `byte[][]`, in which each point is Java's signed bytes, or `Bytes.toBytes` if it is plain text.
pub fn java_points(points: &SplitPoints) -> String {
    let lines: Vec<String> = points.keys().iter().map(|key| format!("    {},", java_key(key))).collect();
    format!("byte[][] splits = {{\n{}\n}};", lines.join("\n"))
}

fn java_key(key: &Key) -> String {
    let bytes = key.as_bytes();
    if bytes.iter().all(|byte| (b' '..=b'~').contains(byte) && !matches!(byte, b'\\' | b'"')) {
        return format!("Bytes.toBytes(\"{key}\")");
    }
    let bytes: Vec<String> = bytes.iter().map(|byte| byte.cast_signed().to_string()).collect();
    format!("new byte[] {{{}}}", bytes.join(", "))
}

/// Escapes a text for these quotes in Ruby and Java.
fn escaped(text: &str, quote: char) -> String {
    text.replace('\\', r"\\").replace(quote, &format!("\\{quote}"))
}

#[cfg(test)]
mod tests {
    use keystride::split;
    use keystride_store::{Family, TableName};

    use super::*;
    use crate::new_table::NewFamily;

    #[test]
    fn names_of_families_are_quoted() {
        let families = [FamilyWords { name: r#"it's "a b"\"#.to_owned(), attributes: vec![] }];
        let none = SplitPoints::default();
        assert!(hbase_shell("t", &families, &none).contains(r#"NAME => 'it\'s "a b"\\'"#));
        assert!(java("t", &families, &none).contains(r#"Bytes.toBytes("it's \"a b\"\\")"#));
    }

    #[test]
    fn a_table_of_families_alone_is_made_by_a_command_too() {
        let family = "cf,versions=3,BLOOMFILTER=ROW".parse::<NewFamily>().unwrap();
        let schema = Schema::Families(vec![Family::try_from(family).unwrap()]);
        let name = TableName::new("ns:t").unwrap();
        let points = split::list::escaped(["a,b", "\\x00"]).unwrap();
        let statements = Statements::of(&NewTable { name, schema, points });
        assert_eq!(
            statements.command,
            r"keystride table create -t 'ns:t' --family 'cf,VERSIONS=3' --splits '\x00,a\x2Cb'"
        );
        assert_eq!(
            statements.hbase_shell,
            r"create 'ns:t', {NAME => 'cf', VERSIONS => '3'}, SPLITS => ['\x00', 'a,b']"
        );
    }
}
