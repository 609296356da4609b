//! Where tables live, and when a write counts as done, as words of the command line.

use std::path::PathBuf;
use std::str::FromStr;

use keystride_store::Durability;

use crate::duration::parse_duration;
use crate::failure::Usage;

/// A back end as the command line names it.
#[derive(Debug, Clone)]
pub(crate) enum Backend {
    /// `embedded:DIR`.
    Embedded(PathBuf),
}

impl FromStr for Backend {
    type Err = Usage;

    fn from_str(text: &str) -> Result<Self, Usage> {
        match text.strip_prefix("embedded:") {
            Some(dir) if !dir.is_empty() => Ok(Self::Embedded(PathBuf::from(dir))),
            _ => Err(Usage::Backend { found: text.to_owned() }),
        }
    }
}

/// `batch`, or `interval:100ms`.
pub(crate) fn parse_durability(text: &str) -> Result<Durability, Usage> {
    let bad = || Usage::Durability { found: text.to_owned() };
    if text == "batch" {
        return Ok(Durability::Batch);
    }
    let interval = text.strip_prefix("interval:").ok_or_else(bad)?;
    parse_duration(interval).map(Durability::Interval).map_err(|_| bad())
}

/// A level as it is written.
pub(crate) fn durability_text(durability: Durability) -> String {
    match durability {
        Durability::Batch => "batch".to_owned(),
        Durability::Interval(interval) => format!("interval:{}ms", interval.as_millis()),
    }
}
