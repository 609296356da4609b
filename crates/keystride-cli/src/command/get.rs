use keystride::design::Field;
use keystride::{Design, Row};
use keystride_app::fields::fields_named;
use keystride_app::values::{field_columns, row_values};
use keystride_store::Selection;
use keystride_table::Table;

use super::values::rows_of;
use crate::cell_args::read_columns;
use crate::failure::{Code, Failure};
use crate::format::Format;
use crate::global::Global;
use crate::key_text::KeyArg;
use crate::open_store::{Missing, with_store};
use crate::output::{CellRows, say};
use crate::row_args::read_row;
use crate::screen_args::ScreenArgs;
use crate::table_args::{NamedTable, TableArgs, with_table};
use crate::usage::Usage;

/// Prints the row of a key
///
/// By its fields, a row is shown as fields. By its bytes, with --hex or --escaped, its cells are shown as they are
/// stored, and no design is needed.
#[derive(Debug, clap::Args)]
pub(crate) struct Get {
    #[command(flatten)]
    table: TableArgs,
    /// The fields of the key
    #[arg(value_name = "FIELD=VALUE", required_unless_present_any = ["hex", "escaped"])]
    fields: Vec<String>,
    /// The key's bytes in hex
    #[arg(long, value_name = "HEX", conflicts_with_all = ["escaped", "fields"])]
    hex: Option<String>,
    /// The key's bytes in HBase's escaped form, such as '\x00a'
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "fields")]
    escaped: Option<String>,
    /// Print only these fields; with --hex or --escaped these columns, as family or family:qualifier
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    #[command(flatten)]
    screen: ScreenArgs,
}

impl Get {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let named = self.table.read()?;
        match (&self.hex, &self.escaped) {
            (None, None) => self.by_fields(global, &named),
            _ => self.by_bytes(global, &named),
        }
    }

    fn by_bytes(&self, global: &Global, named: &NamedTable) -> Result<Code, Failure> {
        let key = KeyArg { key: None, hex: self.hex.clone(), escaped: self.escaped.clone() }.read()?;
        let selection = Selection { columns: read_columns(self.columns.as_deref())?, ..Selection::default() };
        let mut rows = CellRows::new(global, self.screen);
        with_store(global, Missing::Fail, async |store| {
            named.check(global, &store).await?;
            let found = store.get(&named.name, &[key.as_bytes()], &selection).await?;
            let is_there = rows.push(&found, u64::MAX)? > 0;
            if !is_there {
                say(global, "no row has this key");
            }
            if is_there || global.format == Some(Format::Json) {
                rows.print()?;
            }
            Ok(if is_there { Code::Done } else { Code::No })
        })
    }

    fn by_fields(&self, global: &Global, named: &NamedTable) -> Result<Code, Failure> {
        with_table(global, named, async |table| {
            let times = global.times();
            let key = read_row(&global.reading(table.design()), &self.fields)?;
            check_is_for_key(table.design(), &key)?;
            check_is_whole(&table, &key)?;
            let columns = self
                .columns
                .as_deref()
                .map(|names| fields_named(table.design(), names))
                .transpose()
                .map_err(Usage::from)?;
            let found = table.get(&key).await?;
            if found.is_empty() {
                say(global, "no row has this key");
            }
            // A document says that there is no such row; other formats print nothing.
            if found.is_empty() && global.format != Some(Format::Json) {
                return Ok(Code::No);
            }
            let fields = field_columns(table.design(), columns.as_deref());
            let mut rows = rows_of(global, table.design(), &fields);
            for row in found.iter() {
                rows.push(row_values(table.design(), &fields, &times, |field| row.get(field)))?;
            }
            rows.print()?;
            Ok(if found.is_empty() { Code::No } else { Code::Done })
        })
    }
}

/// Refuses a row that lacks fields of the key: those without a default.
fn check_is_whole(table: &Table, row: &Row) -> Result<(), Usage> {
    let design = table.design();
    let needed = design.fields_for_key();
    let is_missing =
        |index: usize, field: &Field| needed[index] && field.default.is_none() && row.get(index).is_none();
    let missing = design.source_fields().filter(|(index, field)| is_missing(*index, field));
    let missing: Vec<&str> = missing.map(|(_, field)| field.name.as_str()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Usage::KeyNeeds { table: table.name().to_string(), missing: missing.join(", ") })
}

/// Refuses fields that the key does not depend on: they would not be compared with those of the row.
fn check_is_for_key(design: &Design, row: &Row) -> Result<(), Usage> {
    let needed = design.fields_for_key();
    let others = design.fields().iter().enumerate().filter(|(field, _)| !needed[*field]);
    match others.into_iter().find(|(field, _)| row.get(*field).is_some()) {
        Some((_, field)) => Err(Usage::NotForKey { field: field.name.clone() }),
        None => Ok(()),
    }
}
