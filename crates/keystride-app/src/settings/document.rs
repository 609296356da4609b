//! Settings and contexts for programs.

use serde::Serialize;

use super::{Origin, Settings};
use crate::durability::durability_text;

/// A context, its store, and whether it is in use.
#[derive(Debug, Clone, Serialize)]
pub struct ContextDocument {
    context: String,
    backend: String,
    in_use: bool,
}

/// A setting by its word, its value as it is written in settings, and where it was set; nothing where it was not set.
#[derive(Debug, Clone, Serialize)]
pub struct SettingDocument {
    setting: &'static str,
    value: Option<String>,
    origin: Option<String>,
}

impl Settings {
    /// Describes the contexts.
    pub fn context_documents(&self) -> impl Iterator<Item = ContextDocument> {
        let in_use = self.context.as_ref().map(|context| &context.value);
        self.contexts.iter().map(move |(name, backend)| ContextDocument {
            context: name.to_string(),
            backend: backend.value.to_string(),
            in_use: in_use == Some(name),
        })
    }

    /// Describes all settings; the store has no value if the context in force does not exist.
    pub fn documents(&self) -> [SettingDocument; 7] {
        let setting = |setting, value: Option<String>, origin: Option<&Origin>| SettingDocument {
            setting,
            value,
            origin: origin.map(ToString::to_string),
        };
        let (context, backend) = (self.context.as_ref(), self.backend.as_ref().ok());
        let (format, tz, timeout) = (&self.format, &self.tz, &self.timeout);
        let backend_text = backend.map(|name| name.value.to_string());
        let context_text = context.map(|name| name.value.to_string());
        let durability = durability_text(self.durability.value);
        [
            setting("backend", backend_text, backend.map(|name| &name.origin)),
            setting("context", context_text, context.map(|name| &name.origin)),
            setting("format", format.value.map(|format| format.name().to_owned()), Some(&format.origin)),
            setting("tz", tz.value.as_ref().map(ToString::to_string), Some(&tz.origin)),
            setting("lang", Some(self.lang.value.name().to_owned()), Some(&self.lang.origin)),
            setting("durability", Some(durability), Some(&self.durability.origin)),
            setting("timeout", timeout.value.map(|time| format!("{time:?}")), Some(&timeout.origin)),
        ]
    }
}
