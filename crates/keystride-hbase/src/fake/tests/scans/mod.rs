//! Scans.

mod bring_each_row_once;
mod survive_changes;
mod survive_faults;
mod timeline;

use super::{Phase, When};

/// Cells in an answer. It ends at the end of a row or within one, as rows have three cells.
const CUTS: [usize; 4] = [1, 2, 3, 7];

/// The first call for more rows of the table.
fn next() -> When {
    When::scan(Phase::Next).of("t")
}
