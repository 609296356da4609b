use keystride::design::Base;

use crate::lint::context::{Context, SEEK_S, count, part_path};
use crate::lint::evidence::{Amount, evidence};
use crate::lint::found::Place;
use crate::lint::said::said;
use crate::lint::spl::fix::needs_width;
use crate::lint::{Found, Patch};

evidence! {
    /// The cost of a salt.
    enum Cost {
        Slt10 => Needless { buckets: u32, rows_per_s: Amount, puts_per_s: Amount, percent: f64 }
            "{rows_per_s} rows a second are {percent:.1} % of what one server takes: {buckets} buckets turn every scan into {buckets} ranges and gain nothing"
            "每秒 {rows_per_s}行只是一台服务器能力的 {percent:.1}%：{buckets} 个桶 (bucket) 让每次扫描 (scan) 白白变成 {buckets} 个区间",
        Slt11 => FanOut { seeks_per_s: Amount, percent: f64, buckets: usize, most: usize }
            "opening {seeks_per_s} ranges a second takes {percent:.0} % of the cluster; up to {most} buckets stay below 20 %"
            "每秒打开 {seeks_per_s}个区间要用掉集群的 {percent:.0}%；不超过 {most} 个桶 (bucket) 就能保持在 20% 以下",
        Slt11 => FanOutAlways { seeks_per_s: Amount, percent: f64, buckets: usize, single: f64 }
            "opening {seeks_per_s} ranges a second takes {percent:.0} % of the cluster; with one bucket it would be {single:.0} %"
            "每秒打开 {seeks_per_s}个区间要用掉集群的 {percent:.0}%；只有一个桶 (bucket) 也要用 {single:.0}%",
        Slt13 => Wide { width: usize, buckets: u32, needed: usize, spare: usize, cells: usize }
            "the bucket takes {width} bytes for {buckets} buckets, where {needed} would do"
            "{buckets} 个桶 (bucket) 用了 {width} 个字节，其实 {needed} 个就够",
    }
}

/// Below this share of its capacity, a server needs no salt.
const EASY: f64 = 0.3;
/// The share of a cluster's capacity that opening ranges may take.
const FAN_OUT: f64 = 0.2;

/// SLT10.
pub(super) fn needless_salt(context: &Context<'_>) -> Vec<Found> {
    let (Some(part), Some(cluster)) = (context.design.leading_bucket(), context.cluster()) else {
        return Vec::new();
    };
    let Some(rows_per_s) = context.rows_per_s() else { return Vec::new() };
    let reads: f64 = context.design.accesses().iter().filter_map(|access| access.rate).sum();
    let is_easy = rows_per_s < EASY * cluster.puts_per_s && reads * SEEK_S < EASY;
    if part.count.get() < 2 || !is_easy {
        return Vec::new();
    }
    let evidence = Cost::Needless {
        buckets: part.count.get(),
        rows_per_s: Amount(rows_per_s),
        puts_per_s: Amount(cluster.puts_per_s),
        percent: rows_per_s / cluster.puts_per_s * 100.0,
    };
    vec![Found::info(context.part_place(0), &evidence)]
}

/// SLT11.
pub(super) fn wide_fan_out(context: &Context<'_>) -> Vec<Found> {
    let (Some(part), Some(servers)) = (context.design.leading_bucket(), context.servers()) else {
        return Vec::new();
    };
    let fanned = context.reads.iter().filter_map(|read| {
        let (buckets, _) = read.buckets(context.design).filter(|(buckets, _)| *buckets > 1)?;
        Some((read, buckets, read.access.rate?))
    });
    let seeks_per_s: f64 =
        fanned.clone().map(|(read, _, rate)| rate * count(read.ranges(Some(part)) as u128)).sum();
    let share = seeks_per_s * SEEK_S / f64::from(servers);
    let Some((heaviest, buckets, _)) =
        fanned.max_by(|a, b| (a.2 * count(a.1 as u128)).total_cmp(&(b.2 * count(b.1 as u128))))
    else {
        return Vec::new();
    };
    if share <= FAN_OUT {
        return Vec::new();
    }
    let of = |fewer: usize| share * count(fewer as u128) / count(buckets as u128);
    let most = (1..=buckets).rev().find(|fewer| of(*fewer) <= FAN_OUT);
    let (seeks_per_s, percent) = (Amount(seeks_per_s), share * 100.0);
    let evidence = match most {
        Some(most) => Cost::FanOut { seeks_per_s, percent, buckets, most },
        None => Cost::FanOutAlways { seeks_per_s, percent, buckets, single: of(1) * 100.0 },
    };
    let finding = Found::warning(context.part_place(0), &evidence);
    vec![finding.label(Place::access(heaviest.access), said!("opens the most ranges", "打开的区间最多"))]
}

/// SLT13.
pub(super) fn wide_prefix(context: &Context<'_>) -> Vec<Found> {
    let wide = context.bucket_parts().filter(|(_, part)| part.width > needs_width(part));
    wide.map(|(index, part)| {
        let bytes = if part.count.get() > 256 { 2 } else { 1 };
        // A row without columns has a cell that marks it.
        let cells = context.design.columns().cells.len().max(1);
        let spare = part.width - bytes;
        let evidence =
            Cost::Wide { width: part.width, buckets: part.count.get(), needed: bytes, spare, cells };
        let path = part_path(index);
        let fix =
            Patch::new(said!("write the bucket as bytes", "把桶写成字节")).remove(&format!("{path}.width"));
        let fix = if part.base == Base::Byte { fix } else { fix.set(&format!("{path}.base"), "\"byte\"") };
        let note = if cells == 1 {
            said!("{spare} bytes less in each row", "每行少 {spare} 个字节")
        } else {
            said!(
                "{spare} bytes less in each of the {cells} cells of a row",
                "一行的 {cells} 个 cell，每个少 {spare} 个字节"
            )
        };
        Found::info(context.part_place(index), &evidence).note(note).fix(fix)
    })
    .collect()
}
