//! Reads from replicas.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use tokio::time::sleep;

use super::Table;
use super::rows::{decode, take_row};
use crate::conn::Call;
use crate::region::{Located, Side};
use crate::{Error, Get, Row, proto};

/// A row that may come from a replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineRow {
    /// The row; empty if nothing is visible.
    pub row: Row,
    /// Whether it comes from a replica, which may not have the newest changes.
    pub is_stale: bool,
}

impl Table {
    /// Reads a row from the primary, or from another replica (HBase's timeline consistency). The replicas are asked if
    /// the primary has not answered within [`ClientOptions::primary_timeout`](crate::ClientOptions::primary_timeout);
    /// the first answer counts.
    ///
    /// The table's `REGION_REPLICATION` must be greater than 1; otherwise this is [`Self::get`].
    ///
    /// # Errors
    ///
    /// As [`Self::get`], if no replica answers either.
    pub async fn get_timeline(&self, get: &Get) -> Result<TimelineRow, Error> {
        let primary = pin!(self.get(get));
        let wait = pin!(sleep(self.client.options().primary_timeout));
        let primary = match select(primary, wait).await {
            Either::Left((Ok(row), _)) => return Ok(TimelineRow { row, is_stale: false }),
            Either::Left((Err(error), _)) => return self.get_from_replicas(get).await.ok_or(error),
            Either::Right(((), primary)) => primary,
        };
        match select(primary, pin!(self.get_from_replicas(get))).await {
            Either::Left((Ok(row), _)) => Ok(TimelineRow { row, is_stale: false }),
            Either::Left((Err(error), replicas)) => replicas.await.ok_or(error),
            Either::Right((Some(row), _)) => Ok(row),
            Either::Right((None, primary)) => Ok(TimelineRow { row: primary.await?, is_stale: false }),
        }
    }

    /// The first answer of a replica. `None` if none answers.
    async fn get_from_replicas(&self, get: &Get) -> Option<TimelineRow> {
        let located = self.client.locate(&self.name, get.row(), Side::Of).await.ok()?;
        let replicas: Vec<Arc<Located>> = located.open_replicas().map(Arc::new).collect();
        let mut answers: FuturesUnordered<_> =
            replicas.iter().map(|replica| self.get_from_replica(get, replica)).collect();
        while let Some(answer) = answers.next().await {
            match answer {
                Ok(row) => return Some(row),
                Err(error) => tracing::debug!(%error, "a replica did not answer"),
            }
        }
        None
    }

    /// Asks a replica, without retries.
    async fn get_from_replica(&self, get: &Get, replica: &Arc<Located>) -> Result<TimelineRow, Error> {
        let timeline = Some(proto::Consistency::Timeline.into());
        let message = proto::Get { consistency: timeline, ..get.to_proto() };
        let request = proto::GetRequest { region: replica.region.specifier(), get: message };
        let call = Call::new("Get", self.client.options().rpc_timeout);
        let reply = self.client.call_region(replica, call, &request).await;
        let reply = reply.inspect_err(|error| self.client.locator().learn(replica, &error.recovery()))?;
        let answer: proto::GetResponse = decode(&reply, replica, "Get")?;
        let row = take_row(answer.result.as_ref(), reply.cells, replica, "Get")?;
        Ok(TimelineRow { row, is_stale: answer.result.is_some_and(|result| result.stale()) })
    }
}
