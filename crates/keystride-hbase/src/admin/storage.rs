//! Store files: flushes, compactions and split points.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::{Admin, CompactionState};
use crate::{Error, RegionInfo, TableName, proto};

/// Which store files to merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    /// Some files, if the server finds it worthwhile.
    Minor,
    /// All files into one, which drops deleted cells.
    Major,
}

const REGIONS_AT_ONCE: usize = 16;

impl Admin {
    /// Flushes a table: writes its memstores to files.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`], [`Error::TableDisabled`].
    pub async fn flush_table(&self, table: &TableName) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::FlushTableRequest {
            table_name: table.to_proto(),
            column_family: Vec::new(),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let flushed = async {
            let answer: proto::FlushTableResponse = self.call("FlushTable", &request).await?;
            // The cluster does not show whether the flush was done; flushing again is harmless.
            self.finish("flushing the table", answer.proc_id, async { Ok(false) }).await
        };
        match flushed.await {
            Err(Error::ProcedureLost { .. }) => self.flush_regions(table).await,
            Err(error) if may_lack_method(&error) => self.flush_regions(table).await,
            outcome => outcome.map_err(|error| error.about_table(table)),
        }
    }

    /// Flushes a region: writes its memstores to files.
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`], [`Error::TableDisabled`].
    pub async fn flush_region(&self, region: &RegionInfo) -> Result<(), Error> {
        let request = proto::FlushRegionRequest { region: region.specifier(), ..Default::default() };
        let _: proto::FlushRegionResponse = self.call_region(region, "FlushRegion", &request).await?;
        Ok(())
    }

    /// Requests a compaction of a region. It runs in the background: see [`compaction_state`](Self::compaction_state).
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`], [`Error::TableDisabled`].
    pub async fn compact_region(&self, region: &RegionInfo, compaction: Compaction) -> Result<(), Error> {
        let request = proto::CompactRegionRequest {
            region: region.specifier(),
            major: Some(compaction == Compaction::Major),
            family: None,
        };
        let _: proto::CompactRegionResponse = self.call_region(region, "CompactRegion", &request).await?;
        Ok(())
    }

    /// Requests a compaction of all regions of a table. It runs in the background.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`], [`Error::TableDisabled`].
    pub async fn compact_table(&self, table: &TableName, compaction: Compaction) -> Result<(), Error> {
        let regions = self.regions_of(table).await?;
        let compact = |region| async move { unless_gone(self.compact_region(region, compaction).await) };
        let calls: Vec<_> = regions.iter().map(compact).collect();
        stream::iter(calls).buffer_unordered(REGIONS_AT_ONCE).try_collect().await
    }

    /// Which compaction of a region is running or queued.
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`], [`Error::TableDisabled`].
    pub async fn compaction_state(&self, region: &RegionInfo) -> Result<CompactionState, Error> {
        let request = proto::GetRegionInfoRequest {
            region: region.specifier(),
            compaction_state: Some(true),
            best_split_row: None,
        };
        let answer: proto::GetRegionInfoResponse =
            self.call_region(region, "GetRegionInfo", &request).await?;
        Ok(CompactionState::from_code(answer.compaction_state.unwrap_or_default()))
    }

    /// The row at which the server would split a region: the middle of its largest store file. `None` if it has no
    /// files, or only a single row.
    ///
    /// The server may flush the region first.
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`], [`Error::TableDisabled`].
    pub async fn best_split_point(&self, region: &RegionInfo) -> Result<Option<Bytes>, Error> {
        let request = proto::GetRegionInfoRequest {
            region: region.specifier(),
            compaction_state: None,
            best_split_row: Some(true),
        };
        let answer: proto::GetRegionInfoResponse =
            self.call_region(region, "GetRegionInfo", &request).await?;
        Ok(answer.best_split_row.filter(|row| !row.is_empty()))
    }

    pub(super) async fn flush_regions(&self, table: &TableName) -> Result<(), Error> {
        let regions = self.regions_of(table).await?;
        let flush = |region| async move { unless_gone(self.flush_region(region).await) };
        let calls: Vec<_> = regions.iter().map(flush).collect();
        stream::iter(calls).buffer_unordered(REGIONS_AT_ONCE).try_collect().await
    }

    async fn regions_of(&self, table: &TableName) -> Result<Vec<RegionInfo>, Error> {
        Ok(self.client.regions(table).await?.into_iter().map(|(region, _)| region).collect())
    }
}

/// Ignores a region that no longer exists. A server flushes a region before it splits or merges, and flushes are
/// repeated for the regions that replace it.
fn unless_gone(outcome: Result<(), Error>) -> Result<(), Error> {
    match outcome {
        Err(Error::RegionGone { .. }) => Ok(()),
        outcome => outcome,
    }
}

/// Masters before HBase 2.6 can't flush, and later ones can be configured not to. Both answer with a plain
/// `DoNotRetryIOException`.
pub(super) fn may_lack_method(error: &Error) -> bool {
    error.remote().is_some_and(|error| error.short_class() == "DoNotRetryIOException")
}
