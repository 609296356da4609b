//! `keystride.toml`: the settings of a project, beside its designs.

use std::env;

use super::error::SettingsError;
use super::file::SettingsFile;
use super::layer::Layer;

const NAME: &str = "keystride.toml";

/// Returns what the project file sets: the one in the working folder, or else in the nearest folder above it.
pub(super) fn layer() -> Result<Layer, SettingsError> {
    let mut layer = Layer::default();
    if let Some(file) = nearest_file()? {
        file.entries().try_for_each(|entry| file.set(&mut layer, &entry))?;
    }
    Ok(layer)
}

fn nearest_file() -> Result<Option<SettingsFile>, SettingsError> {
    // A working folder that was removed has no file; code that needs the folder reports that it is gone.
    let Ok(folder) = env::current_dir() else { return Ok(None) };
    for folder in folder.ancestors() {
        if let Some(file) = SettingsFile::read(folder.join(NAME))? {
            return Ok(Some(file));
        }
    }
    Ok(None)
}
