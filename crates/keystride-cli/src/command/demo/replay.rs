//! All flights routed through a design, counted and not stored.

use std::fmt;
use std::num::NonZeroU64;

use keystride_heat::{Balance, Distribution, WindowCounter, Windowing};

use super::flights::{Candidate, for_each};
use crate::failure::Failure;

/// A window of the balance: a thousand rows arrive in a second or a minute, and one region should not get them all.
const WINDOW_ROWS: NonZeroU64 = NonZeroU64::new(1_000).expect("not zero");

/// What routing counted.
#[derive(Debug)]
pub(super) struct Replay {
    pub(super) rows: u64,
    pub(super) rejected: u64,
    pub(super) by_region: Vec<u64>,
    pub(super) balance: Option<Balance>,
}

pub(super) fn replay(candidate: &Candidate) -> Result<Replay, Failure> {
    let mut counter = WindowCounter::new(candidate.points.region_count(), Windowing::Rows(WINDOW_ROWS));
    let mut encoder = candidate.codec.encoder();
    let mut key = Vec::new();
    let mut rows = 0;
    let mut without_key = 0;
    let rejected = for_each(candidate.codec.design(), |row| {
        key.clear();
        match encoder.encode(row, &mut key) {
            Ok(()) => {
                counter.add(candidate.points.region_of(&key), 1);
                rows += 1;
            }
            Err(_) => without_key += 1,
        }
    })?;
    let series = counter.finish();
    let by_region = series.overall().rows().to_vec();
    Ok(Replay { rows, rejected: rejected + without_key, by_region, balance: series.balance() })
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.by_region.iter().copied().max().unwrap_or(0).max(1);
        for (region, rows) in self.by_region.iter().enumerate() {
            let bar = "█".repeat(usize::try_from(rows * 40 / most).unwrap_or(0));
            let note = if *rows == 0 { "  stays empty" } else { "" };
            writeln!(f, "  region {region:>2}  {rows:>7} rows  {bar}{note}")?;
        }
        if let Some(balance) = &self.balance {
            writeln!(f, "  per thousand rows: {balance}, worst {:.2}", balance.imbalance.max)?;
        }
        if let Some(overall) = Distribution::of(&self.by_region) {
            writeln!(f, "  whole year: {:.2} × the mean in the fullest region", overall.imbalance())?;
        }
        if self.rejected > 0 {
            writeln!(f, "  rejected: {}", self.rejected)?;
        }
        Ok(())
    }
}
