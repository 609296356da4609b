//! Looking up regions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tokio::sync::Mutex as AsyncMutex;

use super::cache::RegionCache;
use super::info::meta_key;
use super::meta::OPEN;
use super::{Located, MetaRow, meta_region, read_meta_row};
use crate::adjacent_row::{closest_before, next_row};
use crate::bytes_text::Escaped;
use crate::cell::CellBlock;
use crate::conn::{Call, Pool};
use crate::error::Recovery;
use crate::registry::Registry;
use crate::wait::About;
use crate::wire::Service;
use crate::{Error, RegionInfo, ServerName, TableName, proto};

#[derive(Debug)]
pub(crate) struct Locator {
    registry: Registry,
    meta_server: Mutex<Option<ServerName>>,
    tables: RwLock<HashMap<TableName, Arc<KnownTable>>>,
}

#[derive(Debug, Default)]
struct KnownTable {
    cache: RwLock<RegionCache>,
    /// Only one lookup runs at a time: most callers find their region in what the previous lookup read.
    lookup: AsyncMutex<LastLookup>,
}

/// When the last lookup failed, and its error.
type LastLookup = Option<(Instant, Error)>;

/// Which region to look up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The region that holds the row.
    Of,
    /// The region that holds the rows just before it; for the empty row, the last region.
    Before,
}

/// Lookups have a higher priority than other reads.
const META_PRIORITY: u32 = 200;
/// Rows of hbase:meta read at once to list a table's regions.
const LIST_ROWS: u32 = 1_000;
/// Rows read to find one region: split parents from its last split, and the one before, come before it.
const FEW_ROWS: u32 = 10;

impl Locator {
    pub(crate) fn new(registry: Registry) -> Self {
        Self { registry, meta_server: Mutex::default(), tables: RwLock::default() }
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The region of a row, and its server, from the cache if it is there.
    pub(crate) async fn locate(
        &self,
        pool: &Pool,
        table: &TableName,
        row: &[u8],
        side: Side,
    ) -> Result<Arc<Located>, Error> {
        let meta = meta_region();
        if *table == meta.table {
            return Ok(Arc::new(Located::new(meta, self.meta_server(pool).await?)));
        }
        let known = self.known(table);
        if let Some(found) = known.find(row, side) {
            pool.counters().located(true);
            return Ok(found);
        }
        let asked = Instant::now();
        let mut last = known.lookup.lock().await;
        if let Some(found) = known.find(row, side) {
            pool.counters().located(true);
            return Ok(found);
        }
        // A lookup that failed while this one waited counts for this one too.
        if let Some((_, error)) = last.as_ref().filter(|(when, _)| *when >= asked) {
            return Err(error.clone());
        }
        let looked_up = self.read_in(pool, &known, table, row, side).await;
        // An error about a single row does not affect other rows.
        let failed = looked_up.as_ref().err().filter(|error| !matches!(error, Error::NoRegion { .. }));
        *last = failed.map(|error| (Instant::now(), error.clone()));
        looked_up
    }

    /// Reads the regions around a row into the cache.
    async fn read_in(
        &self,
        pool: &Pool,
        known: &KnownTable,
        table: &TableName,
        row: &[u8],
        side: Side,
    ) -> Result<Arc<Located>, Error> {
        pool.counters().located(false);
        let rows =
            self.read_back(pool, lookup(table, row, side), pool.options().locate_prefetch.max(1)).await?;
        if rows.is_empty() {
            return Err(self.no_table(table));
        }
        known.keep(&rows, table);
        known
            .find(row, side)
            .ok_or_else(|| Error::NoRegion { table: table.clone(), row: Escaped(row).to_string() })
    }

    /// All regions of a table in key order. Updates the cache.
    pub(crate) async fn list(&self, pool: &Pool, table: &TableName) -> Result<Vec<MetaRow>, Error> {
        let regions = self.list_between(pool, table, b"", b"").await?;
        if regions.is_empty() {
            return Err(self.no_table(table));
        }
        Ok(regions)
    }

    /// The regions that start in `start..end`, in key order. Updates the cache. An empty `end` has no bound.
    pub(crate) async fn list_between(
        &self,
        pool: &Pool,
        table: &TableName,
        start: &[u8],
        end: &[u8],
    ) -> Result<Vec<MetaRow>, Error> {
        let meta = meta_region();
        if *table == meta.table {
            let server = Some(self.meta_server(pool).await?);
            return Ok(vec![MetaRow { region: meta, server, replicas: Vec::new(), state: OPEN.into() }]);
        }
        let mut scan = list(table, start, end);
        let mut regions = Vec::new();
        while self.read_meta(pool, &scan, LIST_ROWS, &mut regions).await? {
            // Servers before HBase 1.4 always include the start row.
            scan.start_row = regions.last().and_then(|last| next_row(last.region.name()));
        }
        self.known(table).keep(&regions, table);
        regions.retain(|row| !row.region.is_split && row.region.replica == 0);
        Ok(regions)
    }

    /// The region that holds a row, read from hbase:meta. Updates the cache.
    pub(crate) async fn look_up(&self, pool: &Pool, table: &TableName, row: &[u8]) -> Result<MetaRow, Error> {
        if *table == meta_region().table {
            *self.meta_server.lock().unwrap_or_else(PoisonError::into_inner) = None;
            return Ok(self.list(pool, table).await?.swap_remove(0));
        }
        let rows = self.read_back(pool, lookup(table, row, Side::Of), FEW_ROWS).await?;
        if rows.is_empty() {
            return Err(self.no_table(table));
        }
        self.known(table).keep(&rows, table);
        rows.into_iter()
            .find(|found| !found.region.is_split && found.region.contains(row))
            .ok_or_else(|| Error::NoRegion { table: table.clone(), row: Escaped(row).to_string() })
    }

    /// Removes from the cache what an error shows to be wrong.
    pub(crate) fn learn(&self, located: &Located, recovery: &Recovery) {
        if located.region.table == meta_region().table {
            if !matches!(recovery, Recovery::Wait | Recovery::WaitLonger | Recovery::WaitFor(_)) {
                self.forget_meta(&located.server);
            }
            return;
        }
        let is_elsewhere = matches!(recovery, Recovery::Relocate { .. } | Recovery::Reconnect);
        let is_replica = located.region.replica > 0;
        if is_replica && is_elsewhere {
            // The locations of replicas are cached with their primary.
            self.known(&located.region.table).write().forget_at(&located.region.start);
        }
        match recovery {
            Recovery::Relocate { .. } if is_replica => {}
            Recovery::Relocate { to: None } => self.known(&located.region.table).write().forget(located),
            Recovery::Relocate { to: Some(server) } => {
                self.known(&located.region.table).write().relocate(located, server.clone());
            }
            Recovery::Reconnect => self.forget_server(&located.server),
            _ => {}
        }
    }

    pub(crate) fn forget_table(&self, table: &TableName) {
        self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(table);
    }

    /// Removes a table that does not exist from the cache.
    fn no_table(&self, table: &TableName) -> Error {
        self.forget_table(table);
        Error::NoTable { table: table.clone() }
    }

    pub(crate) fn cached(&self) -> usize {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.values().map(|known| known.write().len()).sum()
    }

    #[cfg(test)]
    pub(crate) fn table_count(&self) -> usize {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn forget_server(&self, server: &ServerName) {
        self.forget_meta(server);
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        for known in tables.values() {
            known.write().forget_server(server);
        }
    }

    fn forget_meta(&self, server: &ServerName) {
        let mut meta = self.meta_server.lock().unwrap_or_else(PoisonError::into_inner);
        if meta.as_ref() == Some(server) {
            *meta = None;
        }
    }

    fn known(&self, table: &TableName) -> Arc<KnownTable> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.get(table) {
            return Arc::clone(known);
        }
        drop(tables);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tables.entry(table.clone()).or_default())
    }

    async fn meta_server(&self, pool: &Pool) -> Result<ServerName, Error> {
        let known = self.meta_server.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(server) = known {
            return Ok(server);
        }
        let server = self.registry.meta_server(pool).await?;
        *self.meta_server.lock().unwrap_or_else(PoisonError::into_inner) = Some(server.clone());
        Ok(server)
    }

    /// Reads hbase:meta backwards up to a region that was not split. Split parents must be skipped: a daughter that was
    /// merged with the region before it starts before its parent, which stays in hbase:meta.
    async fn read_back(&self, pool: &Pool, mut scan: proto::Scan, rows: u32) -> Result<Vec<MetaRow>, Error> {
        let mut found = Vec::new();
        while self.read_meta(pool, &scan, rows, &mut found).await? {
            if found.iter().any(|row| !row.region.is_split) {
                break;
            }
            // No region name is between the two.
            scan.start_row = found.last().map(|last| closest_before(last.region.name()));
        }
        Ok(found)
    }

    /// Appends the next regions in hbase:meta. Returns whether there were any.
    async fn read_meta(
        &self,
        pool: &Pool,
        scan: &proto::Scan,
        rows: u32,
        found: &mut Vec<MetaRow>,
    ) -> Result<bool, Error> {
        let server = self.meta_server(pool).await?;
        let meta = Arc::new(Located::new(meta_region(), server));
        let read = read_rows(pool, &meta, scan, rows).await;
        let read = read.inspect_err(|error| self.learn(&meta, &error.recovery()))?;
        let reached = found.len();
        found.extend(read);
        // The same rows again would repeat for ever.
        if let Some(region) = stopped_at(&found[reached.saturating_sub(1)..], scan.reversed()) {
            let reason = format!("region {region} came twice: hbase:meta is out of order");
            return Err(Error::bad_answer(&meta.server.address(), "Scan", reason));
        }
        Ok(found.len() > reached)
    }
}

impl KnownTable {
    fn write(&self) -> std::sync::RwLockWriteGuard<'_, RegionCache> {
        self.cache.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, row: &[u8], side: Side) -> Option<Arc<Located>> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        match side {
            Side::Of => cache.find(row),
            Side::Before => cache.find_before(row),
        }
        .cloned()
    }

    fn keep(&self, rows: &[MetaRow], table: &TableName) {
        let mut cache = self.write();
        let of_table = rows.iter().filter(|row| row.region.table == *table);
        for row in
            of_table.filter(|row| !row.region.is_split && !row.region.is_offline && row.region.replica == 0)
        {
            if let Some(server) = &row.server {
                cache.insert(Arc::new(Located {
                    region: row.region.clone(),
                    server: server.clone(),
                    replicas: row.replicas.clone().into(),
                }));
            }
        }
    }
}

/// The first region that is out of order in hbase:meta.
fn stopped_at(rows: &[MetaRow], reversed: bool) -> Option<&RegionInfo> {
    let place = |row: &MetaRow| (row.region.start.clone(), row.region.name().clone());
    let goes_on = |one, next| if reversed { place(one) > place(next) } else { place(one) < place(next) };
    let pair = rows.array_windows().find(|[one, next]| !goes_on(one, next));
    pair.map(|[_, next]| &next.region)
}

/// A reverse scan from the last region that can hold the row: split parents come before their daughters.
fn lookup(table: &TableName, row: &[u8], side: Side) -> proto::Scan {
    let start = match side {
        Side::Of => meta_key(table, row, "99999999999999"),
        // After all rows that start with the table's name and a comma.
        Side::Before if row.is_empty() => BytesMut::from(format!("{table}\0").as_bytes()),
        Side::Before => meta_key(table, row, "00000000000000"),
    };
    proto::Scan {
        start_row: Some(start.freeze()),
        stop_row: Some(Bytes::from(format!("{table},,"))),
        include_stop_row: Some(true),
        reversed: Some(true),
        ..of_regions()
    }
}

/// A scan of a table's regions by start key.
fn list(table: &TableName, start: &[u8], end: &[u8]) -> proto::Scan {
    let stop = match end {
        // Names of other tables never continue with a space.
        [] => Bytes::from(format!("{table} ,,")),
        _ => meta_key(table, end, "").freeze(),
    };
    proto::Scan {
        start_row: Some(meta_key(table, start, "").freeze()),
        stop_row: Some(stop),
        include_stop_row: Some(false),
        ..of_regions()
    }
}

fn of_regions() -> proto::Scan {
    proto::Scan {
        column: vec![proto::Column { family: Bytes::from_static(b"info"), qualifier: Vec::new() }],
        read_type: Some(proto::scan::ReadType::Pread.into()),
        max_result_size: Some(2 << 20),
        ..Default::default()
    }
}

/// Opens, reads and closes a scanner in one call.
async fn read_rows(
    pool: &Pool,
    meta: &Arc<Located>,
    scan: &proto::Scan,
    rows: u32,
) -> Result<Vec<MetaRow>, Error> {
    let request = proto::ScanRequest {
        region: Some(meta.region.specifier()),
        scan: Some(scan.clone()),
        number_of_rows: Some(rows),
        close_scanner: Some(true),
        ..Default::default()
    };
    let call = Call::new("Scan", pool.options().rpc_timeout).priority(META_PRIORITY);
    let call = call.about(About::Region(Arc::clone(meta)));
    let server = meta.server.address();
    let reply = pool.call(&server, Service::Client, &call, &request).await?;
    let answer = proto::ScanResponse::decode(reply.message)
        .map_err(|error| Error::bad_answer(&server, "Scan", error))?;
    let mut block = CellBlock::new(reply.cells);
    let mut found = Vec::new();
    for count in answer.cells_per_result {
        let cells = block.take(count as usize).map_err(|error| Error::bad_cells(&server, "Scan", &error))?;
        found.extend(read_meta_row(&cells));
    }
    Ok(found)
}
