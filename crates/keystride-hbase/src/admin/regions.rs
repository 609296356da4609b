//! Splitting and merging regions.

use std::slice;
use std::time::Duration;

use bytes::Bytes;

use super::procedure::Polling;
use super::{Admin, Compaction};
use crate::bytes_text::Escaped;
use crate::{Error, RegionInfo, TableName, proto};

/// How long to wait for a split by a server of HBase 1, which may ignore the request, before asking again.
const ASK_AGAIN: Duration = Duration::from_secs(5);

impl Admin {
    /// Splits a region before the row `at`, or at the server's best split point. Completes when both daughters are
    /// open.
    ///
    /// If the region still has reference files from an earlier split or merge, it is compacted first.
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`]; the master's exception if `at` is outside the region or is its start key, or if the
    /// region is too small to have a best split point.
    pub async fn split_region(&self, region: &RegionInfo, at: Option<&[u8]>) -> Result<(), Error> {
        let mut polling = Polling::begin(self, "preparing a split", Some(&region.table));
        while let Err(error) = self.split_once(region, at).await {
            self.compact_first(slice::from_ref(region), &mut polling, error).await?;
        }
        self.wait_until_served(&region.table, &region.start, &region.end).await
    }

    /// Splits the region that holds the row `at` before that row. Completes when both daughters are open.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`]; as [`Self::split_region`].
    pub async fn split_table(&self, table: &TableName, at: &[u8]) -> Result<(), Error> {
        let row = self.look_up(table, at).await?;
        self.split_region(&row.region, Some(at)).await
    }

    /// Merges regions into one. They must be adjacent unless `forcible`. Completes when the merged region is open.
    /// Requires HBase 2.
    ///
    /// If regions still have reference files from an earlier split or merge, they are compacted first.
    ///
    /// # Errors
    ///
    /// [`Error::BadRequest`] for fewer than two regions; [`Error::RegionGone`]; the master's exception for regions that
    /// are not adjacent.
    pub async fn merge_regions(&self, regions: &[RegionInfo], forcible: bool) -> Result<(), Error> {
        let [first, _, ..] = regions else {
            return Err(Error::BadRequest { reason: "a merge needs at least two regions".into() });
        };
        let mut polling = Polling::begin(self, "preparing a merge", Some(&first.table));
        while let Err(error) = self.merge_once(regions, forcible).await {
            self.compact_first(regions, &mut polling, error).await?;
        }
        let (start, end) = span(regions);
        self.wait_until_served(&first.table, start, end).await
    }

    async fn split_once(&self, region: &RegionInfo, at: Option<&[u8]>) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::SplitTableRegionRequest {
            region_info: region.to_proto(),
            split_row: at.map(Bytes::copy_from_slice),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let split = async {
            let answer: proto::SplitTableRegionResponse = self.call("SplitRegion", &request).await?;
            let is_done = async { Ok(!self.is_current(region).await?) };
            self.finish("splitting the region", answer.proc_id, is_done).await
        };
        match split.await {
            Err(error) if error.lacks_method() => self.split_at_server(region, at).await,
            Err(error) => Err(self.refusal_of(region, error).await),
            done => done,
        }
    }

    /// Before HBase 2 the region server splits its region. It reports no result, and ignores the request for a region
    /// with reference files, so it is asked again until the region is gone.
    async fn split_at_server(&self, region: &RegionInfo, at: Option<&[u8]>) -> Result<(), Error> {
        if let Some(row) = at.filter(|row| **row == *region.start || !region.contains(row)) {
            let reason =
                format!("row {} can't split region {region}: it is outside or the start key", Escaped(row));
            return Err(Error::BadRequest { reason });
        }
        let request = proto::SplitRegionRequest {
            region: region.specifier(),
            split_point: at.map(Bytes::copy_from_slice),
        };
        let mut polling = Polling::begin(self, "splitting a region", Some(&region.table));
        loop {
            let asked = self.call_region(region, "SplitRegion", &request).await;
            let _: proto::SplitRegionResponse = match asked {
                // It was split while the server was being asked.
                Err(Error::RegionGone { .. }) => return Ok(()),
                asked => asked?,
            };
            let mut since = Polling::begin(self, "splitting a region", Some(&region.table));
            while !since.has_lasted(ASK_AGAIN) {
                if !self.is_current(region).await? {
                    return Ok(());
                }
                since.pause().await;
            }
            let reason = format!("the server did not split region {region}: its table may not allow splits");
            let seen = Error::BadRequest { reason };
            polling.pause_within(self.client.options().operation_timeout, seen).await?;
        }
    }

    async fn merge_once(&self, regions: &[RegionInfo], forcible: bool) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::MergeTableRegionsRequest {
            region: regions.iter().map(RegionInfo::encoded_specifier).collect(),
            forcible: Some(forcible),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let first = &regions[0];
        let merged = async {
            let answer: proto::MergeTableRegionsResponse = self.call("MergeTableRegions", &request).await?;
            let is_done = async { Ok(!self.is_current(first).await?) };
            self.finish("merging the regions", answer.proc_id, is_done).await
        };
        match merged.await {
            Err(error) => Err(self.refusal_of(first, error).await),
            done => done,
        }
    }

    /// If a master refused because of reference files, requests a compaction and pauses. Otherwise returns the refusal.
    async fn compact_first(
        &self,
        regions: &[RegionInfo],
        polling: &mut Polling,
        refusal: Error,
    ) -> Result<(), Error> {
        if !is_of_references(&refusal) {
            return Err(refusal);
        }
        if polling.is_first() {
            for region in regions {
                self.compact_region(region, Compaction::Minor).await?;
            }
        }
        polling.pause_within(self.client.options().operation_timeout, refusal).await
    }
}

/// Whether an operation was refused because regions have reference files: the message ends in `NOT splittable` or `not
/// mergeable`, and there is no exception class for it. Servers compact such regions soon after opening them.
fn is_of_references(refusal: &Error) -> bool {
    let message = match refusal {
        Error::Remote(error) => error.message(),
        Error::Procedure { message, .. } => message,
        _ => return false,
    };
    message.ends_with("NOT splittable") || message.to_ascii_lowercase().ends_with("not mergeable")
}

/// From the smallest start key to the end key of the last region.
fn span(regions: &[RegionInfo]) -> (&[u8], &[u8]) {
    let start = regions.iter().map(|region| &region.start).min();
    let last = regions.iter().max_by(|a, b| a.start.cmp(&b.start));
    (start.map_or(&[], |start| start), last.map_or(&[], |last| &last.end))
}
