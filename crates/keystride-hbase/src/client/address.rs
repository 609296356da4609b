//! Addresses of clusters.

use std::fmt;
use std::str::FromStr;

use crate::zookeeper::Ensemble;
use crate::{BadServer, HostPort};

/// The address of a cluster.
///
/// ```
/// # use keystride_hbase::ClusterAddress;
/// let address: ClusterAddress = "hbase+rpc://master1,master2:16000".parse()?;
/// assert_eq!(address.to_string(), "hbase+rpc://master1:16000,master2:16000");
/// # Ok::<(), keystride_hbase::BadAddress>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClusterAddress {
    /// Some of its masters, or from HBase 2.5 on region servers.
    Servers(Vec<HostPort>),
    /// Its ZooKeeper.
    ZooKeeper {
        /// Servers of the ensemble.
        servers: Vec<HostPort>,
        /// The base znode, HBase's `zookeeper.znode.parent`.
        base_znode: Box<str>,
    },
}

/// Text that is not the address of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadAddress {
    /// An unknown scheme.
    #[error(
        "{found:?} is not the address of a cluster: use hbase+rpc://master:16000 or hbase://zookeeper:2181/hbase"
    )]
    Scheme {
        /// The text.
        found: String,
    },
    /// An invalid server.
    #[error(transparent)]
    Server(#[from] BadServer),
}

impl FromStr for ClusterAddress {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let bad = || BadAddress::Scheme { found: text.into() };
        if let Some(servers) = text.strip_prefix("hbase+rpc://") {
            let servers = servers.trim_end_matches('/').split(',').map(str::parse);
            return Ok(Self::Servers(servers.collect::<Result<_, _>>()?));
        }
        let rest = text.strip_prefix("hbase://").ok_or_else(bad)?;
        let (quorum, path) = rest.split_once('/').unwrap_or((rest, "hbase"));
        let servers = Ensemble::parse(quorum)?.into_servers();
        Ok(Self::ZooKeeper { servers, base_znode: format!("/{}", path.trim_matches('/')).into() })
    }
}

impl fmt::Display for ClusterAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Servers(servers) => write!(f, "hbase+rpc://{}", listed(servers)),
            Self::ZooKeeper { servers, base_znode } => write!(f, "hbase://{}{base_znode}", listed(servers)),
        }
    }
}

fn listed(servers: &[HostPort]) -> String {
    servers.iter().map(HostPort::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_as_they_are_read() {
        for (text, shown) in [
            ("hbase+rpc://m1,m2:1/", "hbase+rpc://m1:16000,m2:1"),
            ("hbase://zk1,zk2:2181/hbase", "hbase://zk1:2181,zk2:2181/hbase"),
            ("hbase://zk1", "hbase://zk1:2181/hbase"),
            ("hbase://zk1/secure/", "hbase://zk1:2181/secure"),
        ] {
            assert_eq!(text.parse::<ClusterAddress>().unwrap().to_string(), shown);
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for text in ["", "zk1:2181", "hbase://", "hbase+rpc://", "hbase+rpc://a,,b", "hbase://a:b/hbase"] {
            assert!(text.parse::<ClusterAddress>().is_err(), "{text:?}");
        }
    }
}
