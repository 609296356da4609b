//! Errors, and how to recover from them.

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

/// Why a call failed.
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
        /// The operating system's error.
        reason: String,
    },
    /// The TLS handshake failed.
    #[cfg(feature = "tls")]
    #[error("can't speak TLS with {server}: {error}")]
    Tls {
        /// The server.
        server: HostPort,
        /// The cause.
        error: crate::TlsError,
    },
    /// A connection ended while a call was waiting for its answer.
    #[error("connection to {server} ended: {reason}")]
    ConnectionLost {
        /// The server.
        server: HostPort,
        /// The cause, as far as it is known.
        reason: String,
    },
    /// A server did not answer in time.
    #[error("{server} did not answer {method} within {}", Seconds(*.after))]
    Timeout {
        /// The server.
        server: HostPort,
        /// The method called.
        method: &'static str,
        /// How long the client waited.
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
    /// The table is enabled, and the operation needs a disabled one.
    #[error("table {table} is enabled; disable it first")]
    TableEnabled {
        /// The table.
        table: TableName,
    },
    /// A table of that name already exists.
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
    /// The region no longer exists: it was split or merged, or its table was truncated or deleted.
    #[error("region {region} no longer exists: it was split, merged or deleted")]
    RegionGone {
        /// The region, escaped.
        region: String,
    },
    /// A region was moved to another server than the wanted one.
    #[error("region {region} is on {server}, not on {wanted}")]
    RegionElsewhere {
        /// The region, escaped.
        region: String,
        /// The server that has the region.
        server: ServerName,
        /// The server that was asked for.
        wanted: ServerName,
    },
    /// No server has the region now: it is being moved or split, or its server was lost.
    #[error("no server has the region of {table} that holds {row}")]
    NoRegion {
        /// The table.
        table: TableName,
        /// The row, escaped.
        row: String,
    },
    /// None of the servers in the cluster's address answered.
    #[error("cluster can't be found: {reason}")]
    NoCluster {
        /// The failure of each of them.
        reason: String,
    },
    /// The cluster's address names a server of the wrong kind.
    #[error("{server} {}", .found.advice(.server))]
    WrongServer {
        /// The server.
        server: HostPort,
        /// What kind of server it is.
        found: FoundServer,
    },
    /// No master answers, or none was found within [`ClientOptions::master_timeout`](crate::ClientOptions). Reading and
    /// writing rows does not need a master.
    #[error("the cluster has no master that answers, tried for {}: {last}", Seconds(*.elapsed))]
    NoMaster {
        /// How long the client looked for one.
        elapsed: Duration,
        /// The last attempt's error.
        last: Box<Error>,
    },
    /// A cell is too large to be written.
    #[error(transparent)]
    TooLarge(#[from] CellTooLarge),
    /// A request that every server would refuse.
    #[error("{reason}")]
    BadRequest {
        /// What is wrong with it.
        reason: String,
    },
    /// A procedure of the master failed.
    #[error("{what} failed: {class}: {message}")]
    Procedure {
        /// The operation.
        what: &'static str,
        /// Name of the Java class.
        class: String,
        /// The exception's message.
        message: String,
    },
    /// The master no longer knows the result of a procedure, and the cluster does not show its effect.
    #[error(
        "{what} may have failed: the master no longer knows its result, and the cluster does not show its effect"
    )]
    ProcedureLost {
        /// The operation.
        what: &'static str,
    },
    /// A conditional change was sent again because an answer was lost, and its condition does not hold. Either it never
    /// held, or the change was made and the condition no longer holds because of it.
    #[error(
        "it is unknown whether row {row} was changed: an answer was lost, and at the next attempt the condition did not hold"
    )]
    Unsure {
        /// The row, escaped.
        row: String,
    },
    /// All attempts failed, or time ran out.
    #[error("gave up after {attempts} attempts in {}: {last}", Seconds(*.elapsed))]
    GaveUp {
        /// The number of attempts.
        attempts: u32,
        /// The time they took.
        elapsed: Duration,
        /// The last attempt's error.
        last: Box<Error>,
    },
    /// The client was closed.
    #[error("the client is closed")]
    Closed,
}

/// The kind of a server in the cluster's address that can't be asked for the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoundServer {
    /// A ZooKeeper server.
    ZooKeeper,
    /// An HBase server.
    HBase,
    /// An HBase server that is too old to have the registry service.
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

    /// Adds the region that the error is about.
    pub(crate) fn about(self, located: &Located) -> Self {
        match self {
            Self::Remote(mut error) => {
                error.region = Some(located.region.to_string().into());
                Self::Remote(error)
            }
            other => other,
        }
    }

    /// Replaces the last error of a `GaveUp`.
    pub(crate) fn with_last(self, last: Self) -> Self {
        match self {
            Self::GaveUp { attempts, elapsed, .. } => {
                Self::GaveUp { attempts, elapsed, last: Box::new(last) }
            }
            other => other,
        }
    }

    /// Adds the table that the error is about. For calls and procedures of the master.
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

    /// Adds the region that the error is about. For calls and procedures of the master.
    pub(crate) fn about_region(self, region: &RegionInfo) -> Self {
        match self.short_class() {
            Some("UnknownRegionException") => Self::RegionGone { region: region.to_string() },
            _ => self.about_table(&region.table),
        }
    }

    /// Name of the Java class without its package, if a server's exception is the cause.
    fn short_class(&self) -> Option<&str> {
        match self {
            Self::Remote(error) => Some(error.short_class()),
            Self::Procedure { class, .. } => Some(remote::short_class(class)),
            _ => None,
        }
    }

    /// The server's exception, if one is the cause.
    pub fn remote(&self) -> Option<&RemoteError> {
        match self {
            Self::Remote(error) => Some(error),
            Self::GaveUp { last, .. } => last.remote(),
            _ => None,
        }
    }

    /// Whether this user was denied access, or could not be authenticated.
    pub fn is_denied(&self) -> bool {
        match self {
            Self::GaveUp { last, .. } => last.is_denied(),
            _ => matches!(self.short_class(), Some("AccessDeniedException" | "BadAuthException")),
        }
    }

    /// Whether servers could not be reached, or did not complete the operation in time.
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

    /// Whether the server does not have the method, because its HBase version is older or newer.
    pub(crate) fn lacks_method(&self) -> bool {
        self.remote().is_some_and(|error| {
            error.short_class() == "DoNotRetryIOException"
                && error.message().contains("UnsupportedOperationException")
        })
    }

    /// Whether the call may have taken effect although no answer arrived.
    pub(crate) fn is_lost_answer(&self) -> bool {
        matches!(self, Self::ConnectionLost { .. } | Self::Timeout { .. } | Self::BadAnswer { .. })
    }

    /// How to recover from it: the table that drives the client's retries.
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
