//! Finds the region of a key.

use std::fmt;
use std::ops::Range;

use crate::Key;
use crate::key::{common_len, head};

/// Finds regions by comparing eight bytes of a key at a time, after the prefix that the remaining split points share,
/// since keys that begin with a bucket and a day differ only after these. Whole keys are compared only if the eight
/// bytes are equal.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Finder {
    root: Node,
}

impl Finder {
    /// Creates a finder for split points, which must be ascending.
    pub(super) fn of(points: &[Key]) -> Self {
        Self { root: Node::of(points, 0..points.len(), 0, LEVELS) }
    }

    /// Returns how many of these points are at or before `key`.
    pub(super) fn count_to(&self, points: &[Key], key: &[u8]) -> usize {
        let (mut node, mut rest) = (&self.root, key);
        loop {
            match node.find(rest) {
                Found::Count(count) => return count,
                Found::Below(child, after) => (node, rest) = (child, after),
                Found::Among(alike) => {
                    let points = &points[alike.clone()];
                    return alike.start + points.partition_point(|point| point.as_bytes() <= key);
                }
            }
        }
    }
}

impl fmt::Debug for Finder {
    /// Omits the contents, which follow from the points.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finder").finish_non_exhaustive()
    }
}

/// Split points that have the same bytes on the path to this node.
#[derive(Clone, PartialEq, Eq)]
struct Node {
    /// The prefix of the remaining bytes that all of them share.
    shared: Vec<u8>,
    /// The eight bytes after that prefix, without duplicates.
    heads: Vec<u64>,
    /// The index of the first point with each head, followed by the end of the last head's points.
    starts: Vec<usize>,
    /// For each head that several points share, the node that tells these apart; empty if there are none.
    children: Vec<Option<Box<Node>>>,
}

const HEAD: usize = size_of::<u64>();

/// The maximum depth of the tree; points that still share their bytes there are compared whole.
const LEVELS: usize = 16;

/// The result of looking up a key in one node.
enum Found<'n, 'k> {
    /// This many points are at or before the key.
    Count(usize),
    /// The remaining bytes of the key must be looked up in a child.
    Below(&'n Node, &'k [u8]),
    /// The key must be compared with these points.
    Among(Range<usize>),
}

impl Node {
    /// Creates a node for points that share their first `depth` bytes.
    fn of(points: &[Key], range: Range<usize>, depth: usize, levels: usize) -> Self {
        let rest = |index: usize| &points[index].as_bytes()[depth..];
        let shared = match range.len() {
            0 => &[],
            // The common prefix of sorted keys is that of the first and the last.
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
        if let Some(levels) = levels.checked_sub(1) {
            node.children = node.children(points, depth + shared.len(), levels);
        }
        node
    }

    fn children(&self, points: &[Key], depth: usize, levels: usize) -> Vec<Option<Box<Self>>> {
        let child = |range: &[usize]| {
            let (range, depth) = (range[0]..range[1], depth + HEAD);
            let is_long = points[range.clone()].iter().all(|point| point.as_bytes().len() >= depth);
            (range.len() > 1 && is_long).then(|| Box::new(Self::of(points, range, depth, levels)))
        };
        let children: Vec<_> = self.starts.windows(2).map(child).collect();
        if children.iter().any(Option::is_some) { children } else { Vec::new() }
    }

    /// Looks up the bytes of a key that follow those on the path to this node.
    fn find<'k>(&self, rest: &'k [u8]) -> Found<'_, 'k> {
        let Some(rest) = rest.strip_prefix(self.shared.as_slice()) else {
            let is_before = rest < self.shared.as_slice();
            return Found::Count(self.starts[if is_before { 0 } else { self.heads.len() }]);
        };
        let head = head(rest);
        let index = self.heads.partition_point(|point| *point < head);
        if self.heads.get(index) != Some(&head) {
            return Found::Count(self.starts[index]);
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
        // Long runs of one byte make points share more than the eight bytes of a head.
        let run =
            (prop_oneof![Just(0), Just(b'a'), Just(0xff)], prop_oneof![Just(1), Just(7), Just(8), Just(20)]);
        prop::collection::vec(run, 1..6)
            .prop_map(|runs| runs.into_iter().flat_map(|(byte, count)| vec![byte; count]).collect())
    }

    #[test]
    fn points_that_begin_with_each_other_are_no_deep_tree() {
        let points: Vec<Key> = (1..3_600).map(|count| Key::new(vec![b'a'; 9 * count]).unwrap()).collect();
        let finder = Finder::of(&points);
        for count in [0, 1, 17, 3_000, 3_599] {
            assert_eq!(finder.count_to(&points, &vec![b'a'; 9 * count + 8]), count);
        }
        assert_eq!(finder.count_to(&points, b"b"), points.len());
    }

    proptest! {
        #[test]
        fn points_are_counted_as_comparisons_of_all_would(
            shared in prop::collection::vec(any::<u8>(), 0..3),
            points in prop::collection::btree_set(bytes(), 0..60),
            keys in prop::collection::vec(bytes(), 1..40),
        ) {
            let points: Vec<Key> =
                points.iter().map(|point| Key::new([&shared[..], point].concat()).unwrap()).collect();
            let finder = Finder::of(&points);
            for key in keys.iter().chain([&Vec::new()]) {
                for key in [[&shared[..], key].concat(), key.clone()] {
                    let count = points.iter().filter(|point| point.as_bytes() <= key.as_slice()).count();
                    prop_assert_eq!(finder.count_to(&points, &key), count, "{:?}", key);
                }
            }
        }
    }
}
