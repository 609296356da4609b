use keystride_store::{TableName, Writers};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::say;

#[derive(Debug, clap::Args)]
pub(crate) struct Compact {
    /// The table
    table: String,
}

impl Compact {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let name = TableName::new(&self.table)?;
        with_store(global, Missing::Fail, async |store| {
            store.compact(&name).await?;
            say(
                global,
                &match store.writers() {
                    Writers::Alone => format!("the files of {name} are merged"),
                    Writers::Others => format!("the cluster merges the files of {name} from now on"),
                },
            );
            Ok(Code::Done)
        })
    }
}
