//! Receivers of outcomes.

use crate::{Error, RegionInfo, Row};

/// Receives the outcomes of a batch's actions, in no particular order.
pub trait Sink: Send {
    /// An action was completed by that region. The row is the one that was read, or has the new values of an increment
    /// or append.
    fn done(&mut self, region: &RegionInfo, place: usize, row: Row);

    /// An action failed for good.
    fn failed(&mut self, place: usize, error: Error);
}
