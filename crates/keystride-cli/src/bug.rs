//! Reports of panics: a line for the user, and a file for whoever mends it.

use std::backtrace::Backtrace;
use std::env;
use std::io::Write as _;
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use keystride_table::input::is_guarded;

/// What the last panic said, and its report.
static LAST: Mutex<Option<Bug>> = Mutex::new(None);

/// A panic that was noted.
#[derive(Debug)]
pub(crate) struct Bug {
    /// Its message and its place, in one line.
    pub(crate) summary: String,
    report: String,
}

/// Notes panics instead of printing them.
pub(crate) fn note_panics() {
    panic::set_hook(Box::new(|info| {
        if !is_guarded() {
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Bug::of(info));
        }
    }));
}

/// Takes the last panic.
pub(crate) fn last() -> Option<Bug> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl Bug {
    fn of(info: &PanicHookInfo<'_>) -> Self {
        let message = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map_or_else(String::new, |place| format!(" at {place}"));
        let summary = format!("{message}{place}");
        let words: Vec<_> = env::args_os().map(|word| format!("{:?}", word.to_string_lossy())).collect();
        let report = format!(
            "keystride {} on {} {}\n{}\n\n{summary}\n\n{}\n",
            env!("CARGO_PKG_VERSION"),
            env::consts::OS,
            env::consts::ARCH,
            words.join(" "),
            Backtrace::force_capture()
        );
        Self { summary, report }
    }

    /// Writes the report to a new file in the folder for temporary files; `None` if that does not work.
    pub(crate) fn write(&self) -> Option<PathBuf> {
        self.write_in(&env::temp_dir())
    }

    fn write_in(&self, folder: &Path) -> Option<PathBuf> {
        let mut file =
            tempfile::Builder::new().prefix("keystride-bug-").suffix(".txt").tempfile_in(folder).ok()?;
        file.write_all(self.report.as_bytes()).ok()?;
        let (_, path) = file.keep().ok()?;
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_noted_with_its_place() {
        let before = panic::take_hook();
        note_panics();
        let panicked = panic::catch_unwind(|| panic!("nobody thought of this"));
        panic::set_hook(before);
        assert!(panicked.is_err());
        let bug = last().unwrap();
        assert!(
            bug.summary.starts_with(&format!("nobody thought of this at {}:", file!())),
            "{}",
            bug.summary
        );
        assert!(bug.report.contains("a_panic_is_noted_with_its_place"), "{}", bug.report);
    }

    #[test]
    fn a_report_is_a_new_file() {
        let bug = Bug { summary: String::new(), report: "what happened".to_owned() };
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = [(); 2].map(|()| bug.write_in(folder.path()).unwrap());
        assert_ne!(first, second);
        assert_eq!([first, second].map(|path| std::fs::read_to_string(path).unwrap()), ["what happened"; 2]);
        assert_eq!(bug.write_in(&folder.path().join("missing")), None);
    }
}
