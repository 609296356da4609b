//! The progress of a long command: a line on a terminal, otherwise a new line every half minute.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::cell_text::shown;
use super::{safe, say};
use crate::global::Global;

/// A line of progress on stderr.
pub(crate) struct ProgressLine {
    kind: Kind,
    title: String,
    begun: Instant,
    shown: Instant,
}

enum Kind {
    Terminal { bar: ProgressBar, columns: usize },
    Lines { global: Box<Global> },
}

/// A part of the line.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) text: String,
    /// On a terminal that is too narrow, the parts of the lowest importance are left out.
    pub(crate) importance: u8,
}

const TERMINAL_STEP: Duration = Duration::from_millis(100);
const LINES_STEP: Duration = Duration::from_secs(30);

/// The line that is on the terminal now. Whatever else is written there is written above it.
static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Writes to stderr, above the line if there is one.
pub(super) fn above_line<T>(write: impl FnOnce() -> T) -> T {
    let line = LINE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match line {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// What separates the parts.
const GAP: &str = "  ";

/// The width of the bar with its percentage and the gap before it.
const BAR_COLUMNS: usize = GAP.len() + 10 + " 100 %".len();

impl ProgressLine {
    /// Creates the progress line of a command that works on `subject`.
    pub(crate) fn new(global: &Global, command: &'static str, subject: &str) -> Self {
        let (now, title) = (Instant::now(), format!("{command}  {}", shown(&safe(subject))));
        let kind = if std::io::stderr().is_terminal() && !global.quiet {
            let size = terminal_size::terminal_size_of(std::io::stderr());
            let columns = size.map_or(usize::MAX, |(columns, _)| columns.0.into());
            let bar =
                ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style(false));
            bar.set_prefix(title.clone());
            *LINE.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
            Kind::Terminal { bar, columns }
        } else {
            Kind::Lines { global: Box::new(global.clone()) }
        };
        Self { kind, title, begun: now, shown: now }
    }

    /// Whether it is time to update it.
    pub(crate) fn is_due(&self) -> bool {
        let step = if matches!(self.kind, Kind::Terminal { .. }) { TERMINAL_STEP } else { LINES_STEP };
        self.shown.elapsed() >= step
    }

    /// Shows `done` out of `whole`, if that is known, and `parts`.
    pub(crate) fn show(&mut self, done: u64, whole: Option<u64>, parts: &[Part]) {
        self.shown = Instant::now();
        match &self.kind {
            Kind::Terminal { bar, columns } => {
                if bar.length() != whole {
                    bar.set_style(style(whole.is_some()));
                }
                bar.update(|state| {
                    state.set_pos(done);
                    if let Some(whole) = whole {
                        state.set_len(whole);
                    }
                });
                let before = self.title.chars().count() + if whole.is_some() { BAR_COLUMNS } else { 0 };
                bar.set_message(fitting(parts, columns.saturating_sub(before + GAP.len())));
            }
            Kind::Lines { global } => {
                let share = percent(done, whole).map_or_else(String::new, |share| format!("{GAP}{share} %"));
                say(global, &format!("{}{share}{GAP}{}", self.title, fitting(parts, usize::MAX)));
            }
        }
    }

    /// Returns the estimated remaining time, from the mean rate so far; `None` at both ends.
    pub(crate) fn eta(&self, done: u64, whole: Option<u64>) -> Option<Duration> {
        time_left(self.begun.elapsed(), done, whole?)
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        if let Kind::Terminal { bar, .. } = &self.kind {
            *LINE.lock().unwrap_or_else(PoisonError::into_inner) = None;
            bar.finish_and_clear();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Returns how many of a hundred parts are done.
fn percent(done: u64, whole: Option<u64>) -> Option<u128> {
    let whole = whole.filter(|whole| *whole > 0)?;
    Some(u128::from(done) * 100 / u128::from(whole))
}

fn time_left(elapsed: Duration, done: u64, whole: u64) -> Option<Duration> {
    let left = whole.saturating_sub(done);
    if done == 0 || left == 0 {
        return None;
    }
    let seconds = elapsed.as_millis() * u128::from(left) / u128::from(done) / 1_000;
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(u64::MAX)))
}

/// Joins parts, leaving out the least important ones until the rest fits into so many columns.
fn fitting(parts: &[Part], columns: usize) -> String {
    let mut kept: Vec<&Part> = parts.iter().collect();
    loop {
        let text = kept.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(GAP);
        let least = kept.iter().enumerate().min_by_key(|(_, part)| part.importance);
        match least {
            Some((at, _)) if kept.len() > 1 && text.chars().count() > columns => kept.remove(at),
            _ => return text,
        };
    }
}

fn style(has_length: bool) -> ProgressStyle {
    let template =
        if has_length { "{prefix}  {bar:10} {percent} %  {wide_msg}" } else { "{prefix}  {wide_msg}" };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("▓▒░")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_by_the_mean_rate_and_unknown_at_both_ends() {
        let left =
            |ms, done, whole| time_left(Duration::from_millis(ms), done, whole).map(|left| left.as_secs());
        assert_eq!((left(20_000, 25, 100), left(1_999, 1, 2)), (Some(60), Some(1)));
        assert_eq!(
            (left(20_000, 1, 1 << 40), left(u64::MAX, 1, u64::MAX)),
            (Some(20 * ((1 << 40) - 1)), Some(u64::MAX))
        );
        for (done, whole) in [(0, 100), (0, 0), (100, 100), (101, 100)] {
            assert_eq!(left(20_000, done, whole), None, "{done} of {whole}");
        }
    }

    #[test]
    fn a_share_is_in_percent_of_what_is_known() {
        assert_eq!(
            (percent(1, Some(3)), percent(3, Some(3)), percent(0, Some(1))),
            (Some(33), Some(100), Some(0))
        );
        assert_eq!(
            (percent(u64::MAX, Some(u64::MAX)), percent(1, Some(0)), percent(1, None)),
            (Some(100), None, None)
        );
    }

    #[test]
    fn the_least_important_parts_give_way_on_a_narrow_terminal() {
        let part = |text: &str, importance| Part { text: text.to_owned(), importance };
        let parts = [part("9 rows", 9), part("3 MB/s", 1), part("eta 1:18", 3), part("hot 1.0×", 8)];
        assert_eq!(fitting(&parts, 34), "9 rows  3 MB/s  eta 1:18  hot 1.0×");
        assert_eq!(fitting(&parts, 33), "9 rows  eta 1:18  hot 1.0×");
        assert_eq!(fitting(&parts, 16), "9 rows  hot 1.0×");
        assert_eq!(fitting(&parts, 0), "9 rows");
        assert_eq!(fitting(&[], 0), "");
    }
}
