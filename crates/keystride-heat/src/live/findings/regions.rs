//! Findings of single regions, and of how even all of them are.

use super::windows::{Window, Windows, median, whole};
use super::{Area, Finding, LEAST_COLUMNS};
use crate::chance::EVEN;
use crate::number::float_of;

/// A region is hot from so many times the mean on.
const HOT: f64 = 3.0;
/// Below so much per second nothing is hot.
const FLOOR: f64 = 1.0;
/// The columns in which a region must be hot, of those looked at.
const HOT_COLUMNS: f64 = 0.8;
/// The most hot regions that are told.
const MOST_HOT: usize = 5;
/// A server is hot from so many times the mean on.
const HOT_SERVER: f64 = 1.5;
/// A region without rows is never used if the table got so many for each.
const ROWS_PER_REGION: f64 = 1000.0;
/// The most areas that a finding lists.
const MOST_AREAS: usize = 100;

pub(super) fn even(windows: &Windows) -> Option<Finding> {
    let (imbalance, chance) = windows.imbalance()?;
    let area = windows.whole(&windows.all);
    (imbalance <= EVEN * chance).then_some(Finding::Even { imbalance, chance, area })
}

/// Whether heat is more than chance.
pub(super) fn is_uneven(windows: &Windows) -> bool {
    windows.imbalance().is_some_and(|(imbalance, chance)| imbalance > EVEN * chance)
}

pub(super) fn hot_regions(windows: &Windows) -> Vec<Finding> {
    let last = windows.last();
    let mut hot: Vec<(f64, Finding)> = (0..windows.axis.cell_count())
        .filter_map(|cell| hot_region(last, cell, || windows.area(last, cell..cell + 1)))
        .collect();
    hot.sort_by(|one, two| two.0.total_cmp(&one.0));
    hot.into_iter().take(MOST_HOT).map(|(_, finding)| finding).collect()
}

/// Returns the rate of a cell's hottest region with the finding, if it is hot.
fn hot_region(last: &[Window], cell: usize, area: impl FnOnce() -> Area) -> Option<(f64, Finding)> {
    let is_hot = |window: &&Window| window.most[cell] > (HOT * window.mean()).max(FLOOR);
    let share_of_columns =
        float_of(last.iter().filter(is_hot).count()) / float_of(last.len().max(LEAST_COLUMNS));
    if share_of_columns < HOT_COLUMNS {
        return None;
    }
    let rate = mean(last, |window| window.most[cell]);
    let mean_rate = mean(last, Window::mean);
    Some((rate, Finding::HotRegion { rate, mean_rate, share_of_columns, area: area() }))
}

pub(super) fn hot_in_turn(windows: &Windows) -> Option<Finding> {
    if !is_uneven(windows) {
        return None;
    }
    let last = windows.last();
    let busy: Vec<&Window> = last.iter().filter(|window| window.rows() >= 1.0).collect();
    let most = |window: &Window| window.most[window.hottest()];
    let is_hot = |window: &&&Window| most(window) > (HOT * window.mean()).max(FLOOR);
    let hot_count = float_of(busy.iter().filter(is_hot).count());
    if busy.len() < LEAST_COLUMNS || hot_count < HOT_COLUMNS * float_of(busy.len()) {
        return None;
    }
    let mut hottest: Vec<usize> = busy.iter().map(|window| window.hottest()).collect();
    hottest.sort_unstable();
    hottest.dedup();
    let share = median(busy.iter().map(|window| most(window) / window.total))?;
    Some(Finding::HotInTurn { share, region_count: hottest.len(), area: windows.whole(last) })
}

pub(super) fn hot_server(windows: &Windows) -> Option<Finding> {
    let (region_imbalance, chance) = windows.imbalance()?;
    if region_imbalance > EVEN * chance {
        return None;
    }
    let mut sums = std::collections::BTreeMap::new();
    for window in &windows.all {
        for (&server, rate) in &window.servers {
            *sums.entry(server).or_insert(0.0) += rate * window.seconds();
        }
    }
    let (server, _) = sums.into_iter().max_by(|one, two| one.1.total_cmp(&two.1))?;
    let imbalance = median(windows.busy().filter_map(|window| {
        let mean = window.servers.values().sum::<f64>() / float_of(window.servers.len());
        Some(window.servers.get(&server)? / mean)
    }))?;
    let area = windows.whole(&windows.all);
    let finding = Finding::HotServer { server, imbalance, region_imbalance, area };
    (imbalance > HOT_SERVER).then_some(finding)
}

pub(super) fn never_used(windows: &Windows) -> Option<Finding> {
    let rows: f64 = windows.all.iter().map(Window::rows).sum();
    if rows <= ROWS_PER_REGION * float_of(windows.axis.cell_count()) {
        return None;
    }
    let is_unused = |&cell: &usize| {
        let known = windows.all.iter().filter(|window| window.is_known[cell]).count();
        2 * known >= windows.all.len() && windows.all.iter().all(|window| window.rates[cell] <= 0.0)
    };
    let unused: Vec<usize> = (0..windows.axis.cell_count()).filter(is_unused).collect();
    let areas =
        unused.iter().take(MOST_AREAS).map(|&cell| windows.area(&windows.all, cell..cell + 1)).collect();
    let finding = Finding::NeverUsed { region_count: unused.len(), row_count: whole(rows) as u64, areas };
    (!unused.is_empty()).then_some(finding)
}

fn mean(windows: &[Window], of: impl Fn(&Window) -> f64) -> f64 {
    windows.iter().map(of).sum::<f64>() / float_of(windows.len().max(1))
}
