//! Division of a plan's ranges into groups that are read independently.

use keystride::plan::PlannedRange;
use keystride::{Design, KeyRange};
use keystride_store::Region;

/// Splits the ranges of a plan at the starts of buckets and regions, and groups adjacent ones, into at most `most`
/// groups of about as many; at least one, unless there are no ranges.
pub(crate) fn divide(
    design: &Design,
    planned: &[PlannedRange],
    regions: &[Region],
    most: usize,
) -> Vec<Vec<KeyRange>> {
    let mut points: Vec<Vec<u8>> = regions.iter().map(|region| region.range.start().to_vec()).collect();
    if let Some(bucket) = design.leading_bucket() {
        // No row lies before the first bucket, which therefore takes the keys there, too.
        let mut starts: Vec<_> = (0..bucket.count.get()).map(|number| bucket.prefix(number)).collect();
        starts.sort();
        points.extend(starts.into_iter().skip(1));
    }
    points.sort();
    points.dedup();
    let pieces: Vec<KeyRange> = planned.iter().flat_map(|planned| cut(&planned.range, &points)).collect();
    let count = pieces.len().min(most.max(1));
    let bound = |group: usize| group * pieces.len() / count;
    (0..count).map(|group| pieces[bound(group)..bound(group + 1)].to_vec()).collect()
}

/// Splits a range at those of the ascending `points` that lie inside it.
fn cut(range: &KeyRange, points: &[Vec<u8>]) -> Vec<KeyRange> {
    let from = points.partition_point(|point| point.as_slice() <= range.start());
    let to = points.partition_point(|point| range.stop().is_none_or(|stop| point.as_slice() < stop));
    let inner = points.get(from..to).unwrap_or_default();
    let starts = [range.start()].into_iter().chain(inner.iter().map(Vec::as_slice));
    let stops = inner.iter().cloned().map(Some).chain([range.stop().map(<[u8]>::to_vec)]);
    starts.zip(stops).map(|(start, stop)| KeyRange::new(start, stop)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_at_the_points_inside_it() {
        let points = ["", "b", "c", "d"].map(|point| point.as_bytes().to_vec());
        for (start, stop, starts) in [
            ("", None, &["", "b", "c", "d"][..]),
            ("a", Some("d"), &["a", "b", "c"]),
            ("b", Some("c1"), &["b", "c"]),
            ("b", Some("c"), &["b"]),
            ("d", None, &["d"]),
        ] {
            let pieces = cut(&KeyRange::new(start, stop.map(Into::into)), &points);
            let stops = starts[1..].iter().copied().map(Some).chain([stop]);
            let expected =
                starts.iter().zip(stops).map(|(start, stop)| KeyRange::new(*start, stop.map(Into::into)));
            assert_eq!(pieces, expected.collect::<Vec<_>>());
        }
    }
}
