//! Topics of a real Kafka are loaded: every record once, whatever is killed meanwhile.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use keystride::KeyRange;
use keystride_hbase_harness::{Broker, BrokerOptions, KafkaClient, ProduceOptions, kafka_or_skip, quick};
use keystride_store::{EmbeddedOptions, EmbeddedStore, Scan, Store as _, TableName, TableReader as _};

use super::calls::json;
use super::on_hbase::flights;
use super::tried::Tried;
use super::{example, stderr, stdout, written};

/// All flights of a year.
const FLIGHTS: usize = 336_776;
const PARTITIONS: usize = 4;

/// The time of every record that tests write, in milliseconds.
pub(crate) const TIME: &str = "1700000000000";

/// Rows by their place in a topic.
const PLACES: &str = "families = [\"f\"]\n[fields]\n_partition = { type = \"u32\" }\n_offset = { type = \"u64\" }\n\
                      value = { type = \"i32\" }\n[key]\nparts = [{ field = \"_partition\", as = \"be\" }, \
                      { field = \"_offset\", as = \"be\" }]\n";

/// How long an event may take that is waited for. What takes longer is broken.
const LONGEST: Duration = Duration::from_mins(5);

fn table_of_flights() -> Tried {
    let design = std::fs::read_to_string(example("flights/design.toml")).unwrap();
    let (_, rest) = design.split_once("name = \"flights\"\n").unwrap();
    Tried::new(rest)
}

/// Lines that the harness writes to a topic: lines of CSV as bodies, one after the other to each partition.
pub(crate) fn lines_of(bodies: &str) -> String {
    let mut lines = String::new();
    for (at, body) in bodies.lines().enumerate() {
        lines.push_str(&format!("{}\t{TIME}\tkey {at}\t{body}\n", at % PARTITIONS));
    }
    lines
}

fn bodies(rows: usize) -> String {
    flights(rows).split_once('\n').unwrap().1.to_owned()
}

pub(crate) fn address(kafka: &str, topic: &str) -> String {
    format!("kafka://{kafka}/{topic}")
}

fn start(tried: &Tried, args: &[&str]) -> Child {
    let mut command = tried.command(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the number of cells, and a digest of all of them without their times, by which loads differ.
fn digest(tried: &Tried) -> (u64, u64) {
    let folder = tried.path().join("store");
    let digest = async {
        let store = EmbeddedStore::open(folder, EmbeddedOptions::default()).await.unwrap();
        let table = TableName::new("t").unwrap();
        let mut scan = store.scan(&table, Scan::of(KeyRange::all())).await.unwrap();
        let (mut count, mut hasher) = (0, DefaultHasher::new());
        while let Some(batch) = scan.try_next().await.unwrap() {
            for row in batch.rows() {
                for cell in row.cells() {
                    (row.key(), cell.qualifier, cell.value).hash(&mut hasher);
                    count += 1;
                }
            }
        }
        drop(scan);
        store.close().await.unwrap();
        (count, hasher.finish())
    };
    tokio::runtime::Runtime::new().unwrap().block_on(digest)
}

/// Demands that a table of flights has what a load of their file gives.
fn demand_flights(tried: &Tried, rows: usize) {
    let beside = table_of_flights();
    std::fs::write(beside.path().join("flights.csv"), flights(rows)).unwrap();
    let report = json(&beside.run(&["load", "-t", "t", "flights.csv", "--format", "json"]));
    let expected = digest(&beside);
    assert_eq!(report["cells"], expected.0);
    assert_eq!(digest(tried), expected);
}

fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |path: &Path| {
        if path.is_dir() { size_of(path) } else { path.metadata().map_or(0, |data| data.len()) }
    };
    entries.map(|entry| size(&entry.path())).sum()
}

/// Waits until the store has grown to so many bytes, or the load has ended. Returns whether it goes on.
fn has_grown(tried: &Tried, load: &mut Child, bytes: u64) -> bool {
    let deadline = Instant::now() + LONGEST;
    while size_of(&tried.path().join("store")) < bytes {
        assert!(Instant::now() < deadline, "the load does not go on");
        if load.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

fn rows_of(output: &Output) -> u64 {
    assert!(output.status.success(), "{}", stderr(output));
    json(output)["rows"].as_u64().unwrap()
}

#[test]
fn every_flight_is_stored_once_though_the_load_is_killed_twenty_times() {
    const KILLS: u64 = 20;
    let Some(kafka) = kafka_or_skip("every_flight_is_stored_once_though_the_load_is_killed_twenty_times")
    else {
        return;
    };
    let topic = "killed_loads";
    kafka.client().create_topic(topic, 4, &[]).unwrap();
    let zstd = vec![("compression.type".to_owned(), "zstd".to_owned())];
    let options = ProduceOptions { properties: zstd, ..ProduceOptions::default() };
    kafka.client().produce(topic, lines_of(&bodies(FLIGHTS)), &options).unwrap();

    let tried = table_of_flights();
    let from = address(kafka.bootstrap(), topic);
    let follow = ["load", "-t", "t", &from, "--until", "now", "--batch", "256KiB", "--format", "json"];
    let mut kills = 0;
    for kill in 0..KILLS {
        let args = if kill == 0 { [&follow[..], &["--from", "earliest"]].concat() } else { follow.to_vec() };
        let mut load = start(&tried, &args);
        // The store grows by some 100 MB: each run is to come a bit further than the one before.
        let size = size_of(&tried.path().join("store"));
        if has_grown(&tried, &mut load, size + (1 << 20) + kill * (1 << 17)) {
            load.kill().unwrap();
            kills += 1;
        }
        load.wait().unwrap();
    }
    assert!(kills > KILLS / 2, "most runs were over before they were killed: {kills}");
    let report = json(&tried.run(&follow));
    assert_eq!((&report["records"], &report["rows"]), (&FLIGHTS.into(), &FLIGHTS.into()));
    demand_flights(&tried, FLIGHTS);
    assert_eq!(json(&tried.run(&follow))["resumed_from"], FLIGHTS, "nothing is left to do");
}

#[test]
fn a_load_goes_on_when_its_broker_was_killed() {
    const KILLS: usize = 5;
    const ROWS: usize = KILLS * 8_000;
    if quick("a_load_goes_on_when_its_broker_was_killed") {
        return;
    }
    let kafka = Broker::start(&BrokerOptions::default()).unwrap();
    kafka.client().create_topic("flights", 4, &["compression.type=lz4"]).unwrap();
    let tried = table_of_flights();
    let from = address(kafka.bootstrap(), "flights");
    let until = format!("{}", ROWS / PARTITIONS);
    let follow = ["load", "-t", "t", &from, "--from", "earliest", "--until", &until];
    let mut load = start(&tried, &[&follow[..], &["--batch", "64KiB", "--format", "json"]].concat());
    let lines = lines_of(&bodies(ROWS));
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    for piece in lines.chunks(ROWS / KILLS) {
        let size = size_of(&tried.path().join("store"));
        kafka.client().produce("flights", piece.concat(), &ProduceOptions::default()).unwrap();
        has_grown(&tried, &mut load, size + 1);
        kafka.kill().unwrap();
        kafka.start_again().unwrap();
    }
    let output = load.wait_with_output().unwrap();
    assert_eq!(rows_of(&output), ROWS as u64);
    demand_flights(&tried, ROWS);
}

#[test]
fn each_codec_is_read_and_nothing_of_transactions_that_were_aborted() {
    const ROWS: usize = 2_000;
    let Some(kafka) = kafka_or_skip("each_codec_is_read_and_nothing_of_transactions_that_were_aborted")
    else {
        return;
    };
    for codec in ["none", "gzip", "snappy", "lz4", "zstd"] {
        let topic = format!("codec_{codec}");
        kafka.client().create_topic(&topic, 4, &[]).unwrap();
        let properties = vec![("compression.type".to_owned(), codec.to_owned())];
        let transactions = ProduceOptions { transaction: Some(100), abort: Some(4), properties };
        let stored = kafka.client().produce(&topic, lines_of(&bodies(ROWS)), &transactions).unwrap();
        assert_eq!(stored, 1_500);
        let tried = table_of_flights();
        let from = address(kafka.bootstrap(), &topic);
        let output = tried
            .run(&["load", "-t", "t", &from, "--from", "earliest", "--until", "now", "--format", "json"]);
        assert_eq!(rows_of(&output), stored, "{codec}");
        let kept = bodies(ROWS).lines().enumerate().filter(|(at, _)| at / 100 % 4 != 3).count();
        assert_eq!(stored, kept as u64);
    }
}

/// A topic of numbers, with a table for them.
struct Numbers {
    client: KafkaClient,
    topic: String,
    from: String,
    tried: Tried,
}

impl Numbers {
    fn new(topic: &str) -> Option<Self> {
        let kafka = kafka_or_skip(topic)?;
        let client = kafka.client();
        client.create_topic(topic, 2, &[]).unwrap();
        let from = address(kafka.bootstrap(), topic);
        Some(Self { client, topic: topic.to_owned(), from, tried: Tried::new(PLACES) })
    }

    fn produce(&self, lines: &str) {
        self.client.produce(&self.topic, lines, &ProduceOptions::default()).unwrap();
    }

    fn load(&self, args: &[&str]) -> Output {
        let fixed = ["load", "-t", "t", &self.from, "--until", "now", "--format", "json"];
        self.tried.run(&[&fixed[..], args].concat())
    }

    fn refused(&self, args: &[&str], expected: &str) {
        let output = self.load(args);
        assert!(!output.status.success());
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn a_topic_that_lost_records_or_was_made_anew_ends_the_load() {
    let Some(numbers) = Numbers::new("a_topic_that_lost_records") else { return };
    numbers.refused(&[], "--from earliest for all that the topic still has");
    numbers.refused(&["--from", "stored"], "no load of a_topic_that_lost_records into this table is known");
    numbers.produce("0\t\t\\N\t1\n1\t\t\\N\t2\n1\t\t\\N\t3\n");
    assert_eq!(rows_of(&numbers.load(&["--from", "earliest"])), 3);
    numbers.produce(&"1\t\t\\N\t4\n".repeat(5));
    numbers.client.delete_records(&numbers.topic, 1, 6).unwrap();
    numbers.refused(&[], "4 records of a_topic_that_lost_records are gone, which were not read");
    assert_eq!(rows_of(&numbers.load(&["--from", "earliest"])), 2, "what is there now");
    numbers.client.delete_topic(&numbers.topic).unwrap();
    numbers.client.create_topic(&numbers.topic, 2, &[]).unwrap();
    numbers.refused(&[], "was made anew since the last load");
    numbers.client.delete_topic(&numbers.topic).unwrap();
    numbers.refused(&[], "there is no topic a_topic_that_lost_records");
}

#[test]
fn bodies_that_are_no_rows_are_kept_with_partition_and_offset() {
    let Some(numbers) = Numbers::new("bodies_that_are_no_rows") else { return };
    numbers.produce("0\t\t\\N\t1\n0\t\t\\N\tx\n1\t\t\\N\t2\n");
    numbers.client.create_topic("poison", 1, &[]).unwrap();
    let tell = ["--reject-topic", "poison", "--group", "monitored"];
    let output = numbers.load(&[&["--from", "earliest"], &tell[..]].concat());
    assert_eq!((output.status.code(), json(&output)["rows"].as_u64()), (Some(5), Some(2)));
    let sent = numbers.client.consume("poison", &[]).unwrap();
    let said = ["partition=bodies_that_are_no_rows-0", "offset=1", "column=value"];
    assert!(said.iter().all(|said| sent.contains(&format!("\tkeystride.{said}"))), "{sent}");
    let mut committed = numbers.client.committed("monitored").unwrap();
    committed.sort_by_key(|found| found.partition);
    assert_eq!(committed.iter().map(|found| found.offset).collect::<Vec<_>>(), [2, 1]);
    let output = numbers.load(&[]);
    assert_eq!(output.status.code(), Some(0), "they were told before: {}", stderr(&output));
    numbers.produce("1\t\t\\N\ty,z\n1\t\t\\N\t\\N\n");
    let output = numbers.load(&[]);
    assert_eq!((output.status.code(), json(&output)["tombstones"].as_u64()), (Some(5), Some(1)));
    let kept =
        std::fs::read_to_string(numbers.tried.path().join("bodies_that_are_no_rows.rejects.csv")).unwrap();
    let lines: Vec<&str> = kept.lines().collect();
    assert_eq!(lines[0], "partition,offset,column,reason,record");
    assert!(lines[1].starts_with("bodies_that_are_no_rows-0,1,value,") && lines[1].ends_with(",x"), "{kept}");
    assert!(
        lines[2].starts_with("bodies_that_are_no_rows-1,1,,") && lines[2].ends_with(",\"y,z\""),
        "{kept}"
    );
    assert_eq!(lines.len(), 3, "{kept}");
}

#[test]
fn bodies_of_avro_are_read_with_and_without_a_registrys_header() {
    let Some(numbers) = Numbers::new("bodies_of_avro") else { return };
    let field = r#"{"name": "value", "type": "int"}"#;
    let schema = format!(r#"{{"type": "record", "name": "number", "fields": [{field}]}}"#);
    let file = written(numbers.tried.path(), "number.avsc", &schema);
    // 7 and 300 as the specification encodes them, the latter behind a zero and the id 5; then a byte too many.
    numbers.produce("0\t\t\\N\tbase64:Dg==\n0\t\t\\N\tbase64:AAAAAAXYBA==\n0\t\t\\N\tbase64:Dg4=\n");
    let output = numbers.load(&["--from", "earliest", "--schema", &file]);
    assert_eq!((output.status.code(), json(&output)["rows"].as_u64()), (Some(5), Some(2)));
    let rows = numbers.tried.done(&["query", "t", "--format", "csv", "--no-header"]);
    assert_eq!(rows, "0,0,7\n0,1,300\n");
}

#[test]
fn ctrl_c_ends_a_load_that_follows_with_what_is_stored() {
    let Some(numbers) = Numbers::new("ctrl_c_ends_a_load") else { return };
    let args = ["load", "-t", "t", &numbers.from, "--from", "earliest", "--format", "tsv"];
    let mut load = start(&numbers.tried, &args);
    let mut grows = |lines: &str| {
        let size = size_of(&numbers.tried.path().join("store"));
        numbers.produce(lines);
        assert!(has_grown(&numbers.tried, &mut load, size + 1));
    };
    // It has no end of its own: what it has read is acknowledged though nothing more comes.
    grows("1\t\t\\N\t2\n");
    numbers.client.add_partitions(&numbers.topic, 3).unwrap();
    grows("2\t\t\\N\t3\n");
    let interrupted =
        std::process::Command::new("kill").args(["-INT", &load.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = load.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("\nrows stored\t2\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("\nended\tstopped\n"), "{}", stdout(&output));
    assert_eq!(rows_of(&numbers.load(&[])), 2);
}

#[test]
fn what_would_store_a_record_twice_or_over_another_is_refused() {
    let Some(kafka) = kafka_or_skip("what_would_store_a_record_twice") else { return };
    let from = address(kafka.bootstrap(), "never_read");
    let fields = "families = [\"f\"]\n[fields]\noffset = { type = \"u64\", column = \"_offset\" }\n[key]\n";
    for (parts, expected) in [
        (
            "{ bucket = 4, hash = \"random\" }, { field = \"offset\", as = \"be\" }",
            "the bucket of the key is random",
        ),
        ("{ field = \"offset\", as = \"be\" }", "UNQ04"),
    ] {
        let tried = Tried::new(&format!("{fields}parts = [{parts}]\n"));
        let output = tried.run(&["load", "-t", "t", &from, "--from", "earliest"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}
