use keystride_app::durability::durability_text;
use keystride_app::settings::{Origin, Settings, SettingsError};
use keystride_store::StoreAddress;
use serde_json::Value;

use crate::failure::{Code, Failure};
use crate::flags::GlobalArgs;
use crate::format::Format;
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

/// A setting's word, its value and its origin.
type Line<'a> = (&'static str, Value, Option<&'a Origin>);

impl Show {
    pub(crate) fn run(&self, args: &GlobalArgs, global: &Global) -> Result<Code, Failure> {
        let settings = Settings::resolve(args.layer()?)?;
        let columns = if self.origin { &["setting", "value", "origin"][..] } else { &["setting", "value"] };
        let mut rows = Rows::new(global, columns.iter().copied());
        for (word, value, origin) in lines(&settings) {
            let origin = origin.map_or(Value::Null, |origin| origin.to_string().into());
            let mut row = vec![word.into(), value, origin];
            row.truncate(columns.len());
            rows.push(row)?;
        }
        rows.print()?;
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

/// Returns all settings; the store has no value if the context in force does not exist.
fn lines(settings: &Settings) -> [Line<'_>; 7] {
    let context = settings.context.as_ref();
    let backend = settings.backend.as_ref().ok();
    let (format, tz, timeout) = (&settings.format, &settings.tz, &settings.timeout);
    [
        ("backend", backend.map(|name| name.value.to_string()).into(), backend.map(|name| &name.origin)),
        ("context", context.map(|name| name.value.to_string()).into(), context.map(|name| &name.origin)),
        ("format", format.value.map(Format::name).into(), Some(&format.origin)),
        ("tz", tz.value.as_ref().map(ToString::to_string).into(), Some(&tz.origin)),
        ("lang", settings.lang.value.name().into(), Some(&settings.lang.origin)),
        ("durability", durability_text(settings.durability.value).into(), Some(&settings.durability.origin)),
        ("timeout", timeout.value.map(|time| format!("{time:?}")).into(), Some(&timeout.origin)),
    ]
}
