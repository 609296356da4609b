//! Calls to the region servers that have given regions.

use std::sync::Arc;

use prost::Message;

use super::Admin;
use crate::conn::Call;
use crate::region::{Located, Side};
use crate::wait::About;
use crate::wire::Service;
use crate::{Error, RegionInfo, ServerName};

impl Admin {
    /// Calls the server that has a region and follows the region if it moves, until the call succeeds or is given up.
    pub(super) async fn call_region<A: Message + Default>(
        &self,
        region: &RegionInfo,
        method: &'static str,
        request: &impl Message,
    ) -> Result<A, Error> {
        let mut attempts = self.client.attempts();
        loop {
            let located = match self.locate(region).await {
                Ok(located) => located,
                Err(error) => {
                    attempts.recover(error).await?;
                    continue;
                }
            };
            let call = attempts.call(method).about(About::Region(Arc::clone(&located)));
            match self.call_server(&located.server, call, request).await {
                Ok(answer) => return Ok(answer),
                Err(error) => {
                    self.client.recover_at(&mut attempts, &located, error.about(&located)).await?;
                }
            }
        }
    }

    /// Calls a server once, without retries.
    pub(super) async fn call_server<A: Message + Default>(
        &self,
        server: &ServerName,
        call: Call,
        request: &impl Message,
    ) -> Result<A, Error> {
        let (server, method) = (server.address(), call.method);
        let reply = self.client.pool().call(&server, Service::Admin, &call, request).await?;
        A::decode(reply.message).map_err(|error| Error::bad_answer(&server, method, error))
    }

    /// The server of a region. The region may no longer exist.
    async fn locate(&self, region: &RegionInfo) -> Result<Arc<Located>, Error> {
        let known = self.client.locate(&region.table, &region.start, Side::Of).await?;
        if known.region.name() == region.name() {
            return Ok(Arc::new(Located::new(region.clone(), known.server.clone())));
        }
        // The cached region may be older than this one, or newer.
        let row = self.client.locator().look_up(self.client.pool(), &region.table, &region.start).await?;
        if row.region.name() != region.name() {
            return Err(Error::RegionGone { region: region.to_string() });
        }
        let nowhere = || Error::NoRegion { table: region.table.clone(), row: region.to_string() };
        Ok(Arc::new(Located::new(row.region, row.server.ok_or_else(nowhere)?)))
    }
}
