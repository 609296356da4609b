//! The region of a key.

use keystride::SplitPoints;
use keystride::key::{common_len, head};

/// Finds regions by eight bytes of a key, those after the bytes that all split points share.
///
/// A comparison of whole keys comes only where these are the same.
#[derive(Debug)]
pub(super) struct RegionRouter {
    points: SplitPoints,
    shared: Vec<u8>,
    heads: Vec<u64>,
}

impl RegionRouter {
    pub(super) fn new(points: SplitPoints) -> Self {
        let keys = points.keys();
        let shared = match keys {
            // Sorted keys all begin with what the first and the last share.
            [first, .., last] => first.as_bytes()[..common_len(first.as_bytes(), last.as_bytes())].to_vec(),
            _ => Vec::new(),
        };
        let heads = keys.iter().map(|key| head(&key.as_bytes()[shared.len()..])).collect();
        Self { points, shared, heads }
    }

    /// Index of the region of `key`, as [`SplitPoints::region_of`] has it.
    pub(super) fn region_of(&self, key: &[u8]) -> usize {
        let Some(rest) = key.strip_prefix(self.shared.as_slice()) else {
            return if key < self.shared.as_slice() { 0 } else { self.heads.len() };
        };
        let head = head(rest);
        let first = self.heads.partition_point(|point| *point < head);
        let alike = self.heads[first..].iter().take_while(|point| **point == head).count();
        let points = &self.points.keys()[first..first + alike];
        first + points.partition_point(|point| point.as_bytes() <= key)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop_oneof![Just(0), Just(b'a'), Just(0xff)], 1..12)
    }

    proptest! {
        #[test]
        fn the_router_and_the_split_points_agree(
            shared in prop::collection::vec(any::<u8>(), 0..3),
            points in prop::collection::btree_set(bytes(), 0..20),
            keys in prop::collection::vec(bytes(), 1..20),
        ) {
            let points = SplitPoints::new(points.iter().map(|point| [&shared[..], point].concat())).unwrap();
            let router = RegionRouter::new(points.clone());
            for key in keys {
                for key in [[&shared[..], &key].concat(), key] {
                    prop_assert_eq!(router.region_of(&key), points.region_of(&key), "{:?}", key);
                }
            }
        }
    }
}
