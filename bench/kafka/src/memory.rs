//! T4: peak memory of a load of many small records beside that of a tenth of them.

use keystride_bench::Run;
use tempfile::TempDir;

use crate::board::Bound;
use crate::load::micros_a_row;
use crate::producer::Producer;
use crate::small::{DESIGN, body};
use crate::{Bench, Failure, say};

const PARTITIONS: u32 = 8;
const RECORDS: u64 = 10_000_000;
const TINY_RECORDS: u64 = 20_000;

/// Runs it.
pub(crate) fn run(bench: &mut Bench) -> Result<(), Failure> {
    let all = if bench.is_tiny { TINY_RECORDS } else { RECORDS };
    let memory = format!("load of {all} records, peak MiB");
    let cpu = format!("load of {all} records, CPU us a row");
    for (side, count) in [("a tenth", all / 10), ("all", all)] {
        let Run { cost, peak_bytes, .. } = load(bench, count)?;
        bench.board.add(&memory, side, mib(peak_bytes));
        bench.board.add(&cpu, side, micros_a_row(cost.cpu, count));
    }
    bench.board.compare("T4", &memory, "all", "a tenth", Bound::AtMost(1.2, 1.1));
    bench.board.compare("", &cpu, "all", "a tenth", Bound::Told);
    Ok(())
}

fn load(bench: &Bench, count: u64) -> Result<Run, Failure> {
    let topic = format!("small_{count}");
    say(&format!("producing {count} records"));
    Producer::start(&bench.broker, &topic, PARTITIONS, &[])?.write_all(PARTITIONS, (0..count).map(body))?;
    let folder = TempDir::new()?;
    let design = folder.path().join("design.toml");
    std::fs::write(&design, DESIGN)?;
    let run = bench.load_topic(&design, count, &topic)?;
    let seconds = run.cost.wall.as_secs_f64();
    say(&format!("{count} records loaded in {seconds:.1} s, peak {:.1} MiB", mib(run.peak_bytes)));
    Ok(run)
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
