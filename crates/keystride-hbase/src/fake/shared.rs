//! State shared by the connections of a cluster.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::{Answer, Exception, Fault, Incoming, State};
use crate::ServerName;

#[derive(Debug)]
pub(super) struct Shared {
    state: Mutex<State>,
    pub(super) calls: watch::Sender<usize>,
    pub(super) connections: watch::Sender<usize>,
}

/// Counts one open connection until it is dropped.
#[derive(Debug)]
pub(super) struct Connected(Arc<Shared>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.connections.send_modify(|count| *count -= 1);
    }
}

impl Shared {
    pub(super) fn new(state: State) -> Self {
        let (calls, connections) = (watch::Sender::new(0), watch::Sender::new(0));
        Self { state: Mutex::new(state), calls, connections }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn connect(self: &Arc<Self>) -> Connected {
        self.connections.send_modify(|count| *count += 1);
        Connected(Arc::clone(self))
    }

    /// Executes a call at a server. `None` if the server has stopped.
    pub(super) fn take(
        &self,
        server: usize,
        name: &ServerName,
        service: &str,
        request: &Incoming,
    ) -> Option<(Result<Answer, Exception>, Option<Fault>)> {
        let mut state = self.state();
        if state.servers[server] != *name || !state.up[server] {
            return None;
        }
        let taken = state.take(server, service, request);
        self.calls.send_replace(state.seen.len());
        Some(taken)
    }
}
