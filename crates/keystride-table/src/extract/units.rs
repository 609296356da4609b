//! The parts of an extract: groups of ranges that are read on their own.

use keystride::plan::PlannedRange;
use keystride::{Design, KeyRange};

/// Parts for each worker, so that none waits long for the last one.
const UNITS_PER_WORKER: usize = 4;
const LEAST_UNITS: usize = 16;

/// Cuts what a plan reads where buckets and regions begin, and groups neighbours so that each worker gets several.
pub(super) fn units(
    design: &Design,
    planned: &[PlannedRange],
    regions: &[KeyRange],
    workers: usize,
) -> Vec<Vec<KeyRange>> {
    let mut points: Vec<Vec<u8>> = regions.iter().map(|region| region.start().to_vec()).collect();
    if let Some(bucket) = design.leading_bucket() {
        points.extend((0..bucket.count.get()).map(|number| bucket.prefix(number)));
    }
    points.sort();
    points.dedup();
    let pieces: Vec<KeyRange> = planned.iter().flat_map(|planned| cut(&planned.range, &points)).collect();
    let count = pieces.len().min((workers * UNITS_PER_WORKER).max(LEAST_UNITS));
    let bound = |unit: usize| unit * pieces.len() / count;
    (0..count).map(|unit| pieces[bound(unit)..bound(unit + 1)].to_vec()).collect()
}

/// A range, cut at those of the ascending `points` that lie in it.
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
    fn units_cover_every_range_once_and_in_order() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                    [key]\nparts = [{ bucket = 50, of = [\"id\"] }, { field = \"id\" }]";
        let design = Design::from_toml(toml).unwrap();
        let planned = [PlannedRange { range: KeyRange::all(), bucket: None }];
        let regions = [KeyRange::new("", Some("071".into())), KeyRange::new("071", None)];
        let units = units(&design, &planned, &regions, 2);
        assert_eq!(units.len(), LEAST_UNITS);
        let pieces: Vec<KeyRange> = units.concat();
        assert_eq!(pieces.len(), 52);
        for key in ["!", "00", "070", "0710", "49999", "x"] {
            assert_eq!(pieces.iter().filter(|piece| piece.contains(key.as_bytes())).count(), 1, "{key}");
        }
        assert!(pieces.windows(2).all(|pair| pair[0].stop() <= Some(pair[1].start())));
    }
}
