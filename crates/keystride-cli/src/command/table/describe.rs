use keystride_store::{TableDescription, TableName};
use keystride_table::{DESIGN_ATTRIBUTE, TableDocument};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::print_text_or_document;

#[derive(Debug, clap::Args)]
pub(crate) struct Describe {
    /// The table
    table: String,
}

impl Describe {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        with_store(global, Missing::Fail, async |store| {
            let described = store.describe(&name).await?;
            let design = described.attributes.get(DESIGN_ATTRIBUTE);
            print_text_or_document(
                global,
                "table describe",
                || text(&described, design.map(String::as_str)),
                || TableDocument::from(&described),
            )?;
            Ok(Code::Done)
        })
    }
}

/// The families in comments, so that the text is still a design file.
fn text(described: &TableDescription, design: Option<&str>) -> String {
    let mut text = String::new();
    for family in &described.families {
        let attributes = family.attributes().into_iter();
        let attributes: Vec<String> =
            attributes.map(|(name, value)| format!("{name} => '{value}'")).collect();
        text += &format!("# family {}: {}\n", family.name, attributes.join(", "));
    }
    text + design.unwrap_or("# the table carries no design")
}
