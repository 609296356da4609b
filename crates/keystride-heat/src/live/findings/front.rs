//! Findings of keys that begin with a time.

use super::regions::is_uneven;
use super::windows::{Window, Windows};
use super::{COLUMNS_LOOKED_AT, Finding};
use crate::live::Axis;
use crate::live::view::BucketRange;
use crate::number::float_of;
use crate::{Direction, Movement};

/// The least correlation of a front's position with time.
const STRICT: f64 = 0.9;
/// Fewer positions are no movement.
const LEAST_POSITIONS: usize = 3;
/// The share of rows that makes the last regions a front.
const SHARE_AT_END: f64 = 0.8;
/// If more of all regions are the last of a bucket, most rows are there in any case.
const MOST_LAST: f64 = 0.5;

pub(super) fn moving(windows: &Windows, buckets: &[BucketRange]) -> Option<Finding> {
    if !is_uneven(windows) {
        return None;
    }
    let hottest: Vec<usize> = windows.busy().map(Window::hottest).collect();
    // Keys that begin with a day of the month come back to earlier ones.
    let last = &hottest[hottest.len().saturating_sub(COLUMNS_LOOKED_AT)..];
    front(windows, buckets, &hottest).or_else(|| front(windows, buckets, last))
}

/// Returns the front that the hottest cells of columns make, if they do.
fn front(windows: &Windows, buckets: &[BucketRange], hottest: &[usize]) -> Option<Finding> {
    let keys: Vec<&[u8]> = hottest.iter().map(|&cell| logical(&windows.axis, cell, buckets)).collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let positions: Vec<usize> = keys.iter().map(|key| sorted.partition_point(|other| other < key)).collect();
    if sorted.len() < LEAST_POSITIONS {
        return None;
    }
    let correlation = correlation_with_time(&positions);
    let direction = match Movement::of(&positions)? {
        Movement::Static { .. } => return None,
        Movement::Moving(direction) => direction,
        Movement::Flicker if correlation > STRICT => Direction::Up,
        Movement::Flicker if correlation < -STRICT => Direction::Down,
        Movement::Flicker => return None,
    };
    let (first, last) = (hottest.iter().min()?, hottest.iter().max()?);
    let area = windows.area(&windows.all, *first..last + 1);
    Some(Finding::MovingFront { direction, correlation: correlation.abs(), area })
}

pub(super) fn at_end(windows: &Windows, buckets: &[BucketRange]) -> Option<Finding> {
    let count = windows.axis.cell_count();
    let mut last: Vec<usize> = match buckets {
        [] => vec![count - 1],
        _ => buckets.iter().map(|bucket| last_cell(&windows.axis, bucket)).collect(),
    };
    last.dedup();
    if float_of(last.len()) > MOST_LAST * float_of(count) {
        return None;
    }
    let rows = |window: &Window| last.iter().map(|&cell| window.rates[cell]).sum::<f64>() * window.seconds();
    let total: f64 = windows.all.iter().map(Window::rows).sum();
    let share = windows.all.iter().map(rows).sum::<f64>() / total;
    let areas = || last.iter().map(|&cell| windows.area(&windows.all, cell..cell + 1)).collect();
    (total >= 1.0 && share > SHARE_AT_END).then(|| Finding::FrontAtEnd { share, areas: areas() })
}

fn last_cell(axis: &Axis, bucket: &BucketRange) -> usize {
    axis.cells_of(&bucket.prefix, bucket.stop.as_deref()).end - 1
}

/// Returns where a cell begins, without the bucket.
fn logical<'a>(axis: &'a Axis, cell: usize, buckets: &[BucketRange]) -> &'a [u8] {
    let start = axis.start(cell);
    let after = buckets.partition_point(|bucket| &*bucket.prefix <= start);
    match after.checked_sub(1) {
        Some(bucket) => buckets[bucket].rest(start).unwrap_or(start),
        None if buckets.is_empty() => start,
        None => &[],
    }
}

/// Returns Spearman's correlation of values with their place: that of ranks, equal values having the mean of theirs.
fn correlation_with_time(values: &[usize]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let rank = |value: &usize| {
        let (before, through) =
            (sorted.partition_point(|other| other < value), sorted.partition_point(|other| other <= value));
        f64::midpoint(float_of(before), float_of(through)) - 0.5
    };
    let middle = (float_of(values.len()) - 1.0) / 2.0;
    let pairs =
        values.iter().enumerate().map(|(place, value)| (float_of(place) - middle, rank(value) - middle));
    let [mut both, mut places, mut ranks] = [0.0; 3];
    for (place, rank) in pairs {
        both += place * rank;
        places += place * place;
        ranks += rank * rank;
    }
    if places * ranks > 0.0 { both / (places * ranks).sqrt() } else { 0.0 }
}
