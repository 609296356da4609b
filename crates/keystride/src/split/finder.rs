//! The region of a key.

use std::fmt;
use std::ops::Range;

use crate::Key;
use crate::key::{common_len, head};

/// Finds regions by eight bytes of a key at a time, passing over what all split points in question share: keys that begin
/// with a bucket and a day differ behind them. A comparison of whole keys comes only where the eight bytes are the same.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Finder {
    root: Node,
}

impl Finder {
    /// For split points, which ascend.
    pub(super) fn of(points: &[Key]) -> Self {
        Self { root: Node::of(points, 0..points.len(), 0, LEVELS) }
    }

    /// How many of the same points are at or before `key`.
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
    /// Says nothing of what is inside, which follows from the points.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finder").finish_non_exhaustive()
    }
}

/// Split points that share the bytes that lead here.
#[derive(Clone, PartialEq, Eq)]
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

/// How many nodes lie below each other at most; points that are alike for longer are compared whole.
const LEVELS: usize = 16;

/// What a node says of a key.
enum Found<'n, 'k> {
    /// So many points are at or before it.
    Count(usize),
    /// A child is to be asked about the bytes that are left.
    Below(&'n Node, &'k [u8]),
    /// It is to be compared with some points.
    Among(Range<usize>),
}

impl Node {
    /// Of points that share their first `depth` bytes.
    fn of(points: &[Key], range: Range<usize>, depth: usize, levels: usize) -> Self {
        let rest = |index: usize| &points[index].as_bytes()[depth..];
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

    /// What the bytes after those that lead here say.
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
        // Long runs of one byte make points that share more than the eight bytes of a head.
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
