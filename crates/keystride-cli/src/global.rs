//! What every command goes by.

use std::time::Duration;

use keystride::lint::Language;
use keystride::time::Zone;
use keystride_store::Durability;

use crate::backend::Backend;
use crate::format::{Color, Format};
use crate::settings::{GlobalArgs, Origin, Settings, SettingsError, UnknownContext};

/// What every command goes by: the settings in force.
#[derive(Debug, Clone)]
pub(crate) struct Global {
    /// How results are written; `None` for what suits a terminal or a pipe.
    pub(crate) format: Option<Format>,
    /// Whether the line of column names is left out.
    pub(crate) no_header: bool,
    /// The zone of times that are counted in a unit; `None` for the field's own.
    pub(crate) tz: Option<Zone>,
    /// The language in which lints are told.
    pub(crate) lang: Language,
    pub(crate) color: Color,
    /// Where tables live. That there is no such context is told by who opens a store: most commands need none.
    pub(crate) backend: Result<Backend, Box<UnknownContext>>,
    /// When a write to a folder is acknowledged.
    pub(crate) durability: Durability,
    /// How long work on a store may take.
    pub(crate) timeout: Option<Duration>,
    /// Whether only what is asked for is said.
    pub(crate) quiet: bool,
}

impl Global {
    /// What commands go by, with the options that have no other layers.
    pub(crate) fn of(settings: &Settings, args: &GlobalArgs) -> Result<Self, SettingsError> {
        let backend = settings.backend.as_ref().map(|backend| backend.value.clone()).map_err(Clone::clone);
        if let (Ok(Backend::HBase(_)), Origin::Flag(_)) = (&backend, &settings.durability.origin) {
            return Err(SettingsError::DurabilityOfCluster);
        }
        Ok(Self {
            format: settings.format.value,
            no_header: args.no_header,
            tz: settings.tz.value.clone(),
            lang: settings.lang.value,
            color: args.color,
            backend,
            durability: settings.durability.value,
            timeout: settings.timeout.value,
            quiet: args.quiet,
        })
    }

    /// Where tables live.
    pub(crate) fn backend(&self) -> Result<&Backend, SettingsError> {
        self.backend.as_ref().map_err(|unknown| unknown.clone().into())
    }

    /// Whether programs are to read the results as JSON.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.format, Some(Format::Json | Format::Ndjson))
    }
}
