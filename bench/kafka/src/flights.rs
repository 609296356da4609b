//! T1 and T2: the flights of a topic beside the same flights of a file, and beside Kafka's own consumer.

use std::path::{Path, PathBuf};

use keystride_bench::{Input, Run};
use tempfile::TempDir;

use crate::board::{Bound, load_average};
use crate::consumer::records_a_second;
use crate::load::micros_a_row;
use crate::producer::Producer;
use crate::{Bench, Failure, say};

const TOPIC: &str = "flights";
const PARTITIONS: u32 = 4;
const TINY_ROWS: usize = 3_000;

const CPU: &str = "load of flights, CPU us a row";
const CLOCK: &str = "load of flights, clock us a row";

/// What a round has, each once.
#[derive(Debug, Clone, Copy)]
enum Way {
    Topic,
    /// The file, written as the topic is: in batches.
    Batches,
    /// The file as a load of it is without options.
    Faster,
    /// No load: Kafka's own test.
    Consumer,
}

/// The flights, as a topic and as a file.
struct Flights {
    design: PathBuf,
    file: String,
    rows: u64,
    _folder: TempDir,
}

/// Runs it: every way once that is not counted, then so many rounds, every other one in reversed order.
pub(crate) fn run(bench: &mut Bench, rounds: u32) -> Result<(), Failure> {
    let mut ways = [Way::Topic, Way::Batches, Way::Faster, Way::Consumer];
    let flights = Flights::produce(bench)?;
    for way in ways {
        flights.measure(bench, way)?;
    }
    for round in 0..if bench.is_tiny { 1 } else { rounds } {
        say(&format!("round {}, load average {}", round + 1, load_average()));
        for way in ways {
            for (what, figure) in flights.measure(bench, way)? {
                bench.board.add(what, way.side(), figure);
            }
        }
        ways.reverse();
    }
    judge(bench);
    Ok(())
}

fn judge(bench: &mut Bench) {
    let [topic, batches, faster, consumer] =
        [Way::Topic, Way::Batches, Way::Faster, Way::Consumer].map(Way::side);
    bench.board.compare("T1", CPU, topic, batches, Bound::AtMost(1.3, 1.1));
    bench.board.compare("", CPU, topic, faster, Bound::Told);
    bench.board.compare("T2", CLOCK, topic, consumer, Bound::AtLeast(0.25, 0.5));
    bench.board.compare("", CLOCK, topic, batches, Bound::Told);
}

impl Way {
    fn side(self) -> &'static str {
        match self {
            Self::Topic => "topic",
            Self::Batches => "file, batches",
            Self::Faster => "file, faster",
            Self::Consumer => "Kafka's consumer",
        }
    }
}

impl Flights {
    fn produce(bench: &Bench) -> Result<Self, Failure> {
        let input = Input::flights(if bench.is_tiny { TINY_ROWS } else { usize::MAX - 1 });
        let folder = TempDir::new()?;
        let (design, file) = (folder.path().join("design.toml"), folder.path().join("flights.csv"));
        std::fs::write(&design, input.design.to_toml(None))?;
        std::fs::write(&file, &input.text)?;
        let producer = Producer::start(&bench.broker, TOPIC, PARTITIONS, &[("compression.type", "lz4")])?;
        producer.write_all(PARTITIONS, str::from_utf8(&input.text)?.lines().skip(1))?;
        Ok(Self { design, file: file.display().to_string(), rows: input.row_count, _folder: folder })
    }

    fn measure(&self, bench: &Bench, way: Way) -> Result<Vec<(&'static str, f64)>, Failure> {
        let load = match way {
            Way::Topic => bench.load_topic(&self.design, self.rows, TOPIC)?,
            Way::Batches => self.load_file(bench, "batches")?,
            Way::Faster => self.load_file(bench, "faster")?,
            Way::Consumer => {
                let figure = 1e6 / records_a_second(&bench.broker, TOPIC, self.rows)?;
                return Ok(vec![(CLOCK, figure)]);
            }
        };
        Ok(self.figures(&load))
    }

    fn load_file(&self, bench: &Bench, way: &str) -> Result<Run, Failure> {
        bench.load(Path::new(&self.design), self.rows, &[&self.file, "--way", way, "--memory", "256MiB"])
    }

    fn figures(&self, load: &Run) -> Vec<(&'static str, f64)> {
        let user = load.cost.cpu.saturating_sub(load.system);
        let figures = [
            (CPU, load.cost.cpu),
            ("load of flights, its own CPU us a row", user),
            ("load of flights, the kernel's CPU us a row", load.system),
            (CLOCK, load.cost.wall),
        ];
        figures.map(|(what, time)| (what, micros_a_row(time, self.rows))).to_vec()
    }
}
