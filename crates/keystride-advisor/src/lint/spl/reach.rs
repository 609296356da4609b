use keystride::KeyLanguage;
use keystride::design::{End, FieldKind, FieldPart, Part, SplitRule};
use keystride::escape::to_escaped;
use keystride::split::SplitAlgorithm;

use super::fix::{bucket_split_fix, split_fix};
use super::{buckets, points};
use crate::lint::context::{Context, count};
use crate::lint::evidence::{Listed, evidence};
use crate::lint::fix::toml_list;
use crate::lint::regions::Regions;
use crate::lint::said::{Bilingual, said};
use crate::lint::{Found, Patch};

evidence! {
    /// Regions that keys do not reach, or reach unevenly.
    enum Reach {
        Spl04 => Unreachable { empty: Listed<usize>, unreachable: usize, regions: usize }
            "{unreachable} of {regions} regions can never receive a key: {empty}"
            "{regions} 个 region 里有 {unreachable} 个永远收不到键：{empty}",
        Spl05 => EmptyFirst { empty: Listed<usize>, unreachable: usize, regions: usize, first_key: String, points: usize }
            "{unreachable} of {regions} regions can never receive a key"
            "{regions} 个 region 里有 {unreachable} 个永远收不到键",
        Spl06 => EmptyLast { empty: Listed<usize>, unreachable: usize, regions: usize, last_point: String, points: usize }
            "{unreachable} of {regions} regions can never receive a key: none sorts at or after {last_point}"
            "{regions} 个 region 里有 {unreachable} 个永远收不到键：没有键排在 {last_point} 或其后",
        Spl07 => Unsuited { algorithm: String, regions: usize, used: usize, hottest: usize, share: f64, times: f64 }
            "{algorithm} does not suit these keys: {used} of {regions} regions are used, and region {hottest} takes {times:.1} times its share"
            "{algorithm} 不适合这些键：{regions} 个 region 只用到 {used} 个，{hottest} 号 region 占应得份额的 {times:.1} 倍",
    }
}

/// The multiple of its fair share that is too much for a region.
const UNEVEN: f64 = 2.0;
/// An algorithm is worth proposing if no region exceeds this multiple of its fair share.
const EVEN: f64 = 1.5;

/// SPL04, SPL05 and SPL06.
pub(super) fn unreachable_regions(context: &Context<'_>) -> Vec<Found> {
    let Some(regions) = context.regions.as_ref().filter(|regions| !regions.empty.is_empty()) else {
        return Vec::new();
    };
    if is_explained(context) {
        return Vec::new();
    }
    let (first, last) = regions.empty_ends();
    let total = (regions.empty.len(), regions.count());
    let empty = Listed(regions.empty.clone());
    let points = regions.points.keys().len();
    let finding = if regions.empty.len() > first + last || first > 1 || last > 1 {
        Found::error(
            context.split_place(),
            &Reach::Unreachable { empty, unreachable: total.0, regions: total.1 },
        )
    } else if first > 0 {
        let first_key = context.language.first().map(|key| to_escaped(&key)).unwrap_or_default();
        let evidence = Reach::EmptyFirst {
            empty: empty.clone(),
            unreachable: total.0,
            regions: total.1,
            first_key,
            points,
        };
        let finding = Found::error(context.split_place(), &evidence);
        let regions = total.1;
        finding.note(said!(
            "{points} points make {regions} regions; these stay empty: {empty}",
            "{points} 个点切出 {regions} 个 region；这些永远空着：{empty}"; empty
        ))
    } else {
        let last_point =
            regions.points.keys().last().map(|key| to_escaped(key.as_bytes())).unwrap_or_default();
        let last_point = format!("\"{last_point}\"");
        Found::error(
            context.split_place(),
            &Reach::EmptyLast { empty, unreachable: total.0, regions: total.1, last_point, points },
        )
    };
    let finding = finding.label(context.part_place(0), keys_begin(context));
    vec![match unfilled_bucket(context, regions) {
        Some(help) => finding.help(help),
        None => finding.fix(drop_points(context, regions)),
    }]
}

/// Whether another lint explains why these regions are empty.
fn is_explained(context: &Context<'_>) -> bool {
    crate::lint::enc::has_case_clash(context)
        || points::hex_text(context).is_some()
        || matches!(context.rule(), Some(SplitRule::Algorithm { .. }))
        || buckets::explains_empty_regions(context)
}

/// Returns what would fill the regions of a bucket some of whose numbers no row has, if the regions are its buckets.
fn unfilled_bucket(context: &Context<'_>, regions: &Regions<'_>) -> Option<Bilingual> {
    let part = context.design.leading_bucket()?;
    let (filled, buckets) = (regions.reachable.len(), part.count.get());
    let is_at_buckets = matches!(context.rule(), Some(SplitRule::Bucket { .. }));
    (is_at_buckets && filled < buckets as usize).then(|| {
        said!(
            "rows have only {filled} of the {buckets} buckets: add a field to `of`, or use fewer buckets",
            "{buckets} 个桶 (bucket) 里只有 {filled} 个有行：在 `of` 里再加一个字段，或者减少桶数"
        )
    })
}

/// `keys start with 000 to 015`.
fn keys_begin(context: &Context<'_>) -> Bilingual {
    let first = context.language.first().unwrap_or_default();
    match context.design.leading_bucket() {
        Some(part) => {
            let first = to_escaped(&part.prefix(0));
            let last = to_escaped(&part.prefix(part.count.get() - 1));
            said!("keys start with {first} to {last}", "键以 {first} 到 {last} 开头")
        }
        None => {
            let first = to_escaped(&first[..first.len().min(8)]);
            said!("the first key starts with {first}", "最小的键以 {first} 开头")
        }
    }
}

/// Proposes a split at the buckets if that is what was meant, or else the points without those that end an empty region
/// or are followed by empty regions only.
fn drop_points(context: &Context<'_>, regions: &Regions<'_>) -> Option<Patch> {
    let at_buckets = regions.reachable.len() + regions.empty.len() == regions.count();
    if at_buckets && let Some(fix) = bucket_split_fix(context) {
        return Some(fix);
    }
    if !context.owns_split() {
        return None;
    }
    let keys = regions.points.keys();
    // Region r ends at point r; the last region begins at the last point.
    let is_empty = |region: &usize| regions.empty.binary_search(region).is_ok();
    let (_, empty_at_end) = regions.empty_ends();
    let last = regions.count() - empty_at_end;
    let kept = keys.iter().enumerate().filter(|(index, _)| !is_empty(index) && index + 1 < last);
    let kept: Vec<&[u8]> = kept.map(|(_, key)| key.as_bytes()).collect();
    if kept.is_empty() {
        return Some(
            Patch::new(said!(
                "one region: no point is reached by keys on both sides",
                "只用一个 region：没有哪个点两侧都有键"
            ))
            .remove("split"),
        );
    }
    let dropped = keys.len() - kept.len();
    let title =
        said!("drop {dropped} points that keys lie on one side of", "去掉 {dropped} 个只有一侧有键的点");
    Some(split_fix(context, title, "list").set("split.points", toml_list(kept)))
}

/// SPL07.
pub(super) fn unsuited_algorithm(context: &Context<'_>) -> Vec<Found> {
    let (Some(regions), Some(SplitRule::Algorithm { algorithm, .. })) = (&context.regions, context.rule())
    else {
        return Vec::new();
    };
    let (hottest, share) = regions.hottest();
    let times = share * count(regions.count() as u128);
    let uneven = times > UNEVEN && has_declared_lead(context);
    if crate::lint::enc::has_case_clash(context) || (regions.empty.is_empty() && !uneven) {
        return Vec::new();
    }
    let evidence = Reach::Unsuited {
        algorithm: algorithm.name().to_owned(),
        regions: regions.count(),
        used: regions.count() - regions.empty.len(),
        hottest,
        share,
        times,
    };
    let finding = Found::error(context.split_place(), &evidence)
        .label(context.part_place(0), keys_begin(context))
        .help(said!(
            "cut at the buckets, with an algorithm that suits the keys' first bytes, or at the quantiles of a sample",
            "按桶 (bucket) 切，或用适合键的头几个字节的算法，或按样本的分位点切"
        ))
        .fix(bucket_split_fix(context).or_else(|| better_algorithm(context, *algorithm, regions.count())));
    vec![finding]
}

/// Whether the leading field has declared bounds, so that shares are meaningful. Where only the key's end tells where it
/// ends, they are not.
fn has_declared_lead(context: &Context<'_>) -> bool {
    let Some(lead) = context.lead() else { return false };
    let Part::Field(part) = &context.design.parts()[lead] else { return true };
    let has_end = !matches!(context.design.layout()[lead].end, End::FromKeyEnd(_) | End::Unmarked);
    part.steps.hash.is_some() || (has_end && has_declared_values(context, part))
}

fn has_declared_values(context: &Context<'_>, part: &FieldPart) -> bool {
    match &context.field(part.field).kind {
        FieldKind::String(text) => text.alphabet.is_some(),
        FieldKind::Digits { .. } | FieldKind::Bool => true,
        FieldKind::Int(int) => int.max != int.width.range().1,
        FieldKind::Uuid { version } => *version == Some(4),
        FieldKind::Time(_) | FieldKind::Float(_) | FieldKind::Bytes { .. } => false,
    }
}

/// Proposes the algorithm that cuts these keys most evenly, if one cuts them evenly enough.
fn better_algorithm(context: &Context<'_>, present: SplitAlgorithm, regions: usize) -> Option<Patch> {
    if !has_declared_lead(context) || !context.owns_split() {
        return None;
    }
    let others = SplitAlgorithm::ALL.into_iter().filter(|algorithm| *algorithm != present);
    let measured = others.filter_map(|algorithm| Some((algorithm, unevenness(context, algorithm, regions)?)));
    let (best, _) = measured.filter(|(_, times)| *times <= EVEN).min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let name = best.name();
    let fix = split_fix(context, said!("cut with {name}", "用 {name} 切"), name);
    Some(fix.set("split.regions", regions.to_string()))
}

/// Returns the largest share times the number of regions; `None` if any region stays empty.
fn unevenness(context: &Context<'_>, algorithm: SplitAlgorithm, regions: usize) -> Option<f64> {
    let points = algorithm.split(regions, None, None).ok()?;
    let regions = Regions::new(context.codec, &KeyLanguage::new(context.codec), &points);
    regions.empty.is_empty().then(|| regions.hottest().1 * count(regions.count() as u128))
}
