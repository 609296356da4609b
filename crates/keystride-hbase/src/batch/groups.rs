//! Grouping actions by region.

use std::sync::Arc;

use crate::region::Located;

/// The places of actions, by region.
///
/// Known regions are found without a lookup, because a batch has many rows of each, in any order.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) regions: Vec<(Arc<Located>, Vec<u32>)>,
    /// All regions, sorted by start key.
    spans: Vec<RegionSpan>,
}

/// The range of a region by the first eight bytes of its keys: comparing two numbers is enough for most rows.
#[derive(Debug)]
struct RegionSpan {
    start: u64,
    /// The maximum if the region has no end key.
    end: u64,
    /// Its index in [`Groups::regions`].
    at: usize,
}

/// A thousand rows over 16 regions have about this many in each.
const USUAL_PLACES: usize = 64;

impl Groups {
    /// Adds an action to the region of its row. Returns whether that region is known.
    pub(super) fn add(&mut self, row: &[u8], place: u32) -> bool {
        let Some(at) = self.find(row) else { return false };
        self.regions[at].1.push(place);
        true
    }

    /// Adds an action, with its region.
    pub(super) fn add_to(&mut self, located: &Arc<Located>, place: u32) {
        let region = &located.region;
        let end = if region.end.is_empty() { u64::MAX } else { head(&region.end) };
        let span = RegionSpan { start: head(&region.start), end, at: self.regions.len() };
        let before = |span: &RegionSpan| self.regions[span.at].0.region.start <= region.start;
        self.spans.insert(self.spans.partition_point(before), span);
        let mut places = Vec::with_capacity(USUAL_PLACES);
        places.push(place);
        self.regions.push((Arc::clone(located), places));
    }

    fn find(&self, row: &[u8]) -> Option<usize> {
        let row_head = head(row);
        let until = self.spans.partition_point(|span| span.start <= row_head);
        for span in self.spans[..until].iter().rev() {
            let begins_before = span.start < row_head;
            if begins_before && row_head < span.end || self.regions[span.at].0.region.contains(row) {
                return Some(span.at);
            }
            if begins_before {
                return None;
            }
        }
        None
    }
}

/// The first eight bytes, padded with zeros. If two heads differ, they compare like the bytes.
fn head(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(&head) => u64::from_be_bytes(head),
        None => {
            let mut head = [0; 8];
            head[..bytes.len()].copy_from_slice(bytes);
            u64::from_be_bytes(head)
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::ServerName;
    use crate::region::meta_region;

    fn located(start: &'static str, end: &'static str) -> Arc<Located> {
        let mut region = meta_region();
        (region.start, region.end) = (Bytes::from(start), Bytes::from(end));
        Arc::new(Located::new(region, ServerName { host: "rs".into(), port: 1, start_code: 1 }))
    }

    fn groups() -> Groups {
        let mut groups = Groups::default();
        // In any order, without a region from `b` on.
        for (start, end) in [("12345678c", ""), ("", "\0"), ("12345678a", "12345678b"), ("\0", "12345678")] {
            groups.add_to(&located(start, end), 0);
        }
        groups
    }

    #[test]
    fn a_row_is_found_where_its_region_is() {
        let mut groups = groups();
        for (row, start) in [
            ("", Some("")),
            ("\0", Some("\0")),
            ("\0\0\0", Some("\0")),
            ("1234567", Some("\0")),
            ("12345678", None),
            ("12345678a", Some("12345678a")),
            ("12345678aaaa", Some("12345678a")),
            ("12345678b", None),
            ("12345678c", Some("12345678c")),
            ("zzzzzzzzz", Some("12345678c")),
        ] {
            let found = groups.find(row.as_bytes()).map(|at| groups.regions[at].0.region.start.clone());
            assert_eq!(found, start.map(Bytes::from), "{row:?}");
            assert_eq!(groups.add(row.as_bytes(), 1), start.is_some());
        }
    }

    #[test]
    fn rows_of_all_bytes_set_are_found() {
        assert_eq!(groups().find(&[0xff; 9]), Some(0));
        assert_eq!(groups().find(&[0xff; 7]), Some(0));
    }

    proptest::proptest! {
        #[test]
        fn heads_compare_as_bytes_do(a: Vec<u8>, b: Vec<u8>) {
            if head(&a) != head(&b) {
                proptest::prop_assert_eq!(head(&a) < head(&b), a < b);
            }
        }
    }
}
