//! UNQ04: which offsets are Kafka's, and which keys tell those of several partitions apart.

use keystride::design::{Field, FieldKind};
use keystride::hash::BucketHash;

use super::pairs::resolution_s;
use super::stands_whole;
use crate::lint::context::Context;
use crate::lint::names::is_named;

/// Words that make of an offset one of clocks, of bytes, or within a text.
const OTHER_OFFSETS: [&str; 13] =
    ["tz", "timezone", "zone", "utc", "gmt", "dst", "byte", "bytes", "file", "line", "page", "char", "row"];
/// Names of what counts its offsets for itself, besides partitions.
const OTHER_SCOPES: [&str; 5] = ["shard", "shardid", "file", "filename", "path"];
/// With more values of its other fields than this, a key with the second names a row.
const MANY: f64 = 1_000.0;

/// Whether a field is the offset of a record in Kafka, judging by its column or its name; those are never negative.
pub(super) fn is_offset(field: &Field) -> bool {
    let is_number = match &field.kind {
        FieldKind::Int(int) => int.min >= 0 || int.min == int.width.range().0,
        FieldKind::Digits { .. } => true,
        _ => false,
    };
    let is_ours = || is_named(&field.name, &["offset"]) && !is_named(&field.name, &OTHER_OFFSETS);
    is_number && (field.column() == "_offset" || is_ours())
}

pub(super) fn is_partition(field: &Field) -> bool {
    field.column() == "_partition" || is_named(&field.name, &["partition", "partitionid"])
}

/// Whether rows with the same offset in several partitions have different keys, or there is one partition.
pub(super) fn is_told_apart(context: &Context<'_>) -> bool {
    let fields = context.design.fields();
    let is_scope = |field: &Field| is_partition(field) || is_named(&field.name, &OTHER_SCOPES);
    context.field_parts().any(|(_, _, field)| is_scope(field))
        || fields.iter().any(|field| is_partition(field) && has_one_value(field))
        || has_bucket_for_each_partition(context)
        || names_rows(context)
}

fn has_one_value(field: &Field) -> bool {
    field.distinct == Some(1) || field.kind.number_range().is_some_and(|(min, max)| min == max)
}

/// Whether a bucket is the number of the partition itself.
fn has_bucket_for_each_partition(context: &Context<'_>) -> bool {
    context.bucket_parts().any(|(_, part)| {
        let [item] = part.of.items() else { return false };
        let field = context.field(item.field);
        let range = field.kind.number_range();
        let is_whole = item.function.is_none() && part.hash == BucketHash::Mod;
        let fits = range.is_some_and(|(min, max)| max - min < i128::from(part.count.get()));
        is_whole && is_partition(field) && fits
    })
}

/// Whether the key names a row without the offset: by a UUID, or by the second in which something of many happened.
fn names_rows(context: &Context<'_>) -> bool {
    let is_of_time = |field: usize| context.field(context.design.source_of(field)).time().is_some();
    let whole = context.field_parts().filter(|(_, part, _)| stands_whole(context, part.field));
    let (times, others): (Vec<_>, Vec<_>) = whole.partition(|(_, part, _)| is_of_time(part.field));
    let has_second =
        times.iter().any(|(_, part, field)| resolution_s(part, field).is_some_and(|seconds| seconds <= 1.0));
    let others: Vec<_> = others.into_iter().filter(|(_, _, field)| !is_offset(field)).collect();
    let has_uuid = others.iter().any(|(_, _, field)| matches!(field.kind, FieldKind::Uuid { .. }));
    let values = context.combinations(others.iter().map(|(_, part, _)| part.field));
    has_uuid || (has_second && values.is_none_or(|values| values > MANY))
}
