use crate::failure::{Code, Failure};
use crate::format::Format;
use crate::global::Global;
use crate::output::{print, refuse_rows};

#[derive(Debug, clap::Args)]
pub(crate) struct Schema {}

impl Schema {
    #[expect(clippy::unused_self, reason = "every command runs from its arguments, also from none")]
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        refuse_rows(global, "design schema")?;
        match global.format {
            Some(Format::Ndjson) => print(&on_one_line(keystride::design::SCHEMA))?,
            _ => print(keystride::design::SCHEMA)?,
        }
        Ok(Code::Done)
    }
}

/// Joins the lines of an indented JSON text, whose strings never span lines.
fn on_one_line(json: &str) -> String {
    json.lines().map(str::trim_start).collect()
}
