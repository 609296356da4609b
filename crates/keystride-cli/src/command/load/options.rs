//! How a load is to go, as the command line says it.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::ValueEnum;
use keystride_table::load::{Check, LoadId, LoadOptions, OnError, Start, Way};

use crate::size::parse_bytes;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct LoadArgs {
    /// Memory for rows that are compared and sorted
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = parse_bytes)]
    memory: usize,
    /// Size of a batch
    #[arg(long, value_name = "SIZE", default_value = "4MiB", value_parser = parse_batch)]
    batch: NonZeroUsize,
    /// Full batches that may wait for the store
    #[arg(long, value_name = "N", default_value = "2")]
    in_flight: NonZeroU32,
    /// What a rejected row does
    #[arg(long, value_enum, default_value = "reject")]
    on_error: OnErrorArg,
    /// Where rejected rows are kept [default: NAME.rejects.csv beside the file]
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,
    /// The load's name, under which its progress is kept [default: by the names and sizes of the files]
    #[arg(long, value_name = "ID")]
    pub(super) load_id: Option<String>,
    /// Go on where an earlier run of the same load ended
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    check: CheckArgs,
    /// How rows get into the store
    #[arg(long, value_enum, default_value = "faster")]
    way: WayArg,
    /// Stop when half of the windows so far are at least so many times hotter than even
    #[arg(long, value_name = "TIMES")]
    pub(super) abort_if_hot: Option<f64>,
    /// Write what came of the load to a file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Read, check and count, and store nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// Which rows of the same key to look for, instead of those of the load itself.
#[derive(Debug, Clone, clap::Args)]
#[group(multiple = false)]
struct CheckArgs {
    /// Look for rows of the same key also among those stored before the load
    #[arg(long)]
    check_stored: bool,
    /// Do not look for rows of the same key
    #[arg(long)]
    no_duplicate_check: bool,
}

/// What a rejected row does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnErrorArg {
    /// It is kept aside, and the load goes on
    Reject,
    /// It ends the load; the rows before it are stored
    Stop,
}

/// How rows get into the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WayArg {
    /// Sorted into an empty table when the files are large, else in batches
    Faster,
    /// In batches, each safe when it is written
    Batches,
    /// Sorted into an empty table, all at once
    Sorted,
}

impl LoadArgs {
    pub(super) fn options(&self, id: LoadId) -> LoadOptions {
        LoadOptions {
            start: if self.resume { Start::Resume } else { Start::Anew },
            check: self.check.check(),
            on_error: match self.on_error {
                OnErrorArg::Reject => OnError::Reject,
                OnErrorArg::Stop => OnError::Stop,
            },
            way: match self.way {
                WayArg::Faster => Way::Faster,
                WayArg::Batches => Way::Batches,
                WayArg::Sorted => Way::Sorted,
            },
            memory_bytes: self.memory,
            batch_bytes: self.batch,
            in_flight: self.in_flight,
            ..LoadOptions::of(id)
        }
    }
}

impl CheckArgs {
    fn check(&self) -> Check {
        match self {
            Self { check_stored: true, .. } => Check::Stored,
            Self { no_duplicate_check: true, .. } => Check::None,
            _ => Check::Exact,
        }
    }
}

fn parse_batch(text: &str) -> Result<NonZeroUsize, String> {
    parse_bytes(text).map(|bytes| NonZeroUsize::new(bytes).unwrap_or(NonZeroUsize::MIN))
}
