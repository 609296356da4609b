//! A tree of losers: the smallest of many heads, found again with log₂ n comparisons when one changes.

/// The least of `n` numbered heads. The heads live elsewhere: each call is told which of two comes first.
#[derive(Debug)]
pub(super) struct LoserTree {
    /// Who lost at each inner node; node 0 holds who never lost.
    nodes: Vec<usize>,
}

impl LoserTree {
    /// Plays all heads against each other; there is at least one.
    pub(super) fn new(heads: usize, comes_first: impl Fn(usize, usize) -> bool) -> Self {
        let mut winners = vec![0; heads];
        winners.extend(0..heads);
        let mut nodes = vec![0; heads];
        for node in (1..heads).rev() {
            let (left, right) = (winners[2 * node], winners[2 * node + 1]);
            let (winner, loser) = if comes_first(right, left) { (right, left) } else { (left, right) };
            (winners[node], nodes[node]) = (winner, loser);
        }
        nodes[0] = winners[1];
        Self { nodes }
    }

    /// The head that comes first.
    pub(super) fn winner(&self) -> usize {
        self.nodes[0]
    }

    /// Plays the winner, whose head has changed, up again.
    pub(super) fn replay(&mut self, comes_first: impl Fn(usize, usize) -> bool) {
        let mut winner = self.nodes[0];
        let mut node = usize::midpoint(winner, self.nodes.len());
        while node > 0 {
            if comes_first(self.nodes[node], winner) {
                std::mem::swap(&mut self.nodes[node], &mut winner);
            }
            node /= 2;
        }
        self.nodes[0] = winner;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorted_lists_come_out_as_one(lists in prop::collection::vec(prop::collection::vec(0..50u32, 0..20), 1..40)) {
            let lists: Vec<Vec<u32>> = lists.into_iter().map(|mut list| { list.sort_unstable(); list }).collect();
            let mut taken = vec![0; lists.len()];
            let head = |taken: &[usize], list: usize| lists[list].get(taken[list]).copied().unwrap_or(u32::MAX);
            let first = |taken: &[usize], left, right| (head(taken, left), left) < (head(taken, right), right);
            let mut tree = LoserTree::new(lists.len(), |left, right| first(&taken, left, right));
            let mut merged = Vec::new();
            while head(&taken, tree.winner()) != u32::MAX {
                let winner = tree.winner();
                merged.push((head(&taken, winner), winner));
                taken[winner] += 1;
                tree.replay(|left, right| first(&taken, left, right));
            }
            let mut expected: Vec<_> =
                lists.iter().enumerate().flat_map(|(list, items)| items.iter().map(move |&item| (item, list))).collect();
            expected.sort_unstable();
            prop_assert_eq!(merged, expected);
        }
    }
}
