//! Opening a scanner at whichever copy of a region answers first.

use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument;

use super::driver::{Driver, ask, close};
use super::machine::request_to_close;
use crate::region::Located;
use crate::wire::Reply;
use crate::{Client, Error, proto};

/// What came of asking one copy.
type Opened = (Arc<Located>, Result<Reply, Error>);

impl Driver {
    /// Opens a scanner at the region; when that has not answered within
    /// [`ClientOptions::primary_scan_timeout`](crate::ClientOptions::primary_scan_timeout), at its copies too. Those that answer
    /// too late are ended.
    pub(super) async fn open_any(
        &self,
        region: &Arc<Located>,
        limit: Duration,
    ) -> Result<(Arc<Located>, Reply), Error> {
        let patience = Instant::now() + self.client.options().primary_scan_timeout;
        let (out, mut answers) = unbounded_channel();
        let open = |copy: Arc<Located>| {
            let request = self.machine.open_request(&copy.region);
            let opening = open_one(self.client.clone(), copy, request, limit, out.clone());
            tokio::spawn(opening.in_current_span());
        };
        open(Arc::clone(region));
        let first = timeout_at(patience, answers.recv()).await;
        let mut failed = None;
        if let Ok(Some((at, answer))) = first {
            match answer {
                Ok(reply) => return Ok((at, reply)),
                Err(error) => failed = Some(error),
            }
        }
        region.copies().for_each(|copy| open(Arc::new(copy)));
        // Each opening has a sender of its own: when all have answered, no more comes.
        drop(out);
        while let Some((at, answer)) = answers.recv().await {
            match answer {
                Ok(reply) => {
                    answers.close();
                    while let Ok((late, answer)) = answers.try_recv() {
                        end(&self.client, late, answer);
                    }
                    return Ok((at, reply));
                }
                Err(error) if at.region == region.region => failed = Some(error),
                Err(error) => {
                    self.client.locator().learn(&at, &error.recovery());
                    tracing::debug!(%error, "a copy did not answer");
                }
            }
        }
        Err(failed.unwrap_or(Error::Closed))
    }
}

async fn open_one(
    client: Client,
    copy: Arc<Located>,
    request: proto::ScanRequest,
    limit: Duration,
    out: UnboundedSender<Opened>,
) {
    let answer = ask(&client, &copy, &request, limit).await;
    if let Err(late) = out.send((copy, answer)) {
        let (copy, answer) = late.0;
        end(&client, copy, answer);
    }
}

/// Ends a scanner that nobody waits for any more.
fn end(client: &Client, copy: Arc<Located>, answer: Result<Reply, Error>) {
    let Ok(reply) = answer else { return };
    let scanner = proto::ScanResponse::decode(reply.message).ok().and_then(|answer| answer.scanner_id);
    if let Some(id) = scanner {
        close(client, copy, request_to_close(id));
    }
}
