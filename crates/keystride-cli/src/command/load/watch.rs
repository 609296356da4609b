//! Shows what a load does.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use keystride_app::load::{FailedLoad, LoadHandle};
use keystride_table::load::{
    Counts, Earlier, LoadError, LoadObserver, Phase, Proceed, Progress, Rejected, StoredReads,
};

use super::reasons::Reasons;
use crate::failure::Failure;
use crate::global::Global;
use crate::output::{Part, ProgressLine, say};
use crate::size::{as_float, count_text, rows_text};

/// Shows the progress of a load, and why rows were rejected: the first of a dry run, or the commonest reasons.
pub(super) struct Watch {
    global: Global,
    line: ProgressLine,
    handle: LoadHandle,
    /// The first rejected rows, of a dry run.
    rejects: Option<Vec<String>>,
    reasons: Reasons,
    /// What a topic brings at present; `None` for files.
    pace: Option<Pace>,
}

/// The number of rejected rows that are printed if they are not kept in a file.
const TOLD: usize = 10;

impl Watch {
    pub(super) fn new(global: &Global, title: &str, handle: LoadHandle) -> Self {
        let line = ProgressLine::new(global, "load", title);
        Self { global: global.clone(), line, handle, rejects: None, reasons: Reasons::default(), pace: None }
    }

    /// Shows what is still to be read of a topic, and its present rate.
    pub(super) fn of_topic(self, is_topic: bool) -> Self {
        Self { pace: is_topic.then(Pace::default), ..self }
    }

    /// Prints the first rejected rows at the end.
    pub(super) fn telling_rejects(self) -> Self {
        Self { rejects: Some(Vec::new()), ..self }
    }

    /// Ends the progress line, and says what the load has left to say.
    pub(super) fn finish(self, set_aside: Option<&[PathBuf; 2]>) {
        self.line.finish();
        let lines = self.rejects.unwrap_or_else(|| self.reasons.lines());
        for line in &lines {
            say(&self.global, line);
        }
        if let Some([path, aside]) = set_aside.map(|paths| paths.each_ref().map(|path| path.display())) {
            say(&self.global, &format!("{path}: the file that was there before is now {aside}"));
        }
    }

    /// Returns what the line of progress shows, in the order of the line.
    fn parts(&mut self, progress: &Progress<'_>) -> Vec<Part> {
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
        let per_second = match &mut self.pace {
            Some(pace) => format!("{}/s", count_text(pace.rate(progress.elapsed_ms, counts.records))),
            None => rate(counts.records, 1_000.0, "k/s"),
        };
        let eta = self.line.eta(progress.bytes_read, progress.byte_count).map(|eta| eta.as_secs());
        let some = |what: &str, count: u64| (count > 0).then(|| format!("{what} {}", count_text(count)));
        let heat = self.handle.progress().last_window;
        let hot = heat.map(|heat| format!("hot {:.2}×", heat.hot));
        let chance = heat.map(|heat| format!("(chance {:.2}×)", heat.chance));
        let parts = [
            (doing, 5),
            (Some(format!("{} rows", count_text(counts.records))), 9),
            (Some(per_second), 4),
            (Some(rate(progress.bytes_read, 1_000_000.0, "MB/s")).filter(|_| self.pace.is_none()), 1),
            (self.pace.is_some().then(|| lag_text(progress.lags)), 6),
            (progress.is_silent.then(|| "no broker answers".to_owned()), 10),
            (eta.map(|seconds| format!("eta {}:{:02}", seconds / 60, seconds % 60)), 6),
            (hot, 8),
            (chance, 3),
            (some("retries", progress.retries), 2),
            (some("rejected", counts.rejected_count()), 7),
        ];
        let parts = parts.into_iter().filter_map(|(text, importance)| Some(Part { text: text?, importance }));
        parts.collect()
    }
}

/// What was read lately.
#[derive(Debug, Default)]
struct Pace {
    /// The times in milliseconds at which so many records had been read.
    seen: VecDeque<(u64, u64)>,
}

impl Pace {
    /// Returns the records a second of the last seconds.
    fn rate(&mut self, elapsed_ms: u64, records: u64) -> u64 {
        const LATELY_MS: u64 = 5_000;
        self.seen.push_back((elapsed_ms, records));
        while self.seen.len() > 2 && self.seen[1].0 + LATELY_MS < elapsed_ms {
            self.seen.pop_front();
        }
        let (since, before) = self.seen[0];
        records.saturating_sub(before) * 1_000 / (elapsed_ms - since).max(1)
    }
}

impl LoadObserver for Watch {
    fn earlier(&mut self, earlier: &Earlier) {
        match self.pace {
            None => say(&self.global, &earlier_text(earlier)),
            Some(_) => say(&self.global, &earlier_of_topic(earlier)),
        }
    }

    fn keeps_progress_in(&mut self, file: &Path) {
        say(
            &self.global,
            &format!(
                "this user may not write the table keystride.notes: the progress of the load is kept in {}, which the next \
                 load needs",
                file.display()
            ),
        );
    }

    fn compares_stored(&mut self, reads: &StoredReads) {
        let seconds = reads.elapsed.as_secs_f64() / as_float(reads.rows) * 1e6;
        say(
            &self.global,
            &format!(
                "each row is compared with what is stored under its key: by the first {}, about {seconds:.0} s for a \
                 million rows",
                rows_text(reads.rows)
            ),
        );
    }

    fn rejected(&mut self, rejected: &Rejected) -> io::Result<()> {
        match &mut self.rejects {
            Some(lines) if lines.len() < TOLD => lines.push(format!("rejected {rejected}")),
            Some(_) => {}
            None => self.reasons.count(rejected),
        }
        Ok(())
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        if self.line.is_due() {
            let parts = self.parts(progress);
            self.line.show(progress.bytes_read, progress.byte_count, &parts);
        }
        Proceed::On
    }
}

/// Returns the failure of a load, with what is already stored if the load had begun, and how to go on.
pub(super) fn broken(failed: FailedLoad, go_on: &str) -> Failure {
    let FailedLoad { error, records, rows, .. } = failed;
    let error = match error {
        LoadError::Rejects(cause) => LoadError::Rejects(name_file(&cause)),
        error => error,
    };
    match error {
        error @ (LoadError::Input(_)
        | LoadError::Source(_)
        | LoadError::Store(_)
        | LoadError::Spill(_)
        | LoadError::Rejects(_)
        | LoadError::ReaderLost) => {
            Failure::BrokenLoad { cause: Box::new(error.into()), go_on: go_on.to_owned(), records, rows }
        }
        error => error.into(),
    }
}

fn earlier_text(earlier: &Earlier) -> String {
    match earlier {
        Earlier::Repeated { cell_time: Some(field), .. } => format!(
            "this load ran before: its cells are written again, with the times of \"{field}\". What was changed or deleted \
             since then stays as it is, whatever the --load-id. To continue where the load ended, give --resume"
        ),
        Earlier::Repeated { stamp_ms, cell_time: None } => format!(
            "this load ran before: its cells are written again, with their timestamp {stamp_ms}. What was changed or \
             deleted since then stays as it is; to load over it, give another --load-id. To continue where the load ended, \
             give --resume"
        ),
        Earlier::Nothing => {
            "nothing to resume: no earlier run of this load is known, so it begins with the first \
                             record (a file that was changed makes another load, unless --load-id names it)"
                .to_owned()
        }
        Earlier::Broken(Counts { records: 1, .. }) => "continuing after the first record".to_owned(),
        Earlier::Broken(Counts { records, .. }) => format!("continuing after the first {records} records"),
        Earlier::Complete(Counts { records, .. }) => format!(
            "nothing to resume: this load was complete. Only what comes after its {records} records is stored"
        ),
    }
}

fn earlier_of_topic(earlier: &Earlier) -> String {
    match earlier {
        Earlier::Repeated { .. } => {
            "this topic was loaded before, and its progress is given up: it begins as --from \
             says; what is read again becomes the same rows"
                .to_owned()
        }
        Earlier::Nothing => "no earlier load of this topic is known".to_owned(),
        Earlier::Broken(counts) | Earlier::Complete(counts) => {
            format!("continuing after {} records", count_text(counts.records))
        }
    }
}

/// Returns how many records of a topic are still to be read, and of which partition the most.
fn lag_text(lags: &[(u32, u64)]) -> String {
    let sum: u64 = lags.iter().map(|(_, lag)| lag).sum();
    let most = lags.iter().max_by_key(|(_, lag)| lag).filter(|(_, lag)| *lag > 0 && lags.len() > 1);
    let most = most.map(|(partition, lag)| format!(" (partition {partition}: {})", count_text(*lag)));
    format!("lag {}{}", count_text(sum), most.unwrap_or_default())
}

fn name_file(cause: &io::Error) -> io::Error {
    io::Error::new(cause.kind(), format!("{cause}; name another file with --rejects FILE"))
}
