//! What a source says of its regions at one time.

use super::{Axis, AxisError, Metric};

/// Counters of a region since its server opened it, or for as long as the source counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Rows read.
    pub rows_read: u64,
    /// Rows written.
    pub rows_written: u64,
    /// Bytes written; `None` where the source does not count them.
    pub bytes_written: Option<u64>,
}

/// What a source says of one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionReading {
    /// Its name, constant for its lifetime.
    pub id: Box<str>,
    /// Its first key; empty for the first region.
    pub start: Vec<u8>,
    /// The end of its keys, exclusive; `None` for the last region.
    pub stop: Option<Vec<u8>>,
    /// The server that has it.
    pub server: Option<Box<str>>,
    /// What tells the starts of that server apart. After another start, counters begin at 0.
    pub server_start: u64,
    /// When the server counted, in ms since 1970-01-01 UTC. It may be long before the reading.
    pub reported_ms: i64,
    /// The counters; `None` where the server does not tell.
    pub counters: Option<Counters>,
}

/// What a source says of all regions of a table, at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// When it was taken, in ms since 1970-01-01 UTC.
    pub at_ms: i64,
    /// The regions, in any order.
    pub regions: Vec<RegionReading>,
}

/// A cell of the next column, and the region that it is of; `None` for a hole, and where regions overlap.
pub(super) type Tile<'a> = Option<&'a RegionReading>;

impl Counters {
    pub(super) fn values(self) -> [u64; Metric::COUNT] {
        [self.rows_read, self.rows_written, self.bytes_written.unwrap_or(0)]
    }
}

/// Cuts all keys into cells without a hole: regions in key order, and an unknown cell where none or several are.
///
/// While a region is split, merged or moved, a source may list both what was and what comes.
pub(super) fn tiles(regions: &[RegionReading]) -> Result<(Axis, Vec<Tile<'_>>), AxisError> {
    let mut sorted: Vec<&RegionReading> = regions.iter().filter(|region| !region.is_empty()).collect();
    sorted.sort_by(|one, two| one.start.cmp(&two.start));
    // Each has its start and its region; each ends where the next begins.
    let mut cells: Vec<(&[u8], Tile<'_>)> = Vec::with_capacity(sorted.len());
    // Where the keys end that are covered so far; `None` is the end of all keys.
    let mut covered: Option<&[u8]> = Some(&[]);
    for region in sorted {
        let is_overlap = covered.is_none_or(|covered| &*region.start < covered);
        if is_overlap {
            if let Some((_, tile)) = cells.last_mut() {
                *tile = None;
            }
        } else {
            if let Some(covered) = covered.filter(|covered| *covered < &*region.start) {
                cells.push((covered, None));
            }
            cells.push((&region.start, Some(region)));
        }
        covered = match (covered, region.stop.as_deref()) {
            (Some(covered), Some(stop)) => Some(covered.max(stop)),
            _ => None,
        };
    }
    if let Some(covered) = covered {
        cells.push((covered, None));
    }
    let axis = Axis::new(cells.iter().skip(1).map(|(start, _)| start))?;
    Ok((axis, cells.into_iter().map(|(_, tile)| tile).collect()))
}

impl RegionReading {
    fn is_empty(&self) -> bool {
        self.stop.as_deref().is_some_and(|stop| stop <= &*self.start)
    }

    /// Whether it has all keys of `inner`, and others.
    pub(super) fn is_more_than(&self, inner: &Self) -> bool {
        let ends_later = match (&self.stop, &inner.stop) {
            (None, stop) => stop.is_some(),
            (Some(_), None) => return false,
            (Some(own), Some(stop)) if own < stop => return false,
            (Some(own), Some(stop)) => own > stop,
        };
        self.start <= inner.start && (ends_later || self.start < inner.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(id: &str, start: &str, stop: Option<&str>) -> RegionReading {
        RegionReading {
            id: id.into(),
            start: start.into(),
            stop: stop.map(Into::into),
            server: None,
            server_start: 0,
            reported_ms: 0,
            counters: None,
        }
    }

    fn shown(regions: &[RegionReading]) -> String {
        let (axis, tiles) = tiles(regions).unwrap();
        assert_eq!(axis.cell_count(), tiles.len());
        let name = |tile: &Tile<'_>| tile.map_or("?".to_owned(), |region| region.id.to_string());
        let bounds = axis.bounds().map(|bound| bound.escape_ascii().to_string());
        let mut text = name(&tiles[0]);
        bounds.zip(&tiles[1..]).for_each(|(bound, tile)| text += &format!(" {bound} {}", name(tile)));
        text
    }

    #[test]
    fn holes_and_overlaps_are_unknown_cells() {
        let whole = [region("B", "g", None), region("A", "", Some("g"))];
        assert_eq!(shown(&whole), "A g B");
        assert_eq!(shown(&[]), "?");
        assert_eq!(shown(&[region("A", "", Some("c")), region("B", "g", Some("p"))]), "A c ? g B p ?");
        let parent_and_daughters = [
            region("A", "", Some("c")),
            region("P", "c", Some("m")),
            region("P1", "c", Some("f")),
            region("P2", "f", Some("m")),
            region("B", "m", None),
        ];
        assert_eq!(shown(&parent_and_daughters), "A c ? m B");
        assert_eq!(shown(&[region("A", "", None), region("B", "m", None)]), "?");
        assert_eq!(shown(&[region("A", "", None), region("E", "m", Some("m"))]), "A");
    }

    #[test]
    fn a_parent_has_more_keys_than_its_daughter() {
        let parent = region("P", "c", Some("m"));
        for (start, stop, is_more) in [
            ("c", Some("f"), true),
            ("f", Some("m"), true),
            ("c", Some("m"), false),
            ("b", Some("f"), false),
            ("f", None, false),
            ("f", Some("n"), false),
        ] {
            assert_eq!(parent.is_more_than(&region("D", start, stop)), is_more, "{start} {stop:?}");
        }
        assert!(region("P", "c", None).is_more_than(&region("D", "c", Some("d"))));
        assert!(!region("P", "c", None).is_more_than(&region("D", "c", None)));
    }
}
