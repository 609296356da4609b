//! Rows a second into the embedded store: a load beside the store's own writes of the same batches, made before; in
//! batches and sorted; with and without a look at earlier rows of the same key.
//!
//! `KEYSTRIDE_BENCH_ROWS` says how many rows (1,000,000), `KEYSTRIDE_BENCH=tiny` runs every path once on few.

#![expect(clippy::print_stdout, reason = "a benchmark prints its ratios")]
#![expect(clippy::unwrap_used, reason = "a benchmark that can't go on ends")]

use std::fmt::Write as _;
use std::io::Cursor;
use std::sync::Arc;
use std::time::{Duration, Instant};

use keystride::{Design, Row, SplitPoints};
use keystride_store::{Durability, EmbeddedOptions, EmbeddedStore, MutationBatch, Store, Write};
use keystride_table::input::{InputOptions, InputReader, Next, Source};
use keystride_table::load::{Check, Load, LoadId, LoadOptions, LoadReport, Way, replay};
use keystride_table::{RowWriter, Table};

const DESIGN: &str = r#"
format = 1
[table]
name = "flights"
families = ["f"]
[fields]
tailnum = { type = "string", max_len = 6, alphabet = "0-9A-Z", default = "-" }
time = { type = "time", unit = "s" }
carrier = { type = "string", max_len = 2 }
flight = { type = "u32" }
origin = { type = "string", max_len = 3 }
dest = { type = "string", max_len = 3 }
dep_delay = { type = "i32" }
arr_delay = { type = "i32" }
air_time = { type = "u32" }
distance = { type = "u32" }
[key]
parts = [ { bucket = 16, of = ["tailnum"] }, { field = "tailnum" }, { text = "!" }, { field = "time", desc = 9999999999 }, { field = "carrier" }, { text = "!" }, { field = "flight" } ]
"#;

const FIELDS: usize = 10;
const BATCH_BYTES: u64 = 4 << 20;

#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    wall: Duration,
    cpu: Duration,
}

fn main() {
    let tiny = std::env::var("KEYSTRIDE_BENCH").is_ok_and(|word| word == "tiny");
    let rows = std::env::var("KEYSTRIDE_BENCH_ROWS").map_or(1_000_000, |rows| rows.parse().unwrap());
    let (rows, rounds) = if tiny { (2_000, 1) } else { (rows, 3) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let text = text(rows);
    println!(
        "{rows} rows, {} bytes of CSV each; ns a row, wall / CPU of the process",
        text.len() as u64 / rows
    );
    println!("load average {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    let mut best: Vec<(&str, Cost)> = Vec::new();
    for _ in 0..rounds {
        for (name, what) in PATHS {
            let cost = runtime.block_on(run(what, &text));
            println!("{name:36} {:8} {:8}", per_row(cost.wall, rows), per_row(cost.cpu, rows));
            match best.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) if known.cpu <= cost.cpu => {}
                Some((_, known)) => *known = cost,
                None => best.push((name, cost)),
            }
        }
    }
    let raw = best[0].1;
    println!("\nleast of {rounds} rounds; ratio is rows/s by CPU and by wall against raw writes");
    for (name, cost) in &best {
        let ratio = |raw: Duration, ours: Duration| raw.as_secs_f64() / ours.as_secs_f64();
        let (cpu, wall) = (ratio(raw.cpu, cost.cpu), ratio(raw.wall, cost.wall));
        println!("{name:36} {:8} {cpu:6.2} {wall:6.2}", per_row(cost.cpu, rows));
    }
}

#[derive(Debug, Clone, Copy)]
enum Path {
    Raw,
    Read,
    Replay(Check),
    Load(Check, Way),
}

const PATHS: [(&str, Path); 8] = [
    ("raw writes of ready batches", Path::Raw),
    ("reading alone", Path::Read),
    ("replay, no check", Path::Replay(Check::None)),
    ("replay, exact check", Path::Replay(Check::Exact)),
    ("load in batches, no check", Path::Load(Check::None, Way::Batches)),
    ("load in batches, exact check", Path::Load(Check::Exact, Way::Batches)),
    ("load sorted, no check", Path::Load(Check::None, Way::Sorted)),
    ("load sorted, exact check", Path::Load(Check::Exact, Way::Sorted)),
];

async fn run(path: Path, text: &Arc<str>) -> Cost {
    let folder = tempfile::tempdir().unwrap();
    let durability = Durability::Interval(Duration::from_secs(1));
    let options = EmbeddedOptions { durability, ..EmbeddedOptions::default() };
    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::open(folder.path(), options).await.unwrap());
    let points = SplitPoints::new((1..16).map(|bucket| format!("{bucket:02}"))).unwrap();
    let table = Table::create(store, Design::from_toml(DESIGN).unwrap(), &points).await.unwrap();
    let cost = match path {
        Path::Raw => raw(&table, text).await,
        Path::Read => {
            time(async {
                read(&table, text);
            })
            .await
        }
        Path::Replay(check) => {
            time(async {
                replayed(&table, text, check);
            })
            .await
        }
        Path::Load(check, way) => time(load(&table, text, check, way)).await,
    };
    table.store().close().await.unwrap();
    cost
}

async fn time(work: impl Future<Output = ()>) -> Cost {
    let (wall, cpu) = (Instant::now(), cpu_time());
    work.await;
    Cost { wall: wall.elapsed(), cpu: cpu_time().saturating_sub(cpu) }
}

/// Ready batches of the same rows, written and flushed; only that is timed.
async fn raw(table: &Table, text: &Arc<str>) -> Cost {
    let mut batches = Vec::new();
    let (mut batch, mut bytes) = (MutationBatch::new(), 0);
    let mut writer = RowWriter::new(table.codec());
    for row in rows(table, text) {
        let before = (batch.len(), batch.byte_count());
        writer.write(&row, 1, &mut batch).unwrap();
        bytes += (batch.byte_count() - before.1 + (batch.len() - before.0) * 34) as u64;
        if bytes > BATCH_BYTES {
            batches.push(std::mem::take(&mut batch));
            bytes = 0;
        }
    }
    batches.push(batch);
    time(async {
        for batch in batches {
            table.store().write(table.name(), Write::of(batch).with_note("n", *b"x")).await.unwrap();
        }
        table.store().flush(table.name()).await.unwrap();
    })
    .await
}

async fn load(table: &Table, text: &Arc<str>, check: Check, way: Way) {
    let options = LoadOptions { check, way, ..LoadOptions::of(LoadId::new("bench")) };
    let report = Load::new(table, options).run(reader(table, text), &mut ()).await.unwrap();
    assert_eq!(report.counts.rejected_count(), 0);
    table.store().flush(table.name()).await.unwrap();
}

fn replayed(table: &Table, text: &Arc<str>, check: Check) -> LoadReport {
    let options = LoadOptions { check, ..LoadOptions::of(LoadId::new("bench")) };
    replay(reader(table, text), table.codec(), SplitPoints::default(), options, &mut ()).unwrap()
}

fn read(table: &Table, text: &Arc<str>) -> u64 {
    let mut reader = reader(table, text);
    let (mut row, mut count) = (reader.new_row(), 0);
    while matches!(reader.next(&mut row).unwrap(), Next::Row) {
        count += 1;
    }
    count
}

fn rows(table: &Table, text: &Arc<str>) -> Vec<Row> {
    let mut reader = reader(table, text);
    let (mut row, mut rows) = (Row::new(FIELDS), Vec::new());
    while matches!(reader.next(&mut row).unwrap(), Next::Row) {
        rows.push(row.clone());
    }
    rows
}

fn reader(table: &Table, text: &Arc<str>) -> InputReader {
    let sources = vec![Source::reader("flights.csv", Cursor::new(Arc::<[u8]>::from(Arc::clone(text))))];
    InputReader::open(Arc::new(table.design().clone()), sources, InputOptions::default()).unwrap()
}

/// Flights of 4,000 planes, in the order they happened.
fn text(rows: u64) -> Arc<str> {
    let mut text =
        String::from("tailnum,time,carrier,flight,origin,dest,dep_delay,arr_delay,air_time,distance\n");
    let mut dice = 20_130_101_u64;
    let mut below = |end: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % end
    };
    for row in 0..rows {
        let (tail, carrier) = (below(4_000), ["UA", "AA", "B6", "DL"][pick(below(4))]);
        let time = 1_356_998_400 + row * 94 / 3;
        let (flight, delays) = (below(6_000), (below(200), below(200)));
        let (air, distance) = (below(400), below(3_000));
        writeln!(
            text,
            "N{tail:04}A,{time},{carrier},{flight},JFK,{},{},{},{air},{distance}",
            ["LAX", "SFO", "BOS", "ATL"][pick(below(4))],
            i128::from(delays.0) - 20,
            i128::from(delays.1) - 40,
        )
        .unwrap();
    }
    text.into()
}

fn per_row(time: Duration, rows: u64) -> u64 {
    u64::try_from(time.as_nanos()).unwrap() / rows
}

/// CPU time of all threads of this process.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let words: Vec<&str> = after_name.split_whitespace().collect();
    let ticks: u64 = words[11..13].iter().map(|word| word.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

fn pick(number: u64) -> usize {
    usize::try_from(number).expect("a small number")
}
