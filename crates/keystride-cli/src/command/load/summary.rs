//! The report of a load.

use std::path::Path;

use keystride::design::OnSameKey;
use keystride_store::Writers;
use keystride_table::load::{BatchLatency, Ending, LoadReport, SaidBy, SameKeyRule, WayTaken};
use serde_json::{Value, json};

use super::watch::Stopped;
use crate::durability::{acknowledged_text, level_text};
use crate::failure::Failure;
use crate::global::Global;
use crate::output::{Rows, print_document};
use crate::size::{as_float, bytes_text};

/// Prints the report to stdout, as JSON or as names and values, and writes it to the file asked for.
pub(super) fn print_report(
    global: &Global,
    path: Option<&Path>,
    report: &LoadReport,
    stopped: &Stopped,
) -> Result<(), Failure> {
    let document = document(global, report, stopped);
    let printed = if global.is_json() {
        print_document(global, &document)
    } else {
        print_rows(global, report, stopped)
    };
    // The file is written even if nobody reads what is printed.
    let written = path.map_or(Ok(()), |path| {
        std::fs::write(path, format!("{document:#}\n"))
            .map_err(|cause| Failure::Write { path: path.to_owned(), cause })
    });
    written.and(printed)
}

fn print_rows(global: &Global, report: &LoadReport, stopped: &Stopped) -> Result<(), Failure> {
    let counts = &report.counts;
    let mut rows = Rows::new(global, ["figure", "value"]);
    let mut push = |name: &str, value: Value| rows.push(vec![name.into(), value]);
    push("load", report.id.as_str().into())?;
    push("records", counts.records.into())?;
    if let Some(records) = report.resumed_from {
        push("records of earlier runs", records.into())?;
    }
    let stored = if report.way == WayTaken::Nowhere { "rows to store" } else { "rows stored" };
    push(stored, counts.rows.into())?;
    push("cells", counts.cells.into())?;
    push("bytes", bytes_text(counts.bytes).into())?;
    push("rows of one key", same_key_text(report.same_key).into())?;
    if counts.repeats > 0 {
        push("repeats passed over", counts.repeats.into())?;
    }
    if counts.replaced > 0 {
        push("of one key, the later stored", counts.replaced.into())?;
    }
    for (kind, count) in &counts.rejected {
        push(&format!("rejected: {kind}"), (*count).into())?;
    }
    if let Some(path) = &stopped.rejects {
        push("rejects kept in", path.display().to_string().into())?;
    }
    push("seconds", format!("{:.1}", as_float(report.elapsed_ms) / 1_000.0).into())?;
    push("records a second", format!("{:.0}", per_second(report)).into())?;
    if let Some(latency) = &report.batch_latency {
        push("batch latency", latency_text(latency).into())?;
    }
    if report.retries > 0 {
        push("retries", report.retries.into())?;
    }
    if let Some(balance) = &report.balance {
        push("balance", balance.to_string().into())?;
    }
    push("way", way_text(report.way).into())?;
    push("acknowledged", acknowledged(global, report.way).into())?;
    push("ended", ending_text(report.ending).into())?;
    rows.print()
}

fn document(global: &Global, report: &LoadReport, stopped: &Stopped) -> Value {
    let counts = &report.counts;
    let rejected: Value =
        counts.rejected.iter().map(|(kind, count)| (kind.word().to_owned(), json!(count))).collect();
    json!({
        "format": 1,
        "load": report.id.as_str(),
        "ending": ending_text(report.ending),
        "way": way_text(report.way),
        "durability": durability(global),
        "stamp_ms": report.stamp_ms,
        "records": counts.records,
        "rows": counts.rows,
        "cells": counts.cells,
        "bytes": counts.bytes,
        "on_same_key": report.same_key.map(same_key_json),
        "repeats": counts.repeats,
        "replaced": counts.replaced,
        "rejected": rejected,
        "rejects_file": stopped.rejects.as_ref().map(|path| path.display().to_string()),
        "resumed_from": report.resumed_from,
        "batch_latency": report.batch_latency.as_ref().map(latency_json),
        "retries": report.retries,
        "bytes_read": report.bytes_read,
        "elapsed_ms": report.elapsed_ms,
        "rows_by_region": report.regions.iter().map(|region| region.rows).collect::<Vec<_>>(),
        "balance": report.balance.as_ref().map(|balance| json!({
            "windows": balance.window_count,
            "window_rows": balance.window_rows,
            "hot": balance.imbalance.median,
            "hottest": balance.imbalance.max,
            "chance": balance.chance.median,
            "overall": balance.overall.imbalance(),
        })),
    })
}

fn per_second(report: &LoadReport) -> f64 {
    as_float(report.counts.records) * 1_000.0 / as_float(report.elapsed_ms.max(1))
}

fn latency_text(latency: &BatchLatency) -> String {
    let [p50, p99, max] = milliseconds(latency);
    format!("p50 {p50} ms, p99 {p99} ms, longest {max} ms")
}

fn latency_json(latency: &BatchLatency) -> Value {
    let [p50, p99, max] = milliseconds(latency);
    json!({ "batches": latency.batches, "p50_ms": p50, "p99_ms": p99, "max_ms": max })
}

/// Returns the median, the 99th percentile and the maximum in milliseconds, to a tenth.
fn milliseconds(latency: &BatchLatency) -> [f64; 3] {
    [latency.p50, latency.p99, latency.max].map(|time| (time.as_secs_f64() * 10_000.0).round() / 10.0)
}

fn ending_text(ending: Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::Rejected => "stopped at a rejected row",
        Ending::Stopped => "stopped",
    }
}

/// Returns what two rows with the same key meant, and where that was set.
fn same_key_text(rule: Option<SameKeyRule>) -> String {
    let Some(rule) = rule else { return "not looked for: the later lies over the earlier".to_owned() };
    let meant = match rule.rule {
        OnSameKey::Error => "the later is rejected",
        OnSameKey::Replace => "the later is stored over the earlier",
    };
    let said_by = match (rule.said_by, rule.writers) {
        (SaidBy::Design, _) => "as the design says",
        (SaidBy::Store, Writers::Alone) => "the default of folders",
        (SaidBy::Store, Writers::Others) => "the default of clusters",
    };
    let race =
        if rule.is_race() { "; a race against other writers, whose rows may be written over" } else { "" };
    format!("{meant}, {said_by}{race}")
}

fn same_key_json(rule: SameKeyRule) -> Value {
    let said_by = match rule.said_by {
        SaidBy::Design => "design",
        SaidBy::Store => "store",
    };
    json!({ "rule": rule.rule.word(), "said_by": said_by, "race": rule.is_race() })
}

fn way_text(way: WayTaken) -> String {
    match way {
        WayTaken::Batches => "in batches".to_owned(),
        WayTaken::Sorted { runs_in_files: 0 } => "sorted in memory".to_owned(),
        WayTaken::Sorted { runs_in_files } => format!("sorted in {runs_in_files} files"),
        WayTaken::Nowhere => "nowhere: nothing is stored".to_owned(),
    }
}

fn acknowledged(global: &Global, way: WayTaken) -> String {
    match way {
        WayTaken::Nowhere => "no".to_owned(),
        WayTaken::Sorted { .. } => "all at once, on disk".to_owned(),
        WayTaken::Batches => {
            let place = global.backend.as_ref().map(|backend| acknowledged_text(backend, global.durability));
            format!("batch by batch, {}", place.unwrap_or_default())
        }
    }
}

/// Returns what a write waits for; a dry run tolerates an unknown context.
fn durability(global: &Global) -> Option<String> {
    global.backend.as_ref().ok().map(|backend| level_text(backend, global.durability))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_of_batches_are_in_milliseconds_to_a_tenth() {
        let [p50, p99, max] = [1_249, 12_350, 2_000_000].map(Duration::from_micros);
        let latency = BatchLatency { batches: 3, p50, p99, max };
        assert_eq!(latency_text(&latency), "p50 1.2 ms, p99 12.4 ms, longest 2000 ms");
        let document = json!({ "batches": 3, "p50_ms": 1.2, "p99_ms": 12.4, "max_ms": 2_000.0 });
        assert_eq!(latency_json(&latency), document);
    }
}
