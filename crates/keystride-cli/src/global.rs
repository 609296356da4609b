//! The settings and options that apply to every command.

use std::io::IsTerminal as _;
use std::time::Duration;

use keystride::time::Zone;
use keystride_advisor::lint::Language;
use keystride_app::settings::{Origin, Settings, SettingsError, UnknownContext};
use keystride_store::{Durability, StoreAddress};

use crate::flags::GlobalArgs;
use crate::format::{Color, Format};
use crate::times::Times;

/// How long to wait for a folder by default.
const WAIT: Duration = Duration::from_secs(5);

/// The settings and options that apply to every command.
#[derive(Debug, Clone)]
pub(crate) struct Global {
    /// How results are printed; `None` to choose by whether stdout is a terminal.
    pub(crate) format: Option<Format>,
    /// Whether the line of column names is left out.
    pub(crate) no_header: bool,
    /// The zone for times that are counted in a unit; `None` for the field's own.
    pub(crate) tz: Option<Zone>,
    /// How times are printed; `None` to choose by the format.
    pub(crate) times: Option<Times>,
    /// The language of lints and findings.
    pub(crate) lang: Language,
    pub(crate) color: Color,
    /// Where tables are stored. An unknown context is reported only when a store is opened, since most commands need
    /// none.
    pub(crate) backend: Result<StoreAddress, Box<UnknownContext>>,
    /// When a write to a folder is acknowledged.
    pub(crate) durability: Durability,
    /// The time limit of the command.
    pub(crate) timeout: Option<Duration>,
    /// How long to wait for a folder that another command has open.
    pub(crate) wait: Duration,
    /// Whether to print nothing but what was asked for.
    pub(crate) quiet: bool,
    /// Whether figures are printed that few need.
    pub(crate) verbose: bool,
}

impl Global {
    /// Combines the settings with the options that only exist as flags.
    pub(crate) fn of(settings: &Settings, args: &GlobalArgs) -> Result<Self, SettingsError> {
        let backend = settings.backend.as_ref().map(|backend| backend.value.clone()).map_err(Clone::clone);
        if let (Ok(StoreAddress::HBase(_)), Origin::Flag(_)) = (&backend, &settings.durability.origin) {
            return Err(SettingsError::DurabilityOfCluster);
        }
        Ok(Self {
            format: settings.format.value,
            no_header: args.no_header,
            tz: settings.tz.value.clone(),
            times: args.times,
            lang: settings.lang.value,
            color: args.color,
            backend,
            durability: settings.durability.value,
            timeout: settings.timeout.value,
            wait: args.wait.unwrap_or(WAIT),
            quiet: args.quiet,
            verbose: args.verbose > 0,
        })
    }

    /// Returns where tables are stored.
    pub(crate) fn backend(&self) -> Result<&StoreAddress, SettingsError> {
        self.backend.as_ref().map_err(|unknown| unknown.clone().into())
    }

    /// Returns the format of rows: what was asked for, or else a table on a terminal and tsv in a pipe.
    pub(crate) fn rows_format(&self) -> Format {
        let usual = || if std::io::stdout().is_terminal() { Format::Table } else { Format::Tsv };
        self.format.unwrap_or_else(usual)
    }

    /// Whether results are printed as JSON, for programs.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.format, Some(Format::Json | Format::Ndjson))
    }
}
