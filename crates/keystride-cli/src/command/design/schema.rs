use crate::failure::{Code, Failure};
use crate::output::print;

#[derive(Debug, clap::Args)]
pub(crate) struct Schema {}

impl Schema {
    #[expect(clippy::unused_self, reason = "every command runs from its arguments, also from none")]
    pub(crate) fn run(&self) -> Result<Code, Failure> {
        print(keystride::design::SCHEMA)?;
        Ok(Code::Done)
    }
}
