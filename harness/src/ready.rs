//! Waiting for servers: what their logs say, looked at again and again until a deadline.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::HarnessError;
use crate::watchdog::Watchdog;

const MASTER_READY: &str = "Master has completed initialization";
const MASTER_IN_RESERVE: &str = "Another master is the active master";
const REGION_SERVER_READY: &str = ": Serving as ";

const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The line in which a master says that it has assigned the system's tables; it begins with the time.
pub(crate) fn master_line(log: &str) -> Option<&str> {
    log.lines().find(|line| line.contains(MASTER_READY))
}

/// A master that works, or one that waits for the other to fail.
pub(crate) fn master_is_up(log: &str) -> bool {
    log.contains(MASTER_READY) || log.contains(MASTER_IN_RESERVE)
}

/// Region servers that the master has taken in.
pub(crate) fn region_servers_up(log: &str) -> usize {
    log.matches(REGION_SERVER_READY).count()
}

/// A wait for servers to be ready.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wait<'a> {
    pub(crate) watchdog: &'a Watchdog,
    pub(crate) within: Duration,
}

impl Wait<'_> {
    /// Returns what `find` does as soon as it finds anything; an error when one of the servers ends before.
    pub(crate) fn until<T>(
        self,
        servers: &[&str],
        mut find: impl FnMut() -> Result<Option<T>, HarnessError>,
    ) -> Result<T, HarnessError> {
        let started = Instant::now();
        loop {
            if let Some(found) = find()? {
                return Ok(found);
            }
            for server in servers {
                self.demand_life(server)?;
            }
            if started.elapsed() > self.within {
                return Err(self.too_late(servers));
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Returns when the process of a server that was told to stop is gone.
    pub(crate) fn until_gone(self, server: &str) -> Result<(), HarnessError> {
        let started = Instant::now();
        while self.watchdog.is_alive(server)? {
            if started.elapsed() > self.within {
                let (server, log_tail) = (server.to_owned(), tail(&read(&self.watchdog.log(server))));
                return Err(HarnessError::StillRuns { server, waited_s: self.within.as_secs(), log_tail });
            }
            thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    fn demand_life(self, server: &str) -> Result<(), HarnessError> {
        // Asked first: all that a dead server had to say is in its log.
        let alive = self.watchdog.is_alive(server)?;
        let log = read(&self.watchdog.log(server));
        if alive && !log.contains("ABORTING") {
            return Ok(());
        }
        let (server, log_tail) = (server.to_owned(), tail(&log));
        let taken = ["Address already in use", "Could not start ZK at requested port"];
        if taken.iter().any(|words| log.contains(words)) {
            Err(HarnessError::PortTaken { server, log_tail })
        } else {
            Err(HarnessError::Ended { server, log_tail })
        }
    }

    fn too_late(self, servers: &[&str]) -> HarnessError {
        let tails = servers.iter().map(|server| tail(&read(&self.watchdog.log(server))));
        HarnessError::NotReady {
            servers: servers.join(", "),
            waited_s: self.within.as_secs(),
            log_tail: tails.collect::<Vec<_>>().join("\n...\n"),
        }
    }
}

/// A log that is not there yet says nothing; a line may be cut in the middle of a letter.
pub(crate) fn read(log: &Path) -> String {
    fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn tail(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}
