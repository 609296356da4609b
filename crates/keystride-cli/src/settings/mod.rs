//! Settings, in order of precedence: flags, variables, the project's file, the user's file, defaults.
//!
//! Start at [`Settings::resolve`]. Each layer is read completely into a `Said`; after that, only `keystride ctx show`
//! still uses where a setting came from.

mod context;
mod edit;
mod error;
mod file;
mod flags;
mod origin;
mod project_file;
mod said;
mod user_file;
mod word;

pub(crate) use context::{ContextName, Contexts, UnknownContext};
pub(crate) use edit::{Removed, UserFileEdit};
pub(crate) use error::SettingsError;
pub(crate) use flags::GlobalArgs;
pub(crate) use origin::{Origin, Setting};

use std::path::PathBuf;
use std::time::Duration;

use keystride::time::Zone;
use keystride_advisor::lint::Language;
use keystride_store::{Durability, StoreAddress};

use crate::format::Format;
use said::{Home, Said};
use user_file::UserFile;

/// The settings in force, and where each was set.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The context that the store comes from.
    pub(crate) context: Option<Setting<ContextName>>,
    pub(crate) backend: Result<Setting<StoreAddress>, Box<UnknownContext>>,
    pub(crate) format: Setting<Option<Format>>,
    pub(crate) tz: Setting<Option<Zone>>,
    pub(crate) lang: Setting<Language>,
    pub(crate) durability: Setting<Durability>,
    pub(crate) timeout: Setting<Option<Duration>>,
    /// All contexts.
    pub(crate) contexts: Contexts,
}

/// The default folder of tables.
const FOLDER: &str = "./keystride-data";

impl Settings {
    /// Reads all layers.
    pub(crate) fn resolve(args: &GlobalArgs) -> Result<Self, SettingsError> {
        let flags = args.said()?;
        let variables = Said::of_variables()?;
        let project = project_file::said()?;
        let user = UserFile::read()?;
        Ok(Self::of(flags.or(variables).or(project).or(user.said), user.contexts))
    }

    /// Reads the flags alone, for commands that must work when files are broken.
    pub(crate) fn of_flags(args: &GlobalArgs) -> Result<Self, SettingsError> {
        Ok(Self::of(args.said()?, Contexts::default()))
    }

    fn of(said: Said, contexts: Contexts) -> Self {
        let (context, backend) = match said.home {
            None => (None, Ok(Setting::new(StoreAddress::Embedded(PathBuf::from(FOLDER)), Origin::Default))),
            Some(Setting { value: Home::Backend(backend), origin }) => {
                (None, Ok(Setting::new(backend, origin)))
            }
            Some(Setting { value: Home::Context(name), origin }) => {
                let backend = contexts.find(&name, &origin).map_err(Box::new);
                (Some(Setting::new(name, origin)), backend)
            }
        };
        let lang = said.lang.unwrap_or_else(|| Setting::new(Language::English, Origin::Default));
        let durability = said.durability.unwrap_or_else(|| Setting::new(Durability::Batch, Origin::Default));
        Self {
            context,
            backend,
            format: optional(said.format),
            tz: optional(said.tz),
            lang,
            durability,
            timeout: optional(said.timeout),
            contexts,
        }
    }
}

fn optional<T>(said: Option<Setting<T>>) -> Setting<Option<T>> {
    match said {
        Some(Setting { value, origin }) => Setting::new(Some(value), origin),
        None => Setting::new(None, Origin::Default),
    }
}
