//! What a region did.

use std::sync::Arc;

use super::sink::Sink;
use crate::Row;
use crate::region::Located;

/// The places of the actions that a region did, and what they brought.
#[derive(Debug)]
pub(super) struct Done {
    located: Arc<Located>,
    /// Of those that brought nothing, as nearly all changes: a million of them should not cost a million rows.
    without_row: Vec<u32>,
    with_row: Vec<(u32, Row)>,
}

impl Done {
    /// Nothing yet, of about so many actions.
    pub(super) fn nothing(located: &Arc<Located>, actions: usize) -> Self {
        Self { located: Arc::clone(located), without_row: Vec::with_capacity(actions), with_row: Vec::new() }
    }

    /// A change that brought nothing.
    #[inline]
    pub(super) fn add(&mut self, place: u32) {
        self.without_row.push(place);
    }

    /// What brought a row.
    pub(super) fn add_row(&mut self, place: u32, row: Row) {
        self.with_row.push((place, row));
    }

    /// Nothing but these.
    pub(super) fn set(&mut self, places: Vec<u32>) {
        self.without_row = places;
        self.with_row.clear();
    }

    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        self.without_row.iter().copied().chain(self.with_row.iter().map(|&(place, _)| place))
    }

    /// Tells it all.
    pub(super) fn tell(self, sink: &mut impl Sink) {
        let region = &self.located.region;
        for place in self.without_row {
            sink.done(region, place as usize, Row::default());
        }
        for (place, row) in self.with_row {
            sink.done(region, place as usize, row);
        }
    }
}
