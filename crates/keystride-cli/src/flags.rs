//! The options of every command, as they are written on the command line.

use std::time::Duration;

use clap::ArgAction;
use keystride::time::Zone;
use keystride_advisor::lint::Language;
use keystride_app::durability::parse_durability;
use keystride_app::duration::parse_duration;
use keystride_app::settings::{ContextName, Layer, Origin, Setting, SettingsError, StoreChoice, Word};
use keystride_store::{Durability, StoreAddress};

use crate::format::{Color, Format, FormatArg};
use crate::times::Times;

/// The options of every command. Those not given may be set elsewhere: see [`Settings`](keystride_app::settings::Settings).
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct GlobalArgs {
    /// How to print results [default: table on a terminal, tsv in a pipe]
    #[arg(long, global = true, value_enum)]
    format: Option<FormatArg>,
    /// Leave out the line of column names
    #[arg(long, global = true)]
    pub(crate) no_header: bool,
    /// The zone for showing times, and for reading those that are counted in a unit, such as Asia/Shanghai or +08:00
    /// [default: the field's own]
    #[arg(long, global = true, value_name = "ZONE", allow_hyphen_values = true)]
    pub(crate) tz: Option<Zone>,
    /// How to print times: as the field's source writes them, as a number in the field's unit, or in ISO 8601 with an
    /// offset [default: field in csv and tsv, which load again, else iso]
    #[arg(long, global = true, value_enum, value_name = "STYLE")]
    pub(crate) times: Option<Times>,
    /// The language of `design explain` and of what `design lint` finds, en or zh; everything else is in English
    /// [default: zh if `LC_ALL`, `LC_MESSAGES` or `LANG` begins with zh, else en]
    #[arg(long, global = true, value_name = "LANGUAGE")]
    pub(crate) lang: Option<Language>,
    /// When to colour messages
    #[arg(long, global = true, value_enum, default_value = "auto")]
    pub(crate) color: Color,
    /// Where tables are stored: `embedded:DIR`, `hbase://ZOOKEEPER:2181/hbase` or `hbase+rpc://MASTER:16000` [default:
    /// `embedded:./keystride-data`]
    #[arg(long, global = true, value_name = "BACKEND")]
    pub(crate) backend: Option<StoreAddress>,
    /// A store, by the name that `keystride ctx add` gave it
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) context: Option<ContextName>,
    /// When a write to a folder is acknowledged: "batch" waits for the disk each time, "interval:100ms" lets the disk
    /// follow that much later [default: batch]
    #[arg(long, global = true, value_name = "LEVEL", value_parser = parse_durability)]
    pub(crate) durability: Option<Durability>,
    /// How long the command may take, such as 30s; if it takes longer, the exit code is 3
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// How long to wait for a folder that another command has open [default: 5s]
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_wait)]
    pub(crate) wait: Option<Duration>,
    /// Print only what is asked for
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Tell on stderr what is done meanwhile; twice for each call to a server
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
}

impl GlobalArgs {
    /// Whether files of Parquet are asked for.
    pub(crate) fn wants_parquet(&self) -> bool {
        self.format == Some(FormatArg::Parquet)
    }

    fn results_format(&self) -> Option<Format> {
        match self.format? {
            FormatArg::Results(format) => Some(format),
            FormatArg::Parquet => None,
        }
    }

    /// Returns what the flags set.
    pub(crate) fn layer(&self) -> Result<Layer, SettingsError> {
        let mut layer = Layer {
            store: None,
            format: flag(self.results_format().as_ref(), Word::Format),
            tz: flag(self.tz.as_ref(), Word::Tz),
            lang: flag(self.lang.as_ref(), Word::Lang),
            durability: flag(self.durability.as_ref(), Word::Durability),
            timeout: flag(self.timeout.as_ref(), Word::Timeout),
        };
        if let Some(backend) = &self.backend {
            layer.set_store(StoreChoice::Backend(backend.clone()), Origin::Flag(Word::Backend))?;
        }
        if let Some(context) = &self.context {
            layer.set_store(StoreChoice::Context(context.clone()), Origin::Flag(Word::Context))?;
        }
        Ok(layer)
    }
}

/// Reads a time to wait, which may be none.
fn parse_wait(text: &str) -> Result<Duration, String> {
    if matches!(text, "0" | "0s") {
        Ok(Duration::ZERO)
    } else {
        parse_duration(text).map_err(|error| error.to_string())
    }
}

fn flag<T: Clone>(value: Option<&T>, word: Word) -> Option<Setting<T>> {
    value.map(|value| Setting::new(value.clone(), Origin::Flag(word)))
}
