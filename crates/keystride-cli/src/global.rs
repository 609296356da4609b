//! Options of every command.

use std::time::Duration;

use clap::ValueEnum;
use keystride::time::Zone;
use keystride_store::Durability;

use crate::backend::{Backend, parse_durability};
use crate::duration::parse_duration;

/// Options of every command.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Global {
    /// How results are written [default: table on a terminal, tsv in a pipe]
    #[arg(long, global = true, value_enum, env = "KEYSTRIDE_FORMAT")]
    pub(crate) format: Option<Format>,
    /// Leave out the line of column names
    #[arg(long, global = true)]
    pub(crate) no_header: bool,
    /// The zone in which times that are counted in a unit are shown and read, such as Asia/Shanghai or +08:00
    /// [default: the field's own]
    #[arg(long, global = true, value_name = "ZONE", allow_hyphen_values = true)]
    pub(crate) tz: Option<Zone>,
    /// When to colour messages
    #[arg(long, global = true, value_enum, default_value = "auto")]
    pub(crate) color: Color,
    /// Where tables live
    #[arg(
        long,
        global = true,
        value_name = "BACKEND",
        env = "KEYSTRIDE_BACKEND",
        default_value = "embedded:./keystride-data"
    )]
    pub(crate) backend: Backend,
    /// When a write is acknowledged: "batch" waits for the disk each time, "interval:100ms" lets it follow so much later
    #[arg(long, global = true, value_name = "LEVEL", default_value = "batch", value_parser = parse_durability)]
    pub(crate) durability: Durability,
    /// How long work on a store may take, such as 30s; what takes longer ends with 3
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// Say only what is asked for
    #[arg(short, long, global = true)]
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
