//! When writes are acknowledged, as it is written on the command line and told.

use keystride_store::{Durability, StoreAddress};

use crate::duration::parse_duration;
use crate::usage::Usage;

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

/// Returns what a write to a store waits for before it counts as done, as a word.
pub(crate) fn level_text(store: &StoreAddress, durability: Durability) -> String {
    match store {
        StoreAddress::Embedded(_) => durability_text(durability),
        _ => "log".to_owned(),
    }
}

/// Returns where a write to a store is once it counts as done.
pub(crate) fn acknowledged_text(store: &StoreAddress, durability: Durability) -> String {
    match store {
        StoreAddress::Embedded(_) => format!("on disk ({})", durability_text(durability)),
        _ => "in the logs of region servers".to_owned(),
    }
}
