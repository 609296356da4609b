//! Procedures of the master: nonces, and waiting for the result.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::Admin;
use crate::proto::get_procedure_result_response::State;
use crate::wait::{About, Awaited, WaitGuard};
use crate::{Error, TableName, proto};

/// Identifies a change, so that the master makes it once even if it is requested several times.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nonce {
    pub(super) group: Option<u64>,
    pub(super) nonce: Option<u64>,
}

/// Polls for the end of a long operation, with growing pauses.
#[derive(Debug)]
pub(super) struct Polling {
    begun: Instant,
    count: u32,
    pause: Duration,
    _waiting: WaitGuard,
}

const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

impl Admin {
    pub(super) fn nonce(&self) -> Nonce {
        Nonce { group: Some(self.client.nonce_group()), nonce: Some(fastrand::u64(1..)) }
    }

    /// Waits until a change is complete, without a time limit. Dropping the future does not stop the change.
    ///
    /// The master forgets a procedure's result after reporting it once, even if the answer was lost. Then `is_done`
    /// checks the cluster instead.
    pub(super) async fn finish(
        &self,
        what: &'static str,
        procedure: Option<u64>,
        is_done: impl Future<Output = Result<bool, Error>>,
    ) -> Result<(), Error> {
        // Masters without procedures complete the change before they answer.
        let Some(proc_id) = procedure else { return Ok(()) };
        let request = proto::GetProcedureResultRequest { proc_id };
        let mut polling = Polling::begin(self, what, None);
        loop {
            let answer: proto::GetProcedureResultResponse = self.call("getProcedureResult", &request).await?;
            match answer.state() {
                State::Running => polling.pause().await,
                State::Finished => return outcome(what, answer.exception),
                State::NotFound if is_done.await? => return Ok(()),
                State::NotFound => return Err(Error::ProcedureLost { what }),
            }
        }
    }
}

impl Polling {
    pub(super) fn begin(admin: &Admin, what: &'static str, table: Option<&TableName>) -> Self {
        let begun = Instant::now();
        let about = table.map_or(About::Cluster, |table| About::Table(table.clone()));
        let waits = admin.client.pool().waits();
        let waiting = waits.begin(Awaited::Change { what }, about, 1, begun.into_std());
        Self { begun, count: 0, pause: FIRST_PAUSE, _waiting: waiting }
    }

    pub(super) fn is_first(&self) -> bool {
        self.count == 0
    }

    pub(super) fn has_lasted(&self, limit: Duration) -> bool {
        self.begun.elapsed() >= limit
    }

    pub(super) async fn pause(&mut self) {
        self.count += 1;
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }

    /// Pauses, or fails with `seen` once `limit` has elapsed in total.
    pub(super) async fn pause_within(&mut self, limit: Duration, seen: Error) -> Result<(), Error> {
        let elapsed = self.begun.elapsed();
        if elapsed >= limit {
            return Err(Error::GaveUp { attempts: self.count + 1, elapsed, last: Box::new(seen) });
        }
        self.pause().await;
        Ok(())
    }
}

/// `Ok` if the procedure succeeded; a failed one counts as finished too.
pub(super) fn outcome(
    what: &'static str,
    exception: Option<proto::ForeignExceptionMessage>,
) -> Result<(), Error> {
    let Some(exception) = exception else { return Ok(()) };
    let cause = exception.generic_exception.unwrap_or_default();
    Err(Error::Procedure { what, class: cause.class_name().into(), message: cause.message().into() })
}
