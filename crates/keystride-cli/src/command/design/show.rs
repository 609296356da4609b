use clap::ValueEnum;
use keystride::Design;
use keystride::design::{End, OrderKept, Part};
use keystride_app::new_table::FamilyWords;
use keystride_app::new_table::{hbase_shell, java};
use serde_json::Value;

use crate::design_arg::DesignArg;
use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::output::{Rows, print_document, print_text, refuse_rows, say};

#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    #[command(flatten)]
    design: DesignArg,
    /// The language to show it in
    #[arg(long = "as", value_enum)]
    language: Option<Language>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// A complete design file
    Toml,
    /// The same in JSON
    Json,
    /// A statement in the style of SQL
    Ddl,
    /// The HBase shell's create
    HbaseShell,
    /// Apache Phoenix's CREATE TABLE, if Phoenix can make the same keys
    Phoenix,
    /// Java: a table descriptor and its split points
    Java,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(self.design.path())?;
        let design = file.design();
        match self.language {
            None if global.is_json() => print_document(global, &design.to_json(None))?,
            None => show_parts(global, &file)?,
            Some(Language::Toml) => print_text(global, "--as toml", &design.to_toml(None))?,
            Some(Language::Json) => {
                refuse_rows(global, "--as json")?;
                print_document(global, &design.to_json(None))?;
            }
            Some(Language::Ddl) => print_text(global, "--as ddl", &keystride::design::ddl(design))?,
            Some(Language::HbaseShell) => {
                let families = FamilyWords::of_design(design);
                let line = hbase_shell(&design.table().name, &families, &file.split_points(global)?);
                print_text(global, "--as hbase-shell", &line)?;
            }
            Some(Language::Phoenix) => show_phoenix(global, &file)?,
            Some(Language::Java) => {
                let families = FamilyWords::of_design(design);
                let code = java(&design.table().name, &families, &file.split_points(global)?);
                print_text(global, "--as java", &code)?;
            }
        }
        Ok(Code::Done)
    }
}

fn show_phoenix(global: &Global, file: &DesignFile) -> Result<(), Failure> {
    let table = keystride::design::phoenix_table(file.design(), &file.split_points(global)?)?;
    for note in &table.notes {
        say(global, &format!("note: {note}"));
    }
    print_text(global, "--as phoenix", &format!("{};", table.statement))
}

fn show_parts(global: &Global, file: &DesignFile) -> Result<(), Failure> {
    let design = file.design();
    let mut rows = Rows::new(global, ["part", "bytes", "order", "reads back", "how"]);
    for (index, (part, layout)) in design.parts().iter().zip(design.layout()).enumerate() {
        let bytes = match &layout.end {
            End::Fixed(width) => width.to_string(),
            End::Before(_) => "up to its terminator".to_owned(),
            End::Own => "up to its end mark".to_owned(),
            End::KeyEnd | End::FromKeyEnd(_) => "what is left".to_owned(),
            End::Unmarked => "unmarked".to_owned(),
        };
        let order = match (part, layout.order) {
            (Part::Text(_) | Part::Bucket(_), _) => "",
            (_, OrderKept::Ascending) => "kept",
            (_, OrderKept::Descending) => "turned",
            (_, OrderKept::No) => "not kept",
        };
        let is_floored = matches!(part, Part::Field(part) if part.steps.floor.is_some());
        let back = match (layout.decodable, is_floored) {
            (true, false) => "yes",
            (true, true) => "the period",
            (false, _) => "no",
        };
        let how = how(design, part);
        rows.push(vec![design.part_name(index).into(), bytes.into(), order.into(), back.into(), how])?;
    }
    let table = design.table();
    let regions = file.split_points(global)?.region_count();
    let noun = if regions == 1 { "region" } else { "regions" };
    let fields = design.fields().len();
    let field_noun = if fields == 1 { "field" } else { "fields" };
    say(global, &format!("{}: {fields} {field_noun}, {regions} {noun}", table.name));
    rows.print()
}

fn how(design: &Design, part: &Part) -> Value {
    match part {
        Part::Text(_) => Value::Null,
        Part::Field(part) => part.steps.to_string().into(),
        Part::Bucket(part) => {
            let of: Vec<String> = part.of.items().iter().map(|item| item.to_text(design.fields())).collect();
            let of = if part.of.is_rest() { "the rest".to_owned() } else { of.join(", ") };
            let count = part.count.get();
            if of.is_empty() {
                format!("{count} of {}", part.hash.name()).into()
            } else {
                format!("{count} by {} of {of}", part.hash.name()).into()
            }
        }
    }
}
