//! The boundaries of a column's cells.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The keys at which the regions of a table begin, all but the first: *n* boundaries make *n* + 1 cells, the first
/// of which has no start and the last no end.
///
/// Boundaries are byte strings that are compared byte by byte; what they mean is the caller's. A clone shares them:
/// neighbouring columns of a map have the same regions almost always.
///
/// ```
/// # use keystride_heat::live::Axis;
/// let axis = Axis::new(["g", "p"])?;
/// assert_eq!((axis.cell_count(), axis.cell_of(b"g"), axis.cell_of(b"a")), (3, 1, 0));
/// assert_eq!((axis.start(1), axis.stop(1), axis.stop(2)), (&b"g"[..], Some(&b"p"[..]), None));
/// # Ok::<(), keystride_heat::live::AxisError>(())
/// ```
#[derive(Clone)]
pub struct Axis(Arc<Bounds>);

/// All boundaries in one buffer, and where each ends there.
struct Bounds {
    bytes: Box<[u8]>,
    ends: Box<[u32]>,
}

/// Boundaries that are none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AxisError {
    /// A boundary is empty, or not above the one before it.
    #[error("boundary {index} is not above the one before it")]
    NotAscending {
        /// Its index, from 0.
        index: usize,
    },
    /// All boundaries together are too large.
    #[error("the boundaries have more than 4 GiB")]
    TooLarge,
}

impl Axis {
    /// Creates the axis with one cell, which has all keys.
    pub fn whole() -> Self {
        Self(Arc::new(Bounds { bytes: Box::default(), ends: Box::default() }))
    }

    /// Creates an axis of inner boundaries, which must ascend and not be empty.
    ///
    /// # Errors
    ///
    /// [`AxisError`] for others.
    pub fn new<B: AsRef<[u8]>>(bounds: impl IntoIterator<Item = B>) -> Result<Self, AxisError> {
        let mut draft = Draft::default();
        for (index, bound) in bounds.into_iter().enumerate() {
            let bound = bound.as_ref();
            if draft.last() >= bound {
                return Err(AxisError::NotAscending { index });
            }
            draft.push(bound);
            if u32::try_from(draft.bytes.len()).is_err() {
                return Err(AxisError::TooLarge);
            }
        }
        Ok(draft.finish())
    }

    /// Returns the number of boundaries.
    pub fn bound_count(&self) -> usize {
        self.0.ends.len()
    }

    /// Returns the number of cells: one more than boundaries.
    pub fn cell_count(&self) -> usize {
        self.bound_count() + 1
    }

    /// Returns the boundaries, ascending.
    pub fn bounds(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.bound_count()).map(|index| self.bound(index))
    }

    /// Returns a boundary: the one between cell `index` and the next.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`bound_count`](Self::bound_count).
    pub fn bound(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.0.ends[index - 1] };
        &self.0.bytes[start as usize..self.0.ends[index] as usize]
    }

    /// Returns where a cell begins; empty for the first.
    pub fn start(&self, cell: usize) -> &[u8] {
        if cell == 0 { &[] } else { self.bound(cell - 1) }
    }

    /// Returns where a cell ends, exclusive; `None` for the last.
    pub fn stop(&self, cell: usize) -> Option<&[u8]> {
        (cell < self.bound_count()).then(|| self.bound(cell))
    }

    /// Returns the cell that has a key.
    pub fn cell_of(&self, key: &[u8]) -> usize {
        self.count_before(|bound| bound <= key)
    }

    /// Returns the cells that have keys of a range; a `stop` of `None` is the end of all keys.
    pub fn cells_of(&self, start: &[u8], stop: Option<&[u8]>) -> Range<usize> {
        let first = self.cell_of(start);
        let last = stop.map_or(self.bound_count(), |stop| self.count_before(|bound| bound < stop));
        first..last.max(first) + 1
    }

    /// Returns the cells of this axis that each cell of another one meets, at least one.
    pub fn spans(&self, rows: &Self) -> Vec<Range<usize>> {
        if Arc::ptr_eq(&self.0, &rows.0) {
            return (0..self.cell_count()).map(|cell| cell..cell + 1).collect();
        }
        let (mut first, mut last) = (0, 0);
        let span = |row| {
            while first < self.bound_count() && self.bound(first) <= rows.start(row) {
                first += 1;
            }
            let stop = rows.stop(row);
            while last < self.bound_count() && stop.is_none_or(|stop| self.bound(last) < stop) {
                last += 1;
            }
            first..last.max(first) + 1
        };
        (0..rows.cell_count()).map(span).collect()
    }

    /// Returns the boundaries of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if Arc::ptr_eq(&self.0, &other.0) { self.clone() } else { self.merged(other, |_, _| true) }
    }

    /// Returns the boundaries that both have.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        if Arc::ptr_eq(&self.0, &other.0) {
            return self.clone();
        }
        let both = self.merged(other, |in_self, in_other| in_self && in_other);
        if both.bound_count() == self.bound_count() { self.clone() } else { both }
    }

    /// Returns the boundaries whose index is accepted.
    #[must_use]
    pub fn filtered(&self, mut is_kept: impl FnMut(usize) -> bool) -> Self {
        let mut draft = Draft::default();
        (0..self.bound_count())
            .filter(|&index| is_kept(index))
            .for_each(|index| draft.push(self.bound(index)));
        draft.finish()
    }

    /// Whether every boundary of this axis is one of the other's.
    pub fn is_subset(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.intersection(other).bound_count() == self.bound_count()
    }

    /// Whether both share their boundaries in memory.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the bytes of memory that the boundaries take, which clones share.
    pub fn memory_bytes(&self) -> usize {
        self.0.bytes.len() + size_of_val(&*self.0.ends) + size_of::<Bounds>()
    }

    /// Returns the boundaries of all axes. Neighbours are alike as a rule, so they are united pair by pair.
    pub(super) fn union_of(axes: &[Self]) -> Self {
        match axes {
            [] => Self::whole(),
            [one] => one.clone(),
            _ => {
                let (left, right) = axes.split_at(axes.len() / 2);
                let (left, right) = (Self::union_of(left), Self::union_of(right));
                let both = left.union(&right);
                // The same boundaries are kept once.
                if both.bound_count() == left.bound_count() { left } else { both }
            }
        }
    }

    fn count_before(&self, is_before: impl Fn(&[u8]) -> bool) -> usize {
        let (mut from, mut to) = (0, self.bound_count());
        while from < to {
            let middle = usize::midpoint(from, to);
            if is_before(self.bound(middle)) { from = middle + 1 } else { to = middle }
        }
        from
    }

    fn merged(&self, other: &Self, is_kept: impl Fn(bool, bool) -> bool) -> Self {
        let mut draft = Draft::default();
        let (mut left, mut right) = (self.bounds().peekable(), other.bounds().peekable());
        loop {
            let (bound, in_left, in_right) = match (left.peek(), right.peek()) {
                (Some(&one), Some(&two)) => (one.min(two), one <= two, two <= one),
                (Some(&one), None) => (one, true, false),
                (None, Some(&two)) => (two, false, true),
                (None, None) => return draft.finish(),
            };
            if in_left {
                left.next();
            }
            if in_right {
                right.next();
            }
            if is_kept(in_left, in_right) {
                draft.push(bound);
            }
        }
    }
}

#[derive(Default)]
struct Draft {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    last: usize,
}

impl Draft {
    fn last(&self) -> &[u8] {
        &self.bytes[self.last..]
    }

    fn push(&mut self, bound: &[u8]) {
        self.last = self.bytes.len();
        self.bytes.extend_from_slice(bound);
        // `new` refuses more; unions are of a map's columns, whose limit is far below.
        self.ends.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
    }

    fn finish(self) -> Axis {
        Axis(Arc::new(Bounds { bytes: self.bytes.into(), ends: self.ends.into() }))
    }
}

impl PartialEq for Axis {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.ends == other.0.ends && self.0.bytes == other.0.bytes)
    }
}

impl Eq for Axis {}

impl Default for Axis {
    /// Returns [`Axis::whole`].
    fn default() -> Self {
        Self::whole()
    }
}

impl fmt::Debug for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.bounds().map(|bound| bound.escape_ascii().to_string())).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    type Keys = BTreeSet<Vec<u8>>;

    fn keys() -> impl Strategy<Value = Keys> {
        prop::collection::btree_set(prop::collection::vec(0..4_u8, 1..4), 0..12)
    }

    #[test]
    fn boundaries_that_do_not_ascend_are_refused() {
        for (bounds, index) in [(&["", "a"][..], 0), (&["a", "a"], 1), (&["a", "c", "b"], 2)] {
            assert_eq!(Axis::new(bounds), Err(AxisError::NotAscending { index }));
        }
        assert_eq!(Axis::new::<&str>([]), Ok(Axis::whole()));
    }

    proptest! {
        #[test]
        fn unions_and_intersections_are_those_of_sets(left in keys(), right in keys()) {
            let (one, two) = (Axis::new(&left).unwrap(), Axis::new(&right).unwrap());
            prop_assert_eq!(one.union(&two), Axis::new(left.union(&right)).unwrap());
            prop_assert_eq!(one.intersection(&two), Axis::new(left.intersection(&right)).unwrap());
            prop_assert_eq!(one.is_subset(&two), left.is_subset(&right));
            let three = [one.clone(), two, one];
            prop_assert_eq!(Axis::union_of(&three), Axis::new(left.union(&right)).unwrap());
        }

        #[test]
        fn a_span_has_the_cells_of_the_keys_of_its_row(own in keys(), rows in keys()) {
            let (axis, rows) = (Axis::new(&own).unwrap(), Axis::new(&rows).unwrap());
            for (row, span) in axis.spans(&rows).into_iter().enumerate() {
                let stop = rows.stop(row);
                prop_assert_eq!(&span, &axis.cells_of(rows.start(row), stop));
                for key in own.iter().chain([&vec![0], &vec![3, 3, 3, 9]]) {
                    if rows.cell_of(key) == row {
                        prop_assert!(span.contains(&axis.cell_of(key)));
                    }
                }
                prop_assert!(stop.is_none_or(|stop| axis.start(span.end - 1) < stop));
            }
        }
    }
}
