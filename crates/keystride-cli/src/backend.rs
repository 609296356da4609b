//! Where tables live: the embedded store of a folder.

use std::path::PathBuf;
use std::pin::pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use keystride_store::{Durability, EmbeddedOptions, EmbeddedStore, Store};

use crate::args::Global;
use crate::failure::{Failure, Usage};
use crate::interrupt::interrupted;

/// A back end as the command line names it.
#[derive(Debug, Clone)]
pub(crate) enum Backend {
    /// `embedded:DIR`.
    Embedded(PathBuf),
}

/// Whether a command may make the store it works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It is made.
    Make,
    /// That is a failure.
    Fail,
}

impl FromStr for Backend {
    type Err = Usage;

    fn from_str(text: &str) -> Result<Self, Usage> {
        match text.strip_prefix("embedded:") {
            Some(dir) if !dir.is_empty() => Ok(Self::Embedded(PathBuf::from(dir))),
            _ => Err(Usage::Backend { found: text.to_owned() }),
        }
    }
}

/// `batch`, or `interval:100ms`.
pub(crate) fn parse_durability(text: &str) -> Result<Durability, Usage> {
    let bad = || Usage::Durability { found: text.to_owned() };
    if text == "batch" {
        return Ok(Durability::Batch);
    }
    let interval = text.strip_prefix("interval:").ok_or_else(bad)?;
    let ms = match (interval.strip_suffix("ms"), interval.strip_suffix('s')) {
        (Some(ms), _) => ms.parse::<u64>().ok(),
        (None, Some(s)) => s.parse::<u64>().ok().and_then(|s| s.checked_mul(1_000)),
        (None, None) => None,
    };
    ms.filter(|ms| *ms > 0).map(|ms| Durability::Interval(Duration::from_millis(ms))).ok_or_else(bad)
}

/// A level as it is written.
pub(crate) fn durability_text(durability: Durability) -> String {
    match durability {
        Durability::Batch => "batch".to_owned(),
        Durability::Interval(interval) => format!("interval:{}ms", interval.as_millis()),
    }
}

/// How the store is opened.
pub(crate) fn store_options(global: &Global) -> EmbeddedOptions {
    EmbeddedOptions { durability: global.durability, ..EmbeddedOptions::default() }
}

/// Opens the store, does `work` with it, and closes it: what is in memory is on disk when this returns.
pub(crate) fn with_store<T>(
    global: &Global,
    missing: Missing,
    work: impl AsyncFnOnce(Arc<dyn Store>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_store_of(global, missing, store_options(global), work)
}

/// The same with options of the store.
pub(crate) fn with_store_of<T>(
    global: &Global,
    missing: Missing,
    options: EmbeddedOptions,
    work: impl AsyncFnOnce(Arc<dyn Store>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Backend::Embedded(folder) = &global.backend;
    if missing == Missing::Fail && !folder.is_dir() {
        return Err(Failure::NoStore { folder: folder.clone() });
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Runtime)?;
    let done = runtime.block_on(async {
        let mut interrupt = pin!(interrupted());
        // It listens from its first poll on, before there is anything to lose.
        let _ = futures_util::poll!(&mut interrupt);
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::open(folder, options).await?);
        let done = tokio::select! {
            biased;
            done = work(Arc::clone(&store)) => done,
            () = &mut interrupt => Err(Failure::Interrupted),
        };
        let closed = store.close().await;
        let done = done?;
        closed?;
        Ok(done)
    });
    // Who still waits for standard input would keep the program from ending.
    runtime.shutdown_background();
    done
}
