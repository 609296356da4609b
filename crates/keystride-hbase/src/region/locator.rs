//! Looking regions up.

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
use crate::bytes_text::Escaped;
use crate::cell::CellBlock;
use crate::conn::{Call, Pool};
use crate::error::Recovery;
use crate::neighbour::{behind, shortly_before};
use crate::registry::Registry;
use crate::wait::About;
use crate::wire::Service;
use crate::{Error, RegionInfo, ServerName, TableName, proto};

/// Where regions are, as far as it was asked.
#[derive(Debug)]
pub(crate) struct Locator {
    registry: Registry,
    meta_server: Mutex<Option<ServerName>>,
    tables: RwLock<HashMap<TableName, Arc<KnownTable>>>,
}

#[derive(Debug, Default)]
struct KnownTable {
    cache: RwLock<RegionCache>,
    /// One looks up at a time: most find what they need in what the one before them brought.
    lookup: AsyncMutex<LastLookup>,
}

/// When the last lookup failed, and how.
type LastLookup = Option<(Instant, Error)>;

/// Which region is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The one that holds the row.
    Of,
    /// The one that holds the rows just before it; for the empty row, the last one.
    Before,
}

/// Lookups go before other reads.
const META_PRIORITY: u32 = 200;
/// Rows of hbase:meta read at once when all of a table's are wanted.
const LIST_ROWS: u32 = 1_000;
/// Rows read to find one region: parents that were split stand before it, from its last split, and the one before.
const FEW_ROWS: u32 = 10;

impl Locator {
    pub(crate) fn new(registry: Registry) -> Self {
        Self { registry, meta_server: Mutex::default(), tables: RwLock::default() }
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The region of a row, and its server.
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
        // One that failed while this one waited speaks for both.
        if let Some((_, error)) = last.as_ref().filter(|(when, _)| *when >= asked) {
            return Err(error.clone());
        }
        let looked_up = self.read_in(pool, &known, table, row, side).await;
        // A row that has no region says nothing of other rows.
        let failed = looked_up.as_ref().err().filter(|error| !matches!(error, Error::NoRegion { .. }));
        *last = failed.map(|error| (Instant::now(), error.clone()));
        looked_up
    }

    /// Reads what is around a row into the cache, and finds it there.
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

    /// All regions of a table, first to last, and into the cache with them.
    pub(crate) async fn list(&self, pool: &Pool, table: &TableName) -> Result<Vec<MetaRow>, Error> {
        let regions = self.list_between(pool, table, b"", b"").await?;
        if regions.is_empty() {
            return Err(self.no_table(table));
        }
        Ok(regions)
    }

    /// The regions that begin at `start` or behind it and before `end`, first to last, and into the cache with them.
    /// An empty `end` is behind all rows.
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
            // Before HBase 1.4, servers take the first row in whatever they are told.
            scan.start_row = regions.last().and_then(|last| behind(last.region.name()));
        }
        self.known(table).keep(&regions, table);
        regions.retain(|row| !row.region.is_split && row.region.replica == 0);
        Ok(regions)
    }

    /// The region that holds a row as hbase:meta has it now, and into the cache with it.
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

    /// Learns from an error: what it says to be wrong is forgotten.
    pub(crate) fn learn(&self, located: &Located, recovery: &Recovery) {
        if located.region.table == meta_region().table {
            if !matches!(recovery, Recovery::Wait | Recovery::WaitLonger | Recovery::WaitFor(_)) {
                self.forget_meta(&located.server);
            }
            return;
        }
        let is_elsewhere = matches!(recovery, Recovery::Relocate { .. } | Recovery::Reconnect);
        let is_copy = located.region.replica > 0;
        if is_copy && is_elsewhere {
            // Where copies are is known by the region they are of.
            self.known(&located.region.table).write().forget_at(&located.region.start);
        }
        match recovery {
            Recovery::Relocate { .. } if is_copy => {}
            Recovery::Relocate { to: None } => self.known(&located.region.table).write().forget(located),
            Recovery::Relocate { to: Some(server) } => {
                self.known(&located.region.table).write().relocate(located, server.clone());
            }
            Recovery::Reconnect => self.forget_server(&located.server),
            _ => {}
        }
    }

    /// Forgets all that is known of a table.
    pub(crate) fn forget_table(&self, table: &TableName) {
        self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(table);
    }

    /// Nothing is kept of a table that is not there.
    fn no_table(&self, table: &TableName) -> Error {
        self.forget_table(table);
        Error::NoTable { table: table.clone() }
    }

    /// How many regions are in the cache.
    pub(crate) fn cached(&self) -> usize {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.values().map(|known| known.write().len()).sum()
    }

    /// How many tables it knows something of.
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

    /// Rows of hbase:meta backwards, until one is of a region that was not split: a daughter that was merged with what
    /// is before her begins before her parent, who stays where he was.
    async fn read_back(&self, pool: &Pool, mut scan: proto::Scan, rows: u32) -> Result<Vec<MetaRow>, Error> {
        let mut found = Vec::new();
        while self.read_meta(pool, &scan, rows, &mut found).await? {
            if found.iter().any(|row| !row.region.is_split) {
                break;
            }
            // Names end alike: none is between the two.
            scan.start_row = found.last().map(|last| shortly_before(last.region.name()));
        }
        Ok(found)
    }

    /// Adds rows of hbase:meta that are about regions, as many as come at once; whether there were any.
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
        // Rows that were read before would be asked for without an end.
        if let Some(again) = stopped_at(&found[reached.saturating_sub(1)..], scan.reversed()) {
            let reason = format!("region {again} comes again: it does not go on");
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

/// The first region that is not behind the one it follows, in the order of hbase:meta.
fn stopped_at(rows: &[MetaRow], reversed: bool) -> Option<&RegionInfo> {
    let place = |row: &MetaRow| (row.region.start.clone(), row.region.name().clone());
    let goes_on = |one, next| if reversed { place(one) > place(next) } else { place(one) < place(next) };
    let pair = rows.array_windows().find(|[one, next]| !goes_on(one, next));
    pair.map(|[_, next]| &next.region)
}

/// Backwards from the last region that can hold the row: a split parent stays in hbase:meta before its daughters.
fn lookup(table: &TableName, row: &[u8], side: Side) -> proto::Scan {
    let start = match side {
        Side::Of => meta_key(table, row, "99999999999999"),
        // Behind all rows that begin with the table's name and a comma.
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

/// Regions of a table by their starts.
fn list(table: &TableName, start: &[u8], end: &[u8]) -> proto::Scan {
    let stop = match end {
        // Names of other tables never go on with a space.
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

/// Opens, reads and closes in one call.
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
