//! Where outcomes go.

use crate::{Error, RegionInfo, Row};

/// Takes what became of the actions of a batch, in no order.
pub trait Sink: Send {
    /// An action was done, by that region. The row is what a get read, or what an increment or append brought.
    fn done(&mut self, region: &RegionInfo, place: usize, row: Row);

    /// An action was not done, and is not tried again.
    fn failed(&mut self, place: usize, error: Error);
}
