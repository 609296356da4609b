//! Which actions go to which region.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use bytes::Bytes;

use crate::region::Located;

/// Groups actions: their places, by region.
///
/// A region that was met is found again without asking anyone, as its rows are many and come in any order.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// By their first rows, where in `regions` they are.
    by_start: BTreeMap<Bytes, usize>,
    pub(super) regions: Vec<(Arc<Located>, Vec<u32>)>,
    last: usize,
}

impl Groups {
    /// Adds an action to the region of its row; whether that one was met.
    pub(super) fn add(&mut self, row: &[u8], place: u32) -> bool {
        let holds =
            |at: &usize| self.regions.get(*at).is_some_and(|(located, _)| located.region.contains(row));
        let Some(at) = Some(self.last).filter(holds).or_else(|| self.find(row).filter(holds)) else {
            return false;
        };
        self.last = at;
        self.regions[at].1.push(place);
        true
    }

    /// Adds an action to a region that is met now.
    pub(super) fn add_to(&mut self, located: &Arc<Located>, place: u32) {
        self.last = self.regions.len();
        self.by_start.insert(located.region.start.clone(), self.last);
        self.regions.push((Arc::clone(located), vec![place]));
    }

    fn find(&self, row: &[u8]) -> Option<usize> {
        let mut until = self.by_start.range::<[u8], _>((Bound::Unbounded, Bound::Included(row)));
        until.next_back().map(|(_, &at)| at)
    }
}
