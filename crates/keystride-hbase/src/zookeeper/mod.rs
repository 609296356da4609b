//! Reading from ZooKeeper, where a cluster says who is its master and who has hbase:meta.
//!
//! Start at [`ZooKeeperRegistry`]. It asks an [`Ensemble`]: one session a question, so that nothing has to be kept
//! alive between questions, and whoever asks caches the answers. Only reading is here: no watches, no writes, no SASL,
//! no TLS.
//!
//! Each message is a frame, its length in four bytes and then numbers, buffers and strings as [`jute`] has them:
//!
//! | To the server | From the server |
//! |---|---|
//! | greeting: version, zxid, session timeout, session 0, empty password, read-only | version, timeout granted (0: expired), session, password, read-only |
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
