//! Topics that bring their records late, twice, with gaps, or without a body.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::TryStreamExt;
use keystride::{Design, KeyRange, SplitPoints};
use keystride_store::{Layer, Layered, MemoryStore, Scan, Store, StoreError, TableName, Write, Written};
use keystride_table::Table;
use keystride_table::input::{InputOptions, MessageFormat, MessageReader};
use keystride_table::load::*;
use keystride_table::source::topic::*;

use crate::fixture::{NOW_MS, options};

/// A table whose rows are the places of their records, and one with rows by the record's key.
const BY_PLACE: &str = "partition = { type = \"u32\", column = \"_partition\" }\n\
                        _offset = { type = \"u64\" }\n\
                        written = { type = \"time\", unit = \"s\", column = \"_timestamp\" }\n\
                        from = { type = \"string\", column = \"_headers.from\" }\n\
                        value = { type = \"i32\" }\n\
                        [key]\nparts = [{ field = \"partition\", as = \"be\" }, { field = \"_offset\", as = \"be\" }]";
const BY_KEY: &str = "id = { type = \"string\", column = \"_key\" }\nvalue = { type = \"i32\" }\n\
                      [key]\nparts = [{ field = \"id\" }]";

async fn table(fields: &str) -> Table {
    let toml = format!("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}");
    let design = Design::from_toml(&toml).unwrap();
    Table::create(Arc::new(MemoryStore::default()), design, &SplitPoints::default()).await.unwrap()
}

fn source(table: &Table, topic: &MemoryTopic, start: TopicStart, end: TopicEnd) -> TopicSource {
    let (design, format) = (Arc::new(table.design().clone()), MessageFormat::Csv { columns: None });
    let given = GivenFields::of(&design).indexes();
    let reader = MessageReader::new("t", design, &given, format, InputOptions::default()).unwrap();
    TopicSource::new(Box::new(topic.reader()), reader, start, end).unwrap()
}

async fn load(table: &Table, source: TopicSource) -> LoadReport {
    let options = LoadOptions { start: Start::Anew, ..options() };
    let report = Load::new(table, options).run(source, &mut ()).await.unwrap();
    assert_eq!(report.ending, Ending::Complete);
    report
}

/// Returns the keys with their cells, each as its qualifier, timestamp and value.
async fn rows(table: &Table) -> BTreeMap<String, String> {
    let scan = table.store().scan(table.name(), Scan::of(KeyRange::all())).await.unwrap();
    let batches: Vec<_> = scan.try_collect().await.unwrap();
    let mut found = BTreeMap::new();
    for row in batches.iter().flat_map(keystride_store::RowBatch::rows) {
        let cells = row.cells().map(|cell| {
            format!("{} {} {}", cell.qualifier.escape_ascii(), cell.ts, cell.value.escape_ascii())
        });
        found.insert(row.key().escape_ascii().to_string(), cells.collect::<Vec<_>>().join(", "));
    }
    found
}

fn record(
    partition: u32,
    key: &'static str,
    value: Option<&'static str>,
    time_ms: Option<i64>,
) -> TopicRecord {
    let key = Some(key).filter(|key| !key.is_empty()).map(Into::into);
    TopicRecord { partition, key, value: value.map(Into::into), time_ms, ..TopicRecord::default() }
}

#[tokio::test]
async fn each_record_is_stored_once_whatever_a_topic_does_meanwhile() {
    let table = table(BY_PLACE).await;
    let topic = MemoryTopic::new("t", 3);
    for number in 0..5_000 {
        topic.append(number % 3, number.to_string());
        if number % 7 == 0 {
            topic.skip(number % 3, u64::from(number % 5));
        }
        match number % 1_000 {
            100 => topic.stall(),
            300 => topic.rewind(50),
            500 => topic.rewind(u64::MAX),
            _ => {}
        }
    }
    // As behind a transaction: the end is reached though no record is there.
    topic.skip(2, 4);
    let report = load(&table, source(&table, &topic, TopicStart::Earliest, TopicEnd::Now)).await;
    assert_eq!((report.counts.records, report.counts.rows), (5_000, 5_000));
    assert_eq!(rows(&table).await.len(), 5_000);
}

#[tokio::test]
async fn fields_hold_what_a_topic_gives_and_cells_have_the_records_time() {
    let table = table(BY_PLACE).await;
    let topic = MemoryTopic::new("t", 2);
    topic.append(1, "7");
    let headers = ["b", "a"].map(|value| ("from".to_owned(), Some(value.into()))).to_vec();
    topic.append_record(TopicRecord { headers, ..record(1, "", Some("8"), Some(1_586_131_200_123)) });
    load(&table, source(&table, &topic, TopicStart::Earliest, TopicEnd::Now)).await;
    let key = |offset: u8| format!("\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x{offset:02x}");
    let at = 1_586_131_200_123_i64;
    let expected = [
        (key(0), format!("value {NOW_MS} 7")),
        (key(1), format!("from {at} b, value {at} 8, written {at} 1586131200")),
    ];
    assert_eq!(rows(&table).await, BTreeMap::from(expected));
}

#[tokio::test]
async fn of_records_with_one_key_and_time_the_last_one_counts() {
    let table = table(BY_KEY).await;
    let topic = MemoryTopic::new("t", 1);
    for value in ["1", "2", "3"] {
        topic.append_record(record(0, "a", Some(value), Some(5)));
    }
    let report = load(&table, source(&table, &topic, TopicStart::Earliest, TopicEnd::Now)).await;
    assert_eq!((report.counts.rows, report.counts.replaced), (3, 2));
    assert_eq!(rows(&table).await, BTreeMap::from([("a".to_owned(), "value 5 3".to_owned())]));
}

#[tokio::test]
async fn tombstones_are_counted_or_delete_the_row_of_their_key() {
    for (tombstones, counts, left) in
        [(Tombstones::Pass, (3, 0, 2), vec!["a", "b"]), (Tombstones::Delete, (3, 2, 0), vec!["b"])]
    {
        let table = table(BY_KEY).await;
        let topic = MemoryTopic::new("t", 1);
        for (time_ms, key, value) in
            [(1, "a", Some("1")), (2, "b", Some("2")), (3, "a", None), (4, "b", None), (5, "b", Some("2"))]
        {
            topic.append_record(record(0, key, value, Some(time_ms)));
        }
        let source = source(&table, &topic, TopicStart::Earliest, TopicEnd::Now).with_tombstones(tombstones);
        let found = load(&table, source).await.counts;
        assert_eq!((found.rows, found.deletes, found.tombstones), counts);
        assert_eq!(rows(&table).await.into_keys().collect::<Vec<_>>(), left);
    }
}

#[tokio::test]
async fn a_body_that_is_no_row_is_rejected_at_its_offset() {
    let table = table(BY_PLACE).await;
    let topic = MemoryTopic::new("t", 2);
    for body in ["1", "x", "", "2\n3", "4,5", "\"6"] {
        topic.append(1, body);
    }
    let report = load(&table, source(&table, &topic, TopicStart::Earliest, TopicEnd::Now)).await;
    assert_eq!((report.counts.rows, report.counts.rejected_count()), (1, 5));
}

#[tokio::test]
async fn reading_begins_and_ends_where_it_is_told() {
    let topic = MemoryTopic::new("t", 2);
    for time_ms in 0..10 {
        topic.append_record(record(0, "", Some("1"), Some(time_ms)));
    }
    topic.append_record(record(1, "", Some("1"), Some(100)));
    for (start, end, expected) in [
        (TopicStart::Earliest, TopicEnd::Before(1), 2),
        (TopicStart::Earliest, TopicEnd::BeforeEach(Offsets::from([(0, 4), (1, 1)])), 5),
        (TopicStart::Earliest, TopicEnd::BeforeEach(Offsets::from([(0, 3)])), 3),
        (TopicStart::At { time_ms: 8 }, TopicEnd::Now, 3),
        (TopicStart::At { time_ms: 101 }, TopicEnd::Now, 0),
        (TopicStart::Latest, TopicEnd::Now, 0),
    ] {
        let table = table(BY_PLACE).await;
        let report = load(&table, source(&table, &topic, start, end)).await;
        assert_eq!(report.counts.rows, expected, "{start:?}");
    }
}

/// Loads for ever; stops once a record is stored.
async fn follow(table: Table, topic: MemoryTopic, start: Start) -> Result<LoadReport, LoadError> {
    let begin = if start == Start::Resume { TopicStart::Stored } else { TopicStart::Earliest };
    let source = source(&table, &topic, begin, TopicEnd::Never);
    Load::new(&table, LoadOptions { start, ..options() }).run(source, &mut Waiting).await
}

struct Waiting;

impl LoadObserver for Waiting {
    fn rejected(&mut self, _: &Rejected) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        if progress.counts.rows == 2 { Proceed::Stop } else { Proceed::On }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_loads_that_follow_one_topic_the_second_is_refused() {
    let table = table(BY_PLACE).await;
    let topic = MemoryTopic::new("t", 1);
    topic.append(0, "1");
    let first = tokio::spawn(follow(table.clone(), topic.clone(), Start::Anew));
    while rows(&table).await.is_empty() {
        tokio::task::yield_now().await;
    }
    let second = follow(table.clone(), topic.clone(), Start::Resume).await.unwrap_err();
    assert!(second.to_string().contains("loads test into table t already"), "{second}");
    // One that was dropped in its middle holds nothing.
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    topic.append(0, "2");
    let third = follow(table.clone(), topic.clone(), Start::Resume).await.unwrap();
    assert_eq!((third.resumed_from, third.counts.rows), (Some(1), 2));
    follow(table, topic, Start::Anew).await.unwrap();
}

/// A store that keeps no notes of this user.
#[derive(Debug)]
struct NoNotes;

#[async_trait::async_trait]
impl Layer for NoNotes {
    async fn write(&self, store: &dyn Store, table: &TableName, write: Write) -> Result<Written, StoreError> {
        if write.notes.is_empty() {
            return store.write(table, write).await;
        }
        let source = keystride_hbase::Error::NoTable { table: table.clone() };
        Err(StoreError::NotesDenied { table: table.clone(), source: Box::new(source) })
    }
}

#[tokio::test]
async fn where_notes_may_not_be_written_a_file_keeps_the_progress() {
    let folder = tempfile::tempdir().unwrap();
    let noted = table(BY_PLACE).await;
    let store = Arc::new(Layered { store: Arc::clone(noted.store()), layer: NoNotes });
    let table = Table::open(store, noted.name()).await.unwrap();
    let topic = MemoryTopic::new("t", 1);
    topic.append(0, "1");
    let load = |start, begin| {
        let notes_folder = Some(folder.path().join("progress"));
        let options = LoadOptions { start, notes_folder, ..options() };
        let source = source(&table, &topic, begin, TopicEnd::Now);
        let table = table.clone();
        async move { Load::new(&table, options).run(source, &mut ()).await }
    };
    load(Start::Anew, TopicStart::Earliest).await.unwrap();
    topic.append(0, "2");
    let report = load(Start::Resume, TopicStart::Stored).await.unwrap();
    assert_eq!((report.resumed_from, report.counts.rows), (Some(1), 2));
    assert_eq!(rows(&table).await.len(), 2);
    assert!(folder.path().join("progress/t.test.json").exists());
}
