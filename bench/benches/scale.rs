//! G1, G2 and E1: what a row costs as regions grow in number, what a range costs to plan as buckets do, and how even
//! hashed buckets are.

use std::hint::black_box;

use keystride::plan::PlanOrder;
use keystride::{KeyCodec, KeyRange, Predicate, SplitPoints};
use keystride_bench::{Bound, Cost, Figures, Home, Input, Size, least, runtime};
use keystride_table::load::{Check, LoadId, LoadOptions, Way};
use keystride_table::{Query, RowWriter};
use tokio::runtime::Runtime;

/// One day of the log.
const DAY: &str = "opera_time >= '20200408000000' and opera_time < '20200409000000'";

const BUCKETS: [usize; 3] = [16, 256, 4_096];

/// What a range may take to plan: the gate and the goal in nanoseconds.
const RANGE_NS: (f64, f64) = (1_000.0, 200.0);

fn main() {
    let size = Size::of_process();
    let (runtime, mut figures) = (runtime(), Figures::new(size));
    regions(&runtime, size, &Input::recommend_log(size.pick(2_000, 300_000)), &mut figures);
    let input = Input::recommend_log(size.pick(2_000, 1_000_000));
    evenness(&input, 16, "md5-hex1", &mut figures);
    for count in BUCKETS {
        evenness(&input.with_buckets(count), count, "the usual hash", &mut figures);
    }
    for &count in size.pick(&BUCKETS[..2], &BUCKETS[..]) {
        plans(&runtime, size, count, &mut figures);
    }
    figures.print();
}

/// Loads cut at more and more keys of the rows themselves.
fn regions(runtime: &Runtime, size: Size, input: &Input, figures: &mut Figures) {
    let keys = sorted_keys(input);
    let [few, counts @ ..] = size.pick([16, 64, 256, 1_024], [16, 256, 4_096, 65_536]);
    let loaded = |regions| {
        let home = Home::cut_at(runtime, &input.design, &points(&keys, regions));
        Cost::of(|| home.load(runtime, input, options()))
    };
    let costs = least(
        size.pick(1, 3),
        input.row_count,
        &mut [
            ("load into few regions", &mut || loaded(few)),
            ("load into more", &mut || loaded(counts[0])),
            ("load into many", &mut || loaded(counts[1])),
            ("load into very many", &mut || loaded(counts[2])),
        ],
    );
    let [least, rest @ ..] = costs.map(|cost| cost.ns_per(input.row_count));
    for (count, ns) in counts.into_iter().zip(rest) {
        let what = format!("{count} regions beside {few}, ns a row of a load");
        figures.add("G1", &what, ns, least, Bound::AtMost(1.5, 1.2));
    }
}

fn options() -> LoadOptions {
    LoadOptions { check: Check::None, way: Way::Batches, ..LoadOptions::of(LoadId::new("bench")) }
}

fn sorted_keys(input: &Input) -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    for_each_key(input, |key| keys.push(key.to_vec()));
    keys.sort();
    keys
}

fn points(sorted: &[Vec<u8>], regions: usize) -> SplitPoints {
    let at = |region: usize| &sorted[region * sorted.len() / regions];
    SplitPoints::new((1..regions).map(at)).expect("keys ascend")
}

/// A day's ranges, and the regions that each begins and ends in; then the same as a query is explained to people.
fn plans(runtime: &Runtime, size: Size, count: usize, figures: &mut Figures) {
    let input = Input::recommend_log(1).with_buckets(count);
    let points = input.design.split_points(&mut []).expect("points at the buckets");
    let home = Home::cut_at(runtime, &input.design, &points);
    let table = &home.table;
    let day = Predicate::parse(DAY, &input.design).expect("a predicate");
    let query = Query::of(day.clone());
    table.planner();
    let repeats = size.pick(1, 4_096 / count);
    let plan = || {
        let plan = table.planner().plan(Some(&day), PlanOrder::Any).expect("no order is asked for");
        let ends = |range: &KeyRange| {
            points.region_of(range.start()) + range.stop().map_or(0, |stop| points.region_of(stop))
        };
        assert_eq!(plan.ranges.len(), count);
        black_box(plan.ranges.iter().map(|planned| ends(&planned.range)).sum::<usize>());
    };
    let explain = || {
        let prepared = table.prepare(&query).expect("no order is asked for");
        let explained = runtime.block_on(prepared.explain()).expect("regions");
        assert_eq!(explained.regions, (count, count));
    };
    let ranges = (count * repeats) as u64;
    let [planned, explained] = least(
        size.pick(1, 3),
        ranges,
        &mut [
            ("a range planned and its regions found", &mut || Cost::of(|| (0..repeats).for_each(|_| plan()))),
            ("a range explained", &mut || Cost::of(|| (0..repeats).for_each(|_| explain()))),
        ],
    )
    .map(|cost| cost.ns_per(ranges));
    let (gate, goal) = RANGE_NS;
    figures.add(
        "G2",
        &format!("{count} buckets: a range planned beside 1 ns"),
        planned,
        1.0,
        Bound::AtMost(gate, goal),
    );
    figures.add(
        "",
        &format!("{count} buckets: a range explained beside planned, ns"),
        explained,
        planned,
        Bound::Told,
    );
}

fn evenness(input: &Input, buckets: usize, hash: &str, figures: &mut Figures) {
    let codec = KeyCodec::new((*input.design).clone());
    let prefixes = codec.design().leading_bucket().expect("the log has buckets");
    let width = prefixes.prefix(0).len();
    let mut counts = std::collections::BTreeMap::<Vec<u8>, u64>::new();
    for_each_key(input, |key| *counts.entry(key[..width].to_vec()).or_default() += 1);
    let most = counts.values().max().copied().unwrap_or_default();
    let [most, rows, buckets] = [most, input.row_count, buckets as u64].map(float);
    let noise = (buckets / rows).sqrt();
    let bound = Bound::AtMost(1.0 + 4.0 * noise, 1.0 + 4.0 * noise);
    figures.add(
        "E1",
        &format!("{buckets} buckets by {hash}: most rows beside the mean"),
        most,
        rows / buckets,
        bound,
    );
}

fn for_each_key(input: &Input, mut take: impl FnMut(&[u8])) {
    let mut writer = RowWriter::new(&KeyCodec::new((*input.design).clone()));
    input.for_each(|row| take(writer.key(row).expect("every row has a key")));
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn float(count: u64) -> f64 {
    count as f64
}
