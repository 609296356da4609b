//! The time source of a store, which is replaceable so that tests can control the time.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A source of the current time, used for cells written without a timestamp and to expire cells by time to live.
pub trait Clock: fmt::Debug + Send + Sync {
    /// Returns the current time in milliseconds since 1970.
    fn now_ms(&self) -> i64;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// A clock that does not advance until it is set. Clones show the same time.
///
/// ```
/// # use keystride_store::{Clock, ManualClock};
/// let clock = ManualClock::at(1_000);
/// let same = clock.clone();
/// clock.set(2_000);
/// assert_eq!(same.now_ms(), 2_000);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// Creates a clock that shows `now_ms`.
    pub fn at(now_ms: i64) -> Self {
        Self(Arc::new(AtomicI64::new(now_ms)))
    }

    /// Sets the clock to `now_ms`.
    pub fn set(&self, now_ms: i64) {
        self.0.store(now_ms, Ordering::SeqCst);
    }
}

impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        // A system clock set before 1970 is taken as 1970, because HBase rejects negative timestamps.
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX - 1)
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_the_machine_tells_milliseconds_since_1970() {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let now_ms = u64::try_from(SystemClock.now_ms()).unwrap();
        assert!(now_ms.abs_diff(seconds * 1_000) < 600_000, "{now_ms} is not near {seconds} seconds");
    }
}
