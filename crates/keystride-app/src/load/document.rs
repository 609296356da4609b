//! The report of a load as a document, for programs.

use std::path::PathBuf;

use keystride_heat::Balance;
use keystride_table::load::{BatchLatency, Ending, LoadReport, SaidBy, SameKeyRule, WriteMethod};
use serde::Serialize;
use serde_json::{Map, Value};

/// The report of a load. Times are in milliseconds, sizes in bytes.
#[derive(Debug, Clone, Serialize)]
pub struct LoadDocument {
    format: u32,
    load: String,
    ending: &'static str,
    way: String,
    durability: Option<String>,
    stamp_ms: i64,
    records: u64,
    rows: u64,
    cells: u64,
    bytes: u64,
    on_same_key: Option<SameKeyDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_key_rows: Option<u64>,
    repeats: u64,
    replaced: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    overwritten: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deletes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tombstones: Option<u64>,
    rejected: Map<String, Value>,
    rejects_file: Option<String>,
    resumed_from: Option<u64>,
    batch_latency: Option<LatencyDocument>,
    retries: u64,
    bytes_read: u64,
    elapsed_ms: u64,
    rows_by_region: Vec<u64>,
    balance: Option<BalanceDocument>,
}

#[derive(Debug, Clone, Serialize)]
struct SameKeyDocument {
    rule: &'static str,
    said_by: &'static str,
    race: bool,
}

/// In milliseconds, to a tenth.
#[derive(Debug, Clone, Serialize)]
struct LatencyDocument {
    batches: u64,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
}

#[derive(Debug, Clone, Serialize)]
struct BalanceDocument {
    windows: u64,
    window_rows: u64,
    hot: f64,
    hottest: f64,
    chance: f64,
    overall: f64,
}

impl LoadDocument {
    /// Describes a load into a store that acknowledges writes as `durability` says, and which keeps rejects in a file.
    pub fn new(report: &LoadReport, durability: Option<String>, rejects: Option<&PathBuf>) -> Self {
        let counts = &report.counts;
        let rejected = counts.rejected.iter().map(|(kind, count)| (kind.word().to_owned(), (*count).into()));
        Self {
            format: 1,
            load: report.id.to_string(),
            ending: ending_text(report.ending),
            way: way_text(report.way),
            durability,
            stamp_ms: report.stamp_ms,
            records: counts.records,
            rows: counts.rows,
            cells: counts.cells,
            bytes: counts.bytes,
            on_same_key: report.same_key.map(Into::into),
            same_key_rows: report.same_key_rows,
            repeats: counts.repeats,
            replaced: counts.replaced,
            overwritten: Some(counts.overwritten).filter(|count| *count > 0),
            hidden: Some(counts.hidden).filter(|count| *count > 0),
            deletes: Some(counts.deletes).filter(|count| *count > 0),
            tombstones: Some(counts.tombstones).filter(|count| *count > 0),
            rejected: rejected.collect(),
            rejects_file: rejects.map(|path| path.display().to_string()),
            resumed_from: report.resumed_from,
            batch_latency: report.batch_latency.as_ref().map(Into::into),
            retries: report.retries,
            bytes_read: report.bytes_read,
            elapsed_ms: report.elapsed_ms,
            rows_by_region: report.regions.iter().map(|region| region.rows).collect(),
            balance: report.balance.as_ref().map(Into::into),
        }
    }
}

impl From<SameKeyRule> for SameKeyDocument {
    fn from(rule: SameKeyRule) -> Self {
        let said_by = match rule.said_by {
            SaidBy::Design => "design",
            SaidBy::Store => "store",
            SaidBy::Source => "source",
        };
        Self { rule: rule.rule.word(), said_by, race: rule.is_race() }
    }
}

impl From<&BatchLatency> for LatencyDocument {
    fn from(latency: &BatchLatency) -> Self {
        let [p50_ms, p99_ms, max_ms] = latency.milliseconds();
        Self { batches: latency.batches, p50_ms, p99_ms, max_ms }
    }
}

impl From<&Balance> for BalanceDocument {
    fn from(balance: &Balance) -> Self {
        Self {
            windows: balance.window_count,
            window_rows: balance.window_rows,
            hot: balance.imbalance.median,
            hottest: balance.imbalance.max,
            chance: balance.chance.median,
            overall: balance.overall.imbalance(),
        }
    }
}

/// Returns how a load ended, in words.
pub fn ending_text(ending: Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::Rejected => "stopped at a rejected row",
        Ending::Stopped => "stopped",
    }
}

/// Returns how the rows of a load were written, in words.
pub fn way_text(way: WriteMethod) -> String {
    match way {
        WriteMethod::Batches => "in batches".to_owned(),
        WriteMethod::Sorted { runs_in_files: 0 } => "sorted in memory".to_owned(),
        WriteMethod::Sorted { runs_in_files } => format!("sorted in {runs_in_files} files"),
        WriteMethod::Nowhere => "dry run: nothing is stored".to_owned(),
    }
}
