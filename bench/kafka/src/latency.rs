//! T3: how long a record is on its way, from the time that its producer gave it until its row is acknowledged.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use keystride::SplitPoints;
use keystride_app::load::{LoadJob, TopicLoad, embedded_options, store_bytes};
use keystride_store::{Durability, OpenOptions, StoreAddress};
use keystride_table::Table;
use keystride_table::input::{InputOptions, MessageFormat};
use keystride_table::load::LoadOptions;
use keystride_table::source::kafka::{KafkaProperties, OutletOptions};
use keystride_table::source::topic::{Tombstones, TopicEnd, TopicStart};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use crate::board::Bound;
use crate::followed::{Acknowledged, Followed, UnderWay};
use crate::producer::Producer;
use crate::small::{body, design};
use crate::{Bench, Failure};

const TOPIC: &str = "latency";
const PARTITIONS: u32 = 4;
const RECORDS_A_SECOND: u32 = 1_000;
const SECONDS: u32 = 30;
const TINY_SECONDS: u32 = 2;
/// As the program has it.
const MEMORY_BYTES: usize = 256 << 20;
/// How long it may take until the first record is read: Java starts meanwhile.
const PATIENCE: Duration = Duration::from_mins(1);
const WHAT: &str = "ms from given to the producer to acknowledged";

/// Runs it: the first second is not counted.
pub(crate) fn run(bench: &mut Bench) -> Result<(), Failure> {
    let seconds = if bench.is_tiny { TINY_SECONDS } else { SECONDS };
    let mut ms = measure(bench, RECORDS_A_SECOND * (seconds + 1))?.split_off(RECORDS_A_SECOND as usize);
    ms.sort_by(f64::total_cmp);
    for (side, share, bound) in
        [("p50", 50, Bound::Told), ("p99", 99, Bound::AtMost(1_500.0, 300.0)), ("max", 100, Bound::Told)]
    {
        bench.board.add(WHAT, side, ms[(ms.len() * share / 100).min(ms.len() - 1)]);
        bench.board.compare_with("T3", WHAT, side, 1.0, bound);
    }
    Ok(())
}

/// Loads a topic while it is written, and returns how long each record took, in the order in which they were read.
fn measure(bench: &Bench, count: u32) -> Result<Vec<f64>, Failure> {
    let producer = Producer::start(&bench.broker, TOPIC, PARTITIONS, &[("linger.ms", "0")])?;
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    let folder = TempDir::new()?;
    let store: StoreAddress = format!("embedded:{}", folder.path().display()).parse()?;
    let table = runtime.block_on(create_table(&store))?;
    let load = topic_load(bench, count)?;
    let options = LoadOptions { write_buffer_bytes: store_bytes(MEMORY_BYTES), ..LoadOptions::of(load.id()) };
    let job = LoadJob::new(&table, load.options(&store, options));

    let latencies = follow(&load, job, producer, count, &runtime)?;
    runtime.block_on(table.store().close())?;
    if latencies.len() == count as usize {
        Ok(latencies)
    } else {
        Err(format!("{} records of {count} were acknowledged", latencies.len()).into())
    }
}

fn follow(
    load: &TopicLoad,
    job: LoadJob,
    producer: Producer,
    count: u32,
    runtime: &Runtime,
) -> Result<Vec<f64>, Failure> {
    let (first, is_read) = channel();
    let under_way = UnderWay::default();
    let source = Followed::new(load.open(design()?, TopicStart::Earliest)?, under_way.clone(), first);
    let mut acknowledged = Acknowledged::of(under_way);
    let handle = job.handle();
    let (loaded, fed) = thread::scope(|scope| {
        let feeding = scope.spawn(move || feed(producer, count, &is_read).inspect_err(|_| handle.cancel()));
        (runtime.block_on(job.run(source, &mut acknowledged)), feeding.join())
    });
    loaded?;
    fed.map_err(|_| "the thread that feeds the producer panicked")??;
    Ok(acknowledged.into_ms())
}

fn topic_load(bench: &Bench, count: u32) -> Result<TopicLoad, Failure> {
    Ok(TopicLoad {
        address: bench.address(TOPIC).parse()?,
        properties: KafkaProperties::default(),
        start: Some(TopicStart::Earliest),
        end: TopicEnd::Before(u64::from(count / PARTITIONS)),
        format: MessageFormat::Csv { columns: None },
        input: InputOptions::default(),
        tombstones: Tombstones::Pass,
        outlet: OutletOptions::default(),
    })
}

/// An empty table in a folder, which has its rows on disk when it has acknowledged them.
async fn create_table(store: &StoreAddress) -> Result<Table, Failure> {
    let mut options = OpenOptions::default();
    options.embedded = embedded_options(MEMORY_BYTES, Durability::Batch);
    let store = store.open(options).await?;
    Ok(Table::create(store, design()?.as_ref().clone(), &SplitPoints::default()).await?)
}

/// Gives a record to the producer when it is due, one a millisecond from when the first one was read.
fn feed(mut producer: Producer, count: u32, is_read: &Receiver<()>) -> Result<(), Failure> {
    producer.write(0, &body(0))?;
    producer.flush()?;
    is_read.recv_timeout(PATIENCE).map_err(|_| "the first record of the topic was not read")?;
    let started = Instant::now();
    for at in 1..count {
        let due = Duration::from_secs(1) * at / RECORDS_A_SECOND;
        thread::sleep(due.saturating_sub(started.elapsed()));
        producer.write(at % PARTITIONS, &body(at.into()))?;
        producer.flush()?;
    }
    producer.finish(count.into())
}
