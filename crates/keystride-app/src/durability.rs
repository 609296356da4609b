//! When writes are acknowledged, as it is written in settings and shown.

use keystride_store::{Durability, StoreAddress};

use crate::duration::parse_duration;

/// A text that is not a level of durability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is not a level; write batch, or interval:100ms")]
pub struct BadDurability {
    found: String,
}

/// Parses `batch` or `interval:100ms`.
///
/// # Errors
///
/// [`BadDurability`] for any other text.
pub fn parse_durability(text: &str) -> Result<Durability, BadDurability> {
    let bad = || BadDurability { found: text.to_owned() };
    if text == "batch" {
        return Ok(Durability::Batch);
    }
    let interval = text.strip_prefix("interval:").ok_or_else(bad)?;
    parse_duration(interval).map(Durability::Interval).map_err(|_| bad())
}

/// Returns a level of durability as it is written in settings.
pub fn durability_text(durability: Durability) -> String {
    match durability {
        Durability::Batch => "batch".to_owned(),
        Durability::Interval(interval) => format!("interval:{}ms", interval.as_millis()),
    }
}

/// Returns what a write to a store waits for before it counts as done, as a word.
pub fn level_text(store: &StoreAddress, durability: Durability) -> String {
    match store {
        StoreAddress::Embedded(_) => durability_text(durability),
        _ => "log".to_owned(),
    }
}

/// Returns where a write to a store is once it counts as done.
pub fn acknowledged_text(store: &StoreAddress, durability: Durability) -> String {
    match store {
        StoreAddress::Embedded(_) => format!("on disk ({})", durability_text(durability)),
        _ => "in the logs of region servers".to_owned(),
    }
}
