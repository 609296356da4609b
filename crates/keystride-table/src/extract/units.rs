//! Division of an extract into parts: groups of ranges that are read independently.

use keystride::plan::PlannedRange;
use keystride::{Design, KeyRange};
use keystride_store::Region;

use super::Extract;
use crate::arrow::divide;

/// Number of parts per worker; several, so that workers do not wait long for the last one.
const UNITS_PER_WORKER: usize = 4;
const MANY_UNITS: usize = 16;

/// Divides the ranges of a plan so that each worker gets several groups. If it is known that there are few rows, there
/// are fewer groups, because a small file takes a reader as long to open as a large one.
pub(super) fn units(
    design: &Design,
    planned: &[PlannedRange],
    regions: &[Region],
    rows: Option<u64>,
    Extract { workers, part_rows, .. }: &Extract,
) -> Vec<Vec<KeyRange>> {
    let many = (workers.get() * UNITS_PER_WORKER).max(MANY_UNITS);
    let worth = |rows: u64| usize::try_from(rows.div_ceil(part_rows.get())).unwrap_or(usize::MAX);
    divide(design, planned, regions, rows.map_or(many, worth).min(many))
}

/// Returns how many rows were written to the regions that a plan reads.
pub(super) fn rows_written(planned: &[PlannedRange], regions: &[Region]) -> u64 {
    let is_read = |region: &&Region| planned.iter().any(|plan| region.range.intersect(&plan.range).is_some());
    regions.iter().filter(is_read).map(|region| region.counts.rows_written).sum()
}

#[cfg(test)]
mod tests {
    use std::num::{NonZeroU64, NonZeroUsize};

    use keystride_store::{RegionCounts, RegionId, RegionState};

    use super::*;

    const TOML: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                        [key]\nparts = [{ bucket = 50, of = [\"id\"] }, { field = \"id\" }]";

    /// Two regions split at key `071`, with 3 and 4 rows.
    fn regions() -> [Region; 2] {
        let region = |range, rows_written| Region {
            id: RegionId::new("r"),
            range,
            server: None,
            state: RegionState::Open,
            counts: RegionCounts { rows_written, ..RegionCounts::default() },
            load: None,
        };
        [region(KeyRange::new("", Some("071".into())), 3), region(KeyRange::new("071", None), 4)]
    }

    #[test]
    fn units_cover_every_range_once_and_in_order() {
        let design = Design::from_toml(TOML).unwrap();
        let planned = [PlannedRange { range: KeyRange::all(), bucket: None }];
        let part_rows = NonZeroU64::new(100).unwrap();
        let extract = Extract { workers: NonZeroUsize::MIN, part_rows, ..Extract::default() };
        let of_rows = [(0, 1), (1, 1), (100, 1), (101, 2), (1 << 40, MANY_UNITS)];
        let of_rows = of_rows.map(|(rows, count)| (Some(rows), count));
        for (rows, count) in of_rows.into_iter().chain([(None, MANY_UNITS)]) {
            let units = units(&design, &planned, &regions(), rows, &extract);
            assert_eq!(units.len(), count);
            let pieces: Vec<KeyRange> = units.concat();
            assert_eq!(pieces.len(), 51);
            for key in ["!", "00", "070", "0710", "49999", "x"] {
                assert_eq!(pieces.iter().filter(|piece| piece.contains(key.as_bytes())).count(), 1, "{key}");
            }
            assert!(pieces.windows(2).all(|pair| pair[0].stop() <= Some(pair[1].start())));
        }
    }

    #[test]
    fn rows_are_those_of_the_regions_that_are_read() {
        let rows = |ranges: &[KeyRange]| {
            let planned = ranges.iter().map(|range| PlannedRange { range: range.clone(), bucket: None });
            rows_written(&planned.collect::<Vec<_>>(), &regions())
        };
        assert_eq!(rows(&[KeyRange::all()]), 7);
        assert_eq!(rows(&[KeyRange::prefix(b"00"), KeyRange::prefix(b"01")]), 3);
        assert_eq!(rows(&[KeyRange::single(b"08")]), 4);
    }
}
