//! What a client is waiting for.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::region::Located;
use crate::wire::Service;
use crate::{Error, HostPort, Seconds, TableName};

/// Something that a client is waiting for now: see [`Client::waits`](crate::Client::waits).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Wait {
    /// What it is waiting for.
    pub awaited: Awaited,
    /// The table, if the wait is about one.
    pub table: Option<TableName>,
    /// The encoded name of the region, if the wait is about one.
    pub region: Option<String>,
    /// The number of the attempt that is running or comes next, from 1.
    pub attempt: u32,
    /// How long the wait has lasted.
    pub lasted: Duration,
}

/// What a client is waiting for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Awaited {
    /// A server's answer, or a connection to the server.
    Answer {
        /// The server.
        server: HostPort,
        /// The method called.
        method: &'static str,
        /// The service of the method, as HBase names it.
        service: &'static str,
    },
    /// A ZooKeeper server's answer, or a connection to the server.
    ZooKeeper {
        /// The server.
        server: HostPort,
    },
    /// The next attempt, after one that failed.
    Attempt {
        /// The error of the last attempt.
        last: Box<Error>,
    },
    /// The end of an operation of the master.
    Change {
        /// What the operation does.
        what: &'static str,
    },
}

#[derive(Debug, Clone, Default)]
pub(crate) enum About {
    #[default]
    Cluster,
    Table(TableName),
    Region(Arc<Located>),
}

#[derive(Debug, Default)]
pub(crate) struct Waits {
    open: Mutex<OpenWaits>,
}

#[derive(Debug, Default)]
struct OpenWaits {
    next: u64,
    of: HashMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    awaited: Awaited,
    about: About,
    attempt: u32,
    begun: Instant,
}

/// Removes the wait when it is dropped.
#[derive(Debug)]
pub(crate) struct WaitGuard {
    waits: Arc<Waits>,
    id: u64,
}

impl Waits {
    /// Adds a wait that began at `begun`.
    pub(crate) fn begin(
        self: &Arc<Self>,
        awaited: Awaited,
        about: About,
        attempt: u32,
        begun: Instant,
    ) -> WaitGuard {
        let mut open = self.open();
        let id = open.next;
        open.next += 1;
        open.of.insert(id, Entry { awaited, about, attempt, begun });
        drop(open);
        WaitGuard { waits: Arc::clone(self), id }
    }

    /// All current waits, the longest first.
    pub(crate) fn now(&self) -> Vec<Wait> {
        let mut waits: Vec<Wait> = self.open().of.values().map(Entry::wait).collect();
        waits.sort_by_key(|wait| std::cmp::Reverse(wait.lasted));
        waits
    }

    fn open(&self) -> MutexGuard<'_, OpenWaits> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WaitGuard {
    fn drop(&mut self) {
        self.waits.open().of.remove(&self.id);
    }
}

impl Entry {
    fn wait(&self) -> Wait {
        Wait {
            awaited: self.awaited.clone(),
            table: self.about.table().cloned(),
            region: self.about.region().map(ToOwned::to_owned),
            attempt: self.attempt,
            lasted: self.begun.elapsed(),
        }
    }
}

impl About {
    pub(crate) fn table(&self) -> Option<&TableName> {
        match self {
            Self::Cluster => None,
            Self::Table(table) => Some(table),
            Self::Region(located) => Some(&located.region.table),
        }
    }

    /// The region's encoded name. Unlike the full name it has no row key, which may be confidential.
    pub(crate) fn region(&self) -> Option<&str> {
        match self {
            Self::Region(located) => Some(located.region.encoded_name()),
            _ => None,
        }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lasted = Seconds(self.lasted);
        match &self.awaited {
            Awaited::Answer { server, method, service } => {
                let who = if *service == Service::Master.name() { "the master " } else { "" };
                write!(f, "{who}{server} has not answered {method} for {lasted}")?;
            }
            Awaited::ZooKeeper { server } => write!(f, "ZooKeeper {server} has not answered for {lasted}")?,
            Awaited::Attempt { last } => write!(f, "{last}; tried for {lasted}")?,
            Awaited::Change { what } => write!(f, "the master has been {what} for {lasted}")?,
        }
        let about = match (&self.table, &self.region) {
            (Some(table), Some(region)) => Some(format!("region {region} of table {table}")),
            (Some(table), None) => Some(format!("table {table}")),
            _ => None,
        };
        let attempt = (self.attempt > 1).then(|| format!("attempt {}", self.attempt));
        let facts: Vec<String> = about.into_iter().chain(attempt).collect();
        if facts.is_empty() { Ok(()) } else { write!(f, " ({})", facts.join(", ")) }
    }
}
