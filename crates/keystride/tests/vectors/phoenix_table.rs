//! A Phoenix primary key as a design: its columns are the fields `k0`, `k1`, …, the nanoseconds of a TIMESTAMP `k0_1`.

use keystride::design::DesignError;
use keystride::{Row, SplitError};
use serde_json::Value;

use crate::phoenix_column::{Column, Held};
use crate::recipe::{Recipe, Refused};
use crate::tally::Outcome;

/// A table whose primary key a design can say.
pub(crate) struct Table<'a> {
    pub(crate) columns: Vec<Column<'a>>,
    pub(crate) salt: Option<i64>,
    pub(crate) recipe: Recipe,
}

/// Why there is no such design.
#[derive(Debug)]
pub(crate) enum Unsaid {
    /// A type that no field has.
    Type(&'static str),
    Refused(DesignError),
    Points(SplitError),
}

impl Unsaid {
    /// The line's outcome where Phoenix has such a table, or refuses it as well.
    pub(crate) fn outcome(self, refused_by_phoenix: bool) -> Outcome {
        match self {
            Self::Type(reason) => Outcome::NotApplicable(reason),
            _ if refused_by_phoenix => Outcome::Passed,
            Self::Refused(error) => Outcome::Failed(error.to_string()),
            Self::Points(error) => Outcome::Failed(error.to_string()),
        }
    }
}

impl<'a> Table<'a> {
    /// The table of a vector's `pk` and `salt`; `split` is the table of that name.
    pub(crate) fn read(vector: &'a Value, split: &str) -> Result<Self, Unsaid> {
        let columns: Vec<Column> = vector["pk"].as_array().expect("pk").iter().map(Column::of).collect();
        let salt = salt(vector);
        let mut fields = String::new();
        let mut parts: Vec<String> = salt.map(salt_part).into_iter().collect();
        for (index, column) in columns.iter().enumerate() {
            let default = if column.may_be_null(columns.len()) { ", default = \"\"" } else { "" };
            for (name, held) in named(index, column).map_err(Unsaid::Type)? {
                fields.push_str(&format!("{name} = {{ {}{default} }}\n", held.kind));
                parts.push(part(column, &name, held, index + 1 == columns.len()));
            }
        }
        let recipe = Recipe::read(&fields, &parts.join(", "), split).map_err(Unsaid::Refused)?;
        Ok(Self { columns, salt, recipe })
    }

    /// The fields in order: the column of each, its name, and what holds it.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&Column<'a>, String, Held)> {
        self.columns.iter().enumerate().flat_map(|(index, column)| {
            let fields = named(index, column).expect("the design has these fields");
            fields.into_iter().map(move |(name, held)| (column, name, held))
        })
    }

    /// The row of these texts as a source gives them: to Phoenix as to a design, an empty text is no value.
    pub(crate) fn row(&self, values: &[Option<&str>]) -> Result<Row, Refused> {
        let design = self.recipe.codec().design();
        let texts = self.columns.iter().zip(values);
        let texts = texts.map(|(column, value)| column.texts(value.unwrap_or_default()));
        let texts: Vec<Vec<String>> = texts.collect::<Result<_, _>>().map_err(Refused::Bytes)?;
        let mut row = Row::new(design.fields().len());
        for (field, text) in texts.iter().flatten().enumerate() {
            design.read_value(&mut row, field, text).map_err(Refused::Value)?;
        }
        Ok(row)
    }

    pub(crate) fn key(&self, values: &[Option<&str>]) -> Result<Vec<u8>, Refused> {
        self.recipe.key_of(&self.row(values)?)
    }
}

/// `SALT_BUCKETS`; 0 stands for none.
pub(crate) fn salt(vector: &Value) -> Option<i64> {
    vector["salt"].as_i64().filter(|&count| count != 0)
}

fn named(index: usize, column: &Column<'_>) -> Result<Vec<(String, Held)>, &'static str> {
    let name = |half: usize| if half == 0 { format!("k{index}") } else { format!("k{index}_{half}") };
    Ok(column.held()?.into_iter().enumerate().map(|(half, held)| (name(half), held)).collect())
}

fn part(column: &Column<'_>, name: &str, held: Held, is_last: bool) -> String {
    let desc = if column.descending { ", desc = \"invert\"" } else { "" };
    let field = format!("{{ field = \"{name}\"{}{desc} }}", held.encoding);
    if column.is_variable() && (column.descending || !is_last) {
        return format!("{field}, {{ text = '\\x00' }}");
    }
    field
}

fn salt_part(count: i64) -> String {
    format!("{{ bucket = {count}, hash = \"phoenix\", of = [\"rest\"] }}")
}
