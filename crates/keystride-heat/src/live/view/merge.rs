//! Fewer rows: adjacent ones that weigh least are joined first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Two adjacent groups of cells: what they weigh as bits, which ascend with floats that are not negative; how many cells
/// they have; where they begin.
type Pair = Reverse<(u64, usize, usize, usize)>;

/// Joins adjacent cells until `most` groups remain, the pair that weighs least first and of equals the one with the
/// fewest cells, never over a border. Returns whether each boundary remains: boundary *i* is between cells *i* and
/// *i* + 1.
///
/// `weights` must not be negative; `is_border` has one item less.
pub(super) fn kept_bounds(weights: &[f64], is_border: &[bool], most: usize) -> Vec<bool> {
    let mut groups = Groups::new(weights, is_border);
    let mut heap: BinaryHeap<Pair> = (0..weights.len()).filter_map(|group| groups.pair(group)).collect();
    let mut remaining = weights.len();
    while remaining > most.max(1) {
        let Some(Reverse((_, cells, left, right))) = heap.pop() else { break };
        if !groups.is_current(cells, left, right) {
            continue;
        }
        groups.join(left, right);
        remaining -= 1;
        heap.extend(groups.previous(left).and_then(|before| groups.pair(before)));
        heap.extend(groups.pair(left));
    }
    (1..weights.len()).map(|cell| groups.cells[cell] > 0).collect()
}

/// Groups of adjacent cells, each at the index of its first cell.
struct Groups<'a> {
    is_border: &'a [bool],
    weights: Vec<f64>,
    /// How many cells the group has that begins here; 0 where none begins.
    cells: Vec<usize>,
    /// Where the group begins that ends at this cell.
    starts: Vec<usize>,
}

impl<'a> Groups<'a> {
    fn new(weights: &[f64], is_border: &'a [bool]) -> Self {
        Self {
            is_border,
            weights: weights.to_vec(),
            cells: vec![1; weights.len()],
            starts: (0..weights.len()).collect(),
        }
    }

    /// Returns the group with the next one; `None` if there is none, or a border between them.
    fn pair(&self, left: usize) -> Option<Pair> {
        let right = left + self.cells[left];
        if right >= self.cells.len() || self.is_border[right - 1] {
            return None;
        }
        let weight = self.weights[left] + self.weights[right];
        Some(Reverse((weight.to_bits(), self.cells[left] + self.cells[right], left, right)))
    }

    /// Whether neither of a pair has been joined since. Groups only grow.
    fn is_current(&self, cells: usize, left: usize, right: usize) -> bool {
        let has_both = self.cells[left] > 0 && self.cells[right] > 0;
        has_both && left + self.cells[left] == right && self.cells[left] + self.cells[right] == cells
    }

    fn join(&mut self, left: usize, right: usize) {
        self.cells[left] += self.cells[right];
        self.cells[right] = 0;
        self.weights[left] += self.weights[right];
        self.starts[left + self.cells[left] - 1] = left;
    }

    fn previous(&self, group: usize) -> Option<usize> {
        Some(self.starts[group.checked_sub(1)?])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The sizes of the groups.
    fn sizes(kept: &[bool]) -> Vec<usize> {
        kept.split_inclusive(|&kept| kept).map(<[bool]>::len).collect()
    }

    #[test]
    fn cold_cells_are_joined_and_hot_ones_stay_alone() {
        let weights = [0.0, 0.0, 9.0, 1.0, 1.0, 8.0];
        let kept = kept_bounds(&weights, &[false; 5], 4);
        assert_eq!(kept, [false, true, true, false, true]);
    }

    #[test]
    fn equal_cells_make_equal_groups() {
        let kept = kept_bounds(&[0.0; 64], &[false; 63], 16);
        assert_eq!(sizes(&kept)[..15], [4; 15]);
    }

    proptest! {
        #[test]
        fn exactly_as_many_groups_remain_and_borders_among_them(
            cells in prop::collection::vec((0..1000_u32, prop::bool::weighted(0.05)), 2..200),
            most in 1..60_usize,
        ) {
            let weights: Vec<f64> = cells.iter().map(|&(weight, _)| f64::from(weight)).collect();
            let is_border: Vec<bool> = cells[1..].iter().map(|&(_, is_border)| is_border).collect();
            let kept = kept_bounds(&weights, &is_border, most);
            let groups = 1 + kept.iter().filter(|&&kept| kept).count();
            let borders = 1 + is_border.iter().filter(|&&is_border| is_border).count();
            prop_assert_eq!(groups, most.max(borders).min(cells.len()));
            prop_assert!(kept.iter().zip(&is_border).all(|(&kept, &is_border)| kept || !is_border));
        }
    }
}
