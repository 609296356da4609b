//! Rates that go up and down in a period.

use super::Finding;
use super::windows::{Windows, median, whole};
use crate::number::float_of;

const SHORTEST_MS: f64 = 5.0 * 60_000.0;
const LONGEST_MS: f64 = 24.0 * 3_600_000.0;
/// The least correlation of the rate with itself a period later.
const STRICT: f64 = 0.6;
/// How much lower the correlation must be at a shorter distance: what changes slowly resembles itself at all of them.
const DIP: f64 = 0.2;
/// Below this standard deviation divided by the mean, a rate is constant.
const CONSTANT: f64 = 0.1;

pub(super) fn periodic(windows: &Windows) -> Option<Finding> {
    let width_ms = median(windows.all.iter().map(|window| window.seconds() * 1000.0))?;
    let deviations = deviations(windows, width_ms)?;
    let shortest = whole((SHORTEST_MS / width_ms).ceil()).max(2);
    let longest = whole(LONGEST_MS / width_ms).min(deviations.len() / 2);
    let correlations: Vec<f64> = (1..=longest + 1).map(|lag| correlation(&deviations, lag)).collect();
    let at = |lag: usize| correlations[lag - 1];
    let mut lowest = f64::INFINITY;
    let mut peaks = Vec::new();
    for lag in 2..=longest {
        lowest = lowest.min(at(lag - 1));
        let is_peak = at(lag) >= at(lag - 1) && at(lag) >= at(lag + 1);
        if is_peak && lag >= shortest && at(lag) > STRICT && lowest < at(lag) - DIP {
            peaks.push(lag);
        }
    }
    // Multiples of the period are peaks too.
    let best = peaks.iter().map(|&lag| at(lag)).fold(0.0, f64::max);
    let lag = peaks.into_iter().find(|&lag| at(lag) > best - DIP / 2.0)?;
    #[expect(clippy::cast_possible_truncation, reason = "at most a day in ms")]
    let period_ms = (float_of(lag) * width_ms).round() as i64;
    let area = windows.whole(&windows.all);
    Some(Finding::Periodic { period_ms, correlation: at(lag).min(1.0), area })
}

/// Returns how the total differs from its mean, divided by the standard deviation, at equal distances; 0 in gaps. `None`
/// where it is constant, or there are too many gaps.
fn deviations(windows: &Windows, width_ms: f64) -> Option<Vec<f64>> {
    let count = float_of(windows.all.len());
    let mean = windows.all.iter().map(|window| window.total).sum::<f64>() / count;
    let variance = windows.all.iter().map(|window| (window.total - mean).powi(2)).sum::<f64>() / count;
    let deviation = variance.sqrt();
    let first_ms = windows.all.first()?.t0_ms;
    let slot = |t0_ms: i64| whole(crate::number::float(t0_ms.abs_diff(first_ms)) / width_ms);
    let length = slot(windows.all.last()?.t0_ms) + 1;
    if deviation <= CONSTANT * mean || length > 2 * windows.all.len() {
        return None;
    }
    let mut deviations = vec![0.0; length];
    for window in &windows.all {
        if let Some(place) = deviations.get_mut(slot(window.t0_ms)) {
            *place = (window.total - mean) / deviation;
        }
    }
    Some(deviations)
}

fn correlation(deviations: &[f64], lag: usize) -> f64 {
    let pairs = deviations.iter().zip(deviations.iter().skip(lag));
    let count = deviations.len().saturating_sub(lag).max(1);
    pairs.map(|(one, later)| one * later).sum::<f64>() / float_of(count)
}
