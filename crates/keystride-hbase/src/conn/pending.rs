//! Calls that wait for their answers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::wire::Reply;
use crate::{Error, HostPort};

/// The calls in progress on one connection. Each is completed once: by its answer or by the connection's end. A call
/// whose caller has gone is never completed.
#[derive(Debug)]
pub(super) struct Pending {
    server: HostPort,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next_id: u32,
    calls: HashMap<u32, AnswerSender>,
    /// Number of answers received.
    answers: u64,
    /// Set once the connection has ended.
    closed: Option<Error>,
}

type AnswerSender = oneshot::Sender<Result<Reply, Error>>;

/// A registered call. Dropping it removes the call.
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

    /// Registers a call. `None` if the connection has ended.
    pub(super) fn enter(self: &Arc<Self>) -> Option<Ticket> {
        let (sender, answer) = oneshot::channel();
        let mut state = self.state();
        if state.closed.is_some() {
            return None;
        }
        // Servers use ids from 2^31 on themselves.
        let id = state.next_id & 0x7fff_ffff;
        state.next_id = id + 1;
        state.calls.insert(id, sender);
        drop(state);
        Some(Ticket { id, answer, pending: Arc::clone(self) })
    }

    /// Completes the call with that id. After a timeout there is none.
    pub(super) fn complete(&self, id: u32, outcome: Result<Reply, Error>) {
        let waiting = {
            let mut state = self.state();
            state.answers += 1;
            state.calls.remove(&id)
        };
        if let Some(waiting) = waiting {
            // The caller may have gone meanwhile.
            let _ = waiting.send(outcome);
        }
    }

    /// Fails all calls and accepts no more. Only the first reason counts.
    pub(super) fn close(&self, reason: impl Into<String>) {
        self.close_with(Error::ConnectionLost { server: self.server.clone(), reason: reason.into() });
    }

    /// Like [`Self::close`], with the error that all calls get.
    pub(super) fn close_with(&self, error: Error) {
        let mut state = self.state();
        let error = state.closed.get_or_insert(error).clone();
        let calls = std::mem::take(&mut state.calls);
        drop(state);
        for waiting in calls.into_values() {
            let _ = waiting.send(Err(error.clone()));
        }
    }

    /// Like [`Self::close`], for a broken stream. Servers close a connection silently if they refuse it for a reason
    /// that they can't send.
    pub(super) fn lose(&self, reason: impl Into<String>) {
        let mut reason = reason.into();
        if self.answers() == 0 {
            reason += " before its first answer; servers do so for an unknown service, cell codec or compression, and if \
                       they require TLS or Kerberos";
        }
        self.close(reason);
    }

    pub(super) fn close_if_idle(&self) -> bool {
        let mut state = self.state();
        if !state.calls.is_empty() {
            return false;
        }
        let reason = "it was idle".into();
        state.closed.get_or_insert(Error::ConnectionLost { server: self.server.clone(), reason });
        true
    }

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
