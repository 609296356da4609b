//! Rows a second from text to typed values: a table of departures with nineteen columns, as CSV and as JSON lines,
//! beside what the parsers alone take.
//!
//! With the path of a CSV file of that table (plain or packed) as its argument it reads that, else rows of its own making.
//! `KEYSTRIDE_BENCH=tiny` runs every path once, for checks that it works.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs::File;
use std::hint::black_box;
use std::io::{Cursor, Read as _};
use std::sync::Arc;

use keystride::{Design, Row};
use keystride_table::input::{InputOptions, InputReader, Next, Source};

const DESIGN: &str = r#"
    format = 1
    [table]
    name = "flights"
    families = ["f"]
    [fields]
    year = { type = "int", min = 1900, max = 2100 }
    month = { type = "int", min = 1, max = 12 }
    day = { type = "int", min = 1, max = 31 }
    dep_time = { type = "int" }
    sched_dep_time = { type = "int" }
    dep_delay = { type = "int" }
    arr_time = { type = "int" }
    sched_arr_time = { type = "int" }
    arr_delay = { type = "int" }
    carrier = { type = "string", max_len = 2 }
    flight = { type = "int", min = 1, max = 9999 }
    tailnum = { type = "string", max_len = 6, alphabet = "0-9A-Z", default = "-" }
    origin = { type = "string", max_len = 3 }
    dest = { type = "string", max_len = 3 }
    air_time = { type = "int" }
    distance = { type = "int" }
    hour = { type = "int" }
    minute = { type = "int" }
    time_hour = { type = "time", unit = "s", input = "iso8601" }
    [key]
    parts = [ { bucket = 8, of = ["tailnum"] }, { field = "tailnum" }, { text = "!" }, { field = "time_hour", desc = 9999999999 }, { field = "flight", pad = 4 } ]
    [input]
    null = ["", "NA"]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let design = Arc::new(Design::from_toml(DESIGN)?);
    let tiny = std::env::var("KEYSTRIDE_BENCH").is_ok_and(|size| size == "tiny");
    let passes = if tiny { 1 } else { 7 };
    // Cargo adds an argument of its own, which is no path.
    let path = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let csv = match path {
        Some(path) => unpacked(&path)?,
        None => made_up(if tiny { 100 } else { 300_000 }),
    };
    let json = to_json_lines(&csv)?;
    println!("{:<26}{:>9}{:>9}{:>10}", "", "ns/row", "MB/s", "rows");
    report("csv: records alone", passes, &csv, || csv_alone(&csv));
    report("csv: rows", passes, &csv, || rows(&design, "flights.csv", &csv));
    report("json lines: lines alone", passes, &json, || lines_alone(&json));
    report("json lines: rows", passes, &json, || rows(&design, "flights.jsonl", &json));
    Ok(())
}

/// The best of several passes, as a shared machine only ever takes time away.
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn report(name: &str, passes: usize, text: &[u8], mut pass: impl FnMut() -> usize) {
    let mut best = u64::MAX;
    let mut count = 0;
    for _ in 0..passes {
        let start = cpu_ns();
        count = black_box(pass());
        best = best.min(cpu_ns() - start);
    }
    let ns = best.max(1) as f64;
    let (row, speed) = (ns / count.max(1) as f64, text.len() as f64 * 1000.0 / ns);
    println!("{name:<26}{row:>9.1}{speed:>9.0}{count:>10}");
}

/// Time on the processor of this thread, from the kernel's own account; 0 where there is none.
fn cpu_ns() -> u64 {
    let account = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    account.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

fn rows(design: &Arc<Design>, name: &str, text: &[u8]) -> usize {
    let source = Source::reader(name, Cursor::new(text.to_vec()));
    let mut reader =
        InputReader::open(Arc::clone(design), vec![source], InputOptions::default()).expect("a fit header");
    let mut row = Row::new(design.fields.len());
    let mut count = 0;
    loop {
        match reader.next(&mut row) {
            Ok(Next::Row) => count += 1,
            Ok(Next::End) => return count,
            other => panic!("every record is a row: {other:?}"),
        }
        black_box(&row);
    }
}

fn csv_alone(text: &[u8]) -> usize {
    let mut reader = csv::Reader::from_reader(text);
    let mut record = csv::ByteRecord::new();
    let mut count = 0;
    while reader.read_byte_record(&mut record).expect("records of one width") {
        count += 1;
        black_box(&record);
    }
    count
}

fn lines_alone(text: &[u8]) -> usize {
    let ignored = |line| serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && ignored(line)).count()
}

fn unpacked(path: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut text = Vec::new();
    let mut file = File::open(path)?;
    file.read_to_end(&mut text)?;
    if text.starts_with(b"\x1F\x8B") {
        let packed = std::mem::take(&mut text);
        flate2::read::MultiGzDecoder::new(&*packed).read_to_end(&mut text)?;
    }
    Ok(text)
}

fn made_up(count: usize) -> Vec<u8> {
    let mut text = String::from(
        "year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,flight,tailnum,\
         origin,dest,air_time,distance,hour,minute,time_hour\n",
    );
    for n in 0..count {
        let (month, day, hour, minute) = (n % 12 + 1, n % 28 + 1, n % 24, n % 60);
        let (carrier, dest) = (["UA", "B6", "EV", "AA"][n % 4], ["IAH", "MIA", "BQN"][n % 3]);
        let delay = if n % 40 == 0 { "NA".to_owned() } else { (n % 50).to_string() };
        // Writing to a String can't fail.
        let _ = writeln!(
            text,
            "2013,{month},{day},{},{hour}{minute:02},{delay},{},819,{delay},{carrier},{},N{:05},EWR,{dest},227,{},\
             {hour},{minute},2013-{month:02}-{day:02}T{hour:02}:00:00Z",
            n % 2400,
            n % 2359,
            n % 9999 + 1,
            n % 4043,
            n % 2900,
        );
    }
    text.into_bytes()
}

/// Numbers as numbers, what is missing left out.
fn to_json_lines(csv: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_reader(csv);
    let names = reader.headers()?.clone();
    let mut out = String::new();
    for record in reader.records() {
        let record = record?;
        let members: Vec<_> = names.iter().zip(&record).filter(|(_, text)| *text != "NA").collect();
        for (index, (name, text)) in members.into_iter().enumerate() {
            let quote = if text.parse::<i64>().is_ok() { "" } else { "\"" };
            let open = if index == 0 { '{' } else { ',' };
            let _ = write!(out, "{open}\"{name}\":{quote}{text}{quote}");
        }
        out.push_str("}\n");
    }
    Ok(out.into_bytes())
}
