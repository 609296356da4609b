//! The process that drives browsers.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use keystride_hbase_harness::{Tool, Watchdog};

use crate::BrowserError;
use crate::wire::Wire;

const NAME: &str = "chromedriver";
const START_WITHIN: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A chromedriver on a port that it chose; it and its browsers end when this is dropped, and with this process.
#[derive(Debug)]
pub(crate) struct Driver {
    watchdog: Watchdog,
    wire: Wire,
}

impl Driver {
    pub(crate) fn start() -> Result<Self, BrowserError> {
        Tool::Chromium.find()?;
        Tool::Chromedriver.find()?;
        let watchdog = Watchdog::start("browser")?;
        watchdog.start_process(NAME, &command(&watchdog))?;
        let port = wait_for_port(&watchdog)?;
        Ok(Self { watchdog, wire: Wire::new(port) })
    }

    pub(crate) fn wire(&self) -> Wire {
        self.wire
    }

    /// What it has printed.
    pub(crate) fn log(&self) -> String {
        log(&self.watchdog)
    }
}

/// Profiles, caches and reports of crashes go into the watchdog's folder.
fn command(watchdog: &Watchdog) -> Vec<String> {
    let folder = watchdog.tmp().display().to_string();
    let (home, temporary) = (format!("HOME={folder}"), format!("TMPDIR={folder}"));
    let words = ["env", "-u", "XDG_CONFIG_HOME", "-u", "XDG_CACHE_HOME", &home, &temporary];
    let words = words.into_iter().chain([Tool::Chromedriver.program(), "--port=0"]);
    words.map(str::to_owned).collect()
}

fn wait_for_port(watchdog: &Watchdog) -> Result<u16, BrowserError> {
    let started = Instant::now();
    loop {
        // Asked first: all that a dead process had to say is in its log.
        let alive = watchdog.is_alive(NAME)?;
        let log = log(watchdog);
        if let Some(port) = port_in(&log) {
            return Ok(port);
        }
        if !alive || started.elapsed() > START_WITHIN {
            return Err(BrowserError::NotStarted { waited_s: started.elapsed().as_secs(), log });
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// A log that is not there yet says nothing.
fn log(watchdog: &Watchdog) -> String {
    fs::read_to_string(watchdog.log(NAME)).unwrap_or_default()
}

fn port_in(log: &str) -> Option<u16> {
    let (_, after) = log.split_once("started successfully on port ")?;
    after.split_once('.')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_known_once_its_line_is_whole() {
        assert_eq!(port_in("Starting ChromeDriver 156.0 on port 0\n"), None);
        assert_eq!(port_in("Starting\nChromeDriver was started successfully on port 346"), None);
        assert_eq!(port_in("Starting\nChromeDriver was started successfully on port 34649.\n"), Some(34649));
    }
}
