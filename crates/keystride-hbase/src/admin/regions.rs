//! Where tables are cut.

use std::slice;
use std::time::Duration;

use bytes::Bytes;

use super::procedure::Looks;
use super::{Admin, Compaction};
use crate::bytes_text::Escaped;
use crate::{Error, RegionInfo, TableName, proto};

/// A server of HBase 1 that has not split a region by then may have left it whole.
const ASK_AGAIN: Duration = Duration::from_secs(5);

impl Admin {
    /// Splits a region before the row `at`, or where its server finds best. It is done when both daughters are served.
    ///
    /// A region that still uses files of those it was made of is compacted first.
    ///
    /// # Errors
    ///
    /// [`Error::RegionGone`]; what the master says of a row that is not inside the region or begins it, and of a region
    /// too small to be split where its server finds best.
    pub async fn split_region(&self, region: &RegionInfo, at: Option<&[u8]>) -> Result<(), Error> {
        let mut looks = Looks::begin(self, "preparing a split", Some(&region.table));
        while let Err(error) = self.split_once(region, at).await {
            self.compact_first(slice::from_ref(region), &mut looks, error).await?;
        }
        self.wait_until_served(&region.table, &region.start, &region.end).await
    }

    /// Splits the region that holds the row `at` before it. It is done when both daughters are served.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`]; as [`Self::split_region`].
    pub async fn split_table(&self, table: &TableName, at: &[u8]) -> Result<(), Error> {
        let row = self.look_up(table, at).await?;
        self.split_region(&row.region, Some(at)).await
    }

    /// Makes one region of several that are beside each other; `forcible` ones need not be. It is done when that one is
    /// served. From HBase 2 on.
    ///
    /// Regions that still use files of those they were made of are compacted first.
    ///
    /// # Errors
    ///
    /// [`Error::BadRequest`] for less than two; [`Error::RegionGone`]; what the master says of regions that are not
    /// beside each other.
    pub async fn merge_regions(&self, regions: &[RegionInfo], forcible: bool) -> Result<(), Error> {
        let [first, _, ..] = regions else {
            return Err(Error::BadRequest { reason: "it takes two regions to merge".into() });
        };
        let mut looks = Looks::begin(self, "preparing a merge", Some(&first.table));
        while let Err(error) = self.merge_once(regions, forcible).await {
            self.compact_first(regions, &mut looks, error).await?;
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

    /// Before HBase 2 a region's server splits it. It says nothing of what becomes of that, and leaves a region whole
    /// that uses files of the one it was made of: it is asked again until the region is no more.
    async fn split_at_server(&self, region: &RegionInfo, at: Option<&[u8]>) -> Result<(), Error> {
        if let Some(row) = at.filter(|row| **row == *region.start || !region.contains(row)) {
            let reason = format!("row {} does not cut region {region}", Escaped(row));
            return Err(Error::BadRequest { reason });
        }
        let request = proto::SplitRegionRequest {
            region: region.specifier(),
            split_point: at.map(Bytes::copy_from_slice),
        };
        let mut looks = Looks::begin(self, "splitting a region", Some(&region.table));
        loop {
            let asked = self.call_region(region, "SplitRegion", &request).await;
            let _: proto::SplitRegionResponse = match asked {
                // It went while the server was asked.
                Err(Error::RegionGone { .. }) => return Ok(()),
                asked => asked?,
            };
            let mut since = Looks::begin(self, "splitting a region", Some(&region.table));
            while !since.have_lasted(ASK_AGAIN) {
                if !self.is_current(region).await? {
                    return Ok(());
                }
                since.pause().await;
            }
            let reason = format!("region {region} is not split by its server: its table may forbid it");
            let seen = Error::BadRequest { reason };
            looks.pause_within(self.client.options().operation_timeout, seen).await?;
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

    /// Waits until regions may have files of their own, if that is what a master's refusal is about.
    async fn compact_first(
        &self,
        regions: &[RegionInfo],
        looks: &mut Looks,
        refusal: Error,
    ) -> Result<(), Error> {
        if !is_of_references(&refusal) {
            return Err(refusal);
        }
        if looks.is_first() {
            for region in regions {
                self.compact_region(region, Compaction::Minor).await?;
            }
        }
        looks.pause_within(self.client.options().operation_timeout, refusal).await
    }
}

/// Whether regions were refused because they use files of those they were made of. Servers compact them as soon as
/// they open them; until then they are `NOT splittable`, or `not mergeable`. There is no class for it.
fn is_of_references(refusal: &Error) -> bool {
    let message = match refusal {
        Error::Remote(error) => error.message(),
        Error::Procedure { message, .. } => message,
        _ => return false,
    };
    message.ends_with("NOT splittable") || message.to_ascii_lowercase().ends_with("not mergeable")
}

/// From the first row of any to behind the last of all.
fn span(regions: &[RegionInfo]) -> (&[u8], &[u8]) {
    let start = regions.iter().map(|region| &region.start).min();
    let last = regions.iter().max_by(|a, b| a.start.cmp(&b.start));
    (start.map_or(&[], |start| start), last.map_or(&[], |last| &last.end))
}
