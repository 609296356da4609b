//! Changes that take a while.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::Admin;
use crate::proto::get_procedure_result_response::State;
use crate::wait::{About, Awaited, Waiting};
use crate::{Error, TableName, proto};

/// What a change is named by, so that it is made once however often it is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nonce {
    pub(super) group: Option<u64>,
    pub(super) nonce: Option<u64>,
}

/// Looking again and again at what takes a while, less and less often.
#[derive(Debug)]
pub(super) struct Looks {
    begun: Instant,
    count: u32,
    pause: Duration,
    _waiting: Waiting,
}

const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

impl Admin {
    pub(super) fn nonce(&self) -> Nonce {
        Nonce { group: Some(self.client.nonce_group()), nonce: Some(fastrand::u64(1..)) }
    }

    /// Waits until a change is made. It takes as long as it takes; whoever has enough drops the future, and the change
    /// goes on.
    ///
    /// The master forgets how a change ended: once it has said so, even if nobody heard it. Then `is_done` looks.
    pub(super) async fn finish(
        &self,
        what: &'static str,
        procedure: Option<u64>,
        is_done: impl Future<Output = Result<bool, Error>>,
    ) -> Result<(), Error> {
        // Servers without procedures did it at once.
        let Some(proc_id) = procedure else { return Ok(()) };
        let request = proto::GetProcedureResultRequest { proc_id };
        let mut looks = Looks::begin(self, what, None);
        loop {
            let answer: proto::GetProcedureResultResponse = self.call("getProcedureResult", &request).await?;
            match answer.state() {
                State::Running => looks.pause().await,
                State::Finished => return outcome(what, answer.exception),
                State::NotFound if is_done.await? => return Ok(()),
                State::NotFound => return Err(Error::ProcedureLost { what }),
            }
        }
    }
}

impl Looks {
    /// Begins to look at a change of that kind.
    pub(super) fn begin(admin: &Admin, what: &'static str, table: Option<&TableName>) -> Self {
        let begun = Instant::now();
        let about = table.map_or(About::Cluster, |table| About::Table(table.clone()));
        let waits = admin.client.pool().waits();
        let waiting = waits.begin(Awaited::Change { what }, about, 1, begun.into_std());
        Self { begun, count: 0, pause: FIRST_PAUSE, _waiting: waiting }
    }

    /// Whether nothing was waited for yet.
    pub(super) fn is_first(&self) -> bool {
        self.count == 0
    }

    pub(super) fn have_lasted(&self, limit: Duration) -> bool {
        self.begun.elapsed() >= limit
    }

    pub(super) async fn pause(&mut self) {
        self.count += 1;
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }

    /// Pauses, for as long as `limit` in all.
    pub(super) async fn pause_within(&mut self, limit: Duration, seen: Error) -> Result<(), Error> {
        let elapsed = self.begun.elapsed();
        if elapsed >= limit {
            return Err(Error::GaveUp { attempts: self.count + 1, elapsed, last: Box::new(seen) });
        }
        self.pause().await;
        Ok(())
    }
}

/// A procedure that failed has finished too.
pub(super) fn outcome(
    what: &'static str,
    exception: Option<proto::ForeignExceptionMessage>,
) -> Result<(), Error> {
    let Some(exception) = exception else { return Ok(()) };
    let cause = exception.generic_exception.unwrap_or_default();
    Err(Error::Procedure { what, class: cause.class_name().into(), message: cause.message().into() })
}
