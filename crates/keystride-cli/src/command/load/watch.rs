//! Observes a load: shows its progress, and decides when to stop it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use keystride_table::input::RejectsWriter;
use keystride_table::load::{
    Counts, Earlier, Ending, LoadError, LoadId, LoadObserver, LoadReport, Phase, Proceed, Progress, Rejected,
    stored_check_cost,
};

use crate::failure::Failure;
use crate::global::Global;
use crate::output::{Part, ProgressLine, say};
use crate::size::{as_float, count_text};

/// Keeps rejected rows, shows progress, and stops a load that is too hot.
pub(super) struct Watch {
    global: Global,
    rejects: Rejects,
    line: ProgressLine,
    /// The balance of the last window and that of chance, as they are displayed.
    hot: Option<(String, String)>,
    looked: Option<Instant>,
    /// The number of windows when the balance was last checked.
    windows_looked_at: u64,
    abort_if_hot: Option<f64>,
    /// The numbers of records and of rows that are known to be stored.
    stored: (u64, u64),
    stopped: Stopped,
}

/// What happens to rejected rows.
pub(super) enum Rejects {
    /// They are kept in a file.
    Kept(Box<RejectsWriter>),
    /// The first of them are printed at the end.
    Told(Vec<String>),
}

/// Why a load ended early, and where its rejected rows are.
#[derive(Debug, Default)]
pub(super) struct Stopped {
    /// The balance that was too hot.
    pub(super) hot: Option<f64>,
    pub(super) rejects: Option<PathBuf>,
}

/// The interval at which the balance is checked.
const LOOK: Duration = Duration::from_secs(1);

/// The number of rejected rows that are printed if they are not kept in a file.
const TOLD: usize = 10;

/// The number of windows below which their balance says nothing about a design.
const LEAST_WINDOWS: u64 = 10;

impl Watch {
    pub(super) fn new(global: &Global, title: &str, rejects: Rejects, abort_if_hot: Option<f64>) -> Self {
        Self {
            global: global.clone(),
            rejects,
            line: ProgressLine::new(global, "load", title),
            hot: None,
            looked: None,
            windows_looked_at: 0,
            abort_if_hot,
            stored: (0, 0),
            stopped: Stopped::default(),
        }
    }

    /// Ends the progress line; returns what stopped the load, if anything did, and whether all its rejected rows are kept.
    /// A load without an id can't be resumed.
    pub(super) fn finish(
        mut self,
        report: &LoadReport,
        id: Option<LoadId>,
    ) -> (Stopped, Result<(), Failure>) {
        self.line.finish();
        let mut kept = Ok(());
        match &mut self.rejects {
            Rejects::Kept(writer) => {
                kept = writer.settle().and_then(|()| writer.flush()).and_then(|()| writer.remove_contained());
                if report.ending == Ending::Complete {
                    kept = kept.and_then(|()| writer.remove_stale());
                }
                kept = kept.map_err(|cause| name_file(writer.path(), &cause));
                let is_kept = kept.is_ok() && writer.count() > 0;
                self.stopped.rejects = is_kept.then(|| writer.path().to_owned());
            }
            Rejects::Told(lines) => lines.iter().for_each(|line| say(&self.global, line)),
        }
        self.say_set_aside();
        let kept = kept.map_err(|cause| Failure::BrokenLoad {
            cause: Box::new(LoadError::Rejects(cause).into()),
            id,
            records: report.counts.records,
            rows: report.counts.rows,
        });
        (self.stopped, kept)
    }

    /// Says where a file went that was there before the one of this load.
    fn say_set_aside(&self) {
        if let Rejects::Kept(writer) = &self.rejects
            && let Some(aside) = writer.set_aside()
        {
            let path = writer.path().display();
            say(&self.global, &format!("{path}: the file that was there before is now {}", aside.display()));
        }
    }

    /// Ends the progress line of a load that failed; returns the failure, with what is already stored if the load had
    /// begun. A load without an id can't be resumed.
    pub(super) fn broken(mut self, error: LoadError, id: Option<LoadId>) -> Failure {
        self.line.finish();
        if let Rejects::Kept(writer) = &mut self.rejects {
            // The load has failed already, and a copy too many does no harm.
            let _ = writer.flush().and_then(|()| writer.remove_contained());
        }
        self.say_set_aside();
        let (records, rows) = self.stored;
        match error {
            error @ (LoadError::Input(_)
            | LoadError::Store(_)
            | LoadError::Spill(_)
            | LoadError::Rejects(_)
            | LoadError::ReaderLost) => {
                Failure::BrokenLoad { cause: Box::new(error.into()), id, records, rows }
            }
            error => error.into(),
        }
    }

    /// Returns what the line of progress shows, in the order of the line.
    fn parts(&self, progress: &Progress<'_>) -> Vec<Part> {
        let counts = progress.counts;
        let doing = match progress.phase {
            Phase::CatchingUp => Some("reading past what is stored".to_owned()),
            Phase::Storing | Phase::Replaying => None,
            Phase::Sorting => Some("sorting".to_owned()),
            Phase::Filling { rows } => Some(format!("storing {}", count_text(rows))),
        };
        let seconds = as_float(progress.elapsed_ms.max(1)) / 1_000.0;
        let rate =
            |count: u64, unit: f64, name: &str| format!("{:.0} {name}", as_float(count) / seconds / unit);
        let eta = self.line.eta(progress.bytes_read, progress.byte_count).map(|eta| eta.as_secs());
        let some = |what: &str, count: u64| (count > 0).then(|| format!("{what} {}", count_text(count)));
        let (hot, chance) = self.hot.clone().unzip();
        let parts = [
            (doing, 5),
            (Some(format!("{} rows", count_text(counts.records))), 9),
            (Some(rate(counts.records, 1_000.0, "k/s")), 4),
            (Some(rate(progress.bytes_read, 1_000_000.0, "MB/s")), 1),
            (eta.map(|seconds| format!("eta {}:{:02}", seconds / 60, seconds % 60)), 6),
            (hot, 8),
            (chance, 3),
            (some("retries", progress.retries), 2),
            (some("rejected", counts.rejected_count()), 7),
        ];
        let parts = parts.into_iter().filter_map(|(text, importance)| Some(Part { text: text?, importance }));
        parts.collect()
    }

    /// Whether the balance is to be checked: now and then for display, and every ten windows if it decides.
    fn is_to_look(&self, progress: &Progress<'_>) -> bool {
        let new_windows = progress.window_count().saturating_sub(self.windows_looked_at);
        let decides = self.abort_if_hot.is_some() && new_windows >= LEAST_WINDOWS;
        decides || self.looked.is_none_or(|looked| looked.elapsed() >= LOOK)
    }

    fn look(&mut self, progress: &Progress<'_>) {
        (self.looked, self.windows_looked_at) = (Some(Instant::now()), progress.window_count());
        if let Some((window, chance)) = progress.last_window() {
            let hot = window.distribution.imbalance();
            self.hot = Some((format!("hot {hot:.2}×"), format!("(chance {:.2}×)", chance.median)));
        }
        let Some(limit) = self.abort_if_hot else { return };
        let balance = progress.balance().filter(|balance| balance.window_count >= LEAST_WINDOWS);
        self.stopped.hot = balance.map(|balance| balance.imbalance.median).filter(|hot| *hot >= limit);
    }
}

impl LoadObserver for Watch {
    fn earlier(&mut self, earlier: &Earlier) {
        say(&self.global, &earlier_text(earlier));
        if let Earlier::Broken(Counts { records, rows, .. })
        | Earlier::Complete(Counts { records, rows, .. }) = earlier
        {
            self.stored = (*records, *rows);
            // What the earlier run rejected is rejected again, unless the input has changed.
            if let Rejects::Kept(writer) = &mut self.rejects {
                writer.begin_draft();
            }
        }
    }

    fn compares_stored(&mut self) {
        let cost = stored_check_cost(1_000_000).expected.as_secs();
        say(
            &self.global,
            &format!(
                "each row is compared with what is stored under its key: a read a row, about {cost} s for a million rows \
                 in a folder, and more over a network"
            ),
        );
    }

    fn rejected(&mut self, rejected: &Rejected) -> io::Result<()> {
        match &mut self.rejects {
            Rejects::Kept(writer) => writer.write(rejected).map_err(|cause| name_file(writer.path(), &cause)),
            Rejects::Told(lines) if lines.len() < TOLD => {
                lines.push(format!("rejected {rejected}"));
                Ok(())
            }
            Rejects::Told(_) => Ok(()),
        }
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        if progress.phase == Phase::Storing {
            self.stored = (progress.counts.records, progress.counts.rows);
            if let Rejects::Kept(writer) = &mut self.rejects {
                // Where this fails, the end of the load tries again, and tells.
                let _ = writer.settle().and_then(|()| writer.flush());
            }
        }
        if self.is_to_look(progress) {
            self.look(progress);
        }
        if self.line.is_due() {
            let parts = self.parts(progress);
            self.line.show(progress.bytes_read, progress.byte_count, &parts);
        }
        if self.stopped.hot.is_some() { Proceed::Stop } else { Proceed::On }
    }
}

fn earlier_text(earlier: &Earlier) -> String {
    match earlier {
        Earlier::Repeated { cell_time: Some(field), .. } => format!(
            "this load was begun before: its cells are written once more, with the times of \"{field}\"; what a delete hid \
             since then stays hidden, whatever the --load-id: a delete hides all cells up to its own time (to go on where \
             the load ended give --resume)"
        ),
        Earlier::Repeated { stamp_ms, cell_time: None } => format!(
            "this load was begun before: its cells are written once more, with their timestamp {stamp_ms}; rows deleted \
             since then stay hidden (to have them back give it another --load-id, to go on where it ended --resume)"
        ),
        Earlier::Nothing => "there is nothing to resume, as no earlier run of this load is known: it begins with the \
                             first record (a file that was changed makes another load, unless --load-id names it)"
            .to_owned(),
        Earlier::Broken(Counts { records: 1, .. }) => "going on after the first record".to_owned(),
        Earlier::Broken(Counts { records, .. }) => format!("going on after the first {records} records"),
        Earlier::Complete(Counts { records, .. }) => format!(
            "there is nothing to resume, as this load was complete: what comes after its {records} records is stored, \
             and nothing again"
        ),
    }
}

fn name_file(path: &Path, cause: &io::Error) -> io::Error {
    io::Error::new(
        cause.kind(),
        format!("{}: {cause}; name another file with --rejects FILE", path.display()),
    )
}
