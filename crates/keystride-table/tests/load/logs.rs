//! Loads from a log that has no end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use keystride_table::Table;
use keystride_table::input::{InputOptions, MessageFormat, MessageReader};
use keystride_table::load::*;
use keystride_table::source::topic::*;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::fixture::{cells, design, embedded, options, table_in};

/// Appends a flight of each plane to the first partition of a topic, as a line of CSV.
fn append(topic: &MemoryTopic, planes: &[&str], delay: &str) {
    for plane in planes {
        topic.append(0, format!("{plane},1586131200,{delay},"));
    }
}

fn source(table: &Table, topic: &MemoryTopic, start: TopicStart, end: TopicEnd) -> TopicSource {
    let (design, format) = (Arc::new(table.design().clone()), MessageFormat::Csv { columns: None });
    let given = GivenFields::of(&design).indexes();
    let reader = MessageReader::new("calls", design, &given, format, InputOptions::default()).unwrap();
    TopicSource::new(Box::new(topic.reader()), reader, start, end).unwrap()
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
async fn load_until(table: &Table, topic: &MemoryTopic, options: LoadOptions, records: u64) -> LoadReport {
    let mut until = Until { records, told: unbounded_channel().0, phases: Vec::new() };
    let start = if options.start == Start::Resume { TopicStart::Stored } else { TopicStart::Earliest };
    let source = source(table, topic, start, TopicEnd::Never);
    let report = Load::new(table, options).run(source, &mut until).await.unwrap();
    assert!(!until.phases.contains(&Phase::CatchingUp), "a log is not read again");
    report
}

#[tokio::test]
async fn what_a_log_has_is_acknowledged_though_nothing_more_comes() {
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design("error", "delay = {}")).await;
    let topic = MemoryTopic::new("flights", 1);
    append(&topic, &["A1", "B2", "C3"], "1");
    let report = load_until(&table, &topic, of_log(Start::Anew), 3).await;
    assert_eq!((report.ending, report.counts.rows, report.resumed_from), (Ending::Stopped, 3, None));
    assert!(report.same_key_rows.is_some_and(|rows| rows > 1_000));

    append(&topic, &["D4", "E5"], "1");
    let report = load_until(&table, &topic, of_log(Start::Resume), 5).await;
    assert_eq!((report.counts.rows, report.resumed_from), (5, Some(3)));
    assert_eq!(cells(&table).await.len(), 5);
    let heat: u64 = report.heat.rows().flat_map(|row| row.counts).sum();
    assert_eq!(heat, 2, "the rows of this run");
}

#[tokio::test]
async fn a_load_that_was_dropped_goes_on_after_what_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design("error", "delay = {}")).await;
    let topic = MemoryTopic::new("flights", 1);
    append(&topic, &["A1"], "1");
    let (told, mut acknowledged) = unbounded_channel();
    let mut until = Until { records: u64::MAX, told, phases: Vec::new() };
    let load = Load::new(&table, of_log(Start::Anew));
    let source = source(&table, &topic, TopicStart::Earliest, TopicEnd::Never);
    let mut load = Box::pin(load.run(source, &mut until));
    for (records, next) in [(1, &["B2", "C3"][..]), (3, &[])] {
        let told = async { while acknowledged.recv().await != Some(records) {} };
        tokio::select! {
            done = &mut load => panic!("a topic has no end: {done:?}"),
            () = told => append(&topic, next, "1"),
        }
    }
    drop(load);
    append(&topic, &["D4", "D4"], "1");
    append(&topic, &["D4"], "2");
    let report = load_until(&table, &topic, of_log(Start::Resume), 6).await;
    let counts = report.counts;
    assert_eq!((counts.rows, counts.repeats, counts.rejected_count()), (4, 1, 1));
    assert_eq!((report.resumed_from, cells(&table).await.len()), (Some(3), 4));
}

#[tokio::test]
async fn nothing_is_passed_over_where_a_reject_ends_the_load() {
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design("error", "delay = {}")).await;
    let topic = MemoryTopic::new("flights", 1);
    append(&topic, &["A1", "", "B2", "C3"], "1");
    let stop = LoadOptions { on_error: OnError::Stop, ..of_log(Start::Anew) };
    let report = load_until(&table, &topic, stop.clone(), u64::MAX).await;
    assert_eq!((report.ending, report.counts.records), (Ending::Rejected, 2));
    let report = load_until(&table, &topic, LoadOptions { start: Start::Resume, ..stop }, 4).await;
    assert_eq!((report.counts.rows, cells(&table).await.len()), (3, 3));
}

#[tokio::test]
async fn a_checkpoint_that_is_gone_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let table = table_in(embedded(folder.path()).await, &design("error", "delay = {}")).await;
    let topic = MemoryTopic::new("flights", 1);
    append(&topic, &["A1", "B2"], "1");
    load_until(&table, &topic, of_log(Start::Anew), 2).await;
    topic.append(0, "C3,1586131200,1,");
    topic.remove_before(0, 3);
    let source = source(&table, &topic, TopicStart::Stored, TopicEnd::Never);
    let resume = Load::new(&table, of_log(Start::Resume));
    let error = resume.run(source, &mut ()).await.unwrap_err();
    assert!(error.to_string().starts_with("1 record of flights are gone"), "{error}");
}
