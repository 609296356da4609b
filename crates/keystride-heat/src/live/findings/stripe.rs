//! Times in which nothing happens in any region.

use super::Finding;
use super::windows::{Window, Windows, median};
use crate::number::float_of;

/// The share of its usual rate to which every region drops.
const DROPPED: f64 = 0.2;
/// The share of the usual rate of the table that counts as usual.
const USUAL: f64 = 0.5;
/// Regions with fewer rows in the median column are left out: they often have none by chance.
const LEAST_ROWS: f64 = 5.0;
/// The most that is told.
const MOST_STRIPES: usize = 10;

pub(super) fn stripes(windows: &Windows) -> Vec<Finding> {
    let Some(usual_rate) = median(windows.all.iter().map(|window| window.total)) else { return Vec::new() };
    let usual = usual_rates(windows);
    if usual.len() < 2 {
        return Vec::new();
    }
    let is_dropped = |window: &Window| usual.iter().all(|&(cell, rate)| window.rates[cell] <= DROPPED * rate);
    let is_usual = |window: Option<&Window>| window.is_some_and(|window| window.total >= USUAL * usual_rate);
    let mut found = Vec::new();
    let mut begin = 0;
    for run in windows.all.chunk_by(|one, two| is_dropped(one) == is_dropped(two)) {
        let end = begin + run.len();
        let is_between = begin > 0 && is_usual(windows.all.get(begin - 1)) && is_usual(windows.all.get(end));
        if is_dropped(&run[0]) && is_between && 3 * run.len() <= windows.all.len() {
            let rate = run.iter().map(|window| window.total).sum::<f64>() / float_of(run.len());
            found.push(Finding::Stripe { rate, usual_rate, area: windows.whole(run) });
        }
        begin = end;
    }
    found.truncate(MOST_STRIPES);
    found
}

/// Returns the cells that have rows in most columns, with their median rates.
fn usual_rates(windows: &Windows) -> Vec<(usize, f64)> {
    let of_cell = |cell: usize| {
        let rate = median(windows.all.iter().map(|window| window.rates[cell]))?;
        let rows = median(windows.all.iter().map(|window| window.rates[cell] * window.seconds()))?;
        (rows >= LEAST_ROWS).then_some((cell, rate))
    };
    (0..windows.axis.cell_count()).filter_map(of_cell).collect()
}
