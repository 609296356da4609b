use std::num::NonZeroU64;

use keystride::SplitPoints;
use keystride_heat::chance::EVEN;
use keystride_heat::{WindowCounter, WindowCounts, Windowing};
use serde::Serialize;

use super::EncodedRows;
use crate::stats::SpreadMeasure;

/// How the keys of a sample are spread over regions.
#[derive(Debug, Clone, Serialize)]
pub struct KeySpread {
    region_count: usize,
    /// The rows of each region, of the first ones.
    counts: Vec<u64>,
    /// All rows together; `None` if none has a key.
    whole: Option<SpreadMeasure>,
    /// Per window of the rows' own time, if they have one and it is not the same for all.
    windows: Option<WindowMeasure>,
    /// What both measures mean; `None` if no row has a key.
    verdict: Option<Verdict>,
}

/// What the spread of a sample means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There is one region.
    One,
    /// There are too few rows: of less than two a region, chance makes anything.
    Few,
    /// All rows together are even, but a window has its own hot region.
    Moves,
    /// A region gets far more than chance gives.
    Hot,
    /// All rows together are less even than chance makes them, but not hot.
    Uneven,
    /// The same of the median window alone.
    WindowUneven,
    /// It is even, as heat maps call it.
    Even,
}

/// How even rows are, window by window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WindowMeasure {
    /// The length of a window.
    pub ms: u64,
    /// How many windows have rows.
    pub window_count: u64,
    /// The rows of the median window.
    pub row_count: u64,
    /// The median over the windows of: the rows of the hottest region ÷ the mean.
    pub imbalance: f64,
    /// What chance alone gives a window of as many rows.
    pub chance: f64,
    /// What chance alone exceeds only in one of a hundred windows.
    pub chance_at_most: f64,
    /// The window with the largest imbalance, which chance explains where it has few rows.
    pub hottest: SpreadMeasure,
}

/// A document has the counts of no more regions.
const MOST_COUNTS: usize = 1_024;

/// So many windows are enough for a median, and leave rows for each.
const WANTED_WINDOWS: i64 = 20;

/// Lengths that people think in, in ms.
const WINDOWS_MS: [i64; 12] = [
    1_000,
    10_000,
    60_000,
    600_000,
    3_600_000,
    6 * 3_600_000,
    86_400_000,
    7 * 86_400_000,
    30 * 86_400_000,
    91 * 86_400_000,
    365 * 86_400_000,
    3_650 * 86_400_000,
];

impl KeySpread {
    /// Counts the keys of a sample in the regions that split points make.
    pub fn of(points: &SplitPoints, rows: &EncodedRows) -> Self {
        let mut counts = WindowCounts::new(points.region_count());
        for key in rows.keys() {
            counts.add(points.region_of(key), 1);
        }
        let whole = counts.distribution().map(|whole| SpreadMeasure::of(&whole));
        let windows = window_ms(rows).and_then(|ms| WindowMeasure::of(points, rows, ms));
        let region_count = points.region_count();
        let in_window = || windows.as_ref().map(Imbalance::of_window);
        let verdict =
            whole.as_ref().map(|whole| Verdict::of(region_count, Imbalance::of(whole), in_window()));
        Self {
            region_count,
            counts: counts.rows().iter().take(MOST_COUNTS).copied().collect(),
            verdict,
            whole,
            windows,
        }
    }
}

impl Verdict {
    fn of(region_count: usize, whole: Imbalance, window: Option<Imbalance>) -> Self {
        let tells = |measured: &Imbalance| measured.row_count >= 2 * region_count as u64;
        if region_count == 1 {
            return Self::One;
        }
        if !tells(&whole) {
            return Self::Few;
        }
        match (whole.is_hot(), window.filter(tells)) {
            (true, _) => Self::Hot,
            (false, Some(window)) if window.is_hot() => Self::Moves,
            _ if !whole.is_even() => Self::Uneven,
            (false, Some(window)) if !window.is_even() => Self::WindowUneven,
            (false, _) => Self::Even,
        }
    }
}

/// What a measure says of its hottest region.
#[derive(Debug, Clone, Copy)]
struct Imbalance {
    row_count: u64,
    found: f64,
    chance: f64,
    chance_at_most: f64,
}

/// From so many times what chance gives on, a region is hot, if chance hardly ever gives as much.
const HOT: f64 = 1.5;

impl Imbalance {
    fn of(measure: &SpreadMeasure) -> Self {
        // Without rows there is no chance, and nothing to call hot.
        let (chance, chance_at_most) =
            (measure.chance.unwrap_or(f64::INFINITY), measure.chance_at_most.unwrap_or(f64::INFINITY));
        Self { row_count: measure.row_count, found: measure.imbalance, chance, chance_at_most }
    }

    fn of_window(window: &WindowMeasure) -> Self {
        let WindowMeasure { row_count, imbalance, chance, chance_at_most, .. } = *window;
        Self { row_count, found: imbalance, chance, chance_at_most }
    }

    fn is_even(self) -> bool {
        self.found <= EVEN * self.chance
    }

    fn is_hot(self) -> bool {
        self.found > (HOT * self.chance).max(self.chance_at_most)
    }
}

impl WindowMeasure {
    fn of(points: &SplitPoints, rows: &EncodedRows, ms: NonZeroU64) -> Option<Self> {
        let mut counter = WindowCounter::new(points.region_count(), Windowing::Time { ms });
        for row in &rows.rows {
            if let (Ok(key), Some(event_ms)) = (&row.key, row.event_ms) {
                counter.add_at(event_ms, points.region_of(key), 1);
            }
        }
        let balance = counter.series().balance()?;
        Some(Self {
            ms: ms.get(),
            window_count: balance.window_count,
            row_count: balance.window_rows,
            imbalance: balance.imbalance.median,
            chance: balance.chance.median,
            chance_at_most: balance.chance.p99,
            hottest: SpreadMeasure::of(&balance.hottest_window.distribution),
        })
    }
}

/// Returns a length of windows that cuts the times of the rows into a few; `None` if they are all the same.
fn window_ms(rows: &EncodedRows) -> Option<NonZeroU64> {
    let times = || rows.rows.iter().filter(|row| row.key.is_ok()).filter_map(|row| row.event_ms);
    let span = times().max()?.saturating_sub(times().min()?);
    let wanted = span / WANTED_WINDOWS;
    let ms = WINDOWS_MS.into_iter().find(|ms| *ms >= wanted).unwrap_or(WINDOWS_MS[WINDOWS_MS.len() - 1]);
    if span == 0 { None } else { NonZeroU64::new(ms.unsigned_abs()) }
}

#[cfg(test)]
mod tests {
    use super::super::EncodedRow;
    use super::*;

    fn rows(keys: impl Iterator<Item = (String, i64)>) -> EncodedRows {
        let row = |(key, second): (String, i64)| EncodedRow {
            key: Ok(key.into_bytes()),
            event_ms: Some(second * 1000),
        };
        EncodedRows { rows: keys.map(row).collect() }
    }

    #[test]
    fn keys_that_begin_with_the_time_are_even_as_a_whole_and_hot_in_each_window() {
        let points = SplitPoints::new(["1", "2", "3"]).unwrap();
        // 400 seconds; each region has 100 of them.
        let rows = rows((0..400).map(|second| ((second / 100).to_string(), second)));
        let spread = KeySpread::of(&points, &rows);
        assert_eq!(spread.counts, [100; 4]);
        let windows = spread.windows.unwrap();
        assert_eq!((spread.whole.unwrap().imbalance, windows.imbalance), (1.0, 4.0));
        assert_eq!((windows.ms, windows.window_count), (60_000, 7));
        assert_eq!(spread.verdict, Some(Verdict::Moves));
    }

    #[test]
    fn only_what_is_close_to_chance_is_even() {
        let of =
            |row_count, found, chance| Imbalance { row_count, found, chance, chance_at_most: chance * 1.1 };
        let (even, uneven, hot) = (of(900, 1.2, 1.06), of(900, 1.28, 1.06), of(900, 1.8, 1.06));
        for (whole, window, verdict) in [
            (even, None, Verdict::Even),
            (even, Some(even), Verdict::Even),
            (uneven, Some(even), Verdict::Uneven),
            (even, Some(of(900, 1.4, 1.15)), Verdict::WindowUneven),
            (even, Some(of(7, 3.9, 1.15)), Verdict::Even),
            (even, Some(hot), Verdict::Moves),
            (hot, Some(even), Verdict::Hot),
            (of(7, 3.9, 1.15), None, Verdict::Few),
        ] {
            assert_eq!(Verdict::of(4, whole, window), verdict, "{whole:?} {window:?}");
        }
        assert_eq!(Verdict::of(1, of(900, 1.0, 1.0), None), Verdict::One);
    }

    #[test]
    fn rows_of_one_moment_or_without_a_key_have_no_windows() {
        let points = SplitPoints::new(["1"]).unwrap();
        assert_eq!(KeySpread::of(&points, &rows([("1".to_owned(), 7)].into_iter())).windows, None);
        let none = EncodedRows { rows: vec![EncodedRow { key: Err("no".to_owned()), event_ms: Some(1) }] };
        let spread = KeySpread::of(&points, &none);
        assert_eq!((spread.whole, spread.windows, spread.counts), (None, None, vec![0, 0]));
        assert_eq!(spread.verdict, None);
    }
}
