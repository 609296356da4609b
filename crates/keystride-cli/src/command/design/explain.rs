use keystride_advisor::lint::{LintId, PageDocument};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::output::{Rows, print_lines, print_text_or_document};
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The lint, such as SPL05; without one, all lints are listed
    lint: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let language = global.lang;
        match &self.lint {
            Some(name) => {
                let id: LintId = name.to_uppercase().parse().map_err(Usage::UnknownLint)?;
                let page = || id.explain(language);
                let document = || PageDocument::new(id, language);
                print_text_or_document(global, "a lint's page", page, document)?;
            }
            None if global.format.is_none() => {
                print_lines(
                    global,
                    "lint",
                    LintId::ALL.iter().map(|id| format!("{id}  {}", id.title(language))),
                )?;
            }
            None => {
                let mut rows = Rows::new(global, ["id", "title"]);
                for id in LintId::ALL {
                    rows.push(vec![id.name().into(), id.title(language).into()])?;
                }
                rows.print()?;
            }
        }
        Ok(Code::Done)
    }
}
