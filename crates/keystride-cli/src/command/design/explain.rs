use keystride::lint::LintId;

use crate::failure::{Code, Failure, Usage};
use crate::output::{Out, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The lint, such as SPL05; without one, all of them are listed
    lint: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<Code, Failure> {
        match &self.lint {
            Some(name) => {
                let id: LintId = name.to_uppercase().parse().map_err(Usage::UnknownLint)?;
                print(&id.explain())?;
            }
            None => {
                let mut out = Out::new();
                for id in LintId::ALL {
                    out.line(format!("{id}  {}", id.title()))?;
                }
                out.finish()?;
            }
        }
        Ok(Code::Done)
    }
}
