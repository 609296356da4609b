//! What goes wrong, and what to do about it.

#[cfg(test)]
mod fuzz;
mod recovery;
mod remote;

use std::fmt::Display;
use std::io;
use std::time::Duration;

use crate::cell::{BadCell, CellTooLarge};
use crate::region::Located;
use crate::{HostPort, RegionInfo, Seconds, ServerName, TableName};

pub use recovery::Recovery;
pub use remote::RemoteError;

/// Why a call did not end well.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A server's exception.
    #[error(transparent)]
    Remote(Box<RemoteError>),
    /// No connection could be made.
    #[error("can't connect to {server}: {reason}")]
    Connect {
        /// The server.
        server: HostPort,
        /// What the system said.
        reason: String,
    },
    /// No connection over TLS could be made.
    #[cfg(feature = "tls")]
    #[error("can't speak TLS with {server}: {error}")]
    Tls {
        /// The server.
        server: HostPort,
        /// Why not.
        error: crate::TlsError,
    },
    /// A connection ended with the call under way.
    #[error("connection to {server} ended: {reason}")]
    ConnectionLost {
        /// The server.
        server: HostPort,
        /// What is known of the cause.
        reason: String,
    },
    /// A server did not answer in time.
    #[error("{server} did not answer {method} within {}", Seconds(*.after))]
    Timeout {
        /// The server.
        server: HostPort,
        /// The method called.
        method: &'static str,
        /// How long was waited.
        after: Duration,
    },
    /// A server's answer can't be read.
    #[error("answer of {server} to {method} can't be read: {reason}")]
    BadAnswer {
        /// The server.
        server: HostPort,
        /// The method called.
        method: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no table of that name.
    #[error("there is no table {table}")]
    NoTable {
        /// The table.
        table: TableName,
    },
    /// The table is disabled.
    #[error("table {table} is disabled; enable it first")]
    TableDisabled {
        /// The table.
        table: TableName,
    },
    /// The table is enabled, and what was asked for takes one that is not.
    #[error("table {table} is enabled; disable it first")]
    TableEnabled {
        /// The table.
        table: TableName,
    },
    /// There is a table of that name already.
    #[error("there is a table {table} already")]
    TableExists {
        /// The table.
        table: TableName,
    },
    /// There is no snapshot of that name.
    #[error("there is no snapshot {snapshot}")]
    NoSnapshot {
        /// Its name.
        snapshot: String,
    },
    /// The region is no more: it was split or merged, or its table truncated or deleted.
    #[error("region {region} is no more: others have its rows")]
    RegionGone {
        /// The region, escaped.
        region: String,
    },
    /// A region is not where it was to go.
    #[error("region {region} is on {server}, not on {wanted}")]
    RegionElsewhere {
        /// The region, escaped.
        region: String,
        /// The server that has it.
        server: ServerName,
        /// The server that was to have it.
        wanted: ServerName,
    },
    /// No server has the region now: it is being moved, split, or its server was lost.
    #[error("no server has the region of {table} that holds {row}")]
    NoRegion {
        /// The table.
        table: TableName,
        /// The row, escaped.
        row: String,
    },
    /// None of the cluster's doors answered.
    #[error("cluster can't be found: {reason}")]
    NoCluster {
        /// What each of them said.
        reason: String,
    },
    /// The address of the cluster names a server of another kind than it takes.
    #[error("{server} {}", .found.advice(.server))]
    WrongServer {
        /// The server.
        server: HostPort,
        /// What it is.
        found: FoundServer,
    },
    /// There is no master that answers, or none was found in [`ClientOptions::master_timeout`](crate::ClientOptions).
    /// Rows are read and written all the same.
    #[error("the cluster has no master that answers, tried for {}: {last}", Seconds(*.elapsed))]
    NoMaster {
        /// How long it was looked for.
        elapsed: Duration,
        /// What the last attempt came to.
        last: Box<Error>,
    },
    /// What was to be written can't be.
    #[error(transparent)]
    TooLarge(#[from] CellTooLarge),
    /// A request that no server would take.
    #[error("{reason}")]
    BadRequest {
        /// What is wrong with it.
        reason: String,
    },
    /// A procedure of the master failed.
    #[error("{what} failed: {class}: {message}")]
    Procedure {
        /// What was asked for.
        what: &'static str,
        /// Name of the Java class.
        class: String,
        /// What it said.
        message: String,
    },
    /// The master no longer knows what became of a procedure, and the cluster does not look as if it had been done.
    #[error("{what} may have failed: the master no longer knows, and there is no sign of it")]
    ProcedureLost {
        /// What was asked for.
        what: &'static str,
    },
    /// A change under a condition was asked for again after an answer was lost, and its condition does not hold: it never
    /// did, or the change was made and has ended it.
    #[error(
        "whether {row} was changed is not known: an answer was lost, and when asked again the condition does not hold"
    )]
    Unsure {
        /// The row, escaped.
        row: String,
    },
    /// It was tried until there was no more time, or often enough.
    #[error("gave up after {attempts} attempts in {}: {last}", Seconds(*.elapsed))]
    GaveUp {
        /// How often it was tried.
        attempts: u32,
        /// How long it took.
        elapsed: Duration,
        /// What the last attempt came to.
        last: Box<Error>,
    },
    /// The client was closed.
    #[error("the client is closed")]
    Closed,
}

/// What a server is that can't be asked for the cluster it was to be found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoundServer {
    /// One of ZooKeeper's.
    ZooKeeper,
    /// One of HBase's.
    HBase,
    /// One of HBase's that can't be asked where others are: it is older than that.
    OldHBase,
}

impl FoundServer {
    fn advice(self, server: &HostPort) -> String {
        match self {
            Self::ZooKeeper => format!("is ZooKeeper: use hbase://{server}"),
            Self::HBase => format!(
                "is HBase, not ZooKeeper: use hbase://ZOOKEEPER with the address of ZooKeeper, whose port is usually \
                 2181, or from HBase 2.4 on hbase+rpc://{server}"
            ),
            Self::OldHBase => "is HBase, but does not tell where the other servers of its cluster are: masters do from HBase \
                 2.4 on, region servers from 2.5 on; before that use hbase://ZOOKEEPER"
                .into(),
        }
    }
}

impl Error {
    pub(crate) fn connect(server: &HostPort, error: &io::Error) -> Self {
        Self::Connect { server: server.clone(), reason: error.to_string() }
    }

    #[cfg(feature = "tls")]
    pub(crate) fn tls(server: &HostPort, error: crate::TlsError) -> Self {
        Self::Tls { server: server.clone(), error }
    }

    pub(crate) fn bad_answer(server: &HostPort, method: &'static str, reason: impl Display) -> Self {
        Self::BadAnswer { server: server.clone(), method, reason: format!("{reason}") }
    }

    pub(crate) fn bad_cells(server: &HostPort, method: &'static str, error: &BadCell) -> Self {
        Self::bad_answer(server, method, error)
    }

    /// The same, knowing which region it is about.
    pub(crate) fn about(self, located: &Located) -> Self {
        match self {
            Self::Remote(mut error) => {
                error.region = Some(located.region.to_string().into());
                Self::Remote(error)
            }
            other => other,
        }
    }

    /// The same, given up after this.
    pub(crate) fn with_last(self, last: Self) -> Self {
        match self {
            Self::GaveUp { attempts, elapsed, .. } => {
                Self::GaveUp { attempts, elapsed, last: Box::new(last) }
            }
            other => other,
        }
    }

    /// The same, knowing which table it is about: for calls and procedures of the master.
    pub(crate) fn about_table(self, table: &TableName) -> Self {
        let table = || table.clone();
        match self.short_class() {
            Some("TableNotFoundException" | "TableStateNotFoundException") => {
                Self::NoTable { table: table() }
            }
            Some("TableExistsException") => Self::TableExists { table: table() },
            Some("TableNotEnabledException") => Self::TableDisabled { table: table() },
            Some("TableNotDisabledException") => Self::TableEnabled { table: table() },
            _ => self,
        }
    }

    /// The same, knowing which region it is about: for calls and procedures of the master.
    pub(crate) fn about_region(self, region: &RegionInfo) -> Self {
        match self.short_class() {
            Some("UnknownRegionException") => Self::RegionGone { region: region.to_string() },
            _ => self.about_table(&region.table),
        }
    }

    /// Name of the Java class behind it, without its package.
    fn short_class(&self) -> Option<&str> {
        match self {
            Self::Remote(error) => Some(error.short_class()),
            Self::Procedure { class, .. } => Some(remote::short_class(class)),
            _ => None,
        }
    }

    /// The server's exception behind it, if it is one.
    pub fn remote(&self) -> Option<&RemoteError> {
        match self {
            Self::Remote(error) => Some(error),
            Self::GaveUp { last, .. } => last.remote(),
            _ => None,
        }
    }

    /// Whether the cluster refuses what was asked for to this user, or the user itself.
    pub fn is_denied(&self) -> bool {
        match self {
            Self::GaveUp { last, .. } => last.is_denied(),
            _ => matches!(self.short_class(), Some("AccessDeniedException" | "BadAuthException")),
        }
    }

    /// Whether servers could not be reached, or did not do what was asked for in time.
    pub fn is_unreachable(&self) -> bool {
        match self {
            Self::Connect { .. }
            | Self::ConnectionLost { .. }
            | Self::NoCluster { .. }
            | Self::NoMaster { .. }
            | Self::WrongServer { .. } => true,
            Self::Timeout { .. } | Self::NoRegion { .. } | Self::GaveUp { .. } => !self.is_denied(),
            _ => false,
        }
    }

    /// Whether the server has no such method: its HBase is older than that, or younger.
    pub(crate) fn lacks_method(&self) -> bool {
        self.remote().is_some_and(|error| {
            error.short_class() == "DoNotRetryIOException"
                && error.message().contains("UnsupportedOperationException")
        })
    }

    /// Whether the call may have done its work without our being told.
    pub(crate) fn is_lost_answer(&self) -> bool {
        matches!(self, Self::ConnectionLost { .. } | Self::Timeout { .. } | Self::BadAnswer { .. })
    }

    /// What would help: the one table of the client's retries.
    pub fn recovery(&self) -> Recovery {
        match self {
            Self::Remote(error) => error.recovery(),
            Self::Connect { .. } | Self::ConnectionLost { .. } => Recovery::Reconnect,
            Self::Timeout { .. } | Self::NoRegion { .. } => Recovery::Relocate { to: None },
            Self::BadAnswer { .. } | Self::NoCluster { .. } => Recovery::Wait,
            _ => Recovery::GiveUp,
        }
    }
}
