//! The report of a load.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use keystride::design::OnSameKey;
use keystride_advisor::grouped;
use keystride_app::durability::{acknowledged_text, level_text};
use keystride_app::load::{LoadDocument, Loaded, ending_text, way_text};
use keystride_store::Writers;
use keystride_table::load::{BatchLatency, Ending, LoadReport, SaidBy, SameKeyRule, WriteMethod};
use serde_json::Value;

use crate::failure::Failure;
use crate::format::Format;
use crate::global::Global;
use crate::output::{Rows, document_of, print, print_document};
use crate::size::{as_float, bytes_text, rows_text};

/// Prints the report to stdout, and writes it to the file asked for: as JSON, as names and values, or on a terminal as one
/// sentence. With --quiet it is printed only in a format that is asked for.
pub(super) fn print_report(
    global: &Global,
    table: &str,
    path: Option<&Path>,
    loaded: &Loaded,
) -> Result<(), Failure> {
    let Loaded { report, rejects, .. } = loaded;
    let document = document_of(&LoadDocument::new(report, durability(global), rejects.as_ref()));
    let printed = match global.format {
        Some(Format::Json | Format::Ndjson) => print_document(global, &document),
        None if global.quiet => Ok(()),
        None if !global.verbose && io::stdout().is_terminal() => print(&sentence(table, loaded)),
        _ => print_rows(global, loaded),
    };
    // The file is written even if nobody reads what is printed.
    let written = path.map_or(Ok(()), |path| {
        std::fs::write(path, format!("{document:#}\n"))
            .map_err(|cause| Failure::Write { path: path.to_owned(), cause })
    });
    written.and(printed)
}

/// Returns what happened, and what needs attention.
fn sentence(table: &str, loaded: &Loaded) -> String {
    let Loaded { report, rejects, .. } = loaded;
    let counts = &report.counts;
    let done = match (report.way, report.ending) {
        (WriteMethod::Nowhere, _) => "Would load",
        (_, Ending::Complete) => "Loaded",
        (_, Ending::Rejected | Ending::Stopped) => "Stopped after loading",
    };
    let rows = if counts.rows == counts.records {
        rows_text(counts.rows)
    } else {
        format!("{} of {}", grouped(counts.rows), rows_text(counts.records))
    };
    let mut text = format!("{done} {rows} into {table} in {:.1} s", as_float(report.elapsed_ms) / 1_000.0);
    if let Some(before @ 1..) = report.resumed_from {
        text.push_str(&format!("; earlier runs had read the first {} records", grouped(before)));
    }
    if let rejected @ 1.. = counts.rejected_count() {
        text.push_str(&format!("; {} rejected", grouped(rejected)));
        text.extend(rejects.as_ref().map(|path| format!(", see {}", path.display())));
    }
    if let replaced @ 1.. = counts.replaced - counts.overwritten {
        text.push_str(&format!(
            "; {} of this load replaced by later ones of the same key",
            rows_text(replaced)
        ));
    }
    if counts.overwritten > 0 {
        text.push_str(&format!("; overwrote {} stored before", rows_text(counts.overwritten)));
    }
    if counts.hidden > 0 {
        text.push_str(&format!("; {} hidden by newer cells", rows_text(counts.hidden)));
    }
    if counts.repeats > 0 {
        text.push_str(&format!("; {} skipped as repeats", rows_text(counts.repeats)));
    }
    text
}

fn print_rows(global: &Global, loaded: &Loaded) -> Result<(), Failure> {
    let Loaded { report, rejects, .. } = loaded;
    let counts = &report.counts;
    let mut rows = Rows::new(global, ["figure", "value"]);
    let mut push = |name: &str, value: Value| rows.push(vec![name.into(), value]);
    push("load", report.id.as_str().into())?;
    push("records", counts.records.into())?;
    if let Some(records) = report.resumed_from {
        push("records of earlier runs", records.into())?;
    }
    let stored = if report.way == WriteMethod::Nowhere { "rows to store" } else { "rows stored" };
    push(stored, counts.rows.into())?;
    push("cells", counts.cells.into())?;
    push("bytes", bytes_text(counts.bytes).into())?;
    push("rows of the same key within this load", same_key_text(report.same_key).into())?;
    if counts.repeats > 0 {
        push("repeated rows skipped", counts.repeats.into())?;
    }
    if let replaced @ 1.. = counts.replaced - counts.overwritten {
        push("replaced by a later row of the same key", replaced.into())?;
    }
    if counts.overwritten > 0 {
        push("overwrote rows stored before", counts.overwritten.into())?;
    }
    if counts.hidden > 0 {
        push("hidden by newer cells", counts.hidden.into())?;
    }
    for (what, count) in [("rows deleted", counts.deletes), ("records without a body", counts.tombstones)] {
        if count > 0 {
            push(what, count.into())?;
        }
    }
    for (kind, count) in &counts.rejected {
        push(&format!("rejected: {kind}"), (*count).into())?;
    }
    if let Some(path) = rejects {
        push("rejects file", path.display().to_string().into())?;
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

/// Returns the records of this run a second.
fn per_second(report: &LoadReport) -> f64 {
    let records = report.counts.records - report.resumed_from.unwrap_or(0);
    as_float(records) * 1_000.0 / as_float(report.elapsed_ms.max(1))
}

fn latency_text(latency: &BatchLatency) -> String {
    let [p50, p99, max] = latency.milliseconds();
    format!("p50 {p50} ms, p99 {p99} ms, longest {max} ms")
}

/// Returns what two rows with the same key meant, and where that was set.
fn same_key_text(rule: Option<SameKeyRule>) -> String {
    let Some(rule) = rule else { return "not checked: the later row hides the earlier one".to_owned() };
    let meant = match rule.rule {
        OnSameKey::Error => "the later row is rejected",
        OnSameKey::Replace => "the later row replaces the earlier one",
    };
    let said_by = match (rule.said_by, rule.writers) {
        (SaidBy::Design, _) => "as the design says",
        (SaidBy::Store, Writers::Alone) => "the default of folders",
        (SaidBy::Store, Writers::Others) => "the default of clusters",
        (SaidBy::Source, _) => "the default of topics",
    };
    let race = if rule.is_race() { "; other writers may write the same rows at the same time" } else { "" };
    format!("{meant}, {said_by}{race}")
}

fn acknowledged(global: &Global, way: WriteMethod) -> String {
    match way {
        WriteMethod::Nowhere => "no".to_owned(),
        WriteMethod::Sorted { .. } => "all at once, on disk".to_owned(),
        WriteMethod::Batches => {
            let place = global.backend.as_ref().map(|backend| acknowledged_text(backend, global.durability));
            format!("batch by batch, {}", place.unwrap_or_default())
        }
    }
}

/// Returns what a write waits for; a dry run tolerates an unknown context.
fn durability(global: &Global) -> Option<String> {
    global.backend.as_ref().ok().map(|backend| level_text(backend, global.durability))
}
