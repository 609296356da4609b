//! What a client waits for.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::region::Located;
use crate::wire::Service;
use crate::{Error, HostPort, Seconds, TableName};

/// Something that a client waits for now: see [`Client::waits`](crate::Client::waits).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Wait {
    /// What is to come.
    pub awaited: Awaited,
    /// The table it is about, once known.
    pub table: Option<TableName>,
    /// The encoded name of the region it is about, if it is one.
    pub region: Option<String>,
    /// Which attempt is waited for or comes next, from 1.
    pub attempt: u32,
    /// How long it has lasted.
    pub lasted: Duration,
}

/// What is to come.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Awaited {
    /// The answer of a server, or a connection to it.
    Answer {
        /// The server.
        server: HostPort,
        /// The method called.
        method: &'static str,
        /// The service that the method is one of, as servers spell it.
        service: &'static str,
    },
    /// The answer of a ZooKeeper server, or a connection to it.
    ZooKeeper {
        /// The server.
        server: HostPort,
    },
    /// An attempt that comes to something.
    Attempt {
        /// What the last one came to.
        last: Box<Error>,
    },
    /// The end of a change that the master makes.
    Change {
        /// What it does.
        what: &'static str,
    },
}

/// What a wait is about.
#[derive(Debug, Clone, Default)]
pub(crate) enum About {
    #[default]
    Cluster,
    Table(TableName),
    Region(Arc<Located>),
}

/// All waits of a client.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
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

/// Dropped, it is waited for no longer.
#[derive(Debug)]
pub(crate) struct Waiting {
    waits: Arc<Waits>,
    id: u64,
}

impl Waits {
    /// Notes a wait that began at `begun`.
    pub(crate) fn begin(
        self: &Arc<Self>,
        awaited: Awaited,
        about: About,
        attempt: u32,
        begun: Instant,
    ) -> Waiting {
        let mut open = self.open();
        let id = open.next;
        open.next += 1;
        open.of.insert(id, Entry { awaited, about, attempt, begun });
        drop(open);
        Waiting { waits: Arc::clone(self), id }
    }

    /// What is waited for now, the longest wait first.
    pub(crate) fn now(&self) -> Vec<Wait> {
        let mut waits: Vec<Wait> = self.open().of.values().map(Entry::wait).collect();
        waits.sort_by_key(|wait| std::cmp::Reverse(wait.lasted));
        waits
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Waiting {
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

    /// The region's encoded name: unlike its whole name it has no row key, which may be secret.
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
