//! Loads from a log that has no end.

use std::io;
use std::time::Duration;

use keystride::Row;
use keystride_table::Table;
use keystride_table::load::*;
use keystride_table::source::MemoryLog;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::fixture::{cells, design, embedded, options, table_in};

fn row(table: &Table, plane: &str, delay: &str) -> Row {
    let row = table.codec().row().with("day", "1586131200").with("delay", delay);
    let row = if plane.is_empty() { row } else { row.with("plane", plane) };
    row.into_row().unwrap()
}

fn of_log(start: Start) -> LoadOptions {
    LoadOptions { start, acknowledge_within: Duration::ZERO, ..options() }
}

/// Tells what is acknowledged, and stops the load once that are so many records.
struct Until {
    records: u64,
    told: UnboundedSender<u64>,
    phases: Vec<Phase>,
}

impl LoadObserver for Until {
    fn rejected(&mut self, _: &Rejected) -> io::Result<()> {
        Ok(())
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        self.phases.push(progress.phase);
        // Nobody listens in most tests.
        let _ = self.told.send(progress.counts.records);
        if progress.counts.records >= self.records { Proceed::Stop } else { Proceed::On }
    }
}

/// Loads until so many records are acknowledged, which none but an idle log may bring about.
async fn load_until(table: &Table, log: &MemoryLog, options: LoadOptions, records: u64) -> LoadReport {
    let mut until = Until { records, told: unbounded_channel().0, phases: Vec::new() };
    let report = Load::new(table, options).run(log.reader(table.codec()), &mut until).await.unwrap();
    assert!(!until.phases.contains(&Phase::CatchingUp), "a log is not read again");
    report
}

#[tokio::test]
async fn what_a_log_has_is_acknowledged_though_nothing_more_comes() {
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design("error", "delay = {}")).await;
    let log = MemoryLog::new();
    log.append(["A1", "B2", "C3"].map(|plane| row(&table, plane, "1")));
    let report = load_until(&table, &log, of_log(Start::Anew), 3).await;
    assert_eq!((report.ending, report.counts.rows, report.resumed_from), (Ending::Stopped, 3, None));
    assert!(report.same_key_rows.is_some_and(|rows| rows > 1_000));

    log.append(["D4", "E5"].map(|plane| row(&table, plane, "1")));
    let report = load_until(&table, &log, of_log(Start::Resume), 5).await;
    assert_eq!((report.counts.rows, report.resumed_from), (5, Some(3)));
    assert_eq!(cells(&table).await.len(), 5);
    let heat: u64 = report.heat.rows().flat_map(|row| row.counts).sum();
    assert_eq!(heat, 2, "the rows of this run");
}

#[tokio::test]
async fn a_load_that_was_dropped_goes_on_after_what_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design("error", "delay = {}")).await;
    let log = MemoryLog::new();
    log.append([row(&table, "A1", "1")]);
    let (told, mut acknowledged) = unbounded_channel();
    let mut until = Until { records: u64::MAX, told, phases: Vec::new() };
    let load = Load::new(&table, of_log(Start::Anew));
    let mut load = Box::pin(load.run(log.reader(table.codec()), &mut until));
    for (records, next) in [(1, vec![row(&table, "B2", "1"), row(&table, "C3", "1")]), (3, Vec::new())] {
        let told = async { while acknowledged.recv().await != Some(records) {} };
        tokio::select! {
            done = &mut load => panic!("a log has no end: {done:?}"),
            () = told => log.append(next),
        }
    }
    drop(load);
    log.append([row(&table, "D4", "1"), row(&table, "D4", "1"), row(&table, "D4", "2")]);
    let report = load_until(&table, &log, of_log(Start::Resume), 6).await;
    let counts = report.counts;
    assert_eq!((counts.rows, counts.repeats, counts.rejected_count()), (4, 1, 1));
    assert_eq!((report.resumed_from, cells(&table).await.len()), (Some(3), 4));
}

#[tokio::test]
async fn nothing_is_passed_over_where_a_reject_ends_the_load() {
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design("error", "delay = {}")).await;
    let log = MemoryLog::new();
    log.append(["A1", "", "B2", "C3"].map(|plane| row(&table, plane, "1")));
    let stop = LoadOptions { on_error: OnError::Stop, ..of_log(Start::Anew) };
    let report = load_until(&table, &log, stop.clone(), u64::MAX).await;
    assert_eq!((report.ending, report.counts.records), (Ending::Rejected, 2));
    let report = load_until(&table, &log, LoadOptions { start: Start::Resume, ..stop }, 4).await;
    assert_eq!((report.counts.rows, cells(&table).await.len()), (3, 3));
}

#[tokio::test]
async fn a_checkpoint_that_is_gone_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design("error", "delay = {}")).await;
    let log = MemoryLog::new();
    log.append(["A1", "B2"].map(|plane| row(&table, plane, "1")));
    load_until(&table, &log, of_log(Start::Anew), 2).await;
    let (shorter, resume) = (MemoryLog::new(), Load::new(&table, of_log(Start::Resume)));
    let error = resume.run(shorter.reader(table.codec()), &mut ()).await.unwrap_err();
    assert_eq!(error.to_string(), "the source has no position \"2\" to resume at");
}
