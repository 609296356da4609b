//! Splits and buckets.

mod buckets;
mod points;
mod reach;
mod servers;

pub(super) use buckets::needs_width;

use super::context::Context;
use super::said::{Said, said};
use super::{Lint, Patch};
use crate::design::SplitRule;

pub(super) const LINTS: &[Lint] = &[
    buckets::uneven_buckets,
    buckets::narrow_width,
    buckets::low_suffix,
    reach::unreachable_regions,
    reach::unsuited_algorithm,
    points::untidy_points,
    points::points_for_regions,
    points::hex_text_points,
    servers::idle_servers,
    servers::neighbouring_tails,
    servers::too_many_regions,
];

/// The beginning of a patch that gives `[split]` another rule: what the present one says goes.
pub(super) fn split_fix(context: &Context<'_>, title: Said, by: &str) -> Patch {
    let words: &[&str] = match context.rule() {
        None => &[],
        Some(SplitRule::Bucket { .. }) => &["regions", "suffix"],
        Some(SplitRule::List(_)) => &["points", "ints", "longs"],
        Some(SplitRule::File { .. }) => &["path"],
        Some(SplitRule::Algorithm { .. }) => &["regions", "first", "last"],
        Some(SplitRule::PartitionKeys { .. }) => &["regions", "width", "suffix"],
        Some(SplitRule::Range { .. }) => &["start", "end", "regions"],
        Some(SplitRule::Sample { .. }) => &["regions", "path"],
    };
    let fix = Patch::new(title);
    let fix = words.iter().fold(fix, |fix, word| fix.remove(&format!("split.{word}")));
    fix.set("split.by", format!("\"{by}\""))
}

/// A split at the buckets, which needs prefixes of one width.
pub(super) fn bucket_split_fix(context: &Context<'_>) -> Option<Patch> {
    let part = context.design.leading_bucket().filter(|_| context.owns_split())?;
    let buckets = part.count.get();
    let title = said!("cut at the {buckets} buckets", "按 {buckets} 个桶来切");
    let fix = split_fix(context, title, "bucket");
    Some(if part.has_fixed_width() {
        fix
    } else {
        fix.set("key.parts[0].width", needs_width(part).to_string())
    })
}
