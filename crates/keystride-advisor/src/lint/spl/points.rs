use keystride::design::{Encoding, Part, SplitRule};
use keystride::escape::to_escaped;
use keystride::{Key, SplitError, SplitPoints};

use super::fix::{bucket_split_fix, split_fix};
use crate::lint::context::Context;
use crate::lint::evidence::evidence;
use crate::lint::fix::toml_list;
use crate::lint::regions::Regions;
use crate::lint::said::{Bilingual, said};
use crate::lint::{Found, Splits};

evidence! {
    /// Problems in how split points are written.
    enum Points {
        Spl08 => Repeated { point: String }
            "split point {point} is given twice"
            "分裂点 (split point) {point} 写了两次",
        Spl08 => Unsorted { point: String, before: String }
            "split point {point} stands after {before}, before which it sorts; HBase and keystride sort them"
            "分裂点 (split point) {point} 写在 {before} 后面，却排在它前面；HBase 和 keystride 会重新排序",
        Spl08 => Refused { error: Bilingual }
            "the split can't be made: {error}"
            "切分不出来：{error}",
        Spl15 => OneTooMany { points: usize, regions: usize, buckets: u32 }
            "{points} points make {regions} regions, for {buckets} buckets"
            "{points} 个点切出 {regions} 个 region，而桶 (bucket) 有 {buckets} 个",
        Spl16 => HexText { point: String, bytes: usize, width: usize, number: String }
            "split point \"{point}\" is {bytes} bytes of text, but keys begin with {width} binary bytes: {number}"
            "分裂点 (split point) \"{point}\" 是 {bytes} 字节的文本，而键以 {width} 个二进制字节开头：{number}",
    }
}

/// SPL08.
pub(super) fn untidy_points(context: &Context<'_>) -> Vec<Found> {
    if let Some(SplitRule::List(points)) = context.rule() {
        return untidy_list(context, points).into_iter().collect();
    }
    match context.subject.splits {
        Splits::Refused(SplitError::Repeated { point }) => {
            let evidence = Points::Repeated { point: to_escaped(point.as_bytes()) };
            vec![Found::error(context.split_place(), &evidence)]
        }
        Splits::Refused(error) => {
            vec![Found::error(
                context.split_place(),
                &Points::Refused { error: Bilingual::alike(error.to_string()) },
            )]
        }
        Splits::Points { .. } | Splits::Unknown => Vec::new(),
    }
}

fn untidy_list(context: &Context<'_>, points: &[Vec<u8>]) -> Option<Found> {
    let mut tidy = points.to_vec();
    tidy.sort();
    tidy.dedup();
    tidy.retain(|point| !point.is_empty());
    let fix = || {
        let fix = split_fix(
            context,
            said!("write each point once, in byte order", "每个点只写一次，按字节序排列"),
            "list",
        );
        fix.set("split.points", toml_list(tidy.iter().map(Vec::as_slice)))
    };
    let mut sorted = points.to_vec();
    sorted.sort();
    if let Some([point, _]) = sorted.array_windows().find(|[left, right]| left == right) {
        let evidence = Points::Repeated { point: to_escaped(point) };
        return Some(Found::error(context.split_place(), &evidence).fix(fix()));
    }
    if points.iter().any(Vec::is_empty) {
        let evidence = Points::Refused { error: said!("a point is empty", "有一个点是空的") };
        return Some(Found::error(context.split_place(), &evidence).fix(fix()));
    }
    let [before, point] = points.array_windows().find(|[left, right]| left > right)?;
    let evidence = Points::Unsorted { point: to_escaped(point), before: to_escaped(before) };
    Some(Found::warning(context.split_place(), &evidence).fix(fix()))
}

/// SPL15.
pub(super) fn points_for_regions(context: &Context<'_>) -> Vec<Found> {
    let Some(regions) = &context.regions else { return Vec::new() };
    let Some(part) = context.design.leading_bucket() else { return Vec::new() };
    let buckets = part.count.get();
    let over = regions.count().checked_sub(buckets as usize);
    let counted_by_hand = matches!(context.rule(), Some(SplitRule::List(_) | SplitRule::File { .. }));
    if !counted_by_hand || !matches!(over, Some(1 | 2)) {
        return Vec::new();
    }
    let points = regions.points.keys().len();
    let evidence = Points::OneTooMany { points, regions: regions.count(), buckets };
    vec![Found::info(context.split_place(), &evidence).fix(bucket_split_fix(context))]
}

/// SPL16.
pub(super) fn hex_text_points(context: &Context<'_>) -> Vec<Found> {
    let (Some(points), Some(regions)) = (hex_text(context), &context.regions) else { return Vec::new() };
    let text = regions.points.keys()[0].as_bytes();
    let evidence = Points::HexText {
        point: to_escaped(text),
        bytes: text.len(),
        width: points[0].len(),
        number: to_escaped(&points[0]),
    };
    let fix = context.owns_split().then(|| {
        let fix = split_fix(context, said!("write the points in binary", "把点写成二进制"), "list");
        fix.set("split.points", toml_list(points.iter().map(Vec::as_slice)))
    });
    let place = context.split_place();
    vec![Found::error(place, &evidence).label(context.part_place(0), said!("binary", "二进制")).fix(fix)]
}

/// Returns the split points in binary, if all of them are hex text with the width of the leading binary number.
pub(super) fn hex_text(context: &Context<'_>) -> Option<Vec<Vec<u8>>> {
    let Some(Part::Field(part)) = context.design.parts().first() else { return None };
    let binary = matches!(part.steps.encoding, Encoding::Be | Encoding::Ordered | Encoding::Phoenix);
    let width = context.design.layout()[0].end.fixed().filter(|_| binary && part.steps.hash.is_none())?;
    let points = context.regions.as_ref()?.points.keys();
    let bytes = |point: &Key| hex_bytes(point.as_bytes()).filter(|bytes| bytes.len() == width);
    let as_written: Vec<Vec<u8>> = points.iter().map(bytes).collect::<Option<_>>()?;
    if part.steps.encoding == Encoding::Be || is_reached_everywhere(context, &as_written) {
        return Some(as_written);
    }
    let turned = with_signs_turned(&as_written);
    Some(if is_reached_everywhere(context, &turned) { turned } else { as_written })
}

/// Returns the encodings of numbers that turn the sign, given their two's complement.
fn with_signs_turned(points: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut turned = points.to_vec();
    turned.iter_mut().filter_map(|point| point.first_mut()).for_each(|first| *first ^= 0x80);
    turned
}

/// Whether keys reach all regions between these points.
fn is_reached_everywhere(context: &Context<'_>, points: &[Vec<u8>]) -> bool {
    let points = SplitPoints::new(points.iter().map(Vec::as_slice));
    points.is_ok_and(|points| Regions::new(context.codec, &context.language, &points).empty.is_empty())
}

fn hex_bytes(text: &[u8]) -> Option<Vec<u8>> {
    data_encoding::HEXLOWER_PERMISSIVE.decode(text).ok()
}
