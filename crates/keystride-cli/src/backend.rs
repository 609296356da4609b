//! The stores of tables and the durability of writes, as they are written on the command line.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use keystride_hbase::ClusterAddress;
use keystride_store::{Durability, Writers};

use crate::duration::parse_duration;
use crate::usage::Usage;

/// A store, as it is written on the command line.
#[derive(Debug, Clone)]
pub(crate) enum Backend {
    /// `embedded:DIR`.
    Embedded(PathBuf),
    /// `hbase://zk1,zk2:2181/hbase`, or `hbase+rpc://master:16000`.
    HBase(ClusterAddress),
}

impl FromStr for Backend {
    type Err = Usage;

    fn from_str(text: &str) -> Result<Self, Usage> {
        match text.strip_prefix("embedded:") {
            Some(dir) if !dir.is_empty() => Ok(Self::Embedded(PathBuf::from(dir))),
            None if text.starts_with("hbase") => {
                text.parse().map(Self::HBase).map_err(|cause| Usage::Cluster { cause })
            }
            _ => Err(Usage::Backend { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embedded(folder) => write!(f, "embedded:{}", folder.display()),
            Self::HBase(address) => fmt::Display::fmt(address, f),
        }
    }
}

impl Backend {
    /// Returns the same store with its folder, if it has one, taken relative to `folder`.
    pub(crate) fn seen_from(&self, folder: &Path) -> Self {
        match self {
            Self::Embedded(dir) => Self::Embedded(folder.join(dir).components().collect()),
            Self::HBase(address) => Self::HBase(address.clone()),
        }
    }

    /// Returns who else may write to its tables.
    pub(crate) fn writers(&self) -> Writers {
        match self {
            Self::Embedded(_) => Writers::Alone,
            Self::HBase(_) => Writers::Others,
        }
    }

    /// Returns the level of durability as a word: what a write waits for before it counts as done.
    pub(crate) fn durability_text(&self, durability: Durability) -> String {
        match self {
            Self::Embedded(_) => durability_text(durability),
            Self::HBase(_) => "log".to_owned(),
        }
    }

    /// Returns where a write is once it counts as done.
    pub(crate) fn acknowledged_text(&self, durability: Durability) -> String {
        match self {
            Self::Embedded(_) => format!("on disk ({})", durability_text(durability)),
            Self::HBase(_) => "in the logs of region servers".to_owned(),
        }
    }
}

/// Parses `batch` or `interval:100ms`.
pub(crate) fn parse_durability(text: &str) -> Result<Durability, Usage> {
    let bad = || Usage::Durability { found: text.to_owned() };
    if text == "batch" {
        return Ok(Durability::Batch);
    }
    let interval = text.strip_prefix("interval:").ok_or_else(bad)?;
    parse_duration(interval).map(Durability::Interval).map_err(|_| bad())
}

/// Returns a level of durability as it is written on the command line.
pub(crate) fn durability_text(durability: Durability) -> String {
    match durability {
        Durability::Batch => "batch".to_owned(),
        Durability::Interval(interval) => format!("interval:{}ms", interval.as_millis()),
    }
}
