//! The region of a key.

use std::ops::Range;

use keystride::SplitPoints;
use keystride::key::{common_len, head};

/// Finds regions by eight bytes of a key at a time, passing over what all split points in question share: keys that begin
/// with a bucket and a day differ behind them.
///
/// A comparison of whole keys comes only where the eight bytes are the same.
#[derive(Debug)]
pub(super) struct RegionRouter {
    points: SplitPoints,
    root: Node,
}

/// Split points that share the bytes that lead here.
#[derive(Debug)]
struct Node {
    /// What they also share.
    shared: Vec<u8>,
    /// The eight bytes after that, each once.
    heads: Vec<u64>,
    /// The first point with each of them, and the end of the last one's.
    starts: Vec<usize>,
    /// Of heads that several points have, what tells these apart; empty where there are none.
    children: Vec<Option<Box<Node>>>,
}

const HEAD: usize = size_of::<u64>();

impl RegionRouter {
    pub(super) fn new(points: SplitPoints) -> Self {
        let root = Node::of(&points, 0..points.keys().len(), 0);
        Self { points, root }
    }

    /// Index of the region of `key`, as [`SplitPoints::region_of`] has it.
    pub(super) fn region_of(&self, key: &[u8]) -> usize {
        let (mut node, mut rest) = (&self.root, key);
        loop {
            match node.find(rest) {
                Found::Region(region) => return region,
                Found::Below(child, after) => (node, rest) = (child, after),
                Found::Among(alike) => {
                    let points = &self.points.keys()[alike.clone()];
                    return alike.start + points.partition_point(|point| point.as_bytes() <= key);
                }
            }
        }
    }
}

/// What a node says of a key.
enum Found<'n, 'k> {
    Region(usize),
    /// A child is to be asked about the bytes that are left.
    Below(&'n Node, &'k [u8]),
    /// It is to be compared with some points.
    Among(Range<usize>),
}

impl Node {
    /// Of points that share their first `depth` bytes.
    fn of(points: &SplitPoints, range: Range<usize>, depth: usize) -> Self {
        let rest = |index: usize| &points.keys()[index].as_bytes()[depth..];
        let shared = match range.len() {
            0 => &[],
            // Sorted keys all begin with what the first and the last share.
            _ => &rest(range.start)[..common_len(rest(range.start), rest(range.end - 1))],
        };
        let (mut heads, mut starts) = (Vec::new(), Vec::new());
        for index in range.clone() {
            let head = head(&rest(index)[shared.len()..]);
            if heads.last() != Some(&head) {
                heads.push(head);
                starts.push(index);
            }
        }
        starts.push(range.end);
        let mut node = Self { shared: shared.to_vec(), heads, starts, children: Vec::new() };
        node.children = node.children(points, depth + shared.len());
        node
    }

    fn children(&self, points: &SplitPoints, depth: usize) -> Vec<Option<Box<Self>>> {
        let child = |range: &[usize]| {
            let (range, depth) = (range[0]..range[1], depth + HEAD);
            let is_long = points.keys()[range.clone()].iter().all(|point| point.as_bytes().len() >= depth);
            (range.len() > 1 && is_long).then(|| Box::new(Self::of(points, range, depth)))
        };
        let children: Vec<_> = self.starts.windows(2).map(child).collect();
        if children.iter().any(Option::is_some) { children } else { Vec::new() }
    }

    /// What the bytes after those that lead here say.
    fn find<'k>(&self, rest: &'k [u8]) -> Found<'_, 'k> {
        let Some(rest) = rest.strip_prefix(self.shared.as_slice()) else {
            let is_before = rest < self.shared.as_slice();
            return Found::Region(self.starts[if is_before { 0 } else { self.heads.len() }]);
        };
        let head = head(rest);
        let index = self.heads.partition_point(|point| *point < head);
        if self.heads.get(index) != Some(&head) {
            return Found::Region(self.starts[index]);
        }
        match (self.children.get(index), rest.get(HEAD..)) {
            (Some(Some(child)), Some(after)) => Found::Below(child, after),
            _ => Found::Among(self.starts[index]..self.starts[index + 1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        // Long runs of one byte make points that share more than the eight bytes of a head.
        let run =
            (prop_oneof![Just(0), Just(b'a'), Just(0xff)], prop_oneof![Just(1), Just(7), Just(8), Just(20)]);
        prop::collection::vec(run, 1..6)
            .prop_map(|runs| runs.into_iter().flat_map(|(byte, count)| vec![byte; count]).collect())
    }

    proptest! {
        #[test]
        fn the_router_and_the_split_points_agree(
            shared in prop::collection::vec(any::<u8>(), 0..3),
            points in prop::collection::btree_set(bytes(), 0..60),
            keys in prop::collection::vec(bytes(), 1..40),
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
