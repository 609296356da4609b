//! The user file: contexts, which of them is in use, and settings for every folder.

use std::env;
use std::path::PathBuf;

use keystride_store::StoreAddress;

use super::context::Contexts;
use super::error::{BadValue, SettingsError};
use super::file::{Entry, SettingsFile, table, text, unknown};
use super::layer::Layer;
use super::origin::{Origin, Setting};
use super::word::Word;

/// The name of the table of contexts.
pub(super) const CONTEXTS: &str = "contexts";

/// The word for a context's store.
pub(super) const BACKEND: &str = Word::Backend.name();

/// What the user file sets.
#[derive(Debug, Default)]
pub(super) struct UserFile {
    pub(super) layer: Layer,
    pub(super) contexts: Contexts,
}

impl UserFile {
    /// Reads the file; if there is none, it sets nothing.
    pub(super) fn read() -> Result<Self, SettingsError> {
        let file = path().map(SettingsFile::read).transpose()?.flatten();
        file.map_or_else(|| Ok(Self::default()), |file| Self::of(&file))
    }

    fn of(file: &SettingsFile) -> Result<Self, SettingsError> {
        let mut user = Self::default();
        for entry in file.entries() {
            if entry.word == CONTEXTS {
                user.contexts = contexts(file, &entry)?;
            } else if Word::of(entry.word).is_some() {
                file.set(&mut user.layer, &entry)?;
            } else {
                return Err(unknown(
                    &entry,
                    Word::ALL.map(Word::name).into_iter().chain([CONTEXTS]).collect(),
                ));
            }
        }
        Ok(user)
    }
}

/// Returns the path of the user file: `$KEYSTRIDE_CONFIG`, else in `$XDG_CONFIG_HOME`, else in `~/.config`. `None` if
/// the environment has none of them.
pub(super) fn path() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("KEYSTRIDE_CONFIG").or_else(|| {
        // Its specification says that a relative folder is to be ignored.
        let configs = folder("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute());
        let configs = configs.or_else(|| folder("HOME").map(|home| home.join(".config")));
        configs.map(|configs| configs.join("keystride").join("config.toml"))
    })
}

fn contexts(file: &SettingsFile, entry: &Entry<'_>) -> Result<Contexts, SettingsError> {
    let named = file.entries_of(table(entry)?).map(|entry| {
        let origin = Origin::File(entry.place.clone());
        let bad = |cause| SettingsError::Value { origin, cause: Box::new(BadValue::Context(cause)) };
        let name = entry.word.parse().map_err(bad)?;
        let mut backend = None;
        for inner in file.entries_of(table(&entry)?) {
            if inner.word != BACKEND {
                return Err(unknown(&inner, vec![BACKEND]));
            }
            backend = Some(context_backend(file, &inner)?);
        }
        let place = entry.place;
        match backend {
            Some(backend) => Ok((name, backend)),
            None => Err(SettingsError::NoBackend { place, name }),
        }
    });
    Ok(Contexts { all: named.collect::<Result<_, _>>()? })
}

fn context_backend(file: &SettingsFile, entry: &Entry<'_>) -> Result<Setting<StoreAddress>, SettingsError> {
    let origin = Origin::File(entry.place.clone());
    match text(entry)?.parse::<StoreAddress>() {
        Ok(backend) => Ok(Setting::new(file.beside(&backend), origin)),
        Err(cause) => Err(SettingsError::Value { origin, cause: Box::new(BadValue::Address(cause)) }),
    }
}
