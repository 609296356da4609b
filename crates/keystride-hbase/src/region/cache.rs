//! The cached regions of one table.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use bytes::Bytes;

use super::Located;
use crate::ServerName;

/// Regions by start key, without overlaps.
#[derive(Debug, Default)]
pub(super) struct RegionCache {
    regions: BTreeMap<Bytes, Known>,
}

#[derive(Debug)]
struct Known {
    located: Arc<Located>,
    source: Source,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Meta,
    /// The region's previous server. It keeps redirecting for two minutes, even if the region has come back and gone
    /// again.
    LastServer,
}

impl RegionCache {
    pub(super) fn find(&self, row: &[u8]) -> Option<&Arc<Located>> {
        let (_, known) =
            self.regions.range::<[u8], _>((Bound::Unbounded, Bound::Included(row))).next_back()?;
        known.located.region.contains(row).then_some(&known.located)
    }

    /// The region that holds the rows just before `row`; for the empty row, the last region.
    pub(super) fn find_before(&self, row: &[u8]) -> Option<&Arc<Located>> {
        let until = if row.is_empty() { Bound::Unbounded } else { Bound::Excluded(row) };
        let (_, known) = self.regions.range::<[u8], _>((Bound::Unbounded, until)).next_back()?;
        let end = &known.located.region.end;
        let reaches = end.is_empty() || (!row.is_empty() && *row <= **end);
        reaches.then_some(&known.located)
    }

    /// Adds a region from hbase:meta and removes older overlapping regions. Does nothing if a newer one, or the same
    /// one, is cached.
    pub(super) fn insert(&mut self, located: Arc<Located>) {
        if let Some(known) = self.regions.get_mut(&located.region.start)
            && known.located == located
        {
            known.source = Source::Meta;
            return;
        }
        let overlapping = self.overlapping(&located);
        if overlapping.iter().any(|known| known.region.id > located.region.id) {
            return;
        }
        for known in overlapping {
            self.regions.remove(&known.region.start);
        }
        self.regions.insert(located.region.start.clone(), Known { located, source: Source::Meta });
    }

    fn overlapping(&self, new: &Located) -> Vec<Arc<Located>> {
        let region = &new.region;
        let until = if region.end.is_empty() { Bound::Unbounded } else { Bound::Excluded(&*region.end) };
        self.regions
            .range::<[u8], _>((Bound::Unbounded, until))
            .rev()
            .map(|(_, known)| &known.located)
            .take_while(|known| known.region.end.is_empty() || known.region.end > region.start)
            .map(Arc::clone)
            .collect()
    }

    /// Removes a region if the cached entry is still the one that was used: another caller may have updated it.
    pub(super) fn forget(&mut self, used: &Located) {
        if self.regions.get(&used.region.start).is_some_and(|known| *known.located == *used) {
            self.regions.remove(&used.region.start);
        }
    }

    pub(super) fn forget_at(&mut self, start: &[u8]) {
        self.regions.remove(start);
    }

    /// Moves a region to the server that its previous server redirects to, if the cached entry is still the one that
    /// was used. Only the first redirect is followed: two servers of a region that moved there and back and was then
    /// split redirect to each other.
    pub(super) fn relocate(&mut self, used: &Located, server: ServerName) {
        let known = self.regions.get_mut(&used.region.start).filter(|known| *known.located == *used);
        match known {
            Some(known) if known.source == Source::Meta => {
                let located = Arc::new(Located { server, ..used.clone() });
                *known = Known { located, source: Source::LastServer };
            }
            _ => self.forget(used),
        }
    }

    pub(super) fn forget_server(&mut self, server: &ServerName) {
        self.regions.retain(|_, known| known.located.server != *server);
    }

    pub(super) fn len(&self) -> usize {
        self.regions.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::meta_region;

    fn located(start: &'static str, end: &'static str, id: u64) -> Arc<Located> {
        let mut region = meta_region();
        region.start = start.into();
        region.end = end.into();
        region.id = id;
        let server = ServerName { host: "rs".into(), port: 1, start_code: 1 };
        Arc::new(Located::new(region, server))
    }

    fn cache(regions: &[(&'static str, &'static str, u64)]) -> RegionCache {
        let mut cache = RegionCache::default();
        for &(start, end, id) in regions {
            cache.insert(located(start, end, id));
        }
        cache
    }

    fn starts(cache: &RegionCache) -> Vec<&[u8]> {
        cache.regions.keys().map(|start| &**start).collect()
    }

    #[test]
    fn a_row_between_cached_regions_is_in_no_region() {
        let cache = cache(&[("", "b", 1), ("d", "", 1)]);
        assert!(cache.find(b"a").is_some() && cache.find(b"z").is_some());
        assert!(cache.find(b"b").is_none() && cache.find(b"c").is_none());
    }

    #[test]
    fn rows_before_the_start_of_a_region_are_in_the_one_before() {
        let cache = cache(&[("", "b", 1), ("b", "", 1)]);
        assert_eq!(cache.find_before(b"b").unwrap().region.end, "b");
        assert_eq!(cache.find_before(b"bb").unwrap().region.start, "b");
        assert_eq!(cache.find_before(b"").unwrap().region.start, "b");
    }

    #[test]
    fn daughters_take_their_parents_place_and_a_late_parent_stays_out() {
        let mut cache = cache(&[("", "m", 1), ("m", "", 1)]);
        cache.insert(located("m", "s", 2));
        assert_eq!(starts(&cache), [&b""[..], b"m"]);
        cache.insert(located("s", "", 2));
        cache.insert(located("m", "", 1));
        assert_eq!(starts(&cache), [&b""[..], b"m", b"s"]);
    }

    #[test]
    fn a_merged_region_takes_the_place_of_both_parents() {
        let mut cache = cache(&[("", "b", 1), ("b", "d", 1), ("d", "", 1)]);
        cache.insert(located("b", "", 3));
        assert_eq!(starts(&cache), [&b""[..], b"b"]);
    }

    #[test]
    fn servers_that_point_at_each_other_are_asked_once_each() {
        let mut cache = cache(&[("", "", 1)]);
        let here = Arc::clone(cache.find(b"x").unwrap());
        let elsewhere = ServerName { host: "other".into(), port: 1, start_code: 2 };
        cache.relocate(&here, elsewhere.clone());
        let there = Arc::clone(cache.find(b"x").unwrap());
        assert_eq!(there.server, elsewhere);
        cache.relocate(&there, here.server.clone());
        assert!(cache.find(b"x").is_none());

        // Locations from hbase:meta may be redirected again.
        cache.insert(Arc::clone(&there));
        cache.relocate(&there, here.server.clone());
        assert_eq!(cache.find(b"x"), Some(&here));
    }

    #[test]
    fn a_late_error_does_not_forget_what_was_looked_up_since() {
        let mut cache = cache(&[("", "", 1)]);
        let used = Arc::clone(cache.find(b"x").unwrap());
        let elsewhere = ServerName { host: "other".into(), port: 1, start_code: 2 };
        cache.relocate(&used, elsewhere);
        cache.forget(&used);
        assert_eq!(cache.len(), 1);
    }
}
