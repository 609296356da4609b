//! Memory stays within its budget whatever the input. A process of its own loads, so that nothing else counts.

use std::io::Read;
use std::process::Command;
use std::sync::Arc;

use async_trait::async_trait;
use keystride_store::*;
use keystride_table::input::{InputOptions, InputReader, Source};
use keystride_table::load::*;

use crate::fixture::*;

const ROWS: &str = "KEYSTRIDE_MEMORY_ROWS";
const WAY: &str = "KEYSTRIDE_MEMORY_WAY";
const BUDGET: usize = 32 << 20;
const ALLOWED: u64 = 64 << 20;

/// Forgets what it is given: what is left is the load's own memory.
#[derive(Debug)]
struct Forgetful;

#[derive(Debug)]
struct ForgetfulBulk(u64);

#[async_trait]
impl Bulk for ForgetfulBulk {
    fn atomicity(&self) -> Atomicity {
        Atomicity::Table
    }

    async fn write(&mut self, batch: MutationBatch) -> Result<(), StoreError> {
        self.0 += batch.rows().len() as u64;
        Ok(())
    }

    async fn finish(self: Box<Self>, _: Vec<Note>) -> Result<Written, StoreError> {
        Ok(Written::default())
    }
}

#[async_trait]
impl Layer for Forgetful {
    async fn write(&self, _: &dyn Store, _: &TableName, _: Write) -> Result<Written, StoreError> {
        Ok(Written::default())
    }

    async fn bulk(&self, _: &dyn Store, _: &TableName) -> Result<Option<Box<dyn Bulk>>, StoreError> {
        Ok(Some(Box::new(ForgetfulBulk(0))))
    }
}

/// CSV that is made while it is read.
struct Endless {
    rows_left: u64,
    row: u64,
    ready: Vec<u8>,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.ready.len() {
            self.ready.clear();
            self.at = 0;
            for _ in 0..self.rows_left.min(500) {
                let mixed = self.row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                let line =
                    format!("N{},{},{},somewhere\n", mixed % 99_999, self.row % 9_999_999_999, mixed % 999);
                self.ready.extend_from_slice(line.as_bytes());
                self.row += 1;
                self.rows_left -= 1;
            }
        }
        let count = buffer.len().min(self.ready.len() - self.at);
        buffer[..count].copy_from_slice(&self.ready[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// What the process does that is measured.
#[tokio::test]
#[ignore = "the other test starts it, to measure it"]
async fn load_and_measure() {
    let rows: u64 = std::env::var(ROWS).unwrap().parse().unwrap();
    let way = if std::env::var(WAY).unwrap() == "Sorted" { Way::Sorted } else { Way::Batches };
    let store: Arc<dyn Store> =
        Arc::new(Layered { store: Arc::new(MemoryStore::default()), layer: Forgetful });
    let table = table_in(store, &design("error", "")).await;
    let text = Endless { rows_left: rows, row: 0, ready: HEADER.as_bytes().to_vec(), at: 0 };
    let sources = vec![Source::reader("endless.csv", text)];
    let design = Arc::new(table.design().clone());
    let reader = InputReader::open(design, sources, InputOptions::default()).unwrap();
    let options = LoadOptions { way, memory_bytes: BUDGET, ..options() };
    let report = Load::new(&table, options).run(reader, &mut ()).await.unwrap();
    assert_eq!(report.counts.rows, rows);
    println!("{way:?} {:?} peak {}", report.way, peak_bytes());
}

/// The most memory this process has had, in bytes.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn ten_times_the_rows_take_no_more_memory() {
    // A process for each: what the C library keeps of an earlier load is no part of the next one.
    for way in ["Batches", "Sorted"] {
        let peaks = [200_000, 2_000_000].map(|rows| peak_of(way, rows));
        assert!(peaks[1] <= BUDGET as u64 + ALLOWED, "{way}: {peaks:?}");
    }
}

/// The most memory that a load of its own process takes.
#[cfg(target_os = "linux")]
fn peak_of(way: &str, rows: u64) -> u64 {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "memory::load_and_measure", "--ignored", "--nocapture"])
        .env(ROWS, rows.to_string())
        .env(WAY, way)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{rows} rows: {text}");
    text.lines().find_map(|line| line.split_once("peak ")?.1.parse().ok()).unwrap()
}
