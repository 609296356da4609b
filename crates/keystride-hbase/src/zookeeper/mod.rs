//! Reading from ZooKeeper, which knows the active master and the server of hbase:meta.
//!
//! Start at [`ZooKeeperRegistry`]. It asks an [`Ensemble`], which opens one session per request: no session has to be
//! kept alive between requests, and callers cache the answers. Only reads are supported: no watches, writes, SASL or
//! TLS.
//!
//! Each message is a frame: a length of four bytes, then numbers, buffers and strings in the format of [`jute`]:
//!
//! | To the server | From the server |
//! |---|---|
//! | connect: version, zxid, session timeout, session 0, empty password, read-only | version, timeout granted (0: expired), session, password, read-only |
//! | xid, opcode, path, watch | xid, zxid, error code, body |
//! | xid, opcode -11 | the same, then the connection's end |

mod ensemble;
mod error;
#[cfg(test)]
pub(crate) mod fake;
#[cfg(test)]
mod fuzz;
mod jute;
mod message;
mod quorum;
#[cfg(test)]
mod real;
mod registry;
mod session;
pub(crate) mod znode;

pub(crate) use ensemble::{Ensemble, Timeouts};
pub(crate) use error::ZooKeeperError;
pub(crate) use registry::ZooKeeperRegistry;
