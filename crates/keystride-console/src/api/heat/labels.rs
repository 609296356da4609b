use keystride::codec::PartKind;
use keystride::escape::to_shown;
use keystride::{KeyCodec, KeyRange};
use keystride_app::stats::bucket_of_region;
use keystride_heat::live::Axis;

use crate::api::time_style;

/// A page shows no more columns of labels.
const MOST_PARTS: usize = 4;

/// Returns what the first key of each row begins with: its bucket, if keys begin with one, and its fields, as far as they are there, or without a design
/// its bytes. Rows of a folded map have keys without their bucket.
pub(super) fn labels(codec: Option<&KeyCodec>, rows: &Axis, is_folded: bool) -> Vec<Vec<String>> {
    let prefix = match codec.and_then(|codec| codec.design().leading_bucket()) {
        Some(bucket) if is_folded => bucket.prefix(0),
        _ => Vec::new(),
    };
    let bounds_of = |row: usize| match (rows.start(row), codec) {
        ([], _) => Vec::new(),
        (start, Some(codec)) => label(codec, &[&prefix, start].concat(), is_folded),
        (start, None) => vec![to_shown(start)],
    };
    let bucket_of =
        codec.filter(|codec| !is_folded && codec.design().leading_bucket().is_some()).map(bucket_of_region);
    let range = |row: usize| KeyRange::new(rows.start(row).to_vec(), rows.stop(row).map(<[u8]>::to_vec));
    let label = |row: usize| match bucket_of.as_ref().and_then(|bucket_of| bucket_of(&range(row))) {
        // A row may begin after all keys of a bucket: it is of the next one.
        Some(bucket) if bounds_of(row).first() != Some(&bucket) => vec![bucket],
        _ => bounds_of(row),
    };
    (0..rows.cell_count()).map(label).collect()
}

fn label(codec: &KeyCodec, start: &[u8], is_folded: bool) -> Vec<String> {
    let (design, style) = (codec.design(), time_style());
    let described = codec.describe_prefix(start);
    let parts = described.parts.iter().filter(|part| match part.kind {
        PartKind::Text => false,
        PartKind::Bucket => !is_folded,
        PartKind::Field(_) => true,
    });
    let text = |part: &keystride::codec::DescribedPart| {
        part.value_text(design, &style).unwrap_or_else(|| to_shown(&start[part.span.clone()]))
    };
    let begun = described.begun.iter().filter(|(kind, _)| *kind != PartKind::Text);
    let begun = begun.map(|(_, bytes)| format!("{}…", to_shown(bytes)));
    parts.map(text).chain(begun).take(MOST_PARTS).collect()
}
