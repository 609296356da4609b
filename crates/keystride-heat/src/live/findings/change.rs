//! Sudden changes of the whole table.

use super::Finding;
use super::windows::{Windows, median};

/// The columns before and after, whose medians are compared: one spike is no change.
const COLUMNS: usize = 6;
/// The factor that makes a change.
const FACTOR: f64 = 5.0;
/// Added to rates, so that a few rows after none are no change.
const FLOOR: f64 = 1.0;

/// Around a change, medians of several places differ by about as much.
const ABOUT: f64 = 0.8;

pub(super) fn sudden(windows: &Windows) -> Option<Finding> {
    let totals: Vec<f64> = windows.all.iter().map(|window| window.total).collect();
    let places = COLUMNS..(totals.len() + 1).saturating_sub(COLUMNS);
    let changes: Vec<Change> = places.filter_map(|place| Change::at(place, &totals)).collect();
    let largest = changes.iter().map(|change| change.factor).fold(0.0, f64::max);
    let near = changes.iter().filter(|change| change.factor >= ABOUT * largest);
    // It is where the columns on both sides differ most.
    let change = near.max_by(|one, two| one.step.total_cmp(&two.step)).filter(|_| largest > FACTOR)?;
    let area = windows.whole(&windows.all[change.place..]);
    Some(Finding::SuddenChange { at_ms: area.t0_ms, before: change.before, after: change.after, area })
}

/// The medians before and after a place between columns.
struct Change {
    place: usize,
    before: f64,
    after: f64,
    factor: f64,
    /// How much the columns on both sides differ, from 0 to 1.
    step: f64,
}

impl Change {
    fn at(place: usize, totals: &[f64]) -> Option<Self> {
        let before = median(totals[place - COLUMNS..place].iter().copied())?;
        let after = median(totals[place..place + COLUMNS].iter().copied())?;
        let factor = (after + FLOOR) / (before + FLOOR);
        let (one, two) = (totals[place - 1], totals[place]);
        let step = (one - two).abs() / (one + two + FLOOR);
        Some(Self { place, before, after, factor: factor.max(1.0 / factor), step })
    }
}
