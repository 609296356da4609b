//! X1 to X4: rows of 16 buckets read as they come and in the order of their keys, beside one scan of everything; an
//! extract beside reading and writing alone, by as many threads; and the merge beside a heap of cloned keys.

use std::fs::File;
use std::num::NonZeroUsize;
use std::path::Path;

use arrow_array::RecordBatch;
use futures_util::{StreamExt, TryStreamExt, stream};
use keystride::{KeyRange, Predicate};
use keystride_bench::{Bound, Cost, Figures, Home, Input, Rounds, Size, heap_merged, in_turn, runtime};
use keystride_store::{Detail, Order, RowBatch, RowStream, Scan, Selection};
use keystride_table::extract::Extract;
use keystride_table::scan::Merge;
use keystride_table::{Query, RowOrder, Table};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use tokio::runtime::Runtime;

/// Covers all days of the log, so that the plan is one range in each bucket.
const ALL_DAYS: &str = "opera_time >= '20200401000000' and opera_time < '20200501000000'";

/// Digits of a bucket.
const BUCKET_BYTES: usize = 3;

/// A bucket and `202004`, in which the keys of one bucket are alike.
const ALIKE_BYTES: usize = BUCKET_BYTES + 6;

fn main() {
    let size = Size::of_process();
    let (runtime, mut figures) = (runtime(), Figures::new(size));
    let input = Input::recommend_log(size.pick(1_000, 400_000));
    let home = Home::filled(&runtime, &input);
    scans(&runtime, size, &home.table, &mut figures);
    merges(&runtime, size, &lanes(&runtime, &home.table, 16), &mut figures, Bound::AtLeast(2.2, 3.0));
    extracts(&runtime, size, &home.read_in_place(&runtime).table, &mut figures);
    let home = Home::filled(&runtime, &input.with_buckets(256));
    merges(&runtime, size, &lanes(&runtime, &home.table, 256), &mut figures, Bound::AtLeast(1.2, 2.0));
    figures.print();
}

fn scans(runtime: &Runtime, size: Size, table: &Table, figures: &mut Figures) {
    let all = Query::default();
    let fan = Query::of(Predicate::parse(ALL_DAYS, table.design()).expect("a predicate"));
    let in_order = Query { order: RowOrder::Key, ..fan.clone() };
    let rows = runtime.block_on(table.count(None)).expect("a count");
    let decoded = |query: &Query| Cost::of(|| assert_eq!(runtime.block_on(decoded(table, query)), rows));
    let raw = |ranges: Vec<KeyRange>| {
        Cost::of(|| assert_eq!(runtime.block_on(scanned(table, Scan::of_ranges(ranges.clone()))), rows))
    };
    let costs = in_turn(
        size.pick(1, 9),
        rows,
        &mut [
            ("store: one scan", &mut || raw(vec![KeyRange::all()])),
            ("store: 16 ranges in turn", &mut || raw(buckets(16))),
            ("query: one scan", &mut || decoded(&all)),
            ("query: 16 ranges as they come", &mut || decoded(&fan)),
            ("query: 16 ranges in the order of keys", &mut || decoded(&in_order)),
        ],
    );
    let [raw_all, raw_fan, all, fan, in_order] = &costs;
    let (x1, x2) = (Bound::AtLeast(0.8, 1.0), Bound::AtLeast(0.75, 0.9));
    let mut add = |id: &str, what: &str, ours: &Rounds, peer: &Rounds, bound| {
        let (ours, peer) = ours.beside(peer, |cost| cost.ns_per(rows));
        figures.add(id, what, ours, peer, bound);
    };
    add("X1", "store: 16 ranges beside one scan, ns a row", raw_fan, raw_all, x1);
    add("X1", "query: 16 ranges beside one scan, ns a row", fan, all, x1);
    add("X2", "query: 16 ranges by key beside one scan, ns a row", in_order, all, x2);
    add("", "query beside the store's scan alone, ns a row", all, raw_all, Bound::Told);
}

async fn decoded(table: &Table, query: &Query) -> u64 {
    let batches = table.query(query).expect("an order that can be had");
    batches.try_fold(0, async |sum, batch| Ok(sum + batch.len() as u64)).await.expect("rows of the design")
}

async fn scanned(table: &Table, scan: Scan) -> u64 {
    let batches = table.store().scan(table.name(), scan).await.expect("a scan");
    batches.try_fold(0, async |sum, batch| Ok(sum + batch.len() as u64)).await.expect("rows")
}

fn buckets(count: usize) -> Vec<KeyRange> {
    (0..count).map(|bucket| KeyRange::prefix(format!("{bucket:03}").as_bytes())).collect()
}

fn extracts(runtime: &Runtime, size: Size, table: &Table, figures: &mut Figures) {
    let rows = runtime.block_on(table.count(None)).expect("a count");
    let folder = tempfile::tempdir().expect("a folder for files that go");
    extract(runtime, table, folder.path());
    let ready = read_back(folder.path());
    let scan = |ranges: &[KeyRange]| runtime.block_on(scanned(table, Scan::of_ranges(ranges.to_vec())));
    let [ours, scan, write] = in_turn(
        size.pick(1, 15),
        rows,
        &mut [
            ("extract to Parquet", &mut || {
                let folder = tempfile::tempdir().expect("a folder for files that go");
                Cost::of(|| extract(runtime, table, folder.path()))
            }),
            ("store: scans by as many threads", &mut || {
                Cost::of(|| assert_eq!(by_workers(&buckets(16), &scan), rows))
            }),
            ("Parquet: ready columns written by as many threads", &mut || {
                Cost::of(|| assert_eq!(by_workers(&ready, &write), rows))
            }),
        ],
    );
    let (ours, peers) = ours.beside(&scan.plus(&write), |cost| cost.ns_per(rows));
    let what = "extract beside the store's scans + ready columns written, ns a row";
    figures.add("X3", what, ours, peers, Bound::AtLeast(0.85, 0.95));
}

/// Sums what is done with equal shares of some items, each in a thread, of which there are as many as an extract has
/// workers: two busy cores have less of the caches, each, than one that is alone.
fn by_workers<T: Sync>(items: &[T], work: &(impl Fn(&[T]) -> u64 + Sync)) -> u64 {
    std::thread::scope(|scope| {
        let shares = items.chunks(items.len().div_ceil(workers().get()).max(1));
        let threads: Vec<_> = shares.map(|share| scope.spawn(move || work(share))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that ends")).sum()
    })
}

fn extract(runtime: &Runtime, table: &Table, folder: &Path) {
    let extract = Extract { workers: workers(), ..Extract::default() };
    runtime.block_on(table.extract(&extract, folder)).expect("an extract");
}

/// One for each core, up to the parts that an extract of 400,000 rows has.
fn workers() -> NonZeroUsize {
    Extract::default().workers.min(NonZeroUsize::new(4).expect("four are some"))
}

/// What an extract wrote, as columns in memory.
fn read_back(folder: &Path) -> Vec<RecordBatch> {
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let files = files.map(|file| file.expect("a file").path());
    let parts = files.filter(|path| path.extension().is_some_and(|end| end == "parquet"));
    parts
        .flat_map(|path| {
            let file = File::open(path).expect("the file is there");
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file");
            reader.with_batch_size(8_192).build().expect("a reader").map(|batch| batch.expect("columns"))
        })
        .collect()
}

/// Writes columns to a file; how many rows they are.
fn write(batches: &[RecordBatch]) -> u64 {
    let file = tempfile::tempfile().expect("a file that goes");
    let level = ZstdLevel::try_new(1).expect("a level of zstd");
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(level)).build();
    let mut writer = ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).expect("a writer");
    for batch in batches {
        writer.write(batch).expect("columns are written");
    }
    writer.close().expect("a whole file");
    batches.iter().map(|batch| batch.num_rows() as u64).sum()
}

/// The keys of each bucket.
fn lanes(runtime: &Runtime, table: &Table, count: usize) -> Vec<Vec<RowBatch>> {
    let keys = Selection { detail: Detail::FirstKey, ..Selection::default() };
    let scan = |range| Scan { selection: keys.clone(), ..Scan::of(range) };
    let read = async |range| {
        let batches = table.store().scan(table.name(), scan(range)).await.expect("a scan");
        batches.try_collect().await.expect("rows")
    };
    buckets(count).into_iter().map(|range| runtime.block_on(read(range))).collect()
}

fn merges(runtime: &Runtime, size: Size, lanes: &[Vec<RowBatch>], figures: &mut Figures, bound: Bound) {
    let (rows, ways) = (lanes.iter().flatten().map(|batch| batch.len() as u64).sum(), lanes.len());
    let passed = |work: &dyn Fn(Vec<RowStream>) -> u64| {
        let scans = streams(lanes);
        Cost::of(|| assert_eq!(work(scans), rows, "every row is given"))
    };
    let [_, heap, ours] = in_turn(
        size.pick(1, 9),
        rows,
        &mut [
            ("scans in memory, one after the other", &mut || {
                passed(&|scans| runtime.block_on(one_after_the_other(scans)))
            }),
            ("the same in a heap of cloned keys", &mut || {
                passed(&|scans| runtime.block_on(heap_merged(scans, BUCKET_BYTES)))
            }),
            ("the same merged", &mut || passed(&|scans| runtime.block_on(merged(scans)))),
        ],
    );
    let (ours, heap) = ours.beside(&heap, |cost| cost.ns_per(rows));
    figures.add(
        "X4",
        &format!("{ways} scans merged beside a heap of cloned keys, ns a row"),
        ours,
        heap,
        bound,
    );
}

async fn one_after_the_other(scans: Vec<RowStream>) -> u64 {
    let batches = stream::iter(scans).flatten();
    batches
        .try_fold(0, async |sum, batch: RowBatch| {
            Ok(sum + batch.rows().filter(|row| !row.key().is_empty()).count() as u64)
        })
        .await
        .expect("rows")
}

async fn merged(scans: Vec<RowStream>) -> u64 {
    let mut merge =
        Merge::of_scans(scans, ALIKE_BYTES, Order::Ascending).await.expect("scans that can be read");
    let mut count = 0;
    while merge.row().is_some() {
        count += 1;
        merge.advance().await.expect("a scan that can be read");
    }
    count
}

/// Scans of rows in memory.
fn streams(lanes: &[Vec<RowBatch>]) -> Vec<RowStream> {
    let stream = |batches: &Vec<RowBatch>| -> RowStream {
        Box::pin(stream::iter(batches.clone().into_iter().map(Ok)))
    };
    lanes.iter().map(stream).collect()
}
