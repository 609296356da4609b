//! The browser that the tests of a process share.

use std::sync::OnceLock;

use keystride_hbase_harness::skips;

use crate::driver::Driver;
use crate::{BrowserError, Look, Page};

/// A chromedriver that makes pages, several at once if need be.
#[derive(Debug)]
pub struct Browser {
    driver: Driver,
}

impl Browser {
    /// Starts chromedriver, which takes some 30 ms.
    ///
    /// # Errors
    ///
    /// Chromium or chromedriver is missing or does not start.
    pub fn start() -> Result<Self, BrowserError> {
        Ok(Self { driver: Driver::start()? })
    }

    /// An empty page in a Chromium of its own, which takes some 600 ms, and ends when the page is dropped.
    ///
    /// # Errors
    ///
    /// Chromium does not start.
    pub async fn page(&self, look: Look<'_>) -> Result<Page, BrowserError> {
        Page::new(self.driver.wire(), look).await
    }

    /// What chromedriver has printed, for whoever looks for the reason of a failure.
    pub fn log(&self) -> String {
        self.driver.log()
    }
}

/// The browser that all tests of a process share, or `None` and a line on standard error where `KEYSTRIDE_TEST_QUICK` is
/// `1`.
///
/// ```no_run
/// # fn shows_its_tables() {
/// let Some(browser) = keystride_browser_harness::browser_or_skip("shows_its_tables") else { return };
/// # }
/// ```
///
/// # Panics
///
/// It could not be started; the message says why and what would do.
pub fn browser_or_skip(test: &str) -> Option<&'static Browser> {
    // Never dropped, for it is a static: the watchdog ends it with this process.
    static SHARED: OnceLock<Result<Browser, BrowserError>> = OnceLock::new();
    if skips(test, "Chromium") {
        return None;
    }
    match SHARED.get_or_init(Browser::start) {
        Ok(browser) => Some(browser),
        Err(error) => panic!("{test} takes a real Chromium: {error}"),
    }
}
