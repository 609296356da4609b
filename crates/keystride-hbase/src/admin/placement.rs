//! Assigning regions to servers.

use std::time::Duration;

use super::Admin;
use super::procedure::Polling;
use crate::region::{MetaRow, meta_region};
use crate::{Error, RegionInfo, ServerName, TableName, proto};

/// How long region servers may take to learn a new location of hbase:meta after the master knows it.
const HEARD_WITHIN: Duration = Duration::from_secs(10);

impl Admin {
    /// Moves a region to the given server, or to any other server. Completes when the region is open there.
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`]; [`Error::RegionElsewhere`] if another server got the region.
    pub async fn move_region(&self, region: &RegionInfo, to: Option<&ServerName>) -> Result<(), Error> {
        let request = proto::MoveRegionRequest {
            region: region.encoded_specifier(),
            dest_server_name: to.map(ServerName::to_proto),
        };
        let moved: Result<proto::MoveRegionResponse, Error> = self.call("MoveRegion", &request).await;
        if let Err(error) = moved {
            return Err(self.refusal_of(region, error).await);
        }
        let server = self.wait_until_placed(region, to).await?;
        match to {
            // The master waits until the region is open, and picks another server if opening fails.
            Some(wanted) if server != *wanted => {
                Err(Error::RegionElsewhere { region: region.to_string(), server, wanted: wanted.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Assigns a region to a server. Completes when the region is open.
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`].
    pub async fn assign_region(&self, region: &RegionInfo) -> Result<(), Error> {
        let request = proto::AssignRegionRequest { region: region.specifier(), r#override: None };
        let assigned: Result<proto::AssignRegionResponse, Error> = self.call("AssignRegion", &request).await;
        if let Err(error) = assigned {
            return Err(self.refusal_of(region, error).await);
        }
        self.wait_until_placed(region, None).await.map(drop)
    }

    /// Unassigns a region: no server serves its rows until it is assigned again.
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`].
    pub async fn unassign_region(&self, region: &RegionInfo) -> Result<(), Error> {
        let request = proto::UnassignRegionRequest { region: region.specifier(), force: None };
        let taken: Result<proto::UnassignRegionResponse, Error> = self.call("UnassignRegion", &request).await;
        match taken {
            Err(error) => Err(self.refusal_of(region, error).await),
            Ok(_) => Ok(()),
        }
    }

    /// The likely reason why the master refused an operation on a region.
    pub(super) async fn refusal_of(&self, region: &RegionInfo, error: Error) -> Error {
        let error = error.about_region(region);
        if error.remote().is_none_or(|error| error.short_class() != "DoNotRetryRegionException") {
            return error;
        }
        // The region is not open. If hbase:meta can't be read, the master's exception stands.
        match self.is_current(region).await {
            Ok(false) => Error::RegionGone { region: region.to_string() },
            Ok(true) => match self.is_enabled(&region.table).await {
                Ok(false) => Error::TableDisabled { table: region.table.clone() },
                _ => error,
            },
            Err(_) => error,
        }
    }

    /// Whether a region serves rows, or is meant to.
    pub(super) async fn is_current(&self, region: &RegionInfo) -> Result<bool, Error> {
        Ok(self.look_up(&region.table, &region.start).await?.region.name() == region.name())
    }

    /// Waits until a region has a server. Region servers learn the location of hbase:meta shortly after the master
    /// does, so for a while only `wanted` is accepted.
    async fn wait_until_placed(
        &self,
        region: &RegionInfo,
        wanted: Option<&ServerName>,
    ) -> Result<ServerName, Error> {
        let may_be_late = region.table == meta_region().table;
        let mut polling = Polling::begin(self, "moving a region", Some(&region.table));
        loop {
            let row = self.look_up(&region.table, &region.start).await?;
            if row.region.name() != region.name() {
                return Err(Error::RegionGone { region: region.to_string() });
            }
            if let Some(server) = row.serving() {
                let is_wanted = wanted.is_none_or(|wanted| wanted == server);
                if is_wanted || !may_be_late || polling.has_lasted(HEARD_WITHIN) {
                    return Ok(server.clone());
                }
            }
            let seen = Error::NoRegion { table: region.table.clone(), row: region.to_string() };
            polling.pause_within(self.client.options().operation_timeout, seen).await?;
        }
    }

    /// The row of hbase:meta for the region that holds a row, read afresh.
    pub(super) async fn look_up(&self, table: &TableName, row: &[u8]) -> Result<MetaRow, Error> {
        let mut attempts = self.client.attempts();
        loop {
            match self.client.locator().look_up(self.client.pool(), table, row).await {
                Ok(found) => return Ok(found),
                Err(error) => attempts.recover(error).await?,
            }
        }
    }
}
