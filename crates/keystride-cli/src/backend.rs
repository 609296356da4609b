//! Where tables live, and when a write counts as done, as words of the command line.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use keystride_store::Durability;

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
    let ms = match (interval.strip_suffix("ms"), interval.strip_suffix('s')) {
        (Some(ms), _) => ms.parse::<u64>().ok(),
        (None, Some(s)) => s.parse::<u64>().ok().and_then(|s| s.checked_mul(1_000)),
        (None, None) => None,
    };
    ms.filter(|ms| *ms > 0).map(|ms| Durability::Interval(Duration::from_millis(ms))).ok_or_else(bad)
}

/// A level as it is written.
pub(crate) fn durability_text(durability: Durability) -> String {
    match durability {
        Durability::Batch => "batch".to_owned(),
        Durability::Interval(interval) => format!("interval:{}ms", interval.as_millis()),
    }
}
