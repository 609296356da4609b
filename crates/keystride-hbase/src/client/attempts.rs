//! Retries.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use crate::conn::Call;
use crate::error::Recovery;
use crate::metrics::Counters;
use crate::wait::{About, Awaited, WaitGuard, Waits};
use crate::{ClientOptions, Error, Seconds};

/// The attempts of one operation: their number and their time limit.
#[derive(Debug)]
pub(crate) struct Attempts<'a> {
    options: &'a ClientOptions,
    counters: &'a Counters,
    /// Time limit of all attempts together.
    limit: Duration,
    begun: Instant,
    failed: u32,
    lost_an_answer: bool,
    waits: &'a Arc<Waits>,
    about: About,
    /// Set from the first failure on.
    waiting: Option<WaitGuard>,
}

/// HBase's `HConstants.RETRY_BACKOFF`: factors of the pause.
const BACKOFF: [u32; 13] = [1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200];

impl<'a> Attempts<'a> {
    pub(crate) fn new(options: &'a ClientOptions, counters: &'a Counters, waits: &'a Arc<Waits>) -> Self {
        let (begun, about) = (Instant::now(), About::Cluster);
        let limit = options.operation_timeout;
        Self {
            options,
            counters,
            limit,
            begun,
            failed: 0,
            lost_an_answer: false,
            waits,
            about,
            waiting: None,
        }
    }

    pub(crate) fn within(self, limit: Duration) -> Self {
        Self { limit: limit.min(self.limit), ..self }
    }

    /// The next call, to a method.
    pub(crate) fn call(&self, method: &'static str) -> Call {
        Call { attempt: self.failed + 1, ..Call::new(method, self.call_timeout()) }
    }

    /// Sets what the operation is about, for [`Client::waits`](crate::Client::waits).
    pub(crate) fn is_about(&mut self, about: About) {
        self.about = about;
    }

    pub(crate) fn call_timeout(&self) -> Duration {
        self.left().min(self.options.rpc_timeout).max(Duration::from_millis(1))
    }

    pub(crate) fn left(&self) -> Duration {
        self.limit.saturating_sub(self.begun.elapsed())
    }

    /// Resets the number of attempts and the time, because the operation made progress.
    pub(crate) fn progress(&mut self) {
        self.progress_but(0);
    }

    /// Resets the time, and sets the number of failed attempts.
    pub(crate) fn progress_but(&mut self, failed: u32) {
        *self = Self { failed, limit: self.limit, ..Self::new(self.options, self.counters, self.waits) };
    }

    /// Whether an attempt may have taken effect although its answer was lost.
    pub(crate) fn lost_an_answer(&self) -> bool {
        self.lost_an_answer
    }

    /// Regions of a disabled table are nowhere: after two failures it is worth asking for the table's state.
    pub(crate) fn should_ask_for_state(&self, error: &Error) -> bool {
        self.failed >= 2 && self.failed % 4 == 2 && matches!(error.recovery(), Recovery::Relocate { .. })
    }

    /// Ends a lookup, which may wait for others, at the time limit.
    pub(crate) async fn in_time<T>(
        &self,
        lookup: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        match timeout(self.left(), lookup).await {
            Ok(outcome) => outcome,
            Err(_) => {
                Err(self.gave_up(Error::NoCluster { reason: "hbase:meta was not read in time".into() }))
            }
        }
    }

    fn gave_up(&self, last: Error) -> Error {
        Error::GaveUp { attempts: self.failed.max(1), elapsed: self.begun.elapsed(), last: Box::new(last) }
    }

    /// Pauses before the next attempt.
    ///
    /// # Errors
    ///
    /// The error itself if retrying does not help; [`Error::GaveUp`] if there were too many attempts, or too little
    /// time is left.
    pub(crate) async fn recover(&mut self, error: Error) -> Result<(), Error> {
        let Some(pause) = self.pause_after(&error.recovery()) else { return Err(error) };
        self.failed += 1;
        self.lost_an_answer |= error.is_lost_answer();
        if self.failed >= self.options.max_attempts || pause > self.left() {
            return Err(self.gave_up(error));
        }
        tracing::info!(%error, attempt = self.failed, pause = %Seconds(pause), "trying again");
        let awaited = Awaited::Attempt { last: Box::new(error) };
        let begun = self.begun.into_std();
        self.waiting = Some(self.waits.begin(awaited, self.about.clone(), self.failed + 1, begun));
        self.counters.retried();
        sleep(pause).await;
        Ok(())
    }

    /// `None` if retrying does not help.
    fn pause_after(&self, recovery: &Recovery) -> Option<Duration> {
        match recovery {
            Recovery::GiveUp | Recovery::Halve => None,
            Recovery::AtOnce | Recovery::ReopenScanner | Recovery::Relocate { to: Some(_) }
                if self.failed < 3 =>
            {
                Some(Duration::ZERO)
            }
            Recovery::WaitFor(pause) => Some(*pause),
            Recovery::WaitLonger => Some(self.grown(self.options.pause_overloaded)),
            _ => Some(self.grown(self.options.pause)),
        }
    }

    fn grown(&self, pause: Duration) -> Duration {
        let times = BACKOFF[(self.failed as usize).min(BACKOFF.len() - 1)];
        (pause * times).mul_f64(1.0 + fastrand::f64() * 0.01)
    }
}
