//! Calls that wait for their answers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::wire::Reply;
use crate::{Error, HostPort};

/// The calls under way on one connection. Each is completed once: by its answer, by the connection's end, or not at
/// all when nobody waits for it any more.
#[derive(Debug)]
pub(super) struct Pending {
    server: HostPort,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next_id: u32,
    calls: HashMap<u32, Waiting>,
    /// How many answers came.
    answers: u64,
    /// Why there can be no more calls.
    closed: Option<Error>,
}

type Waiting = oneshot::Sender<Result<Reply, Error>>;

/// A call that was entered. Dropped, its answer is no longer waited for.
#[derive(Debug)]
pub(super) struct Ticket {
    pub(super) id: u32,
    pub(super) answer: oneshot::Receiver<Result<Reply, Error>>,
    pending: Arc<Pending>,
}

impl Pending {
    pub(super) fn new(server: HostPort) -> Arc<Self> {
        Arc::new(Self { server, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a call; `None` when the connection has ended.
    pub(super) fn enter(self: &Arc<Self>) -> Option<Ticket> {
        let (sender, answer) = oneshot::channel();
        let mut state = self.state();
        if state.closed.is_some() {
            return None;
        }
        // Ids from 2^31 on are the server's own.
        let id = state.next_id & 0x7fff_ffff;
        state.next_id = id + 1;
        state.calls.insert(id, sender);
        drop(state);
        Some(Ticket { id, answer, pending: Arc::clone(self) })
    }

    /// Gives an answer to the call of that id. Nobody waits for it after a timeout.
    pub(super) fn complete(&self, id: u32, outcome: Result<Reply, Error>) {
        let waiting = {
            let mut state = self.state();
            state.answers += 1;
            state.calls.remove(&id)
        };
        if let Some(waiting) = waiting {
            // The one who waited may have gone meanwhile.
            let _ = waiting.send(outcome);
        }
    }

    /// Ends all calls, and lets in no more. Only the first reason counts.
    pub(super) fn close(&self, reason: impl Into<String>) {
        self.close_with(Error::ConnectionLost { server: self.server.clone(), reason: reason.into() });
    }

    /// The same with the error that all calls get.
    pub(super) fn close_with(&self, error: Error) {
        let mut state = self.state();
        let error = state.closed.get_or_insert(error).clone();
        let calls = std::mem::take(&mut state.calls);
        drop(state);
        for waiting in calls.into_values() {
            let _ = waiting.send(Err(error.clone()));
        }
    }

    /// The same where the stream broke: servers close it without a word for what they can't say otherwise.
    pub(super) fn lose(&self, reason: impl Into<String>) {
        let mut reason = reason.into();
        if self.answers() == 0 {
            reason += " before its first answer; servers do so for a service, a cell codec or a compression that they \
                       do not know, and where they want TLS or Kerberos";
        }
        self.close(reason);
    }

    /// Ends the connection if nobody waits for an answer.
    pub(super) fn close_if_idle(&self) -> bool {
        let mut state = self.state();
        if !state.calls.is_empty() {
            return false;
        }
        let reason = "it was idle".into();
        state.closed.get_or_insert(Error::ConnectionLost { server: self.server.clone(), reason });
        true
    }

    /// How many answers came so far.
    pub(super) fn answers(&self) -> u64 {
        self.state().answers
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state().closed.is_some()
    }

    pub(super) fn server(&self) -> &HostPort {
        &self.server
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pending.state().calls.remove(&self.id);
    }
}
