//! Opens stores for a command, and closes them after it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use keystride_hbase::{Client, ClientOptions};
use keystride_store::{EmbeddedOptions, EmbeddedStore, HBaseStore, Store, StoreError, TableName};

use crate::backend::Backend;
use crate::failure::Failure;
use crate::global::Global;
use crate::stop;
use crate::waits::tell_waits;

/// Whether a command may create the store that it works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It is created.
    Make,
    /// It is an error.
    Fail,
}

/// Returns the options for opening the store.
pub(crate) fn store_options(global: &Global) -> EmbeddedOptions {
    EmbeddedOptions { durability: global.durability, ..EmbeddedOptions::default() }
}

/// Opens the store, does `work` with it, and closes it; everything in memory is on disk when this returns.
pub(crate) fn with_store<T>(
    global: &Global,
    missing: Missing,
    work: impl AsyncFnOnce(Arc<dyn Store>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_store_of(global, missing, store_options(global), work)
}

/// Like [`with_store`], with options of the store.
pub(crate) fn with_store_of<T>(
    global: &Global,
    missing: Missing,
    options: EmbeddedOptions,
    work: impl AsyncFnOnce(Arc<dyn Store>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run(in_store(global, missing, options, work))
}

/// Runs a future to completion, even if some task is still waiting for input.
pub(crate) fn run<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Runtime)?;
    let done = runtime.block_on(work);
    // Threads are joined, since glibc before 2.38 may crash when one is detached that is ending. A task that still
    // waits for standard input must not keep the program from ending, so they have little time.
    runtime.shutdown_timeout(Duration::from_millis(100));
    done
}

/// Opens the store, does `work` with it until that is done or is to end, and closes it.
pub(crate) async fn in_store<T>(
    global: &Global,
    missing: Missing,
    options: EmbeddedOptions,
    work: impl AsyncFnOnce(Arc<dyn Store>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let backend = global.backend()?;
    tracing::info!(%backend, "opening the store");
    if let (Backend::Embedded(folder), Missing::Fail) = (backend, missing) {
        check_there(folder)?;
    }
    let _working = stop::Work::begin();
    stop::listen(global.color)?;
    let place = Place::of(backend);
    let mut told = pin!(tell_waits(global, place.client()));
    let opened = tokio::select! {
        biased;
        opened = place.open(options) => opened,
        failure = place.stopped() => Err(failure),
        never = &mut told => match never {},
    };
    let store = opened?;
    let worked = async {
        match work(Arc::clone(&store)).await {
            Err(Failure::Store(StoreError::UnknownTable { table })) => {
                Err(unknown_table(&*store, table).await)
            }
            Err(Failure::Store(StoreError::UnknownFamily { table, family })) => {
                Err(unknown_family(&*store, table, family).await)
            }
            done => done,
        }
    };
    let done = tokio::select! {
        biased;
        done = worked => done,
        failure = place.stopped() => Err(failure),
        never = &mut told => match never {},
    };
    stop::now_closing();
    let closed = store.close().await;
    let done = done?;
    closed?;
    Ok(done)
}

/// Returns the failure with the tables that there are, if the store can tell.
async fn unknown_table(store: &dyn Store, table: TableName) -> Failure {
    let known = store.list().await.unwrap_or_default();
    Failure::UnknownTable { table, known: known.iter().map(TableName::to_string).collect() }
}

/// Returns the failure with the families that the table has, if the store can tell.
async fn unknown_family(store: &dyn Store, table: TableName, family: String) -> Failure {
    let described = store.describe(&table).await.ok();
    let known = described.into_iter().flat_map(|described| described.families);
    let known = known.map(|family| family.name.to_string()).collect();
    Failure::UnknownFamily { table, family, known }
}

/// How long a command looks for the active master: who waits at a terminal rather hears that there is none.
const MASTER_WITHIN: Duration = Duration::from_secs(8);

/// Where a store is, before it is opened.
#[derive(Debug)]
enum Place<'a> {
    Folder(&'a Path),
    Cluster(Client),
}

impl<'a> Place<'a> {
    fn of(backend: &'a Backend) -> Self {
        match backend {
            Backend::Embedded(folder) => Self::Folder(folder),
            Backend::HBase(address) => {
                let options = ClientOptions { master_timeout: MASTER_WITHIN, ..ClientOptions::default() };
                Self::Cluster(Client::with_options(address, options))
            }
        }
    }

    fn client(&self) -> Option<&Client> {
        match self {
            Self::Folder(_) => None,
            Self::Cluster(client) => Some(client),
        }
    }

    /// Waits until the command is to end; if its time is up, the failure says what was waited for.
    async fn stopped(&self) -> Failure {
        match stop::stopped().await {
            Failure::TimedOut { after, .. } => {
                let waits_for = self.client().and_then(|client| client.waits().into_iter().next());
                Failure::TimedOut { after, waits_for: waits_for.map(Box::new) }
            }
            failure => failure,
        }
    }

    async fn open(&self, options: EmbeddedOptions) -> Result<Arc<dyn Store>, Failure> {
        Ok(match self {
            Self::Folder(folder) => {
                Arc::new(EmbeddedStore::open(folder, options).await.map_err(Failure::Open)?)
            }
            Self::Cluster(client) => {
                // A cluster that can't be reached is reported at once, not after all attempts of the first call.
                let reached = client.cluster_id().await;
                reached.map_err(|error| Failure::Open(StoreError::Cluster(Box::new(error))))?;
                Arc::new(HBaseStore::new(client.clone()))
            }
        })
    }
}

/// Rejects a missing or empty folder, as opening it would create a store.
pub(crate) fn check_there(folder: &Path) -> Result<(), Failure> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(false) => Ok(()),
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(Failure::Open(StoreError::Io { path: folder.to_owned(), doing: "look into it", source }))
        }
        _ => Err(Failure::NoStore { folder: folder.to_owned() }),
    }
}
