//! Opening a scanner at the replica of a region that answers first.

use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::timeout;
use tracing::Instrument;

use super::driver::{Driver, ask, close};
use super::machine::close_request_of;
use crate::conn::Call;
use crate::error::Recovery;
use crate::region::Located;
use crate::wire::Reply;
use crate::{Client, Error, proto};

/// The result of asking one replica.
struct OpenAnswer {
    is_primary: bool,
    outcome: Result<OpenedScanner, Error>,
}

/// An opened scanner. It is closed when it is dropped.
struct OpenedScanner {
    client: Client,
    at: Arc<Located>,
    reply: Option<Reply>,
}

impl Driver {
    /// Opens a scanner at the primary, and asks the other replicas too if it does not answer within
    /// [`ClientOptions::primary_scan_timeout`](crate::ClientOptions::primary_scan_timeout) or its server is gone.
    pub(super) async fn open_any(
        &self,
        region: &Arc<Located>,
        call: Call,
    ) -> Result<(Arc<Located>, Reply), Error> {
        let limit = call.timeout;
        let patience = self.client.options().primary_scan_timeout;
        let (out, mut answers) = unbounded_channel();
        self.spawn_open(Arc::clone(region), call.clone(), &out);
        let mut failed = match timeout(patience, answers.recv()).await {
            Ok(Some(OpenAnswer { outcome: Ok(opened), .. })) => return opened.take(),
            // The region moved: looking it up is quick, and better than reading from a replica that may be stale.
            Ok(Some(OpenAnswer { outcome: Err(error), .. })) if error.recovery() != Recovery::Reconnect => {
                return Err(error);
            }
            Ok(answer) => answer.and_then(|answer| answer.outcome.err()),
            Err(_) => None,
        };
        let left = limit.saturating_sub(patience).max(Duration::from_millis(1));
        let call = Call { timeout: left, ..call };
        region.open_replicas().for_each(|replica| self.spawn_open(Arc::new(replica), call.clone(), &out));
        // Each task has a sender of its own: the channel ends when all have answered.
        drop(out);
        loop {
            // Once the primary has failed, its replicas have the same time again.
            let wait = if failed.is_some() { patience } else { Duration::MAX };
            let Ok(Some(answer)) = timeout(wait, answers.recv()).await else { break };
            match answer.outcome {
                Ok(opened) => return opened.take(),
                Err(error) if answer.is_primary => failed = Some(error),
                Err(error) => tracing::debug!(%error, "a replica did not answer"),
            }
        }
        Err(failed.unwrap_or(Error::Closed))
    }

    /// Opens a scanner in a separate task.
    fn spawn_open(&self, at: Arc<Located>, call: Call, out: &UnboundedSender<OpenAnswer>) {
        let (client, out) = (self.client.clone(), out.clone());
        let request = self.machine.open_request(&at.region);
        let opening = async move {
            let outcome = ask(&client, &at, &request, call).await;
            let outcome = outcome.inspect_err(|error| client.locator().learn(&at, &error.recovery()));
            let is_primary = at.region.replica == 0;
            let outcome = outcome.map(|reply| OpenedScanner { client, at, reply: Some(reply) });
            // If nobody is waiting any more, dropping the scanner closes it.
            let _ = out.send(OpenAnswer { is_primary, outcome });
        };
        tokio::spawn(opening.in_current_span());
    }
}

impl OpenedScanner {
    fn take(mut self) -> Result<(Arc<Located>, Reply), Error> {
        let reply = self.reply.take().ok_or(Error::Closed)?;
        Ok((Arc::clone(&self.at), reply))
    }
}

impl Drop for OpenedScanner {
    fn drop(&mut self) {
        let Some(reply) = self.reply.take() else { return };
        let scanner = proto::ScanResponse::decode(reply.message).ok().and_then(|answer| answer.scanner_id);
        // Without a runtime the scanner is closed when its lease expires.
        if let (Some(id), Ok(_)) = (scanner, Handle::try_current()) {
            close(&self.client, Arc::clone(&self.at), close_request_of(id));
        }
    }
}
