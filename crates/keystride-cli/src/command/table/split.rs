use keystride_store::TableName;

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::KeyArg;
use crate::open_store::{Missing, with_store};
use crate::output::say;

#[derive(Debug, clap::Args)]
pub(crate) struct Split {
    /// The table
    table: String,
    #[command(flatten)]
    at: KeyArg,
}

impl Split {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        let at = self.at.read()?;
        with_store(global, Missing::Fail, async |store| {
            store.split(&name, &at).await?;
            say(global, &format!("{name} is cut at {at}"));
            Ok(Code::Done)
        })
    }
}
