use keystride_app::settings::Settings;

use crate::failure::{Code, Failure};
use crate::flags::GlobalArgs;
use crate::global::Global;
use crate::output::Rows;

/// Lists the named stores, and the one in use here
#[derive(Debug, clap::Args)]
pub(crate) struct List {}

impl List {
    #[expect(clippy::unused_self, reason = "every command runs from its arguments, also from none")]
    pub(crate) fn run(&self, args: &GlobalArgs, global: &Global) -> Result<Code, Failure> {
        let settings = Settings::resolve(args.layer()?)?;
        let rows = Rows::new(global, ["context", "backend", "in_use"]);
        rows.print_documents(settings.context_documents())?;
        Ok(Code::Done)
    }
}
