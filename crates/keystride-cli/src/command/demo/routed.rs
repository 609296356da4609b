//! Routes all flights by a design: by the demo's own they are stored, by the others only counted.

use std::fmt;
use std::num::NonZeroU64;

use keystride_heat::{Balance, Distribution, Windowing};
use keystride_store::Writers;
use keystride_table::Table;
use keystride_table::load::{Check, Load, LoadId, LoadOptions, LoadReport, Way, replay};
use serde_json::{Value, json};

use super::flights::{Candidate, reader};
use crate::failure::Failure;

/// The number of rows in a window of the balance: a thousand rows arrive within a second or a minute, and should not
/// all go to one region.
const WINDOW_ROWS: NonZeroU64 = NonZeroU64::new(1_000).expect("not zero");

/// How the rows were distributed.
#[derive(Debug)]
pub(super) struct Routed {
    pub(super) rows: u64,
    pub(super) rejected: u64,
    by_region: Vec<u64>,
    balance: Option<Balance>,
}

/// Loads all flights into a table, sorted, as it is empty.
pub(super) async fn load(table: &Table) -> Result<Routed, Failure> {
    let options = LoadOptions { way: Way::Sorted, ..options("demo") };
    let report = Load::new(table, options).run(reader(table.design())?, &mut ()).await?;
    Ok(Routed::of(&report))
}

/// Routes all flights by a design without storing them. Rows with the same key are counted separately.
pub(super) fn route(candidate: &Candidate) -> Result<Routed, Failure> {
    let options = LoadOptions { check: Check::None, ..options("route") };
    let reader = reader(candidate.codec.design())?;
    let points = candidate.points.clone();
    Ok(Routed::of(&replay(reader, &candidate.codec, points, Writers::Alone, options, &mut ())?))
}

fn options(id: &str) -> LoadOptions {
    LoadOptions { windowing: Some(Windowing::Rows(WINDOW_ROWS)), ..LoadOptions::of(LoadId::new(id)) }
}

impl Routed {
    fn of(report: &LoadReport) -> Self {
        Self {
            rows: report.counts.rows,
            rejected: report.counts.rejected_count(),
            by_region: report.regions.iter().map(|region| region.rows).collect(),
            balance: report.balance,
        }
    }

    /// Returns the raw figures, from which all printed ones are derived.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "rows": self.rows,
            "rejected": self.rejected,
            "rows_by_region": self.by_region,
            "balance": self.balance.as_ref().map(balance_json),
        })
    }
}

fn balance_json(balance: &Balance) -> Value {
    json!({
        "windows": balance.window_count,
        "imbalance": { "median": balance.imbalance.median, "p95": balance.imbalance.p95, "max": balance.imbalance.max },
        "chance": { "median": balance.chance.median, "p99": balance.chance.p99 },
    })
}

impl fmt::Display for Routed {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_fullest_region_makes_them() {
        let routed = |rejected, by_region: &[u64]| {
            let rows = by_region.iter().sum();
            Routed { rows, rejected, by_region: by_region.to_vec(), balance: None }.to_string()
        };
        let (half, whole) = ("█".repeat(20), "█".repeat(40));
        let lines = format!(
            "  region  0        0 rows    stays empty\n  region  1      100 rows  {half}\n  region  2      200 rows  {whole}\n  \
             whole year: 2.00 × the mean in the fullest region\n"
        );
        assert_eq!(routed(0, &[0, 100, 200]), lines);
        assert_eq!(routed(1, &[0, 100, 200]), format!("{lines}  rejected: 1\n"));
        assert!(routed(0, &[1]).contains(&format!("1 rows  {whole}\n")));
        assert!(routed(0, &[0]).starts_with("  region  0        0 rows    stays empty\n"));
    }
}
