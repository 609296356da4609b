use keystride_store::StoreError;

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::Rows;

#[derive(Debug, clap::Args)]
pub(crate) struct List {}

impl List {
    #[expect(clippy::unused_self, reason = "every command runs from its arguments, also from none")]
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        with_store(global, Missing::Fail, async |store| {
            let mut rows = Rows::new(global, ["table", "regions"]);
            for name in store.list().await? {
                let regions = match store.split_points(&name).await {
                    // A table of a cluster may be dropped by others while the tables are listed.
                    Err(StoreError::UnknownTable { .. }) => continue,
                    points => points?.region_count(),
                };
                rows.push(vec![name.to_string().into(), regions.into()])?;
            }
            rows.print()?;
            Ok(Code::Done)
        })
    }
}
