//! Waiting until regions are open.

use super::Admin;
use super::procedure::Polling;
use crate::bytes_text::Escaped;
use crate::region::MetaRow;
use crate::{Error, TableName};

impl Admin {
    /// Waits until the regions of all rows in `start..end` are open; an empty `end` has no bound. Reads hbase:meta
    /// afresh and updates the region cache.
    ///
    /// `start` must be a region's start key.
    pub(super) async fn wait_until_served(
        &self,
        table: &TableName,
        start: &[u8],
        end: &[u8],
    ) -> Result<(), Error> {
        let mut polling = Polling::begin(self, "opening regions", Some(table));
        loop {
            let rows = self.rows_between(table, start, end).await?;
            let Some(row) = first_unserved(&rows, start, end) else { return Ok(()) };
            let seen = Error::NoRegion { table: table.clone(), row: Escaped(row).to_string() };
            polling.pause_within(self.client.options().operation_timeout, seen).await?;
        }
    }

    /// Rows of hbase:meta for regions that start in `start..end`, read afresh.
    pub(super) async fn rows_between(
        &self,
        table: &TableName,
        start: &[u8],
        end: &[u8],
    ) -> Result<Vec<MetaRow>, Error> {
        let mut attempts = self.client.attempts();
        loop {
            match self.client.locator().list_between(self.client.pool(), table, start, end).await {
                Ok(rows) => return Ok(rows),
                Err(error) => attempts.recover(error).await?,
            }
        }
    }
}

/// The first row that is in no region, or in one that is not open.
fn first_unserved<'a>(rows: &'a [MetaRow], start: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    let mut reached = start;
    for row in rows {
        if row.region.start != reached || row.serving().is_none() {
            return Some(reached);
        }
        reached = &row.region.end;
    }
    let is_covered = !rows.is_empty() && (reached.is_empty() || (!end.is_empty() && reached >= end));
    if is_covered { None } else { Some(reached) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerName;
    use crate::region::meta_region;

    fn row(start: &'static str, end: &'static str, state: &str) -> MetaRow {
        let mut region = meta_region();
        region.start = start.into();
        region.end = end.into();
        let server = ServerName { host: "rs".into(), port: 1, start_code: 1 };
        MetaRow { region, server: Some(server), replicas: Vec::new(), state: state.into() }
    }

    #[test]
    fn rows_are_served_by_open_regions_without_a_hole() {
        let whole = [row("", "m", "OPEN"), row("m", "", "OPEN")];
        assert_eq!(first_unserved(&whole, b"", b""), None);
        assert_eq!(first_unserved(&whole[..1], b"", b"m"), None);
        assert_eq!(first_unserved(&whole[..1], b"", b""), Some(&b"m"[..]));
        assert_eq!(first_unserved(&whole[1..], b"", b""), Some(&b""[..]));
        assert_eq!(first_unserved(&[], b"", b""), Some(&b""[..]));
    }

    #[test]
    fn the_last_server_of_a_closed_region_does_not_serve_it() {
        let rows = [row("", "m", "OPEN"), row("m", "", "CLOSED")];
        assert_eq!(first_unserved(&rows, b"", b""), Some(&b"m"[..]));
    }

    #[test]
    fn a_split_parent_does_not_count_as_open() {
        let rows = [row("", "", "OPEN"), row("", "m", "OPEN"), row("m", "", "OPEN")];
        assert!(first_unserved(&rows, b"a", b"").is_some());
        assert!(first_unserved(&rows[..2], b"", b"").is_some());
    }
}
