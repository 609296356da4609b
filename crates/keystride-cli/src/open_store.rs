//! Opens stores for a command, and closes them after it.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use keystride_hbase::ClientOptions;
use keystride_store::{EmbeddedOptions, Holder, OpenOptions, Store, StoreError, StoreOpener, TableName};

use crate::failure::Failure;
use crate::global::Global;
use crate::output::say;
use crate::pipes::waits_for_this;
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

fn open_options(embedded: EmbeddedOptions, missing: Missing) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.embedded = embedded;
    options.client = ClientOptions::from_env().with(|client| client.master_timeout = MASTER_WITHIN);
    options.must_exist = missing == Missing::Fail;
    options
}

/// Runs a future to completion, even if some task is still waiting for input.
pub(crate) fn run<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Runtime)?;
    // One copy of the runtime's loop serves all commands; it would have one for each type of future.
    let work: Pin<Box<dyn Future<Output = Result<T, Failure>> + '_>> = Box::pin(work);
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
    let _working = stop::Work::begin();
    stop::listen(global.color)?;
    let opener = backend.opener(open_options(options, missing));
    let mut told = pin!(tell_waits(global, &opener));
    let store = tokio::select! {
        biased;
        done = open_in_turn(global, &opener) => done.map_err(not_opened),
        failure = stopped(&opener) => Err(failure),
        never = &mut told => match never {},
    };
    let store = store?;
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
        failure = stopped(&opener) => Err(failure),
        never = &mut told => match never {},
    };
    stop::now_closing();
    let closed = store.close().await;
    let done = done?;
    closed?;
    Ok(done)
}

/// Opens the store, and waits a while for another command that has it open; a longer wait is said.
async fn open_in_turn(global: &Global, opener: &StoreOpener) -> Result<Arc<dyn Store>, StoreError> {
    /// How often it is tried, and after how many times the wait is said.
    const EVERY: Duration = Duration::from_millis(50);
    const SAID_AFTER: u32 = 20;
    let until = Instant::now() + global.wait;
    let mut tries = 0;
    loop {
        tries += 1;
        match opener.open().await {
            Err(StoreError::Locked { holder, .. })
                if Instant::now() < until && !holder.as_ref().is_some_and(is_to_stay) =>
            {
                if let (SAID_AFTER, Some(holder)) = (tries, holder) {
                    say(global, &format!("waiting for {holder}, which has the store open"));
                }
                tokio::time::sleep(EVERY).await;
            }
            done => return done,
        }
    }
}

/// Whether waiting for a process is of no use: it waits for this one, or serves a console.
fn is_to_stay(holder: &Holder) -> bool {
    holder.console.is_some() || waits_for_this(holder)
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

/// Waits until the command is to end; if its time is up, the failure says what was waited for.
async fn stopped(opener: &StoreOpener) -> Failure {
    match stop::stopped().await {
        Failure::TimedOut { after, .. } => {
            Failure::TimedOut { after, waits_for: opener.waits().into_iter().next().map(Box::new) }
        }
        failure => failure,
    }
}

/// Returns the failure of an opening.
pub(crate) fn not_opened(error: StoreError) -> Failure {
    match error {
        StoreError::NoStore { folder } => Failure::NoStore { folder },
        error => Failure::Open(error),
    }
}
