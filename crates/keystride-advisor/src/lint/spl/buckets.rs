use keystride::design::{Base, SplitRule};
use keystride::escape::to_escaped;
use keystride::split::partition_width;

use super::fix::{bucket_split_fix, needs_width};
use crate::lint::context::{Context, count, part_path};
use crate::lint::evidence::{Listed, evidence};
use crate::lint::regions::{Regions, Shift};
use crate::lint::said::said;
use crate::lint::{Found, Patch};

evidence! {
    /// How buckets are distributed over regions.
    enum Buckets {
        Spl01 => Doubled { empty: Listed<usize>, region: usize, held: Listed<u32>, full: Listed<usize>, max_over_mean: f64 }
            "buckets and regions do not match: region {region} receives buckets {held}, regions without a key: {empty}"
            "桶 (bucket) 与 region 对不上：{region} 号 region 装了这些桶：{held}；没有键的 region：{empty}",
        Spl02 => NarrowBucket { bucket: u32, written: String, width: usize }
            "bucket {bucket} is written \"{written}\", wider than the width of {width}"
            "{bucket} 号桶 (bucket) 写成 \"{written}\"，比宽度 {width} 宽",
        Spl02 => NarrowPoints { regions: u32, width: usize, last: u32, digits: usize }
            "partition keys for {regions} regions are {width} wide, but bucket {last} takes {digits}"
            "为 {regions} 个 region 生成的 partition keys 宽 {width} 位，而 {last} 号桶 (bucket) 要 {digits} 位",
        Spl03 => Shifted { point: String, key: String, bucket: u32, region: usize }
            "{point} sorts before {key}: bucket {bucket} falls into region {region}, the one after its own"
            "{point} 排在 {key} 之前：{bucket} 号桶 (bucket) 落进 {region} 号 region，比自己的那个靠后一个",
    }
}

/// SPL01.
pub(super) fn uneven_buckets(context: &Context<'_>) -> Vec<Found> {
    let Some((regions, full)) = uneven(context) else { return Vec::new() };
    let region = full[0];
    let held = regions.buckets[region].clone();
    let mean = count(regions.reachable.len() as u128) / count(regions.count() as u128);
    let evidence = Buckets::Doubled {
        empty: Listed(regions.empty.clone()),
        region,
        held: Listed(held.clone()),
        full: Listed(full),
        max_over_mean: count(held.len() as u128) / mean,
    };
    let finding = Found::error(context.split_place(), &evidence)
        .label(context.part_place(0), said!("the buckets", "桶"))
        .fix(bucket_split_fix(context));
    vec![finding]
}

/// Returns the regions with more buckets than an even distribution gives; `None` when there are none, or another lint
/// explains them.
fn uneven<'a>(context: &'a Context<'_>) -> Option<(&'a Regions<'a>, Vec<usize>)> {
    let regions = context.regions.as_ref()?;
    if regions.reachable.is_empty() || matches!(context.rule(), Some(SplitRule::Algorithm { .. })) {
        return None;
    }
    if regions.shift.is_some() || crate::lint::enc::has_case_clash(context) {
        return None;
    }
    let even = regions.reachable.len().div_ceil(regions.count());
    let full: Vec<usize> =
        (0..regions.count()).filter(|&region| regions.buckets[region].len() > even).collect();
    (!full.is_empty()).then_some((regions, full))
}

/// Whether SPL01 or SPL03 explains why regions are empty.
pub(super) fn explains_empty_regions(context: &Context<'_>) -> bool {
    let shift = context.regions.as_ref().is_some_and(|regions| regions.shift.is_some());
    shift || uneven(context).is_some()
}

/// SPL02.
pub(super) fn narrow_width(context: &Context<'_>) -> Vec<Found> {
    let mut findings = Vec::new();
    for (index, part) in context.bucket_parts().filter(|(_, part)| !part.has_fixed_width()) {
        let bucket = part.count.get() - 1;
        let written = to_escaped(&part.prefix(bucket));
        let evidence = Buckets::NarrowBucket { bucket, written, width: part.width };
        let width = needs_width(part);
        let widen = Patch::new(said!("write buckets {width} wide", "把桶写成 {width} 位宽"));
        let widen = widen.set(&format!("{}.width", part_path(index)), width.to_string());
        // Partition keys have their own width.
        let is_cut_alike = index == 0 && matches!(context.rule(), Some(SplitRule::PartitionKeys { .. }));
        let fix = if is_cut_alike { bucket_split_fix(context) } else { Some(widen) };
        findings.push(Found::error(context.part_place(index), &evidence).fix(fix));
    }
    findings.extend(narrow_points(context));
    findings
}

fn narrow_points(context: &Context<'_>) -> Option<Found> {
    let Some(SplitRule::PartitionKeys { regions, width, .. }) = context.rule() else { return None };
    let part = context.design.leading_bucket().filter(|part| part.base == Base::Decimal)?;
    let width = width.unwrap_or_else(|| partition_width(*regions as usize));
    let digits = needs_width(part);
    if width >= digits {
        return None;
    }
    let evidence = Buckets::NarrowPoints { regions: *regions, width, last: part.count.get() - 1, digits };
    Some(Found::error(context.split_place(), &evidence).fix(bucket_split_fix(context)))
}

/// SPL03.
pub(super) fn low_suffix(context: &Context<'_>) -> Vec<Found> {
    let Some(regions) = &context.regions else { return Vec::new() };
    let Some(Shift { bucket, point, key }) = &regions.shift else { return Vec::new() };
    let region = regions.points.region_of(key);
    let quoted = |bytes: &[u8]| format!("\"{}\"", to_escaped(bytes));
    let evidence = Buckets::Shifted { point: quoted(point), key: quoted(key), bucket: *bucket, region };
    let finding = Found::error(context.split_place(), &evidence)
        .label(context.part_place(0), said!("keys begin with a bucket", "键以桶开头"))
        .help(said!(
            "cut at the bare prefixes of buckets 1 and up: they sort before every key of their bucket",
            "从 1 号桶起，直接用各桶的前缀来切：前缀排在本桶所有键之前"
        ))
        .fix(bucket_split_fix(context));
    vec![finding]
}
