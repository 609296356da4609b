//! Scans.

mod bring_each_row_once;
mod survive_changes;
mod survive_faults;
mod timeline;

use super::{Phase, When};

/// Cells in an answer: it ends at the end of a row, or in the middle of one of three.
const CUTS: [usize; 4] = [1, 2, 3, 7];

/// The first request for more of the table's scanners.
fn next() -> When {
    When::scan(Phase::Next).of("t")
}
