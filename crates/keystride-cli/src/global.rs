//! What every command goes by.

use std::time::Duration;

use clap::ValueEnum;
use keystride::time::Zone;
use keystride_store::Durability;

use crate::backend::Backend;
use crate::settings::{SettingsError, UnknownContext};

/// What every command goes by: the settings in force.
#[derive(Debug, Clone)]
pub(crate) struct Global {
    /// How results are written; `None` for what suits a terminal or a pipe.
    pub(crate) format: Option<Format>,
    /// Whether the line of column names is left out.
    pub(crate) no_header: bool,
    /// The zone of times that are counted in a unit; `None` for the field's own.
    pub(crate) tz: Option<Zone>,
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

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A bordered table.
    Table,
    /// One JSON document.
    Json,
    /// One JSON object a line.
    Ndjson,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Findings with their place and what would do; elsewhere as table.
    Full,
    /// Findings a line each; elsewhere as tsv.
    Concise,
}

impl Global {
    /// Where tables live.
    pub(crate) fn backend(&self) -> Result<&Backend, SettingsError> {
        self.backend.as_ref().map_err(|unknown| unknown.clone().into())
    }

    /// Whether programs are to read the results as JSON.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.format, Some(Format::Json | Format::Ndjson))
    }
}

impl Format {
    /// Its word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Full => "full",
            Self::Concise => "concise",
        }
    }
}

/// When to colour messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal that can.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
