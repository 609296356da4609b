//! Patches of `[split]`.

use keystride::design::{BucketPart, SplitRule};

use crate::lint::Patch;
use crate::lint::context::Context;
use crate::lint::said::{Bilingual, said};

/// Starts a patch that changes the rule of `[split]`, removing the words of the present rule.
pub(in crate::lint) fn split_fix(context: &Context<'_>, title: Bilingual, by: &str) -> Patch {
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

/// Proposes a split at the buckets, which requires prefixes of one width.
pub(in crate::lint) fn bucket_split_fix(context: &Context<'_>) -> Option<Patch> {
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

/// Returns the width that the last bucket needs.
pub(in crate::lint) fn needs_width(part: &BucketPart) -> usize {
    BucketPart::needed_width(part.count, part.base)
}
