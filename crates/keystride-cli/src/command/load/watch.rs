//! Shows what a load does.

use std::io;
use std::path::PathBuf;

use keystride_app::load::{FailedLoad, LoadHandle};
use keystride_table::load::{
    Counts, Earlier, LoadError, LoadId, LoadObserver, Phase, Proceed, Progress, Rejected, StoredReads,
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
}

/// The number of rejected rows that are printed if they are not kept in a file.
const TOLD: usize = 10;

impl Watch {
    pub(super) fn new(global: &Global, title: &str, handle: LoadHandle) -> Self {
        let line = ProgressLine::new(global, "load", title);
        Self { global: global.clone(), line, handle, rejects: None, reasons: Reasons::default() }
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
        let heat = self.handle.progress().last_window;
        let hot = heat.map(|heat| format!("hot {:.2}×", heat.hot));
        let chance = heat.map(|heat| format!("(chance {:.2}×)", heat.chance));
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
}

impl LoadObserver for Watch {
    fn earlier(&mut self, earlier: &Earlier) {
        say(&self.global, &earlier_text(earlier));
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

/// Returns the failure of a load, with what is already stored if the load had begun. A load without an id can't be
/// resumed.
pub(super) fn broken(failed: FailedLoad, id: Option<LoadId>) -> Failure {
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
        | LoadError::ReaderLost) => Failure::BrokenLoad { cause: Box::new(error.into()), id, records, rows },
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

fn name_file(cause: &io::Error) -> io::Error {
    io::Error::new(cause.kind(), format!("{cause}; name another file with --rejects FILE"))
}
