//! Calls to the active master.

use std::pin::pin;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use prost::Message;
use tokio::time::timeout;
use tracing::Instrument;

use super::Admin;
use crate::client::Attempts;
use crate::conn::Call;
use crate::error::Recovery;
use crate::wire::Service;
use crate::{Error, ServerName, proto, span};

impl Admin {
    /// Calls the active master, finding it anew if needed, until the call succeeds or is given up.
    pub(super) async fn call<A: Message + Default>(
        &self,
        method: &'static str,
        request: &impl Message,
    ) -> Result<A, Error> {
        let mut attempts = self.client.attempts();
        let asked = async {
            loop {
                match self.call_once(attempts.call(method), request).await {
                    Ok(answer) => return Ok(answer),
                    Err(error) => attempts.recover(error).await?,
                }
            }
        };
        pin!(asked).instrument(span::admin(method)).await
    }

    async fn call_once<A: Message + Default>(&self, call: Call, request: &impl Message) -> Result<A, Error> {
        let method = call.method;
        let master = self.master().await?;
        let server = master.address();
        let reply = self.client.pool().call(&server, Service::Master, &call, request).await;
        let reply = reply.inspect_err(|error| {
            if !matches!(error.recovery(), Recovery::GiveUp) {
                self.forget(&master);
            }
        })?;
        A::decode(reply.message).map_err(|error| Error::bad_answer(&server, method, error))
    }

    /// The active master. A newly found one is checked with a call.
    ///
    /// # Errors
    ///
    /// [`Error::NoMaster`].
    pub async fn master(&self) -> Result<ServerName, Error> {
        let known = self.client.master().lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(master) = known {
            return Ok(master);
        }
        let begun = Instant::now();
        let mut attempts = self.client.attempts().within(self.master_timeout);
        let master = loop {
            let error = match timeout(attempts.left(), self.find_master(&attempts)).await {
                Ok(Ok(master)) => break master,
                Ok(Err(error)) => error,
                Err(_) => Error::NoCluster { reason: "no server named the active master in time".into() },
            };
            if let Err(error) = attempts.recover(error).await {
                return Err(no_master(begun.elapsed(), error));
            }
        };
        *self.client.master().lock().unwrap_or_else(PoisonError::into_inner) = Some(master.clone());
        Ok(master)
    }

    /// Finds the active master and checks that it answers. A hung master accepts connections but answers no call.
    async fn find_master(&self, attempts: &Attempts<'_>) -> Result<ServerName, Error> {
        let master = self.client.locator().registry().active_master(self.client.pool()).await?;
        let call = attempts.call("IsMasterRunning");
        let request = proto::IsMasterRunningRequest {};
        self.client.pool().call(&master.address(), Service::Master, &call, &request).await?;
        Ok(master)
    }

    /// Parses the items of an answer and sorts them by name.
    pub(super) async fn read_by_name<M, T, E: std::fmt::Display>(
        &self,
        method: &'static str,
        messages: Vec<M>,
        read: impl Fn(M) -> Result<T, E>,
        name: impl Fn(&T) -> &str,
    ) -> Result<Vec<T>, Error> {
        match messages.into_iter().map(read).collect::<Result<Vec<_>, _>>() {
            Ok(mut found) => {
                found.sort_by(|a, b| name(a).cmp(name(b)));
                Ok(found)
            }
            Err(error) => Err(self.bad_answer(method, error).await),
        }
    }

    /// An error for an answer that was received whole but can't be parsed.
    pub(super) async fn bad_answer(&self, method: &'static str, reason: impl std::fmt::Display) -> Error {
        match self.master().await {
            Ok(master) => Error::bad_answer(&master.address(), method, reason),
            Err(error) => error,
        }
    }

    fn forget(&self, master: &ServerName) {
        let mut known = self.client.master().lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref() == Some(master) {
            *known = None;
        }
    }
}

/// `NoMaster`, unless the error already says something more specific.
fn no_master(elapsed: Duration, error: Error) -> Error {
    match error {
        Error::GaveUp { last, .. } => Error::NoMaster { elapsed, last },
        error if error.is_unreachable() => Error::NoMaster { elapsed, last: Box::new(error) },
        error => error,
    }
}
