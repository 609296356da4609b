//! A Phoenix primary key as a design: its columns are the fields `k0`, `k1`, ….

use keystride::Row;
use keystride::design::DesignError;
use keystride::value::ValueError;
use serde_json::Value;

use crate::recipe::{Recipe, Refused};

/// A table whose primary key a design can say.
pub(crate) struct Table<'a> {
    pub(crate) columns: Vec<Column<'a>>,
    pub(crate) recipe: Recipe,
}

/// A column of a primary key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column<'a> {
    pub(crate) kind: &'a str,
    pub(crate) descending: bool,
    pub(crate) nullable: bool,
}

/// Why there is no such design.
#[derive(Debug)]
pub(crate) enum Unsaid {
    /// A type that no field has.
    Type(&'static str),
    Refused(DesignError),
}

impl<'a> Table<'a> {
    /// The table of a vector's `pk` and `salt`; `split` is the table of that name.
    pub(crate) fn read(vector: &'a Value, split: &str) -> Result<Self, Unsaid> {
        let columns: Vec<Column> = vector["pk"].as_array().expect("pk").iter().map(Column::of).collect();
        let mut fields = String::new();
        let mut parts: Vec<String> = salt(vector).map(salt_part).into_iter().collect();
        for (index, column) in columns.iter().enumerate() {
            fields.push_str(&column.field(index, columns.len()).map_err(Unsaid::Type)?);
            parts.push(column.part(index, index + 1 == columns.len()));
        }
        let recipe = Recipe::read(&fields, &parts.join(", "), split).map_err(Unsaid::Refused)?;
        Ok(Self { columns, recipe })
    }

    /// The row of these texts as a source gives them: to Phoenix as to a design, an empty text is no value.
    pub(crate) fn row(&self, texts: &[Option<&str>]) -> Result<Row, ValueError> {
        let design = self.recipe.codec().design();
        let mut row = Row::new(texts.len());
        for (field, text) in texts.iter().enumerate() {
            design.read_value(&mut row, field, text.unwrap_or_default())?;
        }
        Ok(row)
    }

    pub(crate) fn key(&self, texts: &[Option<&str>]) -> Result<Vec<u8>, Refused> {
        self.recipe.key_of(&self.row(texts).map_err(Refused::Value)?)
    }
}

impl<'a> Column<'a> {
    fn of(column: &'a Value) -> Self {
        let word = |index: usize| column[index].as_str();
        Self {
            kind: word(0).expect("a type"),
            descending: word(1) == Some("DESC"),
            nullable: word(2) == Some("null"),
        }
    }

    /// Phoenix ends such a value with a separator, unless it stands last and ascends.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self.kind, "VARCHAR" | "VARBINARY")
    }

    pub(crate) fn is_text(&self) -> bool {
        self.kind == "VARCHAR"
    }

    fn field(&self, index: usize, columns: usize) -> Result<String, &'static str> {
        let kind = match self.kind {
            "INTEGER" => "type = \"i32\"",
            "BIGINT" => "type = \"i64\"",
            "UNSIGNED_INT" => "type = \"u32\"",
            "UNSIGNED_LONG" => "type = \"u64\"",
            "FLOAT" => "type = \"f32\"",
            "DOUBLE" => "type = \"f64\"",
            "BOOLEAN" => "type = \"bool\"",
            "DATE" | "TIME" => "type = \"time\", unit = \"ms\"",
            "UNSIGNED_DATE" | "UNSIGNED_TIME" => "type = \"time\", unit = \"ms\", min = 0",
            "VARCHAR" => "type = \"string\"",
            "VARBINARY" => "type = \"bytes\", input = \"hex\"",
            "BINARY" => "type = \"bytes\", input = \"hex\", len = 4",
            other => return Err(missing_type(other)),
        };
        // The only column of a key has a value, whatever is declared.
        let may_be_null = self.nullable && (self.is_variable() || columns > 1);
        let default = if may_be_null { ", default = \"\"" } else { "" };
        Ok(format!("k{index} = {{ {kind}{default} }}\n"))
    }

    fn part(&self, index: usize, is_last: bool) -> String {
        // Phoenix's unsigned times are Bytes.toBytes of a long.
        let encoding = match self.kind {
            "UNSIGNED_DATE" | "UNSIGNED_TIME" => ", as = \"be\"",
            "BINARY" => "",
            _ => ", as = \"phoenix\"",
        };
        let desc = if self.descending { ", desc = \"invert\"" } else { "" };
        let field = format!("{{ field = \"k{index}\"{encoding}{desc} }}");
        if self.is_variable() && (self.descending || !is_last) {
            return format!("{field}, {{ text = '\\x00' }}");
        }
        field
    }

    /// Values at both ends of the type and one between, null among them where it is allowed.
    pub(crate) fn samples(&self) -> Vec<Option<&'static str>> {
        let values: &[&str] = match self.kind {
            "INTEGER" => &["-2147483648", "5", "2147483647"],
            "BIGINT" | "DATE" | "TIME" => &["-9223372036854775808", "5", "9223372036854775807"],
            "UNSIGNED_INT" => &["0", "5", "2147483647"],
            "UNSIGNED_LONG" | "UNSIGNED_DATE" | "UNSIGNED_TIME" => &["0", "5", "9223372036854775807"],
            "FLOAT" | "DOUBLE" => &["-inf", "0", "inf"],
            "BOOLEAN" => &["false", "true"],
            "VARCHAR" => &["\u{1}", "a", "\u{10ffff}"],
            "BINARY" => &["00000000", "61626364", "ffffffff"],
            _ => &["00", "61", "ffff"],
        };
        let values = values.iter().copied().map(Some);
        values.chain(self.nullable.then_some(None)).collect()
    }
}

/// Buckets of a salted table; 0 stands for none.
fn salt(vector: &Value) -> Option<u64> {
    vector["salt"].as_u64().filter(|&count| count > 0)
}

fn salt_part(count: u64) -> String {
    format!("{{ bucket = {count}, hash = \"phoenix\", of = [\"rest\"] }}")
}

fn missing_type(kind: &str) -> &'static str {
    match kind {
        "DECIMAL" => "DECIMAL: a design has no decimals",
        "TIMESTAMP" | "UNSIGNED_TIMESTAMP" => "TIMESTAMP: a design's time is one number",
        "CHAR" => "CHAR: a design pads no text with blanks",
        "TINYINT" | "UNSIGNED_TINYINT" => "TINYINT: a design has no integers of one byte",
        "SMALLINT" | "UNSIGNED_SMALLINT" => "SMALLINT: a design has no integers of two bytes",
        "UNSIGNED_FLOAT" | "UNSIGNED_DOUBLE" => "UNSIGNED_FLOAT: a design has no unsigned floats",
        other => panic!("unknown type {other}"),
    }
}
