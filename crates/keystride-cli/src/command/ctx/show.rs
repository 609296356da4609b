use keystride_app::settings::{Origin, Settings, SettingsError};
use keystride_store::StoreAddress;

use crate::failure::{Code, Failure};
use crate::flags::GlobalArgs;
use crate::global::Global;
use crate::output::{Rows, say};

/// Shows the settings in force
///
/// In order of precedence, they come from flags; from variables, such as `KEYSTRIDE_BACKEND`; from keystride.toml in
/// the working folder or the nearest one above it; from the user file, which `keystride ctx add` and `use` write; and
/// from defaults.
#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    /// Show where each was set
    #[arg(long)]
    origin: bool,
}

impl Show {
    pub(crate) fn run(&self, args: &GlobalArgs, global: &Global) -> Result<Code, Failure> {
        let settings = Settings::resolve(args.layer()?)?;
        let columns = if self.origin { &["setting", "value", "origin"][..] } else { &["setting", "value"] };
        Rows::new(global, columns.iter().copied()).print_documents(settings.documents())?;
        // What names the context is among the rows.
        let backend = settings.backend.as_ref().map_err(|unknown| SettingsError::from(unknown.clone()))?;
        if matches!((&backend.value, &settings.durability.origin), (StoreAddress::HBase(_), origin) if *origin != Origin::Default)
        {
            say(
                global,
                "durability is for folders: a cluster acknowledges a write when its region server has logged it",
            );
        }
        Ok(Code::Done)
    }
}
