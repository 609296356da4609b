//! Settings, in order of precedence: flags, variables, the project's file, the user's file, defaults.
//!
//! Start at [`Settings::resolve`]. Each layer is read completely into a `Layer`; after that, only `keystride ctx show`
//! still uses where a setting came from.

mod context;
mod document;
mod edit;
mod error;
mod file;
mod format;
mod layer;
mod locale;
mod origin;
mod project_file;
mod user_file;
mod word;

pub use context::{BadContextName, ContextName, Contexts, UnknownContext};
pub use document::{ContextDocument, SettingDocument};
pub use edit::{Removed, UserFileEdit};
pub use error::{BadValue, SettingsError};
pub use format::Format;
pub use layer::{Layer, StoreChoice};
pub use origin::{FileLine, Origin, Setting};
pub use word::Word;

use std::path::PathBuf;
use std::time::Duration;

use keystride::time::Zone;
use keystride_advisor::lint::Language;
use keystride_store::{Durability, StoreAddress};

use user_file::UserFile;

/// The settings in force, and where each was set.
#[derive(Debug)]
pub struct Settings {
    /// The context that the store comes from.
    pub context: Option<Setting<ContextName>>,
    /// Where tables are stored; an error if the context is unknown, which matters only if a store is needed.
    pub backend: Result<Setting<StoreAddress>, Box<UnknownContext>>,
    /// How results are printed; `None` to choose.
    pub format: Setting<Option<Format>>,
    /// The zone for times that are counted in a unit; `None` for the field's own.
    pub tz: Setting<Option<Zone>>,
    /// The language of lints and findings.
    pub lang: Setting<Language>,
    /// When a write to a folder is acknowledged.
    pub durability: Setting<Durability>,
    /// The time limit of a command.
    pub timeout: Setting<Option<Duration>>,
    /// All contexts.
    pub contexts: Contexts,
}

/// The default folder of tables.
const FOLDER: &str = "./keystride-data";

impl Settings {
    /// Reads all layers below `flags`, which is what a caller sets itself.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when a layer can't be read, or sets something that is no value.
    pub fn resolve(flags: Layer) -> Result<Self, SettingsError> {
        let variables = Layer::of_variables()?;
        let project = project_file::layer()?;
        let user = UserFile::read()?;
        Ok(Self::of(flags.or(variables).or(project).or(user.layer), user.contexts))
    }

    /// Returns the settings of the flags alone, for what must work when files are broken.
    pub fn of_flags(flags: Layer) -> Self {
        Self::of(flags, Contexts::default())
    }

    fn of(layer: Layer, contexts: Contexts) -> Self {
        let (context, backend) = match layer.store {
            None => (None, Ok(Setting::new(StoreAddress::Embedded(PathBuf::from(FOLDER)), Origin::Default))),
            Some(Setting { value: StoreChoice::Backend(backend), origin }) => {
                (None, Ok(Setting::new(backend, origin)))
            }
            Some(Setting { value: StoreChoice::Context(name), origin }) => {
                let backend = contexts.find(&name, &origin).map_err(Box::new);
                (Some(Setting::new(name, origin)), backend)
            }
        };
        let lang = layer.lang.unwrap_or_else(locale::language);
        let durability = layer.durability.unwrap_or_else(|| Setting::new(Durability::Batch, Origin::Default));
        Self {
            context,
            backend,
            format: optional(layer.format),
            tz: optional(layer.tz),
            lang,
            durability,
            timeout: optional(layer.timeout),
            contexts,
        }
    }
}

fn optional<T>(layer: Option<Setting<T>>) -> Setting<Option<T>> {
    match layer {
        Some(Setting { value, origin }) => Setting::new(Some(value), origin),
        None => Setting::new(None, Origin::Default),
    }
}
