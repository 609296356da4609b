//! What can go wrong with a browser and its pages.

use std::io;
use std::path::PathBuf;

use keystride_hbase_harness::HarnessError;
use thiserror::Error;

/// Why there is no browser, or why a page did not do what it was told.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// A program is missing, or what is brought by Maven.
    #[error(transparent)]
    Harness(#[from] HarnessError),
    /// Chromedriver did not say on which port it listens.
    #[error("chromedriver did not start within {waited_s} s; it printed:\n{log}")]
    NotStarted {
        /// How long it was waited for.
        waited_s: u64,
        /// What it printed.
        log: String,
    },
    /// The connection to chromedriver failed.
    #[error("chromedriver can't be reached: {source}")]
    Connection {
        /// What the system said.
        #[from]
        source: io::Error,
    },
    /// Chromedriver did not answer as the `WebDriver` protocol says.
    #[error("chromedriver's answer to {asked} is not that of a WebDriver: {answer}")]
    Answer {
        /// The path that was asked.
        asked: String,
        /// What it answered.
        answer: String,
    },
    /// Chromedriver or the page refused a command.
    #[error("{asked}: {code}: {message}")]
    Refused {
        /// The last word of the command's path, such as `url` or `click`.
        asked: String,
        /// `WebDriver`'s word for it, such as `javascript error`.
        code: String,
        /// What chromedriver says about it.
        message: String,
    },
    /// The page was not as it had to be, and did not become so in time.
    #[error("{wanted}: {problem}, {waited_s} s long; {url} shows:\n{text}{}", at(.screenshot.as_ref()))]
    Unmet {
        /// What was to be done or seen.
        wanted: String,
        /// What was in the way at last.
        problem: String,
        /// How long it was waited for.
        waited_s: f32,
        /// The page's address.
        url: String,
        /// The page's text, cut.
        text: String,
        /// A picture of the page, where one could be taken.
        screenshot: Option<PathBuf>,
    },
    /// What names no key.
    #[error(
        "{found:?} is not a key; press one character, or {known}, each after Alt+, Control+, Meta+ or Shift+ if need be"
    )]
    NoKey {
        /// The text.
        found: String,
        /// The keys that have names.
        known: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl BrowserError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}

fn at(screenshot: Option<&PathBuf>) -> String {
    screenshot.map(|path| format!("\nit looks so: {}", path.display())).unwrap_or_default()
}
