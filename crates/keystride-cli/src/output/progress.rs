//! The progress of a long command: a line on a terminal, otherwise a new line every half minute.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::say;
use crate::global::Global;

/// A line of progress on stderr.
pub(crate) struct ProgressLine {
    kind: Kind,
    begun: Instant,
    shown: Instant,
}

enum Kind {
    Terminal(ProgressBar),
    Lines { global: Box<Global>, title: String },
}

const TERMINAL_STEP: Duration = Duration::from_millis(100);
const LINES_STEP: Duration = Duration::from_secs(30);

impl ProgressLine {
    /// Creates the progress line of a command that works on `title`.
    pub(crate) fn new(global: &Global, command: &'static str, title: &str) -> Self {
        let now = Instant::now();
        let kind = if std::io::stderr().is_terminal() && !global.quiet {
            let bar =
                ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style(false));
            bar.set_prefix(format!("{command}  {title}"));
            Kind::Terminal(bar)
        } else {
            Kind::Lines { global: Box::new(global.clone()), title: format!("{command}  {title}") }
        };
        Self { kind, begun: now, shown: now }
    }

    /// Whether it is time to update it.
    pub(crate) fn is_due(&self) -> bool {
        let step = if matches!(self.kind, Kind::Terminal(_)) { TERMINAL_STEP } else { LINES_STEP };
        self.shown.elapsed() >= step
    }

    /// Shows `done` out of `whole`, if that is known, with the remaining time between `head` and `tail`.
    pub(crate) fn show(&mut self, done: u64, whole: Option<u64>, head: &str, tail: &str) {
        self.shown = Instant::now();
        let eta = whole.map(|whole| self.eta(done, whole)).unwrap_or_default();
        let text = format!("{head}{eta}{tail}");
        match &self.kind {
            Kind::Terminal(bar) => {
                if bar.length() != whole {
                    bar.set_style(style(whole.is_some()));
                }
                bar.update(|state| {
                    state.set_pos(done);
                    if let Some(whole) = whole {
                        state.set_len(whole);
                    }
                });
                bar.set_message(text);
            }
            Kind::Lines { global, title } => {
                let share = whole.filter(|whole| *whole > 0);
                let share = share.map_or_else(String::new, |whole| {
                    format!("{} %  ", u128::from(done) * 100 / u128::from(whole))
                });
                say(global, &format!("{title}  {share}{text}"));
            }
        }
    }

    /// Prints a message above the line.
    pub(crate) fn say(&self, global: &Global, message: &str) {
        match &self.kind {
            Kind::Terminal(bar) => bar.suspend(|| say(global, message)),
            Kind::Lines { .. } => say(global, message),
        }
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        if let Kind::Terminal(bar) = &self.kind {
            bar.finish_and_clear();
        }
    }

    /// Returns the estimated remaining time, from the mean rate so far.
    fn eta(&self, done: u64, whole: u64) -> String {
        let left = whole.saturating_sub(done);
        if done == 0 || left == 0 {
            return String::new();
        }
        let seconds = self.begun.elapsed().as_millis() * u128::from(left) / u128::from(done) / 1_000;
        format!("  eta {}:{:02}", seconds / 60, seconds % 60)
    }
}

fn style(has_length: bool) -> ProgressStyle {
    let template =
        if has_length { "{prefix}  {bar:10} {percent} %  {wide_msg}" } else { "{prefix}  {wide_msg}" };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("▓▒░")
}
