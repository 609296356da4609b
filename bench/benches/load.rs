//! L1, L2 and G3: a load into the embedded store beside the store's own writes of the same batches, made before and written
//! one after the other; those beside the engine alone; sorted beside in batches; and what the heat's counts take of it.

use std::hint::black_box;
use std::num::NonZeroU64;

use keystride::{SplitPoints, Value};
use keystride_bench::{
    Bound, Cost, EngineBatches, Figures, Home, Input, Side, Size, in_turn, least, runtime,
};
use keystride_heat::{WindowCounter, Windowing};
use keystride_store::{MutationBatch, Write, Writers};
use keystride_table::RowWriter;
use keystride_table::load::{Check, LoadId, LoadOptions, Way, replay};
use tokio::runtime::Runtime;

fn main() {
    let size = Size::of_process();
    let mut figures = Figures::new(size);
    let runtime = runtime();
    for input in [Input::recommend_log(size.pick(500, 1_000_000)), Input::flights(size.pick(500, 336_776))] {
        compare(&runtime, size, &input, &mut figures);
    }
    figures.print();
}

fn compare(runtime: &Runtime, size: Size, input: &Input, figures: &mut Figures) {
    let (rows, name) = (input.row_count, input.name);
    let engine = engine_batches(runtime, input);
    let load = |check, way| move || loaded(runtime, input, check, way);
    let mut sides: [Side<'_>; 7] = [
        ("the engine alone: the same entries", &mut || engine.write()),
        ("writes of ready batches, one after the other", &mut || raw(runtime, input)),
        ("replay: all but the writes", &mut || replayed(input, Check::Exact)),
        ("load in batches, rows of one key not looked for", &mut load(Check::None, Way::Batches)),
        ("load in batches", &mut load(Check::Exact, Way::Batches)),
        ("load sorted, rows of one key not looked for", &mut load(Check::None, Way::Sorted)),
        ("load sorted", &mut load(Check::Exact, Way::Sorted)),
    ];
    let costs = in_turn(size.pick(1, 7), rows, &mut sides);
    let [engine, raw, _, unchecked, batches, _, sorted] = &costs;
    let (clock, cpu) = (|cost: Cost| cost.clock_ns_per(rows), |cost: Cost| cost.ns_per(rows));
    let mut add = |id: &str, what: &str, (ours, peer), bound| figures.add(id, what, ours, peer, bound);
    for (what, load) in [(", no check", unchecked), ("", batches)] {
        // Asked for in rows a second: reading goes on while the store writes.
        let what = format!("{name}: load beside ready batches{what}, ns");
        let bound = Bound::AtLeast(0.85, 0.95);
        add("L1", &format!("{what} by the clock a row"), load.beside(raw, clock), bound);
        add("", &format!("{what} of CPU a row"), load.beside(raw, cpu), Bound::Told);
    }
    let what = format!("{name}: ready batches beside the engine alone, ns by the clock a row");
    add("", &what, raw.beside(engine, clock), Bound::Told);
    let what = format!("{name}: sorted beside in batches, ns a row");
    add("L2", &what, sorted.beside(batches, cpu), Bound::AtLeast(1.8, 2.5));
    let batches = cpu(batches.least());
    let heat = heat(size, input).ns_per(rows);
    figures.add(
        "G3",
        &format!("{name}: the heat's share of a load, ns a row"),
        heat,
        batches,
        Bound::AtMost(0.05, 0.02),
    );
}

fn options(check: Check, way: Way) -> LoadOptions {
    LoadOptions { check, way, ..LoadOptions::of(LoadId::new("bench")) }
}

fn loaded(runtime: &Runtime, input: &Input, check: Check, way: Way) -> Cost {
    let home = Home::new(runtime, &input.design);
    Cost::of(|| home.load(runtime, input, options(check, way)))
}

fn replayed(input: &Input, check: Check) -> Cost {
    let codec = keystride::KeyCodec::new((*input.design).clone());
    let points = points(input);
    Cost::of(|| {
        let report =
            replay(input.reader(), &codec, points, Writers::Alone, options(check, Way::Batches), &mut ());
        assert_eq!(report.expect("a replay").counts.rows, input.row_count, "every row is taken");
    })
}

/// Ready batches of the same rows, written and flushed; only that is measured.
fn raw(runtime: &Runtime, input: &Input) -> Cost {
    let home = Home::new(runtime, &input.design);
    let batches = batches(&home, input);
    Cost::of(|| {
        runtime.block_on(async {
            write_all(&home, batches).await;
            home.table.store().flush(home.table.name()).await.expect("memory goes to files");
        });
    })
}

/// Writes batches one after the other, each with a note as a load does.
async fn write_all(home: &Home, batches: Vec<MutationBatch>) {
    for batch in batches {
        let write = Write::of(batch).with_note("n", *b"x");
        home.table.store().write(home.table.name(), write).await.expect("the store takes a batch");
    }
}

/// What the store gives to its engine of the same batches.
fn engine_batches(runtime: &Runtime, input: &Input) -> EngineBatches {
    let home = Home::new(runtime, &input.design);
    runtime.block_on(write_all(&home, batches(&home, input)));
    EngineBatches::of(runtime, &home)
}

/// Batches of the size that a load makes, by the bytes a region counts: the key once for each cell.
fn batches(home: &Home, input: &Input) -> Vec<MutationBatch> {
    let most_bytes = options(Check::None, Way::Batches).batch_bytes.get();
    let mut writer = RowWriter::new(home.table.codec());
    let (mut batches, mut batch, mut bytes) = (Vec::new(), MutationBatch::new(), 0);
    input.for_each(|row| {
        writer.write(row, 1, &mut batch).expect("every row can be stored");
        bytes += batch.rows().next_back().map_or(0, byte_count);
        if bytes >= most_bytes {
            batches.push(std::mem::take(&mut batch));
            bytes = 0;
        }
    });
    batches.push(batch);
    batches
}

/// Bytes of a row as regions count them: its key once for each cell.
fn byte_count(row: keystride_store::Row<'_>) -> usize {
    row.cells()
        .map(|cell| row.key().len() + cell.family.len() + cell.qualifier.len() + cell.value.len())
        .sum()
}

/// Finding the region of each key and counting it in the minute of its row, as a load does.
fn heat(size: Size, input: &Input) -> Cost {
    let points = points(input);
    let keys = keys(input);
    let [cost] = least(
        size.pick(1, 7),
        input.row_count,
        &mut [("regions found and rows counted", &mut || {
            let mut counter = WindowCounter::new(points.region_count(), Windowing::Time { ms: MINUTE_MS });
            Cost::of(|| {
                for (ms, key) in &keys {
                    counter.add_at(*ms, points.region_of(key), 1);
                }
                black_box(counter.finish());
            })
        })],
    );
    cost
}

const MINUTE_MS: NonZeroU64 = NonZeroU64::new(60_000).expect("a minute is not 0");

/// The key of each row, and its time.
fn keys(input: &Input) -> Vec<(i64, Vec<u8>)> {
    let mut writer = RowWriter::new(&keystride::KeyCodec::new((*input.design).clone()));
    let (field, unit) = input
        .design
        .fields()
        .iter()
        .enumerate()
        .find_map(|(at, field)| Some((at, field.time()?.unit())))
        .expect("a time");
    let mut keys = Vec::new();
    input.for_each(|row| {
        let Some(Value::Int(number)) = row.get(field) else { panic!("every row has a time") };
        let ms = i64::try_from(number * unit.nanos() / 1_000_000).expect("a year of ours");
        keys.push((ms, writer.key(row).expect("every row has a key").to_vec()));
    });
    keys
}

fn points(input: &Input) -> SplitPoints {
    input.design.split_points(&mut []).expect("the design's split points need nothing from outside")
}
