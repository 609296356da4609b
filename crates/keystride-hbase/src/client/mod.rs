//! The client, which tables and administration share.

mod address;
mod attempts;
mod table_states;

use std::fmt;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock};

use bytes::Bytes;
use prost::Message;
use tokio::time::timeout;
use tracing::Instrument;

use crate::conn::{Body, Call, Pool};
use crate::metrics::{Counters, Metrics};
use crate::proto::table_state::State;
use crate::region::{Located, Locator, MetaRow, Side};
use crate::registry::Registry;
use crate::wait::{About, Waits};
use crate::wire::{Reply, Service};
use crate::{ClientOptions, Error, RegionInfo, ServerName, Table, TableName, Wait, proto, span};

pub(crate) use self::table_states::StateInMeta;
pub use address::{BadAddress, ClusterAddress};
pub(crate) use attempts::Attempts;

/// A client of a cluster. It is cheap to clone; clones share connections and cached regions.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    pool: Pool,
    locator: Locator,
    counters: Arc<Counters>,
    master: Mutex<Option<ServerName>>,
    /// Cached because it never changes.
    cluster_id: OnceLock<String>,
    nonce_group: u64,
}

impl Client {
    /// A client of the cluster at `address`, with default options.
    ///
    /// Nothing is sent before the first call.
    ///
    /// # Errors
    ///
    /// [`BadAddress`].
    pub fn new(address: &str) -> Result<Self, BadAddress> {
        Ok(Self::with_options(&address.parse()?, ClientOptions::from_env()))
    }

    /// A client with the given options.
    pub fn with_options(address: &ClusterAddress, options: ClientOptions) -> Self {
        let counters = Arc::new(Counters::default());
        let waits = Arc::new(Waits::default());
        let inner = Inner {
            locator: Locator::new(Registry::new(address, &waits)),
            pool: Pool::new(options, Arc::clone(&counters), waits),
            counters,
            master: Mutex::default(),
            cluster_id: OnceLock::new(),
            nonce_group: fastrand::u64(1..),
        };
        Self { inner: Arc::new(inner) }
    }

    /// A table of the cluster. Nothing checks here that it exists.
    pub fn table(&self, name: TableName) -> Table {
        Table::new(self.clone(), name)
    }

    /// The options.
    pub fn options(&self) -> &ClientOptions {
        self.inner.pool.options()
    }

    /// The cluster's id.
    ///
    /// # Errors
    ///
    /// [`Error::NoCluster`], or the last server's error if no server's error is worth retrying.
    pub async fn cluster_id(&self) -> Result<String, Error> {
        if let Some(id) = self.inner.cluster_id.get() {
            return Ok(id.clone());
        }
        let id = self.locator().registry().cluster_id(&self.inner.pool).await?;
        Ok(self.inner.cluster_id.get_or_init(|| id).clone())
    }

    /// The region that holds a row, from the cache if it is there.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`]; any error of reading hbase:meta.
    pub async fn region_of(&self, table: &TableName, row: &[u8]) -> Result<RegionInfo, Error> {
        Ok(self.locate(table, row, Side::Of).await?.region.clone())
    }

    /// A table's regions in key order, each with its server if it has one.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`]; any error of reading hbase:meta.
    pub async fn regions(&self, table: &TableName) -> Result<Vec<(RegionInfo, Option<ServerName>)>, Error> {
        Ok(self.meta_rows(table).await?.into_iter().map(|row| (row.region, row.server)).collect())
    }

    /// The rows of a table's regions in hbase:meta, in key order.
    pub(crate) async fn meta_rows(&self, table: &TableName) -> Result<Vec<MetaRow>, Error> {
        let mut attempts = self.attempts();
        loop {
            match self.locator().list(&self.inner.pool, table).await {
                Ok(rows) => return Ok(rows),
                Err(error) => attempts.recover(error).await?,
            }
        }
    }

    /// Counters of the client.
    pub fn metrics(&self) -> Metrics {
        self.inner.pool.sweep(false);
        self.inner.counters.snapshot(self.inner.pool.len(), self.locator().cached())
    }

    /// What the client is waiting for, the longest wait first. Shows what takes long.
    pub fn waits(&self) -> Vec<Wait> {
        self.pool().waits().now()
    }

    /// Removes a table's regions from the cache.
    pub fn forget_regions(&self, table: &TableName) {
        self.locator().forget_table(table);
    }

    pub(crate) fn locator(&self) -> &Locator {
        &self.inner.locator
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.inner.pool
    }

    /// The active master that was last found.
    pub(crate) fn master(&self) -> &Mutex<Option<ServerName>> {
        &self.inner.master
    }

    pub(crate) fn nonce_group(&self) -> u64 {
        self.inner.nonce_group
    }

    pub(crate) fn attempts(&self) -> Attempts<'_> {
        Attempts::new(self.options(), &self.inner.counters, self.pool().waits())
    }

    pub(crate) async fn locate(
        &self,
        table: &TableName,
        row: &[u8],
        side: Side,
    ) -> Result<Arc<Located>, Error> {
        self.locator().locate(&self.inner.pool, table, row, side).await
    }

    /// Calls the server of a region, without retries.
    pub(crate) async fn call_region(
        &self,
        located: &Arc<Located>,
        call: Call,
        body: &impl Body,
    ) -> Result<Reply, Error> {
        let server = located.server.address();
        let call = call.about(About::Region(Arc::clone(located)));
        let outcome = self.pool().call(&server, Service::Client, &call, body).await;
        outcome.map_err(|error| error.about(located))
    }

    /// Calls the server of a row's region and follows the region if it moves, until the call succeeds or is given up.
    ///
    /// `read` decodes the answer; an error of it counts as an error of the call.
    pub(crate) async fn call_row<M: Message, T>(
        &self,
        (table, row): (&TableName, &[u8]),
        (method, cells): (&'static str, Bytes),
        message: impl Fn(proto::RegionSpecifier) -> M,
        read: impl Fn(RowAnswer<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut attempts = self.attempts();
        let followed = async {
            loop {
                let located = match attempts.in_time(self.locate(table, row, Side::Of)).await {
                    Ok(located) => located,
                    Err(error) => {
                        self.recover_in(&mut attempts, table, error).await?;
                        continue;
                    }
                };
                let call = attempts.call(method).cells(cells.clone());
                let reply = self.call_region(&located, call, &message(located.region.specifier())).await;
                let after_loss = attempts.lost_an_answer();
                match reply.and_then(|reply| read(RowAnswer { reply, located: &located, after_loss })) {
                    Ok(read) => return Ok(read),
                    Err(error) => self.recover_at(&mut attempts, &located, error).await?,
                }
            }
        };
        pin!(followed).instrument(span::operation(method, table)).await
    }

    /// Updates the cache after an error, and pauses.
    pub(crate) async fn recover_at(
        &self,
        attempts: &mut Attempts<'_>,
        located: &Arc<Located>,
        error: Error,
    ) -> Result<(), Error> {
        self.locator().learn(located, &error.recovery());
        attempts.is_about(About::Region(Arc::clone(located)));
        self.recover_from(attempts, &located.region.table, error).await
    }

    /// Pauses after an error, or fails if the table is disabled.
    pub(crate) async fn recover_in(
        &self,
        attempts: &mut Attempts<'_>,
        table: &TableName,
        error: Error,
    ) -> Result<(), Error> {
        attempts.is_about(About::Table(table.clone()));
        self.recover_from(attempts, table, error).await
    }

    async fn recover_from(
        &self,
        attempts: &mut Attempts<'_>,
        table: &TableName,
        error: Error,
    ) -> Result<(), Error> {
        if attempts.should_ask_for_state(&error) {
            let asked = timeout(attempts.call_timeout(), self.is_disabled(table));
            // Unknown counts as not disabled.
            if asked.await.unwrap_or_default() {
                return Err(Error::TableDisabled { table: table.clone() });
            }
        }
        attempts.recover(error).await
    }

    /// Whether hbase:meta says so, or before HBase 2 ZooKeeper. An error counts as no.
    async fn is_disabled(&self, table: &TableName) -> bool {
        if *table == crate::region::meta_region().table {
            return false;
        }
        let state = match self.table_state_once(table).await {
            Ok(StateInMeta::Is(state)) => Some(state),
            _ => self.locator().registry().table_state(table).await.unwrap_or_default(),
        };
        // A table that is being enabled or created only needs time.
        state.is_some_and(|state| matches!(state, State::Disabled | State::Disabling))
    }
}

/// The answer to a call about a row.
#[derive(Debug)]
pub(crate) struct RowAnswer<'a> {
    pub(crate) reply: Reply,
    pub(crate) located: &'a Located,
    /// Whether an earlier attempt lost its answer.
    pub(crate) after_loss: bool,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("locator", &self.inner.locator).finish_non_exhaustive()
    }
}
