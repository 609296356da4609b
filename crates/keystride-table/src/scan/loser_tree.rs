//! A loser tree, which finds the smallest of n heads again with log₂ n comparisons when one of them changes.

use std::hint::select_unpredictable;

/// Finds the smallest of several heads, each of which represents the next row of a numbered source. Ties are decided
/// by a callback, which returns whether one source comes before another.
#[derive(Debug)]
pub(super) struct LoserTree {
    /// The loser of each inner node; node 0 holds the overall winner.
    nodes: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    head: u128,
    source: usize,
}

impl LoserTree {
    /// Builds the tree. `heads[i]` is the head of source `i`; there must be at least one.
    pub(super) fn new(heads: &[u128], comes_first: impl Fn(usize, usize) -> bool) -> Self {
        let entries = heads.iter().enumerate().map(|(source, &head)| Entry { head, source });
        let mut winners = vec![Entry { head: 0, source: 0 }; heads.len()];
        winners.extend(entries);
        let mut nodes = winners[..heads.len()].to_vec();
        for node in (1..heads.len()).rev() {
            let (left, right) = (winners[2 * node], winners[2 * node + 1]);
            (winners[node], nodes[node]) =
                if right.beats(left, &comes_first) { (right, left) } else { (left, right) };
        }
        nodes[0] = winners[1];
        Self { nodes }
    }

    /// Returns the source with the smallest head.
    #[inline]
    pub(super) fn winner(&self) -> usize {
        self.nodes[0].source
    }

    /// Replaces the winner's head by its next one and determines the new winner.
    ///
    /// The outcome of a comparison is practically random, so the code avoids branches on it: a misprediction costs
    /// more than a comparison.
    #[inline]
    pub(super) fn replay(&mut self, head: u128, comes_first: impl Fn(usize, usize) -> bool) {
        let mut winner = Entry { head, source: self.winner() };
        let mut node = usize::midpoint(winner.source, self.nodes.len());
        while node > 0 {
            let loser = self.nodes[node];
            let is_beaten = loser.beats(winner, &comes_first);
            self.nodes[node] = Entry::chosen(is_beaten, winner, loser);
            winner = Entry::chosen(is_beaten, loser, winner);
            node /= 2;
        }
        self.nodes[0] = winner;
    }
}

impl Entry {
    #[inline]
    fn beats(self, other: Self, comes_first: impl Fn(usize, usize) -> bool) -> bool {
        if self.head == other.head { comes_first(self.source, other.source) } else { self.head < other.head }
    }

    #[inline]
    fn chosen(is_first: bool, first: Self, second: Self) -> Self {
        Self {
            head: select_unpredictable(is_first, first.head, second.head),
            source: select_unpredictable(is_first, first.source, second.source),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorted_lists_come_out_as_one(lists in prop::collection::vec(prop::collection::vec(0..50u128, 0..20), 1..40)) {
            let lists: Vec<Vec<u128>> = lists.into_iter().map(|mut list| { list.sort_unstable(); list }).collect();
            let mut taken = vec![0; lists.len()];
            let head = |taken: &[usize], list: usize| lists[list].get(taken[list]).copied().unwrap_or(u128::MAX);
            let first = |left: usize, right: usize| left < right;
            let heads: Vec<_> = (0..lists.len()).map(|list| head(&taken, list)).collect();
            let mut tree = LoserTree::new(&heads, first);
            let mut merged = Vec::new();
            while head(&taken, tree.winner()) != u128::MAX {
                let winner = tree.winner();
                merged.push((head(&taken, winner), winner));
                taken[winner] += 1;
                tree.replay(head(&taken, winner), first);
            }
            let mut expected: Vec<_> =
                lists.iter().enumerate().flat_map(|(list, items)| items.iter().map(move |&item| (item, list))).collect();
            expected.sort_unstable();
            prop_assert_eq!(merged, expected);
        }
    }
}
