use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::output::{print, refuse_rows};

#[derive(Debug, clap::Args)]
pub(crate) struct Schema {}

impl Schema {
    #[expect(clippy::unused_self, reason = "every command runs from its arguments, also from none")]
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        refuse_rows(global, "design schema")?;
        print(keystride::design::SCHEMA)?;
        Ok(Code::Done)
    }
}
