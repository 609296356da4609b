//! Completed actions.

use std::sync::Arc;

use super::sink::Sink;
use crate::Row;
use crate::region::Located;

/// The completed actions of a region, with their rows.
#[derive(Debug)]
pub(super) struct CompletedActions {
    located: Arc<Located>,
    /// Places of actions without a row, as nearly all changes are: they take little memory.
    without_row: Vec<u32>,
    with_row: Vec<(u32, Row)>,
}

impl CompletedActions {
    /// With capacity for about this many actions.
    pub(super) fn new(located: &Arc<Located>, actions: usize) -> Self {
        Self { located: Arc::clone(located), without_row: Vec::with_capacity(actions), with_row: Vec::new() }
    }

    /// Adds a change without a row.
    #[inline]
    pub(super) fn add(&mut self, place: u32) {
        self.without_row.push(place);
    }

    /// Adds an action with a row.
    pub(super) fn add_row(&mut self, place: u32, row: Row) {
        self.with_row.push((place, row));
    }

    /// Replaces all actions by these, without rows.
    pub(super) fn set(&mut self, places: Vec<u32>) {
        self.without_row = places;
        self.with_row.clear();
    }

    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        self.without_row.iter().copied().chain(self.with_row.iter().map(|&(place, _)| place))
    }

    /// Reports all actions to the sink.
    pub(super) fn report_to(self, sink: &mut impl Sink) {
        let region = &self.located.region;
        for place in self.without_row {
            sink.done(region, place as usize, Row::default());
        }
        for (place, row) in self.with_row {
            sink.done(region, place as usize, row);
        }
    }
}
