//! Errors of ZooKeeper.

use std::fmt;
use std::io;
use std::time::Duration;

use super::jute::BadJute;
use super::znode::BadZnode;
use crate::{HostPort, Seconds};

/// Largest answer accepted. ZooKeeper limits a znode's value to 1 MiB by default.
pub(super) const MAX_FRAME_LEN: u32 = 4 << 20;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ZooKeeperError {
    /// No server of the ensemble answered.
    #[error("no ZooKeeper server answered: {}", Listed(.failures, "; "))]
    NoAnswer { failures: Vec<ServerFailure> },
    /// An error that every server would answer.
    #[error("ZooKeeper server {server} does not let {path} be read: {code}")]
    Refused { server: HostPort, path: Box<str>, code: ErrorCode },
    /// The cluster's base znode does not exist.
    #[error(
        "there is no znode {base} in ZooKeeper: HBase has not yet run there, or its zookeeper.znode.parent is different: {}",
        OtherBases(.others)
    )]
    NoBase { base: Box<str>, others: Vec<String> },
    /// A znode's value can't be parsed.
    #[error("znode {path} can't be read: {error}")]
    BadZnode { path: Box<str>, error: BadZnode },
}

impl ZooKeeperError {
    /// The address, if an HBase server answered instead of ZooKeeper.
    pub(crate) fn hbase_server(&self) -> Option<&HostPort> {
        let Self::NoAnswer { failures } = self else { return None };
        failures.iter().find(|failed| failed.failure == Failure::HBase).map(|failed| &failed.server)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{server}: {failure}")]
pub(crate) struct ServerFailure {
    pub(crate) server: HostPort,
    pub(crate) failure: Failure,
}

/// Why one server did not answer a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("can't connect: {reason}")]
    Connect { reason: String },
    #[error("can't connect within {}", Seconds(*.after))]
    ConnectTimeout { after: Duration },
    #[error("no answer within {}", Seconds(*.after))]
    Silent { after: Duration },
    #[error(
        "closed the connection instead of beginning a session: it has no quorum, or too many connections"
    )]
    NotServing,
    #[error("closed the connection before it answered")]
    Closed,
    #[error("ended its answer before the announced {len} bytes")]
    Truncated { len: usize },
    #[error("connection ended: {reason}")]
    Lost { reason: String },
    #[error("answered as HBase does: this is not ZooKeeper")]
    HBase,
    #[error("the session expired")]
    Expired,
    #[error(
        "announced an answer of {len} bytes, more than {MAX_FRAME_LEN}: is this ZooKeeper's port without TLS?"
    )]
    TooLong { len: u32 },
    #[error("answered request {found} instead of {expected}")]
    Xid { expected: i32, found: i32 },
    #[error("error {code}")]
    Code { code: ErrorCode },
    #[error("answer can't be read: {0}")]
    BadAnswer(#[from] BadJute),
}

impl Failure {
    /// A failure of a connection; `hung_up` is the failure if the server closed it.
    pub(super) fn of_io(error: &io::Error, hung_up: Self) -> Self {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        match error.kind() {
            UnexpectedEof | ConnectionReset | ConnectionAborted | BrokenPipe => hung_up,
            _ => Self::Lost { reason: error.to_string() },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ErrorCode(pub(crate) i32);

impl ErrorCode {
    pub(super) const OK: Self = Self(0);
    pub(super) const NO_NODE: Self = Self(-101);
    pub(super) const SESSION_EXPIRED: Self = Self(-112);

    /// Whether the error is about the request or the client, so that every server would answer the same.
    pub(super) fn is_final(self) -> bool {
        matches!(self.0, -5 | -6 | -8 | -102 | -115 | -124)
    }

    fn meaning(self) -> &'static str {
        match self.0 {
            -4 => "connection loss",
            -5 => "marshalling error",
            -6 => "unimplemented",
            -7 => "operation timed out",
            -8 => "bad arguments",
            -101 => "no node",
            -102 => "not authorized",
            -112 => "session expired",
            -115 => "authentication failed",
            -118 => "session moved",
            -122 => "request timed out",
            -124 => "the session needs SASL authentication, which this client does not speak",
            -127 => "throttled",
            _ => "unknown error",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0, self.meaning())
    }
}

struct Listed<'a, T>(&'a [T], &'static str);

impl<T: fmt::Display> fmt::Display for Listed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i > 0 { self.1 } else { "" })?;
        }
        Ok(())
    }
}

struct OtherBases<'a>(&'a [String]);

impl fmt::Display for OtherBases<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none at the root looks like HBase's");
        }
        write!(f, "try {}", Listed(self.0, " or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(server: &str, failure: Failure) -> ServerFailure {
        ServerFailure { server: server.parse().unwrap(), failure }
    }

    #[test]
    fn each_server_is_listed_with_its_failure() {
        let failures = vec![
            failure("zk1:2181", Failure::NotServing),
            failure("zk2:2181", Failure::TooLong { len: 352_518_912 }),
        ];
        assert_eq!(
            ZooKeeperError::NoAnswer { failures }.to_string(),
            "no ZooKeeper server answered: zk1:2181: closed the connection instead of beginning a session: it has \
             no quorum, or too many connections; zk2:2181: announced an answer of 352518912 bytes, more than \
             4194304: is this ZooKeeper's port without TLS?"
        );
    }

    #[test]
    fn a_missing_base_znode_suggests_others() {
        let no_base = |others: &[&str]| {
            let others = others.iter().map(ToString::to_string).collect();
            ZooKeeperError::NoBase { base: "/hbase".into(), others }.to_string()
        };
        let text = no_base(&["/hbase-secure", "/hbase-unsecure"]);
        assert!(text.ends_with("is different: try /hbase-secure or /hbase-unsecure"), "{text}");
        assert!(no_base(&[]).ends_with("none at the root looks like HBase's"));
    }

    #[test]
    fn codes_have_their_meaning() {
        assert_eq!(ErrorCode(-102).to_string(), "-102 (not authorized)");
        assert!(ErrorCode(-102).is_final() && !ErrorCode::SESSION_EXPIRED.is_final());
    }
}
